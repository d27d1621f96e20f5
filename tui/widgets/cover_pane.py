"""The cover of a work beside the shelf."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip

from tui.render.art import art_strip
from tui.widgets.row_widget import RowWidget

COVER_CELLS = 28
_AROUND_CELLS = 2
_ROWS_ABOVE = 2


class CoverPane(RowWidget):
    """Keeps its room whether there is a cover or not, so that the list never moves."""

    DEFAULT_CSS = f"""
    CoverPane {{ dock: right; width: {COVER_CELLS + 2 * _AROUND_CELLS}; height: 100%; display: none;
        color: $faint; background: $background; }}
    """

    def __init__(self) -> None:
        super().__init__(id="cover")
        self._rgb = b""
        self._columns = 0

    def show(self, rgb: bytes, columns: int) -> None:
        """Show a cover, three bytes a pixel; none for no bytes."""
        self._rgb, self._columns = rgb, columns
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a row of the cover."""
        width, row = self.size.width, y - _ROWS_ABOVE
        rows = len(self._rgb) // (6 * self._columns) if self._columns else 0
        if 0 <= row < rows:
            return art_strip(self._rgb, self._columns, row, _AROUND_CELLS, width, self.base)
        return Strip([Segment(" " * width, self.base)], width)
