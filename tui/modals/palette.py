"""The palette: type a command, or a few letters of what you want to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from engine.translate import N_, _
from tui.keys import Action
from tui.widgets.answering import Answering
from tui.widgets.choice_rows import ChoiceRows
from tui.widgets.prompt_line import PromptLine

_MOST_ROWS = 10
_KEY_CELLS = 16


@dataclass(frozen=True, slots=True)
class PaletteChoice:
    """What the reader chose: one of the two is empty."""

    typed: str = ""
    """Words for `run_command`."""
    action: str = ""
    """Id of an action."""


class Palette(ModalScreen[PaletteChoice], Answering[PaletteChoice]):
    """Answers with a command or an action; with neither when the reader left it."""

    DEFAULT_CSS = """
    Palette { background: transparent; align: left bottom; }
    Palette > Vertical { height: auto; background: $background; }
    Palette Horizontal { height: 1; background: $background; }
    Palette Label { width: auto; padding-left: 2; color: $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", N_("leave"), id="palette-leave"),
        Binding("down,ctrl+n", "move(1)", N_("next action"), id="palette-next", priority=True),
        Binding("up,ctrl+p", "move(-1)", N_("action before"), id="palette-previous", priority=True),
        Binding("tab", "move(1)", N_("next action"), id="palette-tab", priority=True),
    ]

    def __init__(self, actions: Iterable[Action], keymap: Mapping[tuple[str, ...], str]) -> None:
        super().__init__()
        self._actions = [action for action in actions if action.id != "command" and not action.mode]
        keys: dict[str, list[str]] = {}
        for sequence, name in keymap.items():
            keys.setdefault(name, []).append("".join(sequence) if max(map(len, sequence)) == 1 else " ".join(sequence))
        self._keys = {name: "  ".join(found[:2]) for name, found in keys.items()}
        self._fitting: list[Action] = []
        """Those shown, in the order of the rows."""
        self._choices, self._line = ChoiceRows(_MOST_ROWS, _KEY_CELLS), PromptLine()

    def compose(self) -> ComposeResult:
        """Lay the list above the line."""
        with Vertical():
            yield self._choices
            with Horizontal():
                yield Label(":", markup=False)
                yield self._line

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._fitting = self._fit(event.value)
        self._choices.show([(self._keys.get(a.id, ""), _(a.description)) for a in self._fitting], None)

    def _fit(self, typed: str) -> list[Action]:
        words = typed.casefold().split()
        if not words or words[0][:1].isdigit():
            return []
        texts = [(action, f"{action.id} {_(action.description)}".casefold()) for action in self._actions]
        return [action for action, text in texts if all(word in text for word in words)][:_MOST_ROWS]

    def action_move(self, step: int) -> None:
        """Move the choice among the actions shown; none is chosen before the first move."""
        self._choices.move(step)

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        cursor = self._choices.cursor
        if cursor is not None:
            self.dismiss(PaletteChoice(action=self._fitting[cursor].id))
        elif len(self._fitting) == 1:
            self.dismiss(PaletteChoice(action=self._fitting[0].id))
        else:
            self.dismiss(PaletteChoice(typed=event.value))

    def on_key(self, event: events.Key) -> None:
        """Leave when backspace is pressed on an empty line, as a pager does."""
        if event.key == "backspace" and not self._line.value:
            event.stop()
            self.dismiss(PaletteChoice())

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(PaletteChoice())
