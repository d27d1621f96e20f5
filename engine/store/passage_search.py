"""Which passages hold a gram, among those a reader may see. The boundary is part of every query."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.book import ChapterKind, DocumentId, VolumeId, WorkId
from engine.domain.locator import Pos
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.store.connection import Connection
from engine.store.gram_rows import GramRows, Range
from engine.store.marks import SLICE_ID_SHIFT


@dataclass(frozen=True, slots=True)
class ReadableDocument:
    """A document of which something may be searched."""

    id: DocumentId
    work: WorkId
    volume: VolumeId
    base: Pos
    """Pos of its first character."""
    limit: int
    """Document offset up to which it may be searched."""
    is_whole: bool
    """It may be searched to its end."""
    start: int = 0
    """Document offset behind which passages must end."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A passage with its text."""

    id: PassageId
    start: int
    """Document offset."""
    end: int
    kind: ChapterKind
    text: str


_DOCUMENTS = (
    "SELECT d.id, v.work_id, v.id, (v.ord << 40) + d.base, d.length FROM volume v"
    " JOIN book b ON b.id = v.book_id AND b.state = 'ready' JOIN document d ON d.volume_id = v.id AND d.slices > 0"
)
_AFTER = "(v.ord << 40) + d.base + d.length > ?2"
_BEFORE = "(v.ord << 40) + d.base < ?3"


def documents_between(r: Connection, work: WorkId, start: Pos, end: Pos) -> Iterator[ReadableDocument]:
    """Yield the documents of a work with text between two places, in the order of their ids.

    Served by `document_order`.
    """
    rows: Iterable[Any] = r.execute(f"{_DOCUMENTS} WHERE v.work_id = ?1 AND {_AFTER} AND {_BEFORE}", (work, start, end))
    for id_, work_id, volume, base, length in sorted(rows):
        yield ReadableDocument(
            DocumentId(id_),
            WorkId(work_id),
            VolumeId(volume),
            base,
            min(length, end - base),
            base + length <= end,
            max(0, start - base),
        )


def ranges_of(r: Connection, documents: Sequence[ReadableDocument]) -> list[Range]:
    """Return the passages that lie in documents whole, in as few ranges as can be; documents by growing id."""
    ranges: list[Range] = []
    for document in documents:
        first = document.id << PASSAGE_SHIFT
        last = first + (1 << PASSAGE_SHIFT) - 1
        if document.start:
            found = r.execute(
                'SELECT id FROM passage WHERE id BETWEEN ? AND ? AND "end" > ? ORDER BY id LIMIT 1',
                (first, last, document.start),
            ).get
            if found is None:
                continue
            first = int(found)
        if not document.is_whole:
            found = r.execute(
                'SELECT id FROM passage WHERE id BETWEEN ? AND ? AND "end" <= ? ORDER BY id DESC LIMIT 1',
                (first, last, document.limit),
            ).get
            if found is None:
                continue
            last = int(found)
        if ranges and ranges[-1].last + 1 == first:
            ranges[-1] = Range(ranges[-1].first, last)
        else:
            ranges.append(Range(first, last))
    return ranges


def cut_passage(r: Connection, document: ReadableDocument) -> FoundText | None:
    """Return the passage through which the boundary runs, up to there; None where it runs between two."""
    first = document.id << PASSAGE_SHIFT
    found = r.execute(
        'SELECT id FROM passage WHERE id BETWEEN ?1 AND ?2 AND start < ?3 AND "end" > ?3',
        (first, first + (1 << PASSAGE_SHIFT) - 1, document.limit),
    ).get
    if found is None:
        return None
    [whole] = texts_of(r, [int(found)])
    return FoundText(whole.id, whole.start, document.limit, whole.kind, whole.text[: document.limit - whole.start])


def texts_of(r: Connection, ids: Iterable[int]) -> Iterator[FoundText]:
    """Yield passages with their text, in the order of their ids."""
    rows: Iterable[Any] = r.execute(
        'SELECT p.id, p.start, p."end", p.kind, substr(s.text, p.start - s.start + 1, p."end" - p.start)'
        " FROM passage p JOIN slice s ON s.id = ((p.id >> ?2) << ?3) + p.slice"
        " WHERE p.id IN (SELECT value FROM json_each(?1)) ORDER BY p.id",
        (json.dumps(list(ids)), PASSAGE_SHIFT, SLICE_ID_SHIFT),
    )
    for id_, start, end, kind, text in rows:
        yield FoundText(PassageId(id_), start, end, ChapterKind(kind), text)


def holders(r: Connection, gram: str, rows: GramRows, *, is_prefix: bool = False) -> list[int]:
    """Return those of some passages that hold a gram, or one that begins with it. Served by the full-text index."""
    words = gram.replace('"', '""')
    wanted = f'"{words}"*' if is_prefix else f'"{words}"'
    # As one value: half the time that so many rows take.
    sql = "SELECT json_group_array(rowid) FROM gram WHERE gram MATCH ? AND rowid BETWEEN ? AND ?"
    found: list[int] = []
    for first, last in rows.stretches():
        found += rows.passages(json.loads(r.execute(sql, (wanted, first, last)).get))
    return found


_BESIDE = (
    "SELECT p.id FROM passage p JOIN document d ON d.id = p.id >> 20 AND d.book_id = "
    "(SELECT book_id FROM document WHERE id = ?1 >> 20) WHERE "
)
# Documents of a few words each are many; looking a little further than the next will do.
_BEFORE_IT = f"{_BESIDE} p.id < ?1 AND p.id >= ((?1 >> 20) - 6) << 20 ORDER BY p.id DESC LIMIT ?2"
_BEHIND_IT = f"{_BESIDE} p.id > ?1 AND p.id < ((?1 >> 20) + 7) << 20 ORDER BY p.id LIMIT ?2"


def neighbours(r: Connection, ids: Iterable[int], reach: int) -> dict[int, list[tuple[int, int]]]:
    """Return for each passage those of the same book up to `reach` before and behind it, as (distance, id)."""
    return {
        id_: [
            (distance, int(str(other)))
            for sql in (_BEFORE_IT, _BEHIND_IT)
            for distance, (other,) in enumerate(r.execute(sql, (id_, reach)), 1)
        ]
        for id_ in ids
    }


def passages_at(r: Connection, places: Iterable[tuple[DocumentId, int]]) -> set[int]:
    """Return the passages in which places (document, offset) lie."""
    by_document: dict[DocumentId, list[int]] = {}
    for document, offset in places:
        by_document.setdefault(document, []).append(offset)
    found: set[int] = set()
    for document, offsets in by_document.items():
        first = document << PASSAGE_SHIFT
        rows: list[Any] = list(
            r.execute(
                "SELECT start, id FROM passage WHERE id BETWEEN ? AND ? ORDER BY id",
                (first, first + (1 << PASSAGE_SHIFT) - 1),
            )
        )
        starts = [start for start, _id in rows]
        found.update(rows[at - 1][1] for offset in offsets if (at := bisect_right(starts, offset)))
    return found


def of_kinds(r: Connection, ranges: Sequence[Range], kinds: frozenset[ChapterKind]) -> set[int]:
    """Return the passages in ranges whose chapters are of some kinds."""
    sql = "SELECT id FROM passage WHERE id BETWEEN ? AND ? AND kind IN (SELECT value FROM json_each(?))"
    return {id_ for each in ranges for (id_,) in r.execute(sql, (each.first, each.last, json.dumps(sorted(kinds))))}


def slice_starts(r: Connection, work: WorkId) -> list[Pos]:
    """Return where the slices of a work's documents in reading order begin, each a block, in order."""
    rows = r.execute(
        "SELECT (v.ord << 40) + d.base + s.start FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " JOIN document d ON d.volume_id = v.id AND d.is_linear = 1"
        " JOIN slice s ON s.id BETWEEN d.id << 20 AND (d.id << 20) + d.slices - 1 WHERE v.work_id = ? ORDER BY 1",
        (work,),
    )
    return [pos for (pos,) in rows]
