"""What a search has found, listed: the cursor stays on what it is on, whatever comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.message import Message

from engine.domain.book import WorkId
from engine.domain.outline import OutlineIndex
from tui.render.search_list import Group, Listed, RowKind, SearchList
from tui.render.snippets import Marks
from tui.widgets.search_drawing import SearchDrawing
from tui.widgets.search_typing import SearchTyping

_WIDE_CELLS = 72
"""From here on chapters stand beside the hits."""


class SearchResults(SearchDrawing):
    """The list of a search."""

    @dataclass
    class SnippetsWanted(Message):
        """The words around places of a text that was looked through are needed."""

        panel: SearchResults
        listed: Listed
        numbers: tuple[int, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.index: OutlineIndex | None = None
        """Of the work being read."""
        self.work = WorkId(0)
        self._wanted_snippets: set[int] = set()

    @property
    def listed(self) -> Listed | None:
        """What is listed; None for nothing."""
        return self.typing.listed

    @property
    def _has_room(self) -> bool:
        return self.size.width >= _WIDE_CELLS

    def show_listed(self, listed: Listed, index: OutlineIndex, work: WorkId) -> None:
        """List an answer; the cursor stays on what it was on.

        Args:
            listed: The answer.
            index: Of the work being read.
            work: Which one that is.
        """
        before, self.index, self.work = self.listed, index, work
        is_same = before is not None and before.words == listed.words
        if not is_same:
            self.typing.chosen, self.has_moved = None, False
        item = self._kept_item(before, listed) if is_same else None
        self.typing.item = item or (Group.TEXT, listed.best())
        self.list_anew(listed)
        self.typing.is_typing = self.typing.is_typing or listed.is_empty

    def _kept_item(self, before: Listed | None, listed: Listed) -> tuple[Group, int] | None:
        """Return where the item under the cursor stands in a new answer to the same words."""
        item = self.typing.item
        if item is None or before is None or item[0] is not Group.TEXT or not before.hits or not listed.hits:
            return item
        if not self.has_moved:
            return None
        passage = before.hits[item[1]].passage
        return next(((Group.TEXT, n) for n, hit in enumerate(listed.hits) if hit.passage == passage), None)

    def list_anew(self, listed: Listed | None) -> None:
        """List something else, or nothing."""
        self.typing.listed = listed
        self.snippets.clear()
        self._wanted_snippets.clear()
        self.lay_out()

    def lay_out(self) -> None:
        """Make the rows anew, with the cursor on the same item."""
        typing, index = self.typing, self.index
        self.is_wide = self._has_room
        self.rows = (
            SearchList(typing.listed, index, self.work, is_wide=self.is_wide, folded=typing.folded)
            if typing.listed is not None and index is not None
            else None
        )
        item = typing.item
        row = self.rows.row_of(*item) if self.rows is not None and item is not None else None
        if row is None and item is not None and self.rows is not None:
            row = self.rows.row_of_group(item[0])
        self.top = 0
        self.move_to(row or 0)
        self.refresh()

    def hand_over(self) -> tuple[SearchTyping, OutlineIndex | None, WorkId]:
        """Return all that another panel needs to go on from here."""
        return self.typing, self.index, self.work

    def take_over(self, typing: SearchTyping, index: OutlineIndex | None, work: WorkId) -> None:
        """Go on where another panel was."""
        self.typing, self.index, self.work = typing, index, work
        self.list_anew(typing.listed)

    def take_snippets(self, listed: Listed, snippets: Mapping[int, tuple[str, Marks]]) -> None:
        """Take words around places; those of a search given up are dropped."""
        if listed is self.listed:
            self.snippets.update(snippets)
            self._wanted_snippets.difference_update(snippets)
            self.refresh()

    def on_moved(self) -> None:
        """Keep the item under the cursor; bring the words around the places that are seen."""
        if self.rows is None or not len(self.rows):
            return
        row = self.rows.row(self.cursor)
        if row.kind is RowKind.ITEM:
            self.typing.item = row.group, row.number
        if self.listed is not None and self.listed.finds.text is None:
            shown = range(self.top, min(self.row_count, self.top + 2 * self.list_rows))
            items = [self.rows.row(number) for number in shown]
            numbers = {each.number for each in items if each.kind is RowKind.ITEM and each.group is Group.TEXT}
            missing = numbers - self.snippets.keys() - self._wanted_snippets
            if missing:
                self._wanted_snippets |= missing
                self.post_message(self.SnippetsWanted(self, self.listed, tuple(sorted(missing))))

    def on_resize(self) -> None:
        """Lay the list out for the new width."""
        if self.is_wide == self._has_room:
            super().on_resize()
        else:
            self.lay_out()
