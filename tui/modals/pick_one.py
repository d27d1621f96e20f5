"""Ask for one of several: typed letters narrow the list, arrows choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input, Label

from engine.translate import N_
from tui.render.cells import cell_width, fit_cells
from tui.widgets.answering import Answering
from tui.widgets.prompt_line import PromptLine
from tui.widgets.row_widget import RowWidget

_MOST_ROWS = 12
_FIRST_CELLS = 30


class _Choices(RowWidget):
    """The choices that fit what was typed, those around the cursor."""

    DEFAULT_CSS = """
    _Choices { height: auto; width: 100%; color: $foreground; background: $background; }
    _Choices > .pick--cursor { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"pick--cursor"}

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[tuple[str, str]] = ()
        self.cursor = 0

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return one row for each choice shown."""
        return min(len(self.rows), _MOST_ROWS)

    def show(self, rows: Sequence[tuple[str, str]], cursor: int) -> None:
        """Show these choices."""
        self.rows, self.cursor = rows, cursor
        self.refresh(layout=True)

    def render_line(self, y: int) -> Strip:
        """Draw a choice: its name, then what is said of it."""
        width = self.size.width
        at = max(0, min(self.cursor - _MOST_ROWS + 1, len(self.rows) - _MOST_ROWS)) + y
        if at >= len(self.rows):
            return Strip([Segment(" " * width, self.base)], width)
        name, about = self.rows[at]
        style = self.get_component_rich_style("pick--cursor") if at == self.cursor else self.base
        left = fit_cells(f"    {name}", _FIRST_CELLS)
        row = fit_cells(left + " " * (_FIRST_CELLS - cell_width(left)) + "  " + about, width)
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)


class PickOne(ModalScreen[str | None], Answering[str | None]):
    """Answers with the first part of the choice; None when the reader left it."""

    DEFAULT_CSS = """
    PickOne { background: transparent; align: left bottom; }
    PickOne > Vertical { height: auto; background: $background; }
    PickOne Horizontal { height: 1; background: $background; }
    PickOne Label { width: auto; padding-left: 2; color: $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", N_("leave"), id="pick-leave"),
        Binding("down,ctrl+n,tab", "move(1)", N_("next"), id="pick-next", priority=True),
        Binding("up,ctrl+p", "move(-1)", N_("the one before"), id="pick-previous", priority=True),
    ]

    def __init__(self, label: str, choices: Sequence[tuple[str, str]]) -> None:
        """Ask.

        Args:
            label: Before the line that narrows the list.
            choices: (what is answered, what is said of it), safe to show.
        """
        super().__init__()
        self._label, self._all = label, choices
        self._choices, self._line = _Choices(), PromptLine()

    def compose(self) -> ComposeResult:
        """Lay the list above the line."""
        with Vertical():
            yield self._choices
            with Horizontal():
                yield Label(self._label, markup=False)
                yield self._line

    def on_mount(self) -> None:
        """Show everything."""
        self._choices.show(self._all, 0)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        words = event.value.casefold().split()
        fitting = [each for each in self._all if all(word in " ".join(each).casefold() for word in words)]
        self._choices.show(fitting, 0)

    def action_move(self, step: int) -> None:
        """Move the choice."""
        rows = self._choices.rows
        if rows:
            self._choices.show(rows, (self._choices.cursor + step) % len(rows))

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        rows = self._choices.rows
        self.dismiss(rows[self._choices.cursor][0] if rows else None)

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(None)
