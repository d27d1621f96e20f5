"""Passages and their grams: how a book's are written, found, read and taken away."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.book import BookId, ChapterKind, DocumentId, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.store import gram_rows, jobs
from engine.store.connection import Connection
from engine.store.folded import Stretch, stretch_of_slice
from engine.store.marks import SLICE_ID_SHIFT, piece_from_row
from engine.text.slices import Piece

_DELETED_AT_ONCE = 1000
"""Passages a transaction deletes: 10 ms."""
_MERGED_AT_ONCE = 100
"""Pages of the index a transaction merges: 10 ms."""
_LAST_IN_DOCUMENT = (1 << PASSAGE_SHIFT) - 1


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage ready to be written."""

    id: PassageId
    slice_ord: int
    start: int
    """Document offset."""
    end: int
    kind: ChapterKind
    text_hash: bytes
    grams: Iterable[str]
    """Each once."""


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage as it lies in the library."""

    id: PassageId
    locator: Locator
    pos: Pos
    """Of its first character. Read it anew for each request: it moves with its volume."""
    pos_end: Pos
    kind: ChapterKind
    text_hash: bytes
    """The same for the same text, wherever it stands."""


def queue_index(w: Connection, book: BookId) -> None:
    """Have a book's passages made."""
    name = w.execute("SELECT file_name FROM book WHERE id = ?", (book,)).get
    if name is not None:
        jobs.add_job(w, jobs.INDEX, str(book), name)


def index_rev(r: Connection, book: BookId) -> int | None:
    """Return by which revision a book's passages were made: 0 while they are not whole, None for no readable book."""
    found = r.execute("SELECT index_rev FROM book WHERE id = ? AND state = 'ready'", (book,)).get
    return None if found is None else int(found)


def set_index_rev(w: Connection, book: BookId, rev: int) -> None:
    """Write that a book's passages are whole (their revision) or are begun (0)."""
    w.execute("UPDATE book SET index_rev = ? WHERE id = ?", (rev, book))


def unindexed_books(r: Connection, works: Iterable[WorkId]) -> int:
    """Return how many readable books of works have passages that are not whole yet."""
    sql = (
        "SELECT count(DISTINCT b.id) FROM book b JOIN volume v ON v.book_id = b.id"
        " WHERE b.state = 'ready' AND b.index_rev = 0 AND v.work_id IN (SELECT value FROM json_each(?))"
    )
    return int(r.execute(sql, (json.dumps(list(works)),)).get)


def documents_to_index(r: Connection, book: BookId) -> list[DocumentId]:
    """Return the documents of a book that hold text, in spine order."""
    rows = r.execute("SELECT id FROM document WHERE book_id = ? AND slices > 0 ORDER BY spine_index", (book,))
    return [DocumentId(id_) for (id_,) in rows]


def chapters_of_book(r: Connection, book: BookId) -> dict[DocumentId, list[tuple[int, ChapterKind]]]:
    """Return by document where chapters begin in it (document offset, growing) and their kinds.

    Each document has an entry for offset 0 first: the kind of the chapter that goes on there.
    """
    found: dict[DocumentId, list[tuple[int, ChapterKind]]] = {}
    kind = ChapterKind.FRONT
    volume = None
    rows: Iterable[Any] = r.execute(  # Any: typed by the schema
        "SELECT d.id, d.volume_id, c.start, c.kind FROM document d LEFT JOIN chapter c ON c.document_id = d.id"
        " WHERE d.book_id = ? ORDER BY d.volume_id, NOT d.is_linear, d.spine_index, c.start, c.ord",
        (book,),
    )
    for document, volume_id, start, own in rows:
        if volume_id != volume:
            volume, kind = volume_id, ChapterKind.FRONT
        starts = found.setdefault(DocumentId(document), [(0, kind)])
        if own is not None:
            kind = ChapterKind(own)
            starts.append((start, kind))
    return found


@dataclass(frozen=True, slots=True)
class Written:
    """How far the passages of a document are written."""

    count: int = 0
    slice_ord: int = 0
    """The slice of the last one."""
    before: int = 0
    """Passages of the slices before that one."""


def written(r: Connection, document: DocumentId) -> Written:
    """Return how far the passages of a document are written."""
    first = document << PASSAGE_SHIFT
    sql = "SELECT id, slice FROM passage WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
    found = r.execute(sql, (first, first + _LAST_IN_DOCUMENT)).fetchone()
    if found is None:
        return Written()
    last, slice_ord = int(found[0]), int(found[1])
    sql = "SELECT count(*) FROM passage WHERE id BETWEEN ? AND ? AND slice < ?"
    before = r.execute(sql, (first, last, slice_ord)).get
    return Written(last - first + 1, slice_ord, int(before))


def slice_to_index(r: Connection, document: DocumentId, ord_: int) -> tuple[Piece, Stretch] | None:
    """Return a slice of a document and its folded text; None behind the last."""
    row: Any = r.execute(  # Any: typed by the schema
        'SELECT start, "end", text, marks FROM slice WHERE id = ?', (document << SLICE_ID_SHIFT | ord_,)
    ).fetchone()
    stretch = None if row is None else stretch_of_slice(r, document, ord_)
    return None if stretch is None else (piece_from_row(*row), stretch)


def add_passages(w: Connection, passages: Sequence[NewPassage]) -> None:
    """Add passages with their grams, in the order of their ids."""
    w.executemany(
        'INSERT INTO passage (id, slice, start, "end", kind, text_hash) VALUES (?, ?, ?, ?, ?, ?)',
        [(p.id, p.slice_ord, p.start, p.end, p.kind, p.text_hash) for p in passages],
    )
    rows = gram_rows.give_rows(w, [p.id for p in passages])
    w.executemany(
        "INSERT INTO gram (rowid, grams) VALUES (?, ?)",
        [(row, " ".join(p.grams)) for row, p in zip(rows, passages, strict=True)],
    )


def tidy_some(w: Connection, *, is_first: bool) -> bool:
    """Merge a part of the full-text index, small enough for one short transaction.

    Args:
        w: The writer.
        is_first: Begin to merge everything into one; else go on with it.

    Returns:
        True when there was nothing left to merge.
    """
    before = w.total_changes()
    w.execute("INSERT INTO gram (gram, rank) VALUES ('merge', ?)", (-_MERGED_AT_ONCE if is_first else _MERGED_AT_ONCE,))
    return w.total_changes() - before < 2


def delete_some(w: Connection, book: BookId) -> bool:
    """Delete a part of a book's passages, small enough for one short transaction.

    Returns:
        True when none is left.
    """
    rows = w.execute(
        "SELECT p.id FROM passage p JOIN document d ON d.id = p.id >> 20 AND d.book_id = ?1"
        " WHERE p.id BETWEEN (SELECT min(id) << 20 FROM document WHERE book_id = ?1)"
        " AND (SELECT (max(id) + 1) << 20 FROM document WHERE book_id = ?1) ORDER BY p.id LIMIT ?2",
        (book, _DELETED_AT_ONCE),
    )
    found = [int(str(id_)) for (id_,) in rows]
    w.executemany("DELETE FROM gram WHERE rowid = ?", [(row,) for row in gram_rows.take_rows(w, found)])
    w.executemany("DELETE FROM passage WHERE id = ?", [(id_,) for id_ in found])
    return len(found) < _DELETED_AT_ONCE


_ROWS = (
    'SELECT p.id, p.start, p."end", (v.ord << 40) + d.base, p.kind, p.text_hash FROM volume v'
    " JOIN book b ON b.id = v.book_id AND b.state = 'ready' JOIN document d ON d.volume_id = v.id"
    " JOIN passage p ON p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575"
)


def passage(r: Connection, id_: PassageId) -> PassageRow | None:
    """Return a readable passage, None when there is none with that id."""
    row = r.execute(f"{_ROWS} WHERE d.id = ?1 >> 20 AND p.id = ?1", (id_,)).fetchone()
    return None if row is None else _row_from(row)


def _row_from(row: Sequence[Any]) -> PassageRow:  # Any: typed by the schema
    id_, start, end, base, kind, text_hash = row
    locator = Locator(DocumentId(id_ >> PASSAGE_SHIFT), start, end)
    return PassageRow(PassageId(id_), locator, base + start, base + end, ChapterKind(kind), text_hash)


def text_of_passage(r: Connection, id_: PassageId) -> str | None:
    """Return a passage's text as the book has it, None when there is no such passage."""
    found = r.execute(
        'SELECT substr(s.text, p.start - s.start + 1, p."end" - p.start) FROM passage p'
        " JOIN slice s ON s.id = ((p.id >> 20) << ?2) + p.slice WHERE p.id = ?1",
        (id_, SLICE_ID_SHIFT),
    ).get
    return None if found is None else str(found)
