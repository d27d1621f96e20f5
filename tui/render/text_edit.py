"""A few lines being typed: the characters, the cursor among them, and the rows they take."""

from __future__ import annotations

from dataclasses import dataclass

from engine.text.segment import next_grapheme
from tui.render.cells import cell_width, clean
from tui.render.line_edit import LineEdit
from tui.render.wrap import wrap

_MOST_CHARS = 20_000
_NEW_LINES = ("ctrl+j", "shift+enter", "alt+enter")
"""Keys that begin a line; terminals that cannot tell shift+enter from Enter have the first."""


@dataclass(frozen=True, slots=True)
class TypedRow:
    """A row of what is typed."""

    text: str
    start: int
    """Index of its first character."""


class TextEdit(LineEdit):
    """Several lines; Up and Down go from row to row as they are seen."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self._width = 40

    def set(self, text: str) -> None:
        """Put another text in its place, the cursor behind it."""
        self.text = text[:_MOST_CHARS]
        self.cursor = len(self.text)

    def insert(self, typed: str) -> None:
        """Put typed or pasted text at the cursor."""
        kept = typed
        if len(typed) > 1:
            from engine.text.sanitize import sanitize  # only a paste needs it

            kept = clean(sanitize(typed)).replace("\t", " ")
        kept = kept[: _MOST_CHARS - len(self.text)]
        self.text = self.text[: self.cursor] + kept + self.text[self.cursor :]
        self.cursor += len(kept)

    def feed(self, key: str, character: str | None) -> bool:
        """Take a key in the spelling of `tui.keys`; say whether it meant something here."""
        if key in _NEW_LINES:
            self.insert("\n")
            return True
        if key in ("up", "down"):
            return self._step_row(1 if key == "down" else -1)
        if key in ("home", "end"):
            self._to_edge(is_end=key == "end")
            return True
        return super().feed(key, character)

    def rows(self, width: int) -> list[TypedRow]:
        """Return the rows at so many cells, one at least; the same width holds for Up and Down from now on."""
        self._width = max(2, width)
        starts = wrap(self.text, self._width)
        return [
            TypedRow(self.text[start:end].rstrip("\n"), start)
            for start, end in zip(starts, [*starts[1:], len(self.text)], strict=True)
        ]

    def cursor_cell(self, width: int) -> tuple[int, int]:
        """Return the row and the cell of the cursor at so many cells."""
        rows = self.rows(width)
        number = max(at for at, row in enumerate(rows) if row.start <= self.cursor)
        row = rows[number]
        return number, min(cell_width(row.text[: self.cursor - row.start]), self._width - 1)

    def _step_row(self, step: int) -> bool:
        rows = self.rows(self._width)
        number, cell = self.cursor_cell(self._width)
        if not 0 <= number + step < len(rows):
            return False
        row = rows[number + step]
        at = 0
        while at < len(row.text) and cell_width(row.text[: next_grapheme(row.text, at)]) <= cell:
            at = next_grapheme(row.text, at)
        self.cursor = row.start + at
        return True

    def _to_edge(self, *, is_end: bool) -> None:
        rows = self.rows(self._width)
        number = self.cursor_cell(self._width)[0]
        self.cursor = rows[number].start + (len(rows[number].text) if is_end else 0)
        if is_end and number + 1 < len(rows) and self.cursor >= rows[number + 1].start:
            self.cursor = self._step(self.cursor, -1)  # behind the last character of a full row begins the next one
