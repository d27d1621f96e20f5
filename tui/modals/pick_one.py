"""Ask for one of several: typed letters narrow the list, arrows choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from engine.translate import N_
from tui.widgets.answering import Answering
from tui.widgets.choice_rows import ChoiceRows
from tui.widgets.prompt_line import PromptLine

_MOST_ROWS = 12
_NAME_CELLS = 30


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
        self._choices, self._line = ChoiceRows(_MOST_ROWS, _NAME_CELLS), PromptLine()

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
        self._choices.move(step)

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        rows, cursor = self._choices.rows, self._choices.cursor
        self.dismiss(rows[cursor][0] if rows and cursor is not None else None)

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(None)
