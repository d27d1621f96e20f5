"""Show what the reader keeps of a passage, with her comment, over the half of the page it does not stand in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.domain.notes import Note
from engine.text.sanitize import sanitize, sanitize_line
from engine.translate import N_, _
from tui.modals.card import Card
from tui.render.cells import fit_cells
from tui.render.highlights import tone_sign
from tui.render.lines import wrapped_lines

_MOST_PASSAGE_ROWS = 3


class CardAct(StrEnum):
    """What the reader wants to do with the note."""

    EDIT = "edit"
    TONE = "tone"
    DROP = "drop"
    UNDO = "undo"
    NEXT = "next"
    PREVIOUS = "previous"


_KEYS: Mapping[str, CardAct] = {
    "c": CardAct.EDIT,
    "h": CardAct.TONE,
    "d": CardAct.DROP,
    "delete": CardAct.DROP,
    "u": CardAct.UNDO,
    "f": CardAct.NEXT,
    "tab": CardAct.NEXT,
    "F": CardAct.PREVIOUS,
    "shift+tab": CardAct.PREVIOUS,
}
_HINTS = N_("c comment  h colour  d delete  f next  Esc close")


class CommentCard(Card[CardAct]):
    """A note of the reader's. Arrows scroll a long comment; keys that do nothing with it close it."""

    DEFAULT_CSS = """
    CommentCard > VerticalScroll { max-height: 45%; }
    CommentCard.-above { align: center top; }
    CommentCard.-above > VerticalScroll { border-top: none; border-bottom: solid $faint; margin-top: 1; }
    """

    def __init__(self, note: Note, *, is_ascii: bool = False, is_above: bool = False) -> None:
        """Take the note.

        Args:
            note: What to show.
            is_ascii: Draw with ASCII signs.
            is_above: Lie over the upper half: the passage stands in the lower one.
        """
        super().__init__(classes="-above" if is_above else "")
        self._note = note
        self._sign = tone_sign(note.tone, is_ascii=is_ascii)

    def rows_at(self, width: int) -> list[str]:
        """Return the passage in a few rows, the comment below it, and what the keys do."""
        note = self._note
        passage = sanitize_line(note.anchor.quote.exact) if note.anchor is not None else ""
        rows = wrapped_lines(passage, max(1, width - 2)) if passage else []
        if len(rows) > _MOST_PASSAGE_ROWS:
            last = fit_cells(rows[_MOST_PASSAGE_ROWS - 1], max(1, width - 4))
            rows = [*rows[: _MOST_PASSAGE_ROWS - 1], f"{last} …"]
        rows = [f"{self._sign} {row}" for row in rows]
        if note.comment:
            rows += [*([""] if rows else []), *wrapped_lines(sanitize(note.comment), width)]
        return [*rows, "", *wrapped_lines(_(_HINTS), width)]

    def answer_to(self, key: str) -> CardAct | None:
        """Return what a key does with the note, None when it closes the card."""
        return _KEYS.get(key)
