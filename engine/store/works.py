"""Works as they are looked at: the shelf, a work's outline, finding one by its name."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from itertools import groupby

from engine.domain.book import BookId, ChapterId, ChapterKind, DocumentId, VolumeId, WorkId
from engine.domain.locator import pos_of
from engine.domain.reading import Chapter, DocumentOutline, PageLabel, VolumeOutline, WorkOutline, WorkSummary
from engine.errors import NotTakenInError, WorkAmbiguousError, WorkNotFoundError
from engine.store.connection import Connection

# A work's newest place: the position of its volume, how much lies before it, when it was saved. The only volume of a
# series is listed by its own title: the shelf tells which one is there.
_SUMMARIES = """
WITH shelf AS (
    SELECT v.work_id, v.id, v.ord, v.title, v.length, v.chapters, v.book_id, v.part, b.sha256, b.imported_at,
           coalesce(sum(v.length) OVER (
               PARTITION BY v.work_id ORDER BY v.ord ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'
), opened AS (
    SELECT s.work_id, p.counter, p.saved_at, s.before + min(s.length, d.base + min(p.start, d.length)) AS chars,
           row_number() OVER (PARTITION BY s.work_id ORDER BY p.counter DESC) AS newest
    FROM shelf s JOIN place p ON p.book_sha256 = s.sha256
    JOIN document d ON d.book_id = s.book_id AND d.spine_index = p.spine_index AND d.volume_id = s.id
), total AS (
    SELECT work_id, count(*) AS volumes, sum(chapters) AS chapters, sum(length) AS chars, max(book_id) AS last_book,
           min(title) AS only_title
    FROM shelf GROUP BY work_id
)
SELECT w.id,
       CASE WHEN t.volumes = 1 AND w.series_key <> '' AND NOT w.is_named_by_reader THEN t.only_title ELSE w.title END,
       w.authors, w.language, t.volumes, t.chapters, t.chars,
       coalesce(o.chars, 0), coalesce(o.saved_at, '')
FROM work w JOIN total t ON t.work_id = w.id
LEFT JOIN opened o ON o.work_id = w.id AND o.newest = 1
ORDER BY coalesce(o.counter, 0) DESC, t.last_book DESC
"""


def summaries(r: Connection) -> tuple[WorkSummary, ...]:
    """Return the shelf: newest read first, then the newest imported."""
    return tuple(
        WorkSummary(
            WorkId(id_),
            title,
            tuple(json.loads(authors)),
            language,
            volumes,
            chapters,
            chars,
            min(1.0, read / chars) if chars else 0.0,
            saved_at,
        )
        for id_, title, authors, language, volumes, chapters, chars, read, saved_at in r.execute(_SUMMARIES)
    )


def last_read(r: Connection) -> WorkId | None:
    """Return the work whose place was saved last."""
    found = r.execute(
        "SELECT v.work_id FROM place p JOIN book b ON b.sha256 = p.book_sha256 AND b.state = 'ready'"
        " JOIN volume v ON v.book_id = b.id ORDER BY p.counter DESC LIMIT 1"
    ).get
    return None if found is None else WorkId(found)


def work_of_book(r: Connection, sha256: str) -> WorkId | None:
    """Return the work a readable book's first volume belongs to."""
    found = r.execute(
        "SELECT v.work_id FROM book b JOIN volume v ON v.book_id = b.id"
        " WHERE b.sha256 = ? AND b.state = 'ready' ORDER BY v.part LIMIT 1",
        (sha256,),
    ).get
    return None if found is None else WorkId(found)


_WORK_TITLES = """
SELECT w.id, w.title FROM work w
WHERE EXISTS (SELECT 1 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = w.id)
ORDER BY w.id
"""
_VOLUME_TITLES = """
SELECT v.work_id, v.title FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready' ORDER BY v.id
"""


def find(r: Connection, query: str) -> WorkId:
    """Return the work a reader means: by id, by its whole title, or by an unambiguous part of it.

    Titles of volumes count when no work's does. Case, width and compatibility forms do not matter.

    Raises:
        WorkNotFoundError: nothing fits.
        WorkAmbiguousError: several works do.
    """
    works = [(WorkId(i), title) for i, title in r.execute(_WORK_TITLES)]
    wanted = query.strip()
    if wanted.isascii() and wanted.isdecimal() and any(id_ == int(wanted) for id_, _title in works):
        return WorkId(int(wanted))
    volumes = [(WorkId(i), title) for i, title in r.execute(_VOLUME_TITLES)]
    for titles in (works, volumes):
        if found := _fitting(titles, wanted):
            if len(found) > 1:
                names = dict(works)
                raise WorkAmbiguousError(query, [f"{names[i]} ({i})" for i in found])
            return found[0]
    raise WorkNotFoundError(query)


def _fitting(titles: Sequence[tuple[WorkId, str]], wanted: str) -> list[WorkId]:
    key = _folded(wanted)
    if not key:
        return []
    whole = [id_ for id_, title in titles if _folded(title) == key]
    return list(dict.fromkeys(whole or [id_ for id_, title in titles if key in _folded(title)]))


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


def _missing(work: WorkId) -> WorkNotFoundError:
    """Say that a work is not there; ids below zero are those of a file that is only being taken in."""
    return NotTakenInError() if work < 0 else WorkNotFoundError(str(work))


def require(r: Connection, work: WorkId) -> None:
    """Make sure that a work is there.

    Raises:
        WorkNotFoundError: it is not, or nothing of it is readable.
    """
    if not r.execute(
        "SELECT EXISTS (SELECT 1 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " WHERE v.work_id = ?)",
        (work,),
    ).get:
        raise _missing(work)


def language_of(r: Connection, work: WorkId) -> str | None:
    """Return a work's language as a BCP 47 tag; None when nothing of it is readable."""
    found = r.execute(
        "SELECT w.language FROM work w WHERE w.id = ?1 AND EXISTS (SELECT 1 FROM volume v"
        " JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = ?1)",
        (work,),
    ).get
    return None if found is None else str(found)


def outline(r: Connection, work: WorkId) -> WorkOutline:
    """Return a work's volumes, documents, contents and printed pages.

    Raises:
        WorkNotFoundError: there is no such work, or nothing of it is readable.
    """
    head = r.execute("SELECT title, authors, language, is_right_to_left FROM work WHERE id = ?", (work,)).fetchone()
    volumes = list(
        r.execute(
            "SELECT v.id, v.ord, v.title, v.length, b.sha256 FROM volume v"
            " JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = ? ORDER BY v.ord",
            (work,),
        )
    )
    if head is None or not volumes:
        raise _missing(work)
    documents = _documents(r, work)
    chapters = _chapters(r, work, {id_: (ord_, length) for id_, ord_, _title, length, _sha in volumes})
    pages = _pages(r, work)
    return WorkOutline(
        work,
        head[0],
        tuple(json.loads(head[1])),
        head[2],
        tuple(
            VolumeOutline(
                VolumeId(id_),
                ord_,
                title,
                length,
                tuple(documents.get(id_, ())),
                tuple(chapters.get(id_, ())),
                tuple(pages.get(id_, ())),
                sha256,
            )
            for id_, ord_, title, length, sha256 in volumes
        ),
        bool(head[3]),
    )


def _documents(r: Connection, work: WorkId) -> dict[int, list[DocumentOutline]]:
    rows = r.execute(
        "SELECT d.volume_id, d.id, d.book_id, d.spine_index, d.base, d.length, d.is_linear, d.href"
        " FROM volume v JOIN document d ON d.volume_id = v.id WHERE v.work_id = ?"
        " ORDER BY d.volume_id, d.is_linear DESC, d.spine_index",
        (work,),
    )
    return {
        volume: [
            DocumentOutline(DocumentId(i), BookId(book), spine, base, length, bool(is_linear), href)
            for _volume, i, book, spine, base, length, is_linear, href in group
        ]
        for volume, group in groupby(rows, key=lambda row: row[0])
    }


def _chapters(r: Connection, work: WorkId, ord_and_length: dict[int, tuple[int, int]]) -> dict[int, list[Chapter]]:
    rows = r.execute(
        "SELECT d.volume_id, c.id, c.ord, c.title, c.level, c.kind, d.id, c.start, d.base, d.length"
        " FROM volume v JOIN document d ON d.volume_id = v.id JOIN chapter c ON c.document_id = d.id"
        " WHERE v.work_id = ? ORDER BY d.volume_id, c.ord",
        (work,),
    )
    found: dict[int, list[Chapter]] = {}
    for volume, group in groupby(rows, key=lambda row: row[0]):
        ord_, length = ord_and_length[volume]
        entries = list(group)
        starts = [pos_of(ord_, row[8] + row[7]) for row in entries]
        end = pos_of(ord_, length)
        found[volume] = [
            Chapter(
                ChapterId(id_),
                n,
                title,
                level,
                ChapterKind(kind),
                DocumentId(document),
                start,
                starts[i],
                # An entry outside the reading order lies behind the volume's end and ends with its document.
                max(starts[i], starts[i + 1] if i + 1 < len(starts) else end)
                if starts[i] < end
                else pos_of(ord_, base + document_length),
            )
            for i, (_v, id_, n, title, level, kind, document, start, base, document_length) in enumerate(entries)
        ]
    return found


def _pages(r: Connection, work: WorkId) -> dict[int, list[PageLabel]]:
    rows = r.execute(
        "SELECT v.id, v.ord, p.label, d.id, p.start, d.base"
        " FROM volume v JOIN document d ON d.volume_id = v.id JOIN page_label p ON p.document_id = d.id"
        " WHERE v.work_id = ? ORDER BY v.id, d.base, p.start",
        (work,),
    )
    return {
        volume: [
            PageLabel(label, pos_of(ord_, base + start), DocumentId(i), start) for _, ord_, label, i, start, base in g
        ]
        for volume, g in groupby(rows, key=lambda row: row[0])
    }
