"""The names known in the parts of the text that were looked at, found again by place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.reading import Slice
from tui.render.prose import Look, Overlay
from tui.render.words import Span

if TYPE_CHECKING:
    from engine.domain.wiki import NameInText

Stretch = tuple[DocumentId, int, int]
"""(document, start, end)."""

_MOST_NAMES = 20_000
"""Kept at most; a novel's page has some fifty."""


class KnownNames:
    """Names by document, as known at some frontier.

    What was known at an earlier frontier is still known at a later one, so that a page turned
    back to is drawn with what is there until it was asked about again.
    """

    def __init__(self) -> None:
        self._spans: dict[DocumentId, list[Span]] = {}
        self._asked: dict[Stretch, Pos] = {}
        self.frontier: Pos = 0
        """The farthest at which anything here was asked for."""

    def clear(self) -> None:
        """Forget everything."""
        self._spans.clear()
        self._asked.clear()
        self.frontier = 0

    def missing(self, pieces: Iterable[Slice], page: Iterable[Stretch], frontier: Pos) -> tuple[Stretch, ...]:
        """Return what to ask about: slices never asked about, and the page as far as more is known by now.

        Args:
            pieces: On the page and around it.
            page: What the page shows.
            frontier: How far may be seen now.
        """
        if frontier < self.frontier or sum(map(len, self._spans.values())) > _MOST_NAMES:
            self.clear()
        whole = [(piece.key.document, piece.start, piece.end) for piece in pieces if piece.start < piece.end]
        unknown = tuple(each for each in whole if each not in self._asked)
        older = (
            stretch
            for stretch in page
            if self._asked.get(stretch, -1) < frontier
            and not any(_holds(each, stretch) for each in unknown)
            and not any(_holds(each, stretch) and at >= frontier for each, at in self._asked.items())
        )
        return (*unknown, *older)

    def take(self, stretch: Stretch, names: Iterable[NameInText], frontier: Pos) -> bool:
        """Take the names of a stretch as known at a frontier; say whether they are others than before."""
        document, start, end = stretch
        spans = self._spans.setdefault(document, [])
        new = [(name.start, name.end) for name in names]
        first, last = bisect_left(spans, (start, -1)), bisect_left(spans, (end, -1))
        self._asked = {each: at for each, at in self._asked.items() if not _holds(stretch, each)}
        self._asked[stretch] = frontier
        self.frontier = max(self.frontier, frontier)
        if spans[first:last] == new:
            return False
        spans[first:last] = new
        return True

    def spans(self, document: DocumentId, start: int, end: int) -> Sequence[Span]:
        """Return the names that reach into a stretch."""
        spans = self._spans.get(document)
        if not spans:
            return ()
        first = max(0, bisect_right(spans, (start, -1)) - 1)
        if spans[first][1] <= start:
            first += 1
        return spans[first : bisect_left(spans, (end, -1))]

    def overlays(self, document: DocumentId, start: int, end: int) -> Sequence[Overlay]:
        """Return the names that reach into a stretch, to be laid over the text."""
        return [Overlay(first, last, Look.NAME) for first, last in self.spans(document, start, end)]


def _holds(outer: Stretch, inner: Stretch) -> bool:
    return outer[0] == inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2]
