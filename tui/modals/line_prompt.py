"""Ask for one line of text."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from engine.translate import N_
from tui.widgets.answering import Answering
from tui.widgets.prompt_line import PromptLine


class LinePrompt(ModalScreen[str | None], Answering[str | None]):
    """Answers with what was typed, without blanks at its ends; None when the reader left it."""

    DEFAULT_CSS = """
    LinePrompt { background: transparent; align: left bottom; }
    LinePrompt > Vertical { height: auto; background: $background; }
    LinePrompt Horizontal { height: 1; }
    LinePrompt Label { width: auto; padding-left: 2; color: $accent; }
    LinePrompt #hint { width: 100%; color: $faint; height: auto; max-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", N_("leave"), id="line-leave")]

    def __init__(self, label: str, hint: str = "", text: str = "") -> None:
        """Ask.

        Args:
            label: Before the line, such as "address: ".
            hint: A sentence above it.
            text: What stands in the line at first.
        """
        super().__init__()
        self._label, self._hint, self._text = label, hint, text
        self._line = PromptLine()

    def compose(self) -> ComposeResult:
        """Lay the line below its hint."""
        with Vertical():
            if self._hint:
                yield Label(self._hint, id="hint", markup=False)
            with Horizontal():
                yield Label(self._label, markup=False)
                yield self._line

    def on_mount(self) -> None:
        """Put what stands in the line there."""
        self._line.value = self._text
        self._line.cursor_position = len(self._text)

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(None)
