"""The page that shows what reading a work by a model costs and how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.text.sanitize import sanitize_line
from engine.translate import _
from tui.keys import key_name
from tui.render.analysis_rows import AnalysisRow, AnalysisView, analysis_rows
from tui.render.cells import cell_width, fit_cells
from tui.widgets.key_taker import KeyTaker

_HEAD_ROWS = 2
_MARGIN = 3
_MOST_CELLS = 96
"""Wider rows are not read at a glance."""


class AnalysisSheet(KeyTaker):
    """Rows of words; arrows scroll them, all other keys are told as `Pressed`."""

    DEFAULT_CSS = """
    AnalysisSheet { height: 1fr; width: 100%; color: $foreground; background: $background; }
    AnalysisSheet > .analysis--faint { color: $faint; background: $background; }
    AnalysisSheet > .analysis--accent { color: $accent; background: $background; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"analysis--faint", "analysis--accent"}

    @dataclass
    class Pressed(Message):
        """A key was pressed that does not scroll."""

        key: str

    def __init__(self, title: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = sanitize_line(title)
        self._view: AnalysisView | None = None
        self._rows: tuple[AnalysisRow, ...] = ()
        self._top = 0
        self._typed_ahead: list[tuple[str, str | None]] = []
        """Keys typed before anything was known."""

    def show(self, view: AnalysisView) -> None:
        """Show what is known."""
        self._view = view
        self._lay_out()
        typed, self._typed_ahead = self._typed_ahead, []
        for key, character in typed:
            self.take_key(key, character)

    def on_resize(self) -> None:
        """Lay the rows out for another width."""
        self._lay_out()

    @property
    def _cells(self) -> int:
        return max(10, min(_MOST_CELLS, self.size.width - 2 * _MARGIN))

    def _lay_out(self) -> None:
        rows = () if self._view is None else analysis_rows(self._view, self._cells)
        if rows != self._rows or not rows:
            self._rows = rows
            self._show_from(self._top)
            self.refresh()

    def _show_from(self, top: int) -> None:
        most = max(0, len(self._rows) + _HEAD_ROWS - self.size.height)
        top = min(max(0, top), most)
        if top != self._top:
            self._top = top
            self.refresh()

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Scroll, or tell of the key."""
        key = key_name(textual_key, character)
        page = max(1, self.size.height - _HEAD_ROWS - 1)
        steps = {"j": 1, "down": 1, "k": -1, "up": -1, "space": page, "pagedown": page, "pageup": -page}
        if self._view is None and key not in ("escape", "q", "ctrl+q"):
            self._typed_ahead.append((textual_key, character))
        elif key in steps:
            self._show_from(self._top + steps[key])
        elif key in ("home", "end"):
            self._show_from(0 if key == "home" else len(self._rows))
        else:
            self.post_message(self.Pressed(key))
        return True

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        event.stop()
        self._show_from(self._top + 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        event.stop()
        self._show_from(self._top - 3)

    def render_line(self, y: int) -> Strip:
        """Draw a row of the page."""
        faint = self.get_component_rich_style("analysis--faint")
        if y == 0:
            head = self._title if self._view is None else f"{_('Read the whole work')}   {self._title}"
            return self._strip(head, _("? keys"), self.base + Style(bold=True), faint)
        at = self._top + y - _HEAD_ROWS
        if y < _HEAD_ROWS or at >= len(self._rows):
            return self._strip("", "", self.base, faint)
        row = self._rows[at]
        strong = self.get_component_rich_style("analysis--accent")
        return self._strip(
            row.left, row.right, faint if row.is_faint else strong if row.is_strong else self.base, faint
        )

    def _strip(self, left: str, right: str, ink: Style, faint: Style) -> Strip:
        width = self.size.width
        cells = self._cells
        left = fit_cells(left, max(0, cells - cell_width(right) - 2 if right else cells))
        gap = max(0, cells - cell_width(left) - cell_width(right))
        segments = [
            Segment(" " * _MARGIN, self.base), Segment(left, ink), Segment(" " * gap, self.base),
            Segment(right, faint), Segment(" " * max(0, width - _MARGIN - cells), self.base),
        ]  # fmt: skip
        return Strip(segments).adjust_cell_length(width, self.base)
