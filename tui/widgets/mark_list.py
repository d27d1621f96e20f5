"""The list of marks and bookmarks of a work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from engine.domain.locator import Pos
from engine.domain.marks import MarkKind, ShownMark
from engine.domain.outline import EVERYWHERE, OutlineIndex, shown_title
from engine.translate import _
from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.lines import wrapped_lines
from tui.widgets.row_list import RowList

_CHAPTER_SHARE = 3
"""A third of a row names the chapter."""


class MarkList(RowList):
    """Marks in story order; Enter goes there, d takes one away, u brings it back."""

    DEFAULT_CSS = "MarkList { color: $foreground; background: $background; }"

    @dataclass
    class Chosen(Message):
        """The reader wants to go to a mark."""

        mark: ShownMark

    @dataclass
    class Dropped(Message):
        """The reader takes a mark away."""

        mark: ShownMark

    @dataclass
    class UndoAsked(Message):
        """The reader wants the mark back that was taken away last."""

    @dataclass
    class Closed(Message):
        """The reader is done with the list."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._marks: Sequence[ShownMark] = ()
        self._index: OutlineIndex | None = None
        self._titles_upto: Pos = EVERYWHERE

    def show_marks(self, marks: Sequence[ShownMark], index: OutlineIndex, titles_upto: Pos = EVERYWHERE) -> None:
        """List these marks of the work with that outline."""
        self._marks, self._index, self._titles_upto = marks, index, titles_upto
        self.move_to(self.cursor)

    @property
    def row_count(self) -> int:
        """How many marks there are."""
        return len(self._marks)

    def choose(self) -> None:
        """Go to the mark under the cursor."""
        self.post_message(self.Chosen(self._marks[self.cursor]))

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Move, go, take away, bring back."""
        key = key_name(textual_key, character)
        if key in ("d", "delete") and self._marks:
            self.post_message(self.Dropped(self._marks[self.cursor]))
        elif key == "u":
            self.post_message(self.UndoAsked())
        elif key in ("escape", "B", "q"):
            self.post_message(self.Closed())
        else:
            return self.moved_by(key)
        return True

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw the heading."""
        faint = self.get_component_rich_style("list--faint")
        if y:
            return self.two_sided("", "", width)
        keys = _("d delete  u undo") if self._marks else ""
        return self.two_sided(_("Marks"), keys, width, self.base + Style(bold=True), faint)

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a mark: its letter, the words of its line, its chapter."""
        shown = self._marks[row]
        sign = shown.mark.name if shown.mark.kind is MarkKind.LETTER else "·"
        chapter = self._index.chapter_at(shown.pos) if self._index is not None else None
        title = shown_title(chapter.title, chapter.pos, self._titles_upto) if chapter is not None else ""
        where = fit_cells(title, width // _CHAPTER_SHARE)
        words = shown.mark.label or title
        room = max(0, width - cell_width(where) - 7)
        return self.two_sided(f"{sign} {fit_cells(words, room)}", where, width, ink, faint)

    def render_line(self, y: int) -> Strip:
        """Draw a row, or how to make the first mark."""
        if not self._marks and y >= self.head_rows:
            words = _("Nothing marked yet. M marks this place, m and a letter names it.")
            rows = wrapped_lines(words, self.size.width - 4)
            row = rows[y - self.head_rows] if y - self.head_rows < len(rows) else ""
            return self.two_sided(row, "", self.size.width, self.get_component_rich_style("list--faint"))
        return super().render_line(y)
