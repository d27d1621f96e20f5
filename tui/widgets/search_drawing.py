"""How a search looks: line, counts, by what and where, and its rows."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.strip import Strip

from engine.domain.finds import SearchReach
from engine.domain.hits import SearchMode
from engine.translate import _, grouped
from tui.render.cells import cell_width, fit_cells
from tui.render.search_list import Group, RowKind, SearchList
from tui.render.search_strips import (
    GROUP_WORDS,
    Inks,
    choices,
    counts_line,
    group_count,
    item_segments,
    passage_segments,
)
from tui.render.snippets import Marks
from tui.render.typed import typed_segments
from tui.widgets.row_list import RowList
from tui.widgets.search_typing import SearchTyping

_SIGN = " ┃ "
_HEAD_CELLS = 5
_ITEM_INDENT, _WIDE_INDENT = 4, 3


class SearchDrawing(RowList):
    """Draws what a `SearchTyping` holds; knows no keys."""

    DEFAULT_CSS = "SearchDrawing { height: 1fr; width: 1fr; color: $foreground; background: $background; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"search--cursor", "search--hit"}
    head_rows = 4
    CHOICES_ROW = 2

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.typing = SearchTyping()
        self.rows: SearchList | None = None
        self.snippets: dict[int, tuple[str, Marks]] = {}
        """By number the words around places of a text that was looked through."""
        self.tail = ""
        """What is said below the list."""
        self.notice = ""
        """What is said above it."""
        self.is_wide = False
        self.has_moved = False
        """The reader has moved the cursor since the list came."""

    # the list

    @property
    def row_count(self) -> int:
        """Rows of headings and items."""
        return len(self.rows) if self.rows is not None else 0

    def can_rest_on(self, row: int) -> bool:
        """Pass over headings, but for that of a folded group."""
        if self.rows is None:
            return False
        found = self.rows.row(row)
        is_folded = found.kind is RowKind.GROUP and found.group in self.typing.folded
        return is_folded or found.kind in (RowKind.ITEM, RowKind.ALL)

    @property
    def shows_cursor(self) -> bool:
        """Whether the keys move among the items."""
        return self.has_focus and not self.typing.is_typing

    # the head

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw the line, the counts, by what and where, what is to be said."""
        faint = self.get_component_rich_style("list--faint")
        if y == 0:
            return self._draw_line(width)
        if y == 1:
            listed = self.typing.listed
            words = _("words, or /pattern/") if listed is None else counts_line(listed)
            return self.two_sided(words, "", width, faint, faint)
        if y == self.CHOICES_ROW:
            return self._draw_choices(width)
        return self.two_sided(self.notice, "", width, self.get_component_rich_style("list--accent"))

    def _draw_line(self, width: int) -> Strip:
        typing, accent = self.typing, self.get_component_rich_style("list--accent")
        segments = [self.bar(self.base), Segment(_SIGN, accent)]
        text, cursor = typing.line.window(max(1, width - _HEAD_CELLS))
        if typing.is_typing and self.has_focus:
            ink = self.get_component_rich_style("list--cursor") if typing.is_fresh else self.base
            segments += typed_segments(text, cursor, ink, self.get_component_rich_style("search--cursor"))
        else:
            segments.append(Segment(text, self.base))
        return Strip(segments).adjust_cell_length(width, self.base)

    def _choices(self) -> list[tuple[str, bool, SearchMode | SearchReach | None]]:
        typing = self.typing
        mode = typing.listed.mode if typing.listed is not None else typing.mode or SearchMode.LEXICAL
        return choices(mode, typing.reach)

    def _draw_choices(self, width: int) -> Strip:
        faint, here = self.get_component_rich_style("list--faint"), self.get_component_rich_style("list--here")
        segments = [self.bar(self.base), Segment(" ", self.base)]
        for words, is_now, _chosen in self._choices():
            segments.append(Segment(f"▸{words} " if is_now else f" {words} ", here if is_now else faint))
        return Strip(segments).crop(0, width).adjust_cell_length(width, self.base)

    def choice_at(self, cell: int) -> SearchMode | SearchReach | None:
        """Return what a click at a cell of the row of choices chooses."""
        at = 2
        for words, _is_now, chosen in self._choices():
            end = at + cell_width(words) + 2
            if at <= cell < end:
                return chosen
            at = end
        return None

    def show_cursor(self) -> None:
        """Put the terminal's cursor where an input method writes."""
        if self.screen.focused is self and self.typing.is_typing and self.size.width:
            cursor = self.typing.line.window(max(1, self.size.width - _HEAD_CELLS))[1]
            self.app.cursor_position = self.region.offset + Offset(1 + cell_width(_SIGN) + cursor, 0)

    def on_focus(self) -> None:
        """Show that the keys go here, and where they are written."""
        self.refresh()
        self.show_cursor()

    # rows

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a heading or an item."""
        assert self.rows is not None
        found = self.rows.row(row)
        if found.kind is RowKind.GROUP:
            sign = "▸" if found.group in self.typing.folded else "▾"
            heading = self.get_component_rich_style("list--here") if ink is self.base else ink
            count = group_count(self.rows.listed, found.group)
            return self.two_sided(f"{sign} {_(GROUP_WORDS[found.group])}", count, width, heading, faint)
        if found.kind is RowKind.VOLUME:
            return self.two_sided(f"  {found.words}", "", width, ink + Style(bold=True))
        if found.kind is RowKind.CHAPTER:
            return self.two_sided(f"  {found.words}", grouped(found.count), width, faint, faint)
        if found.kind is RowKind.ALL:
            return self.two_sided(f"    {_('all {n}').format(n=grouped(found.count))}", "", width, ink)
        return self._draw_item(row, width, ink, faint)

    def _draw_item(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        assert self.rows is not None
        found, listed = self.rows.row(row), self.rows.listed
        is_chosen = ink is not self.base
        hit = ink + Style(bold=True, underline=True) if is_chosen else self.get_component_rich_style("search--hit")
        inks = Inks(ink, faint, hit)
        indent = _WIDE_INDENT if self.is_wide else _ITEM_INDENT
        sign = "›" if (found.group, found.number) == self.typing.chosen else " "
        chapter = self.rows.chapter_of(row) if self.is_wide and found.group is Group.TEXT else None
        cells = max(4, width - 1 - indent - 1)
        segments = [self.bar(ink), Segment(fit_cells(" " * (indent - 2) + sign + " ", indent), ink)]
        if found.group is Group.TEXT and listed.finds.text is None:
            text, marks = self.snippets.get(found.number, ("…", ()))
            segments += passage_segments(text, marks, cells, inks, chapter, Segment("", faint))
        else:
            segments += item_segments(listed, found.group, found.number, cells, inks, chapter)
        return Strip([each for each in segments if each.text]).adjust_cell_length(width, ink)

    def render_line(self, y: int) -> Strip:
        """Draw a row of the panel; what is said below the list follows the last one."""
        if self.tail and y == self.head_rows + self.row_count - self.top + (1 if self.row_count else 0):
            return self.two_sided(self.tail, "", self.size.width, self.get_component_rich_style("list--faint"))
        return super().render_line(y)
