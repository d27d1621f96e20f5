"""The palette: type a command, or a few letters of what you want to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input, Label

from engine.translate import N_, _
from tui.keys import Action
from tui.render.cells import cell_width, fit_cells
from tui.widgets.answering import Answering
from tui.widgets.prompt_line import PromptLine
from tui.widgets.row_widget import RowWidget

_MOST_ROWS = 10
_KEY_CELLS = 16


@dataclass(frozen=True, slots=True)
class PaletteChoice:
    """What the reader chose: one of the two is empty."""

    typed: str = ""
    """Words for `run_command`."""
    action: str = ""
    """Id of an action."""


class _Choices(RowWidget):
    """The actions that fit what was typed."""

    DEFAULT_CSS = """
    _Choices { height: auto; width: 100%; color: $foreground; background: $background; }
    _Choices > .palette--cursor { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"palette--cursor"}

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[Action, str]] = []
        self.cursor: int | None = None

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return one row for each action shown."""
        return len(self.rows)

    def show(self, rows: list[tuple[Action, str]], cursor: int | None) -> None:
        """Show these actions with their keys."""
        self.rows, self.cursor = rows, cursor
        self.refresh(layout=True)

    def render_line(self, y: int) -> Strip:
        """Draw an action: its keys, then what it does."""
        width = self.size.width
        if y >= len(self.rows):
            return Strip([Segment(" " * width, self.base)], width)
        action, keys = self.rows[y]
        style = self.get_component_rich_style("palette--cursor") if y == self.cursor else self.base
        left = fit_cells(f"    {keys}", _KEY_CELLS)
        row = fit_cells(left + " " * (_KEY_CELLS - cell_width(left)) + "  " + _(action.description), width)
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)


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
        self._cursor: int | None = None
        self._choices, self._line = _Choices(), PromptLine()

    def compose(self) -> ComposeResult:
        """Lay the list above the line."""
        with Vertical():
            yield self._choices
            with Horizontal():
                yield Label(":", markup=False)
                yield self._line

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._cursor = None
        self._show(event.value)

    def _show(self, typed: str) -> None:
        self._choices.show([(a, self._keys.get(a.id, "")) for a in self._fitting(typed)], self._cursor)

    def _fitting(self, typed: str) -> list[Action]:
        words = typed.casefold().split()
        if not words or words[0][:1].isdigit():
            return []
        texts = [(action, f"{action.id} {_(action.description)}".casefold()) for action in self._actions]
        return [action for action, text in texts if all(word in text for word in words)][:_MOST_ROWS]

    def action_move(self, step: int) -> None:
        """Move the choice among the actions shown; none is chosen before the first move."""
        rows = len(self._choices.rows)
        if rows:
            at = -1 if self._cursor is None and step > 0 else (self._cursor or 0)
            self._cursor = (at + step) % rows
            self._show(self._line.value)

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        rows = self._choices.rows
        if self._cursor is not None and rows:
            self.dismiss(PaletteChoice(action=rows[self._cursor][0].id))
        elif len(rows) == 1:
            self.dismiss(PaletteChoice(action=rows[0][0].id))
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
