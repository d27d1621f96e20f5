"""The line above the text: where you are at the left, how far at the right."""

from __future__ import annotations

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip

from tui.render.cells import cell_width
from tui.render.place_words import top_line_words
from tui.widgets.row_widget import RowWidget


class TopLine(RowWidget):
    """One row of two texts; only a change of words repaints it."""

    DEFAULT_CSS = "TopLine { height: 1; width: 1fr; color: $faint; background: $background; }"

    left: reactive[tuple[str, ...]] = reactive(())
    """Work, volume, chapter; where they do not fit the first are left out."""
    right: reactive[tuple[str, ...]] = reactive(())
    """Printed page, percentage, time left; where there is no room the percentage alone."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width = self.size.width
        left, right = top_line_words(self.left, self.right, max(0, width - 4))
        gap = " " * (width - 4 - cell_width(left) - cell_width(right))
        line = f"  {left}{gap}{right}  " if width >= 4 else " " * width
        return Strip([Segment(line, self.base)], width)
