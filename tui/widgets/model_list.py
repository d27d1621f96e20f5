"""The list of the Models page."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from engine.translate import _
from tui.keys import key_name
from tui.render.model_rows import ModelRow, ModelRowKind
from tui.widgets.row_list import RowList


class ModelList(RowList):
    """Roles, models and limits; keys that do not move the cursor are told as `Pressed`."""

    DEFAULT_CSS = "ModelList { height: 1fr; width: 100%; color: $foreground; background: $background; }"

    @dataclass
    class Pressed(Message):
        """A key was pressed on a row; "enter" for a click on it."""

        key: str
        row: ModelRow | None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: tuple[ModelRow, ...] = ()
        self._typed_ahead: list[tuple[str, str | None]] = []
        """Keys typed before the first rows were there."""

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """List these rows; the cursor stays on what it was on."""
        here = self.here
        self._rows = rows
        found = [n for n, row in enumerate(rows) if here is not None and (row.kind, row.key) == (here.kind, here.key)]
        self.move_to(found[0] if found else self.cursor)
        self.refresh()
        typed, self._typed_ahead = self._typed_ahead, []
        for key, character in typed:
            self.take_key(key, character)

    @property
    def here(self) -> ModelRow | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def can_rest_on(self, row: int) -> bool:
        """Pass headings over."""
        return self._rows[row].kind is not ModelRowKind.WORDS

    def choose(self) -> None:
        """Tell of Enter."""
        self.post_message(self.Pressed("enter", self.here))

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Move, or tell of the key."""
        key = key_name(textual_key, character)
        if not self._rows and key != "escape":
            self._typed_ahead.append((textual_key, character))
        elif not self.moved_by(key):
            self.post_message(self.Pressed(key, self.here))
        return True

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw the heading."""
        faint = self.get_component_rich_style("list--faint")
        if y:
            return self.two_sided("", "", width)
        return self.two_sided(_("Models"), _("n new  t test  ? keys"), width, self.base + Style(bold=True), faint)

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a row; headings faint."""
        shown = self._rows[row]
        left_ink = faint if shown.kind is ModelRowKind.WORDS else ink
        return self.two_sided(shown.left, shown.right, width, left_ink, faint)
