"""A list with a cursor, drawn row by row; the base of contents, marks and search results."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from tui.render.cells import cell_width, fit_cells
from tui.widgets.key_taker import KeyTaker

FOCUS_BAR = "▎"
"""Down the left edge of the panel that has the keys."""


class RowList(KeyTaker):
    """Rows below a heading; thousands cost as much as those that are seen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--faint", "list--accent", "list--cursor", "list--here"}
    head_rows = 2
    """Rows above the list."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0
        self.top = 0
        """First row of the list that is shown."""

    # what a list is

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def can_rest_on(self, row: int) -> bool:
        """Say whether the cursor may stand on a row; headings are passed over."""
        return True

    def choose(self) -> None:
        """Do what Enter does on the row of the cursor."""
        raise NotImplementedError

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw a row above the list."""
        raise NotImplementedError

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a row of the list in the styles given."""
        raise NotImplementedError

    @property
    def shows_cursor(self) -> bool:
        """Whether the keys move the cursor now."""
        return self.has_focus

    # moving

    @property
    def list_rows(self) -> int:
        """Rows of the list that are seen."""
        return max(1, self.size.height - self.head_rows)

    def move_to(self, row: int, step: int = 1) -> None:
        """Put the cursor on a row, or the next one in the direction of `step` where it may rest."""
        old_top, old_cursor = self.top, self.cursor
        last = max(0, self.row_count - 1)
        row = min(max(0, row), last)
        ways = (range(row, last + 1), range(row, -1, -1))
        candidates = chain(*(ways if step > 0 else reversed(ways))) if self.row_count else ()
        self.cursor = next((each for each in candidates if self.can_rest_on(each)), row)
        above = self.cursor
        while above > 0 and not self.can_rest_on(above - 1):
            above -= 1  # a heading is seen with its first row
        fullest = max(0, self.row_count - self.list_rows)
        self.top = min(max(0, min(self.top, fullest), self.cursor - self.list_rows + 1), above)
        if self.top != old_top:
            self.refresh()
        else:
            self.refresh_row(old_cursor)
            self.refresh_row(self.cursor)
        self.on_moved()

    def refresh_row(self, row: int) -> None:
        """Draw one row of the list anew, if it is seen."""
        y = row - self.top + self.head_rows
        if self.head_rows <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def on_moved(self) -> None:
        """Be told that other rows are seen, or another is chosen."""

    def moved_by(self, key: str) -> bool:
        """Take a key that moves the cursor or chooses; say whether it was one."""
        page = max(1, self.list_rows - 1)
        steps = {"j": 1, "down": 1, "k": -1, "up": -1, "space": page, "pagedown": page, "b": -page, "pageup": -page}
        if key in steps:
            self.move_to(self.cursor + steps[key], steps[key])
        elif key in ("home", "g"):
            self.move_to(0)
        elif key in ("end", "G"):
            self.move_to(self.row_count - 1, -1)
        elif key == "enter":
            if self.row_count:
                self.choose()
        else:
            return False
        return True

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the pointer."""
        row = self.top + event.y - self.head_rows
        if event.y >= self.head_rows and row < self.row_count and self.can_rest_on(row):
            self.move_to(row)
            self.choose()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move three rows down."""
        event.stop()
        self.move_to(self.cursor + 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move three rows up."""
        event.stop()
        self.move_to(self.cursor - 3, -1)

    def on_resize(self) -> None:
        """Keep the cursor on the page."""
        self.refresh()
        self.move_to(self.cursor)

    def on_focus(self) -> None:
        """Show that the keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that they go elsewhere."""
        self.refresh()

    # drawing

    def render_line(self, y: int) -> Strip:
        """Draw a row of the panel."""
        width = self.size.width
        if y < self.head_rows:
            return self.draw_head(y, width)
        row = self.top + y - self.head_rows
        if row >= self.row_count:
            return self.two_sided("", "", width)
        is_chosen = row == self.cursor and self.shows_cursor
        cursor = self.get_component_rich_style("list--cursor")
        faint = self.get_component_rich_style("list--faint")
        return self.draw_row(row, width, cursor if is_chosen else self.base, cursor if is_chosen else faint)

    def two_sided(
        self, left: str, right: str, width: int, ink: Style | None = None, faint: Style | None = None
    ) -> Strip:
        """Return a row with words at both ends behind the bar that shows the focus; the left ones are cut."""
        ink = self.base if ink is None else ink
        right = fit_cells(right, max(0, width - 4))
        room = max(0, width - 3 - cell_width(right) - (2 if right else 0))
        left = fit_cells(left, room)
        gap = max(0, width - 3 - cell_width(left) - cell_width(right))
        segments = [self.bar(ink), Segment(f" {left}{' ' * gap}", ink), Segment(f"{right} ", faint or ink)]
        return Strip(segments).adjust_cell_length(width, ink)

    def bar(self, ink: Style) -> Segment:
        """Return the first cell of a row: the focus bar on the row's paper, or a blank."""
        if not self.has_focus:
            return Segment(" ", ink)
        return Segment(FOCUS_BAR, ink + Style(color=self.get_component_rich_style("list--accent").color))
