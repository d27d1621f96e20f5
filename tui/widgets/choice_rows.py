"""The choices above a line one types on: each a name and what is said of it, one of them under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip

from tui.render.cells import cell_width, fit_cells
from tui.widgets.row_widget import RowWidget


class ChoiceRows(RowWidget):
    """The choices that fit what was typed, those around the cursor."""

    DEFAULT_CSS = """
    ChoiceRows { height: auto; width: 100%; color: $foreground; background: $background; }
    ChoiceRows > .choices--cursor { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choices--cursor"}

    def __init__(self, most_rows: int, name_cells: int) -> None:
        """Be empty at first.

        Args:
            most_rows: How many are shown at once.
            name_cells: How wide the names may be, with the margin before them.
        """
        super().__init__()
        self._most_rows, self._name_cells = most_rows, name_cells
        self.rows: Sequence[tuple[str, str]] = ()
        self.cursor: int | None = None
        """None while none is chosen."""

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return one row for each choice shown."""
        return min(len(self.rows), self._most_rows)

    def show(self, rows: Sequence[tuple[str, str]], cursor: int | None) -> None:
        """Show these choices."""
        self.rows, self.cursor = rows, cursor
        self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Move the cursor, round and round; the first step down from none chooses the first."""
        if self.rows:
            at = -1 if self.cursor is None and step > 0 else (self.cursor or 0)
            self.show(self.rows, (at + step) % len(self.rows))

    def render_line(self, y: int) -> Strip:
        """Draw a choice: its name, then what is said of it."""
        width = self.size.width
        at = max(0, min((self.cursor or 0) - self._most_rows + 1, len(self.rows) - self._most_rows)) + y
        if at >= len(self.rows):
            return Strip([Segment(" " * width, self.base)], width)
        name, about = self.rows[at]
        style = self.get_component_rich_style("choices--cursor") if at == self.cursor else self.base
        left = fit_cells(f"    {name}", self._name_cells)
        row = fit_cells(left + " " * (self._name_cells - cell_width(left)) + "  " + about, width)
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)
