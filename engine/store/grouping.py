"""Which volumes make up which work, and in what order: publishing, regrouping, removing.

pos is computed from `volume.ord` and `document.base` when it is read, so that any of this is
one short transaction and no stored place has to change. What is known of a work holds stored
pos: it is not seen any more once the work's volumes change, and a job makes it anew. Vectors
hold a pos too, which moves with the volume in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.book import BookId, BookMetadata, ImportWarning, VolumeId, WorkId
from engine.errors import PlaceUnknownError, WorkNotFoundError
from engine.store import corrections, passages, rosters, vectors, wiki
from engine.store.books import mark_leaving, sha_of
from engine.store.connection import Connection
from engine.text.series import are_compatible


@dataclass(frozen=True, slots=True)
class NewVolume:
    """A volume of a book about to become readable."""

    part: int
    """From 0 in its book."""
    title: str
    length: int
    """Characters in reading order."""
    chapters: int
    first_spine: int
    last_spine: int
    """Inclusive. The base of each document is set before (`engine.store.books.set_bases`)."""


@dataclass(frozen=True, slots=True)
class NewWork:
    """What a book says of the work it belongs to."""

    title: str
    """Of the work, should it be the first of its volumes."""
    metadata: BookMetadata
    series_key: str = ""
    """Empty for a book of no series."""
    series_index: float | None = None


def publish(
    w: Connection,
    book: BookId,
    about: NewWork,
    volumes: Sequence[NewVolume],
    warnings: Iterable[ImportWarning],
    *,
    replaces: BookId | None = None,
) -> WorkId:
    """Make a book readable: the last transaction of its import.

    Its volumes take the places of those of `replaces`; else those they had before the library
    was rebuilt; else they join the work of their series; else they are a new work.

    Returns:
        The work of the first volume.
    """
    old = _take_over(w, replaces, book) if replaces is not None else {}
    w.execute(
        "UPDATE book SET state = 'ready', warnings = ? WHERE id = ?",
        (json.dumps([[warning.kind, warning.message] for warning in warnings], ensure_ascii=False), book),
    )
    first_work: WorkId | None = None
    for volume in volumes:
        kept = old.pop(volume.part, None)
        if kept is None:
            work, kept = _insert(w, book, about, volume, first_work)
        else:
            work = _repoint(w, kept, book, about, volume)
        w.execute(
            "UPDATE document SET volume_id = ? WHERE book_id = ? AND spine_index BETWEEN ? AND ?",
            (kept, book, volume.first_spine, volume.last_spine),
        )
        first_work = work if first_work is None else first_work
        rosters.queue_names(w, work)
    for gone in old.values():
        _delete_volume(w, gone)
    if first_work is None:
        raise ValueError("a book has at least one volume")
    passages.queue_index(w, book)
    return first_work


def _take_over(w: Connection, book: BookId, successor: BookId) -> dict[int, VolumeId]:
    """Make a book invisible and return its volumes by part, for another to take with what is written about them."""
    wiki.carry_over(w, book, successor)
    corrections.carry_over(w, sha_of(w, book) or "", sha_of(w, successor) or "")
    volumes = {part: VolumeId(i) for i, part in w.execute("SELECT id, part FROM volume WHERE book_id = ?", (book,))}
    w.execute("UPDATE document SET volume_id = NULL WHERE book_id = ?", (book,))
    mark_leaving(w, book)
    return volumes


def _repoint(w: Connection, kept: VolumeId, book: BookId, about: NewWork, volume: NewVolume) -> WorkId:
    w.execute(
        "UPDATE volume SET book_id = ?, title = ?, length = ?, chapters = ?, series_key = ?, series_index = ?"
        " WHERE id = ?",
        (book, volume.title, volume.length, volume.chapters, about.series_key, about.series_index, kept),
    )
    return WorkId(w.execute("SELECT work_id FROM volume WHERE id = ?", (kept,)).get)


def _insert(
    w: Connection, book: BookId, about: NewWork, volume: NewVolume, first_work: WorkId | None
) -> tuple[WorkId, VolumeId]:
    sha256 = w.execute("SELECT sha256 FROM book WHERE id = ?", (book,)).get
    placed = w.execute(
        "DELETE FROM placement WHERE book_sha256 = ? AND part = ? RETURNING work_id, ord, title", (sha256, volume.part)
    ).fetchone()
    if placed is not None:
        work, title = WorkId(placed[0]), placed[2]
        before = w.execute("SELECT count(*) FROM volume WHERE work_id = ? AND wanted_ord < ?", (work, placed[1])).get
        wanted_ord = placed[1]
    else:
        work = first_work or _series_work(w, about) or _new_work(w, about)
        title, wanted_ord = volume.title, None
        before = _index_in_series(w, work, about.series_index)
    w.execute(
        "INSERT INTO volume"
        " (work_id, ord, book_id, part, title, length, chapters, series_key, series_index, wanted_ord)"
        " SELECT ?1, coalesce(max(ord), -1) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM volume WHERE work_id = ?1",
        (
            work,
            book,
            volume.part,
            title,
            volume.length,
            volume.chapters,
            about.series_key,
            about.series_index,
            wanted_ord,
        ),
    )
    new = VolumeId(w.last_insert_rowid())
    order = [v for v in volumes_of(w, work) if v != new]
    if before < len(order):
        order.insert(before, new)
        _renumber(w, work, order)
    return work, new


def _series_work(w: Connection, about: NewWork) -> WorkId | None:
    """Return the work that holds most volumes of a series; in doubt the one first made for it.

    Counting volumes, not names, follows the reader wherever she has put them.
    """
    if not about.series_key:
        return None
    rows = w.execute(
        "SELECT w.id, w.authors, w.language FROM volume v JOIN work w ON w.id = v.work_id WHERE v.series_key = ?1"
        " GROUP BY w.id ORDER BY count(*) DESC, w.series_key = ?1 DESC, w.id",
        (about.series_key,),
    )
    for id_, authors, language in rows:
        if are_compatible(about.metadata.authors, about.metadata.language, json.loads(authors), language):
            return WorkId(id_)
    return None


def _new_work(w: Connection, about: NewWork) -> WorkId:
    metadata = about.metadata
    w.execute(
        "INSERT INTO work (title, authors, language, series_key, is_right_to_left) VALUES (?, ?, ?, ?, ?)",
        (
            about.title,
            json.dumps(metadata.authors, ensure_ascii=False),
            metadata.language,
            about.series_key,
            metadata.is_right_to_left,
        ),
    )
    return WorkId(w.last_insert_rowid())


def _index_in_series(w: Connection, work: WorkId, series_index: float | None) -> int:
    """Return how many volumes come before a new one.

    It follows the last volume whose number is not above its own, in the order the reader may
    have made; without a number it comes last.
    """
    numbers = [n for (n,) in w.execute("SELECT series_index FROM volume WHERE work_id = ? ORDER BY ord", (work,))]
    if series_index is None:
        return len(numbers)
    earlier = [i for i, n in enumerate(numbers) if n is not None and n <= series_index]
    if earlier:
        return earlier[-1] + 1
    return next((i for i, n in enumerate(numbers) if n is not None), len(numbers))


def volumes_of(r: Connection, work: WorkId) -> list[VolumeId]:
    """Return a work's volumes in reading order."""
    return [VolumeId(i) for (i,) in r.execute("SELECT id FROM volume WHERE work_id = ? ORDER BY ord", (work,))]


def _renumber(w: Connection, work: WorkId, order: Sequence[VolumeId]) -> None:
    # In two steps, since (work_id, ord) is unique at every moment.
    w.executemany("UPDATE volume SET ord = ? WHERE id = ?", [(-1 - i, v) for i, v in enumerate(order)])
    w.execute("UPDATE volume SET ord = -1 - ord WHERE work_id = ? AND ord < 0", (work,))
    vectors.renumber(w, work)


def reorder(w: Connection, work: WorkId, volumes: Sequence[VolumeId]) -> None:
    """Put a work's volumes into this order.

    Raises:
        PlaceUnknownError: `volumes` are not exactly the work's.
    """
    if sorted(volumes) != sorted(volumes_of(w, work)):
        raise PlaceUnknownError(", ".join(str(v) for v in volumes))
    _renumber(w, work, volumes)
    rosters.queue_names(w, work)


def regroup(w: Connection, volumes: Sequence[VolumeId], into: WorkId | None) -> WorkId:
    """Move volumes into a work, or into a new one of their own; works left empty vanish.

    In the new work they keep the order given; in an existing one each takes the place its
    number in the series gives it.

    Raises:
        PlaceUnknownError: there is no such volume, or none was given.
        WorkNotFoundError: there is no such work.
    """
    if not volumes:
        raise PlaceUnknownError("")
    left = {_work_of(w, volume) for volume in volumes}
    if into is None:
        if len(left) == 1 and sorted(volumes_of(w, next(iter(left)))) == sorted(volumes):
            return left.pop()
        into = _split_off(w, volumes[0])
    elif not w.execute("SELECT EXISTS (SELECT 1 FROM work WHERE id = ?)", (into,)).get:
        raise WorkNotFoundError(str(into))
    for volume in volumes:
        if _work_of(w, volume) == into:
            continue
        number = w.execute("SELECT series_index FROM volume WHERE id = ?", (volume,)).get
        order = volumes_of(w, into)
        is_new = into not in left and all(v in volumes for v in order)
        order.insert(len(order) if is_new else _index_in_series(w, into, number), volume)
        w.execute(
            "UPDATE volume SET ord = (SELECT coalesce(max(ord), -1) + 1 FROM volume WHERE work_id = ?1), work_id = ?1"
            " WHERE id = ?2",
            (into, volume),
        )
        _renumber(w, into, order)
    for work in left - {into}:
        _close_gaps(w, work)
        if not volumes_of(w, work):
            rosters.move_knowledge(w, work, into)
    rosters.queue_names(w, into)
    return into


def _work_of(r: Connection, volume: VolumeId) -> WorkId:
    found = r.execute("SELECT work_id FROM volume WHERE id = ?", (volume,)).get
    if found is None:
        raise PlaceUnknownError(str(volume))
    return WorkId(found)


def _split_off(w: Connection, volume: VolumeId) -> WorkId:
    """Make a work named after a volume, with the authors and language it had."""
    w.execute(
        "INSERT INTO work (title, authors, language, series_key, is_right_to_left)"
        " SELECT v.title, w.authors, w.language, '', w.is_right_to_left"
        " FROM volume v JOIN work w ON w.id = v.work_id WHERE v.id = ?",
        (volume,),
    )
    return WorkId(w.last_insert_rowid())


def _close_gaps(w: Connection, work: WorkId) -> None:
    order = volumes_of(w, work)
    if order:
        _renumber(w, work, order)
        rosters.queue_names(w, work)
        return
    w.execute("DELETE FROM work WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM placement WHERE work_id = ?1)", (work,))


def _delete_volume(w: Connection, volume: VolumeId) -> None:
    work = _work_of(w, volume)
    w.execute("UPDATE document SET volume_id = NULL WHERE volume_id = ?", (volume,))
    w.execute("DELETE FROM volume WHERE id = ?", (volume,))
    _close_gaps(w, work)


def rename(w: Connection, work: WorkId, title: str) -> None:
    """Give a work the reader's own title.

    Raises:
        WorkNotFoundError: there is no such work.
    """
    w.execute("UPDATE work SET title = ?, is_named_by_reader = 1 WHERE id = ?", (title, work))
    if not w.changes():
        raise WorkNotFoundError(str(work))


def remove_work(w: Connection, work: WorkId) -> tuple[BookId, ...]:
    """Take a work off the shelf: everything of it is invisible at once.

    A book whose other volumes belong to another work stays for them.

    Returns:
        The books to delete.

    Raises:
        WorkNotFoundError: there is no such work.
    """
    books = [BookId(i) for (i,) in w.execute("SELECT DISTINCT book_id FROM volume WHERE work_id = ?", (work,))]
    if not books:
        raise WorkNotFoundError(str(work))
    for volume in volumes_of(w, work):
        _delete_volume(w, volume)
    gone = [b for b in books if not w.execute("SELECT EXISTS (SELECT 1 FROM volume WHERE book_id = ?)", (b,)).get]
    for book in gone:
        mark_leaving(w, book)
    rosters.drop_knowledge(w, work)
    return tuple(gone)
