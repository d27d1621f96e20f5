"""The line that narrows a list while one types."""

from __future__ import annotations

from collections.abc import Callable

from tui.render.line_edit import LineEdit

_DONE = ("enter", "down", "up", "tab")


class ListFilter:
    """What a list is narrowed to, and whether more of it is being typed."""

    def __init__(self, narrow: Callable[[str], object]) -> None:
        """Take what narrows the list to what holds a text."""
        self._narrow = narrow
        self._line = LineEdit()
        self.is_typing = False

    @property
    def text(self) -> str:
        """What the list holds."""
        return self._line.text

    def take_key(self, key: str, character: str | None) -> bool:
        """Take a key while the line is being typed; say whether it meant something, which Enter does beside that."""
        if not self.is_typing:
            return False
        if key == "escape":
            self.clear()
        elif key in _DONE:
            self.is_typing = False
        elif self._line.feed(key, character):
            self._narrow(self.text)
        return True

    def clear(self) -> bool:
        """Show the whole list again; say whether it was narrowed."""
        self.is_typing, was = False, self.text
        if was:
            self._line.set("")
            self._narrow("")
        return bool(was)
