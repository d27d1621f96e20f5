"""Show a note of the book over the bottom of the page, until any key."""

from __future__ import annotations

from tui.modals.card import Card
from tui.render.lines import wrapped_lines


class NoteCard(Card[int]):
    """A note of the book. Arrows scroll a long one, f and F go on to the next note; every other key closes it.

    Answers +1 for the next note of the page, -1 for the one before, 0 when it is closed.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def rows_at(self, width: int) -> list[str]:
        """Return the note, wrapped."""
        return wrapped_lines(self._text, width)

    def answer_to(self, key: str) -> int:
        """Return which note is wanted next, 0 for none."""
        return {"f": 1, "F": -1}.get(key, 0)
