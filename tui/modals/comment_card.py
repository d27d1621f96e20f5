"""Show what the reader keeps of a passage, with her comment, over the half of the page it does not stand in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from engine.domain.notes import Note
from engine.text.sanitize import sanitize, sanitize_line
from engine.translate import N_, _
from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.highlights import tone_sign
from tui.render.lines import wrapped_lines
from tui.widgets.answering import Answering

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


class _Words(Widget):
    """The passage in a few rows, the comment below it."""

    DEFAULT_CSS = "_Words { height: auto; width: 100%; }"

    def __init__(self, note: Note, *, is_ascii: bool) -> None:
        super().__init__()
        self._note = note
        self._sign = tone_sign(note.tone, is_ascii=is_ascii)
        self._rows: list[str] = []

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return the number of rows at this width."""
        note = self._note
        passage = sanitize_line(note.anchor.quote.exact) if note.anchor is not None else ""
        rows = wrapped_lines(passage, max(1, width - 6)) if passage else []
        if len(rows) > _MOST_PASSAGE_ROWS:
            last = fit_cells(rows[_MOST_PASSAGE_ROWS - 1], max(1, width - 8))
            rows = [*rows[: _MOST_PASSAGE_ROWS - 1], f"{last} …"]
        rows = [f"{self._sign} {row}" for row in rows]
        if note.comment:
            rows += [*([""] if rows else []), *wrapped_lines(sanitize(note.comment), max(1, width - 4))]
        self._rows = [*rows, "", *wrapped_lines(_(_HINTS), max(1, width - 4))]
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width = self.size.width
        row = f"  {self._rows[y]}" if y < len(self._rows) else ""
        return Strip([Segment(row + " " * max(0, width - cell_width(row)), self.rich_style)], width)


class CommentCard(ModalScreen[CardAct], Answering[CardAct]):
    """A note of the reader's. Arrows scroll a long comment; keys that do nothing with it close it."""

    DEFAULT_CSS = """
    CommentCard { background: transparent; align: center bottom; }
    CommentCard > VerticalScroll { width: 100%; max-width: 76; height: auto; max-height: 45%; margin-bottom: 3;
        padding: 1 2 0 2; background: $background; color: $foreground; border-top: solid $faint;
        scrollbar-size: 0 0; }
    CommentCard.-short > VerticalScroll { margin-bottom: 2; }
    CommentCard.-above { align: center top; }
    CommentCard.-above > VerticalScroll { border-top: none; border-bottom: solid $faint; margin-top: 1; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012  (no class variable where it comes from)

    def __init__(self, note: Note, *, is_ascii: bool = False, is_above: bool = False) -> None:
        """Take the note.

        Args:
            note: What to show.
            is_ascii: Draw with ASCII signs.
            is_above: Lie over the upper half: the passage stands in the lower one.
        """
        super().__init__(classes="-above" if is_above else "")
        self._note = note
        self._is_ascii = is_ascii

    def compose(self) -> ComposeResult:
        """Lay the words into a scroll of less than half the page."""
        with VerticalScroll():
            yield _Words(self._note, is_ascii=self._is_ascii)

    def on_key(self, event: events.Key) -> None:
        """Do something with the note, scroll, or close."""
        event.stop()
        event.prevent_default()
        key = key_name(event.key, event.character)
        scroll = self.query_one(VerticalScroll)
        step = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 8, "space": 8, "pageup": -8}.get(key)
        if step is not None and scroll.max_scroll_y > 0:
            scroll.scroll_relative(y=step, animate=False)
        else:
            self.dismiss(_KEYS.get(key))

    def on_click(self) -> None:
        """Close."""
        self.dismiss(None)
