"""One line being typed: its characters, the cursor among them, and what of it is seen."""

from __future__ import annotations

from rich.cells import split_graphemes

from tui.render.cells import cell_width

MOST_CHARS = 500


class LineEdit:
    """The text of an input line. Knows nothing of keys' looks or of the screen."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.cursor = len(text)
        """Index in `text`, between characters as seen."""

    def set(self, text: str) -> None:
        """Put another text in its place, the cursor behind it."""
        self.text = text[:MOST_CHARS]
        self.cursor = len(self.text)

    def insert(self, typed: str) -> None:
        """Put typed or pasted text at the cursor; a paste of several lines becomes one."""
        kept = typed
        if len(typed) > 1:
            from engine.text.sanitize import sanitize_line  # only a paste needs it

            kept = sanitize_line(typed)
        kept = kept[: MOST_CHARS - len(self.text)]
        self.text = self.text[: self.cursor] + kept + self.text[self.cursor :]
        self.cursor += len(kept)

    def feed(self, key: str, character: str | None) -> bool:
        """Take a key in the spelling of `tui.keys`; say whether it meant something here."""
        if key in _EDITS:
            _EDITS[key](self)
            return True
        if character is not None and character.isprintable():
            self.insert(character)
            return True
        return False

    def window(self, cells: int) -> tuple[str, int]:
        """Return the part to show in so many cells, and the cell of the cursor in it; the cursor is always seen."""
        spans = split_graphemes(self.text)[0]
        start, before = self.cursor, 0
        for first, behind, _cells in reversed(spans):
            if behind > self.cursor:
                continue
            width = cell_width(self.text[first:behind])
            if before + width > max(0, cells - 1):
                break
            start, before = first, before + width
        end, all_cells = self.cursor, before
        for first, behind, _cells in spans:
            if first < self.cursor:
                continue
            all_cells += cell_width(self.text[first:behind])
            if all_cells > cells:
                break
            end = behind
        return self.text[start:end], before

    def _step(self, index: int, step: int) -> int:
        bounds = [0, *(span[1] for span in split_graphemes(self.text)[0])]
        if step > 0:
            return next((bound for bound in bounds if bound > index), len(self.text))
        return next((bound for bound in reversed(bounds) if bound < index), 0)

    def _left(self) -> None:
        self.cursor = self._step(self.cursor, -1)

    def _right(self) -> None:
        self.cursor = self._step(self.cursor, 1)

    def _home(self) -> None:
        self.cursor = 0

    def _end(self) -> None:
        self.cursor = len(self.text)

    def _backspace(self) -> None:
        self._cut(self._step(self.cursor, -1), self.cursor)

    def _delete(self) -> None:
        self._cut(self.cursor, self._step(self.cursor, 1))

    def _delete_before(self) -> None:
        self._cut(0, self.cursor)

    def _delete_behind(self) -> None:
        self._cut(self.cursor, len(self.text))

    def _delete_word(self) -> None:
        kept = self.text[: self.cursor].rstrip()
        self._cut(len(kept[: len(kept) - len(kept.split(" ")[-1])]), self.cursor)

    def _cut(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start


_EDITS = {
    "left": LineEdit._left,
    "ctrl+b": LineEdit._left,
    "right": LineEdit._right,
    "ctrl+f": LineEdit._right,
    "home": LineEdit._home,
    "ctrl+a": LineEdit._home,
    "end": LineEdit._end,
    "ctrl+e": LineEdit._end,
    "backspace": LineEdit._backspace,
    "delete": LineEdit._delete,
    "ctrl+d": LineEdit._delete,
    "ctrl+u": LineEdit._delete_before,
    "ctrl+k": LineEdit._delete_behind,
    "ctrl+w": LineEdit._delete_word,
}
