"""The settings, over the page, which shows at once what a change does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip

from engine.config import DEFAULTS, PER_WORK, Value, plain_value, setting_names, with_values
from engine.translate import _
from tui.keys import key_name
from tui.messages import ModelsWanted
from tui.render.cells import cell_width, fit_cells
from tui.render.setting_rows import Chosen, help_rows, setting_row, stepped
from tui.widgets.answering import Answering
from tui.widgets.row_widget import RowWidget

_MOST_ROWS = 9
_LEAST_ROWS = 3
_HELP_ROWS = 2
_SHARE = 2
"""The dialog takes at most one row in so many."""


class _Rows(RowWidget):
    """A rule, the settings, what the one under the cursor is for, and the keys."""

    DEFAULT_CSS = """
    _Rows { width: 100%; color: $foreground; background: $background; }
    _Rows > .settings--faint { color: $faint; background: $background; }
    _Rows > .settings--accent { color: $accent; background: $background; }
    _Rows > .settings--cursor { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"settings--faint", "settings--accent", "settings--cursor"}

    def __init__(self, chosen: Chosen) -> None:
        super().__init__(id="settings")
        self.chosen = chosen
        self.names = setting_names()
        self.cursor = 0
        self.top = 0
        self.said = ""
        """In place of the keys."""

    @property
    def name_here(self) -> str:
        """The setting under the cursor."""
        return self.names[self.cursor]

    @property
    def list_rows(self) -> int:
        """Settings that are seen."""
        return max(1, self.size.height - 2 - _HELP_ROWS)

    def move(self, step: int) -> None:
        """Move the cursor."""
        self.cursor = min(len(self.names) - 1, max(0, self.cursor + step))
        self.show_cursor()

    def show_cursor(self) -> None:
        """Keep the cursor among the rows that are seen."""
        self.top = max(0, min(self.top, self.cursor, len(self.names) - self.list_rows))
        self.top = max(self.top, self.cursor - self.list_rows + 1)
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor among the rows that are seen."""
        self.show_cursor()

    def render_line(self, y: int) -> Strip:
        """Draw a row."""
        width = self.size.width
        faint = self.get_component_rich_style("settings--faint")
        if y == 0:
            return Strip([Segment("─" * width, faint)], width).adjust_cell_length(width, faint)
        if y <= self.list_rows:
            at = self.top + y - 1
            return self._setting(at, width) if at < len(self.names) else self._plain("", width, self.base)
        help_at = y - 1 - self.list_rows
        if help_at < _HELP_ROWS:
            return self._plain(help_rows(self.name_here, width, _HELP_ROWS)[help_at], width, faint)
        return self._plain(self._footer(width), width, self.get_component_rich_style("settings--accent"))

    def _setting(self, at: int, width: int) -> Strip:
        is_here = at == self.cursor
        cursor = self.get_component_rich_style("settings--cursor")
        ink = cursor if is_here else self.base
        faint = cursor if is_here else self.get_component_rich_style("settings--faint")
        title, value, remark = setting_row(self.names[at], self.chosen, width)
        strong = ink + Style(bold=True) if is_here else ink
        return Strip([Segment(title, ink), Segment(value, strong), Segment(remark, faint)]).adjust_cell_length(
            width, ink
        )

    def _footer(self, width: int) -> str:
        if self.said:
            return f"  {self.said}"
        long = _("←→ change   u undo   w this work only   d usual value   m models   Enter keep   Esc back as it was")
        short = _("←→  u undo  w this work  d usual  m models  Enter keep  Esc back")
        shortest = _("u undo  w work  d usual  Enter  Esc")
        return next((f"  {words}" for words in (long, short) if cell_width(words) + 2 <= width), f"  {shortest}")

    def _plain(self, text: str, width: int, style: Style) -> Strip:
        row = fit_cells(text, width)
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)


class SettingsDialog(ModalScreen[bool], Answering[bool]):
    """Answers True when what was chosen is to be kept."""

    DEFAULT_CSS = """
    SettingsDialog { background: transparent; align: left bottom; }
    """

    def __init__(
        self,
        chosen: Chosen,
        show: Callable[[Chosen], None],
        *,
        themes: Sequence[str],
        earlier: Sequence[Chosen] = (),
        has_work: bool = True,
    ) -> None:
        """Take what holds now.

        Args:
            chosen: What holds now.
            show: Shows the page with what was chosen; called with each change.
            themes: Names of those the terminal can show.
            earlier: What held before, the latest last, for undo.
            has_work: A work is being read, which may have settings of its own.
        """
        super().__init__()
        self._first = chosen
        self._show = show
        self._themes = tuple(themes)
        self._earlier = [*earlier]
        self._has_work = has_work
        self._rows = _Rows(chosen)

    @property
    def chosen(self) -> Chosen:
        """What holds now."""
        return self._rows.chosen

    def take(self, chosen: Chosen) -> None:
        """Show what holds now: it was changed elsewhere."""
        self._rows.chosen = chosen
        self._rows.refresh()

    def compose(self) -> ComposeResult:
        """Lay the rows over the end of the page."""
        yield self._rows

    def on_resize(self, event: events.Resize) -> None:
        """Leave half the page to be seen."""
        most = event.size.height // _SHARE - 2 - _HELP_ROWS
        self._rows.styles.height = max(_LEAST_ROWS, min(_MOST_ROWS, most)) + 2 + _HELP_ROWS

    def on_key(self, event: events.Key) -> None:
        """Move, change, undo, keep or give up."""
        event.stop()
        key = key_name(event.key, event.character)
        moves = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": _LEAST_ROWS, "pageup": -_LEAST_ROWS}
        moves |= {"home": -len(self._rows.names), "end": len(self._rows.names), "tab": 1, "shift+tab": -1}
        changes = {"l": 1, "right": 1, "space": 1, "+": 1, "h": -1, "left": -1, "-": -1}
        self._rows.said = ""
        if key in moves:
            self._rows.move(moves[key])
        elif key in changes:
            self.change(changes[key])
        elif key == "u":
            self._undo()
        elif key == "d":
            self._put(plain_value(getattr(DEFAULTS, self._rows.name_here)))
        elif key == "w":
            self._turn_own()
        elif key == "enter":
            self.dismiss(True)
        elif key == "m":
            self.app.post_message(ModelsWanted())
            self.dismiss(True)
        elif key in ("escape", "q"):
            self._use(self._first)
            self.dismiss(False)

    def change(self, step: int) -> None:
        """Take the next (+1) value of the setting under the cursor, or the one before (-1)."""
        name = self._rows.name_here
        self._put(stepped(name, self.chosen.value(name), step, self._themes))

    def _put(self, value: Value) -> None:
        name, chosen = self._rows.name_here, self.chosen
        if name in dict(chosen.own):
            self._choose(chosen.with_own(name, value))
        else:
            self._choose(replace(chosen, all=with_values(chosen.all, {name: value})))

    def _turn_own(self) -> None:
        name, chosen = self._rows.name_here, self.chosen
        if name in dict(chosen.own):
            self._choose(chosen.with_own(name, None))
        elif not self._has_work:
            self._say(_("No work is open."))
        elif name not in PER_WORK:
            self._say(_("This one holds for all works."))
        else:
            self._choose(chosen.with_own(name, chosen.value(name)))

    def _choose(self, chosen: Chosen) -> None:
        if chosen != self.chosen:
            self._earlier.append(self.chosen)
            self._use(chosen)

    def _undo(self) -> None:
        if self._earlier:
            self._use(self._earlier.pop())
        else:
            self._say(_("Nothing to undo."))

    def _use(self, chosen: Chosen) -> None:
        self._rows.chosen = chosen
        self._show(chosen)
        self._rows.refresh()

    def _say(self, words: str) -> None:
        self._rows.said = words
        self._rows.refresh()

    def on_click(self, event: events.Click) -> None:
        """Choose the setting under the pointer; a click on the one chosen changes it. Outside keep everything."""
        y = event.screen_y - self._rows.region.y
        at = self._rows.top + y - 1
        if y < 0:
            self.dismiss(True)
        elif not 1 <= y <= self._rows.list_rows or at >= len(self._rows.names):
            return
        elif at == self._rows.cursor:
            title, value, _remark = setting_row(self._rows.name_here, self.chosen, self._rows.size.width)
            self.change(1 if event.screen_x >= cell_width(title) + cell_width(value) // 2 else -1)
        else:
            self._rows.move(at - self._rows.cursor)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go down the list."""
        event.stop()
        self._rows.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go up the list."""
        event.stop()
        self._rows.move(-1)
