"""Which passages are nearest in meaning: which vectors a work is searched by, and the search in them."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

from engine.domain.book import ChapterKind, WorkId
from engine.domain.search import PASSAGE_SHIFT, PassageId, PosRange
from engine.domain.vectors import Vector, dims_of
from engine.errors.vectors import VectorInvalidError
from engine.store.connection import Connection
from engine.store.gram_rows import Range
from engine.store.vectors import VectorIndex, make_ready

MOST_NEIGHBOURS = 4096
"""sqlite-vec finds no more at once."""
_DOCUMENTS = """
SELECT d.id, (v.ord << 40) + d.base,
(SELECT p.start FROM passage p WHERE p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575 ORDER BY p.id LIMIT 1),
(SELECT p."end" FROM passage p WHERE p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575 ORDER BY p.id DESC LIMIT 1)
FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready' JOIN document d ON d.volume_id = v.id
WHERE v.work_id = ? ORDER BY v.ord, d.base
"""


def usable_index(r: Connection, work: WorkId, wanted: str) -> VectorIndex | None:
    """Return the vectors by which a work is searched: the wanted embedder's once whole, else those most books have.

    Args:
        r: A reader.
        work: Which work.
        wanted: Identity of the embedder the settings name; "" for none in particular.

    Returns:
        None when no book of the work is whole in any.
    """
    rows = list(
        r.execute(
            "SELECT i.id, i.embedder, i.dims, i.source, i.key_name, count(DISTINCT v.book_id) AS books FROM volume v"
            " JOIN book_vectors b ON b.book_id = v.book_id JOIN vector_index i ON i.id = b.index_id"
            " WHERE v.work_id = ? GROUP BY i.id ORDER BY books DESC, i.embedder = ? DESC, i.id DESC",
            (work, wanted),
        )
    )
    return VectorIndex(*rows[0][:5]) if rows else None


def nearest(
    r: Connection, index: VectorIndex, work: WorkId, vector: Vector, within: PosRange, limit: int
) -> list[tuple[PassageId, float]]:
    """Return the passages of a work nearest in meaning, with their cosine, nearest first.

    Passages that do not lie whole in `within` are not looked at: the bound is part of the KNN.

    Raises:
        VectorInvalidError: the vector has not the length of the index.
        LibraryUnavailableError: sqlite-vec does not load.
    """
    if dims_of(vector) != index.dims:
        raise VectorInvalidError(f"{dims_of(vector)} instead of {index.dims}")
    make_ready(r)
    rows = r.execute(
        f"SELECT passage_id, distance FROM {index.table}"  # noqa: S608  (our own name)
        " WHERE embedding MATCH ? AND k = ? AND work_id = ? AND pos > ? AND pos <= ? ORDER BY distance",
        (vector, min(limit, MOST_NEIGHBOURS), work, within.start, within.end),
    )
    return [(PassageId(id_), _cosine(distance)) for id_, distance in rows]


def cosines(r: Connection, index: VectorIndex, vector: Vector, passages: Sequence[PassageId]) -> dict[PassageId, float]:
    """Return how near passages are in meaning; those without a vector are left out."""
    if not passages:
        return {}
    make_ready(r)
    rows = r.execute(
        f"SELECT passage_id, vec_distance_L2(embedding, ?) FROM {index.table}"  # noqa: S608  (our own name)
        f" WHERE passage_id IN ({', '.join('?' * len(passages))})",
        (vector, *passages),
    )
    return {PassageId(id_): _cosine(distance) for id_, distance in rows}


def _cosine(distance: float) -> float:
    """Return the cosine of two vectors of unit length by how far they are apart."""
    return 1.0 - distance * distance / 2


def stretches(r: Connection, work: WorkId, ranges: Sequence[Range]) -> list[PosRange]:
    """Return where the passages of a work in some ranges stand, in as few stretches as can be.

    Args:
        r: A reader.
        work: Which work.
        ranges: Of passages, apart and growing; those of other works are passed over.

    Returns:
        Stretches in the order of pos. Each passage in the ranges lies whole in one of them, and none outside does.
    """
    firsts = [each.first for each in ranges]
    found: list[PosRange] = []
    is_open = False
    for document, base, start, end in r.execute(_DOCUMENTS, (work,)):
        if start is None:
            continue
        own = _span_within(r, document, ranges, firsts)
        if own is None:
            is_open = False
            continue
        if is_open and own[0] == start:
            found[-1] = PosRange(found[-1].start, base + own[1])
        else:
            found.append(PosRange(base + own[0], base + own[1]))
        is_open = own[1] == end
    return found


def _span_within(
    r: Connection, document: int, ranges: Sequence[Range], firsts: Sequence[int]
) -> tuple[int, int] | None:
    """Return the document offsets from which to which its passages lie in ranges; a range covers a document once."""
    lowest, highest = document << PASSAGE_SHIFT, (document + 1 << PASSAGE_SHIFT) - 1
    at = max(0, bisect_right(firsts, lowest) - 1)
    for each in ranges[at : at + 2]:
        first, last = max(each.first, lowest), min(each.last, highest)
        if first > last:
            continue
        row = r.execute(
            "SELECT (SELECT start FROM passage WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1),"
            ' (SELECT "end" FROM passage WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1)',
            (first, last),
        ).fetchone()
        if row is not None and row[0] is not None:
            return int(row[0]), int(row[1])
    return None


def readable(
    r: Connection, ids: Sequence[PassageId], ranges: Sequence[Range], kinds: frozenset[ChapterKind]
) -> set[PassageId]:
    """Return those of some passages that are there, in ranges, and of some kinds; all kinds when none is named."""
    firsts = [each.first for each in ranges]
    rows: Iterable[Any] = r.execute(
        "SELECT p.id, p.kind FROM json_each(?) j JOIN passage p ON p.id = j.value", (json.dumps(list(ids)),)
    )
    found = set()
    for id_, kind in rows:
        at = bisect_right(firsts, id_) - 1
        if at >= 0 and id_ <= ranges[at].last and (not kinds or kind in kinds):
            found.add(PassageId(id_))
    return found
