"""The text around many passages at once: a slice is read once, however many of its passages are asked for."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.domain.search import PASSAGE_SHIFT
from engine.store.connection import Connection
from engine.store.marks import SLICE_ID_SHIFT

Place: TypeAlias = tuple[int, int, int, int]
"""(slice, passage, start, end) of a passage, in offsets of its document."""


@dataclass(frozen=True, slots=True)
class SliceText:
    """The text of a slice and where passages lie in it."""

    start: int
    """Document offset."""
    text: str
    is_folded_by_character: bool
    """Folded, each character stands where it stood."""
    places: Sequence[Place]
    """Growing, apart."""

    def text_at(self, place: Place) -> str:
        """Return the text of a passage."""
        return self.text[place[2] - self.start : place[3] - self.start]


_PLACES = (
    'SELECT ((id >> ?2) << ?3) + slice, id, start, "end" FROM passage WHERE id IN (SELECT value FROM json_each(?1))'
    " ORDER BY id"
)
_TEXTS = (
    "SELECT s.id, s.start, s.text, f.shifts FROM slice s JOIN folded f ON f.id = s.id"
    " WHERE s.id IN (SELECT value FROM json_each(?)) ORDER BY s.id"
)


def of_passages(r: Connection, ids: Iterable[int]) -> Iterator[SliceText]:
    """Yield the slices in which passages lie, in the order of the passages' ids. Served by the primary keys."""
    places: list[Any] = r.execute(_PLACES, (json.dumps(list(ids)), PASSAGE_SHIFT, SLICE_ID_SHIFT)).fetchall()
    slices = list(dict.fromkeys(place[0] for place in places))
    texts: Iterable[Any] = r.execute(_TEXTS, (json.dumps(slices),))
    at = 0
    for slice_id, start, text, shifts in texts:
        end = bisect_left(places, (slice_id + 1,), at)
        yield SliceText(start, text, not shifts, places[at:end])
        at = end
