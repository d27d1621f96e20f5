"""The hits of a search, numbered in story order, found again by place or by number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.search import HitRun
from tui.render.prose import Look, Overlay


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit."""

    document: DocumentId
    start: int
    """Document offset."""
    end: int
    pos: Pos
    limit: int
    """Document offset up to which the text around it may be shown."""


class Found:
    """All hits of one search."""

    def __init__(self, runs: Iterable[HitRun] = ()) -> None:
        """Take the runs in any order; they do not overlap."""
        self._runs = sorted(runs, key=lambda run: run.base + run.starts[0])
        self._before = [0, *accumulate(len(run.starts) for run in self._runs)]
        self._first_pos = [run.base + run.starts[0] for run in self._runs]
        self._by_document: dict[DocumentId, list[HitRun]] = {}
        for run in self._runs:
            self._by_document.setdefault(run.document, []).append(run)

    def __len__(self) -> int:
        return self._before[-1]

    def hit(self, number: int) -> Hit:
        """Return a hit by number, counted from 0. Raises IndexError for one that is not there."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        at = bisect_right(self._before, number) - 1
        run, inside = self._runs[at], number - self._before[at]
        return Hit(run.document, run.starts[inside], run.ends[inside], run.base + run.starts[inside], run.limit)

    def first_from(self, pos: Pos) -> int:
        """Return the number of the first hit at or behind a pos; as many as there are hits when none is."""
        at = bisect_right(self._first_pos, pos) - 1
        if at < 0:
            return 0
        run = self._runs[at]
        return self._before[at] + bisect_left(run.starts, pos - run.base)

    def count_in(self, start: Pos, end: Pos) -> int:
        """Return how many hits begin in a stretch, `end` exclusive."""
        return max(0, self.first_from(end) - self.first_from(start))

    def overlays(self, document: DocumentId, start: int, end: int) -> Sequence[Overlay]:
        """Return the hits that reach into a stretch of a document."""
        return [
            Overlay(run.starts[i], run.ends[i], Look.FOUND)
            for run in self._by_document.get(document, ())
            if run.starts[0] < end and run.ends[-1] > start
            for i in range(bisect_right(run.ends, start), bisect_left(run.starts, end))
        ]
