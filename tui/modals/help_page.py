"""The list of keys, made from the same list as the keys themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.screen import ModalScreen
from textual.strip import Strip

from engine.translate import _
from tui.keys import Action, typed_keys
from tui.render.cells import cell_width, fit_cells
from tui.render.key_rows import key_rows
from tui.widgets.answering import Answering


class HelpPage(ModalScreen[None], Answering[None]):
    """Every action with its keys. j, k and the arrows scroll; any other key closes."""

    DEFAULT_CSS = "HelpPage { background: $background; color: $foreground; }"

    def __init__(self, actions: Iterable[Action], keymap: Mapping[tuple[str, ...], str]) -> None:
        super().__init__()
        keys: dict[str, list[str]] = {}
        for sequence, name in keymap.items():
            keys.setdefault(name, []).append(" ".join(typed_keys(sequence)))
        self._entries: list[tuple[str, list[str], str]] = [
            (_(action.group), keys.get(action.id, ["-"]), _(action.description)) for action in actions
        ]
        self._rows: list[tuple[str, bool]] = []
        self._top = 0

    def on_resize(self, event: events.Resize) -> None:
        """Lay the list out for the new width."""
        self._rows = key_rows(self._entries, event.size.width)
        self._top = min(self._top, self._last_top)
        self.refresh()

    @property
    def _last_top(self) -> int:
        return max(0, len(self._rows) - self.size.height + 1)

    def on_key(self, event: events.Key) -> None:
        """Scroll, or close."""
        event.stop()
        page = max(1, self.size.height - 2)
        moves = {"j": 1, "down": 1, "k": -1, "up": -1, "space": page, "pagedown": page, "pageup": -page, "b": -page}
        step = moves.get(event.key)
        if step is None:
            self.dismiss(None)
            return
        self._top = min(max(0, self._top + step), self._last_top)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one row of the list."""
        width = self.size.width
        at = self._top + y
        row, is_heading = self._rows[at] if at < len(self._rows) else ("", False)
        row = fit_cells(row, width)
        style = self.rich_style + Style(bold=True) if is_heading else self.rich_style
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)
