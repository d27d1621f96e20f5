"""What is laid over the text of a page, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TypeAlias

from engine.domain.book import DocumentId
from tui.render.prose import Look, Overlay
from tui.render.rows import Row

OverlaySource: TypeAlias = Callable[[DocumentId, int, int], Sequence[Overlay]]
"""Returns what lies over a stretch (document, start, end), in the order of the text."""


class Layer(IntEnum):
    """Layers from the lowest to the one on top."""

    NAMES = 0
    HIGHLIGHTS = 1
    FOUND = 2
    LANDING = 3
    """Where a jump led."""
    SELECTION = 4


class Layers:
    """The sources of a page's overlays."""

    def __init__(self) -> None:
        self._sources: dict[Layer, OverlaySource] = {}

    def has(self, layer: Layer) -> bool:
        """Say whether a layer has a source."""
        return layer in self._sources

    def put(self, layer: Layer, source: OverlaySource | None) -> None:
        """Put a source on a layer, None to clear it."""
        self._sources.pop(layer, None)
        if source is not None:
            self._sources[layer] = source

    def of_row(self, document: DocumentId, row: Row) -> tuple[Overlay, ...]:
        """Return what lies over a row, the top layer last."""
        if not self._sources or row.start >= row.end:
            return ()
        return tuple(
            overlay for layer in sorted(self._sources) for overlay in self._sources[layer](document, row.start, row.end)
        )


def landing(document: DocumentId, start: int, end: int) -> OverlaySource:
    """Return the mark of a place jumped to: its words, or where `end` is not behind `start` the whole row."""

    def overlays(of: DocumentId, first: int, last: int) -> Sequence[Overlay]:
        if of != document:
            return ()
        if end > start:
            return (Overlay(start, end, Look.FOCUS),) if start < last and first < end else ()
        return (Overlay(first, last, Look.FOUND),) if first <= start < last else ()

    return overlays
