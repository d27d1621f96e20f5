"""Bring the cover of the work under the cursor of the shelf."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events, on, work
from textual.message import Message
from textual.timer import Timer

from engine.domain.book import WorkId
from engine.errors import UnderstoryError
from engine.library import Library, draw_picture
from tui.render.art import fitting_cells
from tui.screens.noticing import Noticing
from tui.widgets.cover_pane import COVER_CELLS, CoverPane
from tui.widgets.shelf_list import ShelfList

_CALM_S = 0.15
"""The cursor stands that long on a work before its cover is brought."""
_WIDE_COLUMNS = 100
_ROWS_AROUND = 4


class ShelfCover(Noticing[WorkId | None]):
    """The part of the shelf that shows a cover at the side, where there is room and the terminal has colours."""

    @dataclass
    class CoverDrawn(Message):
        """A cover was drawn, or there is none."""

        work: WorkId
        rgb: bytes
        columns: int

    def __init__(self, library: Library, *, paper: str = "") -> None:
        """Take the library, and the colour of the paper, "#rrggbb"; without one nothing is drawn."""
        super().__init__()
        self._covers = library
        self._paper = paper
        self._cover_of: WorkId | None = None
        self._cover_due: Timer | None = None

    def on_resize(self, event: events.Resize) -> None:
        """Make room for a cover where the screen is wide."""
        self.query_one(CoverPane).display = bool(self._paper) and event.size.width >= _WIDE_COLUMNS

    @on(ShelfList.Moved)
    def _await_calm(self) -> None:
        if self._cover_due is not None:
            self._cover_due.stop()
        self._cover_due = self.set_timer(_CALM_S, self._ask_for_cover)

    def _ask_for_cover(self) -> None:
        here = self.query_one(ShelfList).here
        if here is not None and here.work != self._cover_of and self.query_one(CoverPane).display:
            self._cover_of = here.work
            self._draw_cover(here.work, max(1, self.size.height - _ROWS_AROUND))

    @work(thread=True, exclusive=True, group="cover", exit_on_error=False)
    def _draw_cover(self, work: WorkId, rows: int) -> None:
        try:
            data, width, height = self._covers.cover(work)
        except UnderstoryError:
            data, width, height = b"", 0, 0  # the shelf is as good without
        columns, rows = fitting_cells(width * COVER_CELLS, height * COVER_CELLS, COVER_CELLS, rows)
        drawn = draw_picture(data, columns, rows, self._paper) if data and columns else None
        self.post_message(self.CoverDrawn(work, drawn.data if drawn is not None else b"", columns))

    @on(CoverDrawn)
    def _show_cover(self, event: CoverDrawn) -> None:
        if event.work == self._cover_of:
            self.query_one(CoverPane).show(event.rgb, event.columns)
