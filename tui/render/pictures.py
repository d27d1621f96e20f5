"""Pictures that were drawn for the page, and those that are awaited."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from rich.segment import Segment
from textual.strip import Strip

from engine.domain.book import DocumentId
from engine.translate import _
from tui.render.art import art_strip
from tui.render.cells import cell_width, fit_cells
from tui.render.prose import PageStyle

_MOST_KEPT = 24


@dataclass(frozen=True, slots=True)
class PictureKey:
    """Which picture, and how large."""

    document: DocumentId
    href: str
    columns: int
    rows: int


class Pictures:
    """The last few pictures, three bytes a pixel."""

    def __init__(self) -> None:
        self._strips: dict[tuple[PictureKey, int, int, int], Strip] = {}
        self._kept: OrderedDict[PictureKey, bytes | None] = OrderedDict()
        """None for what is awaited, nothing for what could not be drawn."""

    def is_new(self, key: PictureKey) -> bool:
        """Say whether a picture was not asked for yet; it is from now on."""
        if key in self._kept:
            return False
        self._kept[key] = None
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return True

    def take(self, key: PictureKey, rgb: bytes) -> None:
        """Keep a picture that was drawn."""
        self._kept[key] = rgb
        self._strips.clear()

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
        self._strips.clear()

    def strip(self, key: PictureKey, row: int, left: int, width: int, style: PageStyle) -> Strip | None:
        """Return a row of a picture; None while it is awaited, a word where it cannot be drawn."""
        rgb = self._kept.get(key)
        if rgb is None:
            return None
        if rgb:
            place = key, row, left, width
            if place not in self._strips:
                self._strips[place] = art_strip(rgb, key.columns, row, left, width, style.ink)
            return self._strips[place]
        words = fit_cells(_("[illustration]"), key.columns) if row == 0 else ""
        return Strip([Segment(" " * left + words + " " * max(0, width - left - cell_width(words)), style.faint)], width)
