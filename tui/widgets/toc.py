"""The contents: thousands of entries at once, folded and filtered, drawn row by row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.outline import EVERYWHERE, OutlineIndex, shown_title
from engine.translate import _
from tui.keys import key_name
from tui.render.cells import cell_width
from tui.render.contents import (
    ContentsItem,
    contents_items,
    folded_at_first,
    innermost,
    reading_minutes,
    share_read,
    visible_items,
)
from tui.render.line_edit import LineEdit
from tui.widgets.row_list import RowList

_ROOMY_CELLS = 44
"""From here on a row has room for how far and how long."""
_MINUTES_CELLS = 8
_BETWEEN_CELLS = 5
"""Of a row that are neither title nor what stands beside it."""
_DEEPEST_INDENT = 6


class Toc(RowList):
    """A list of the work's entries with a cursor."""

    DEFAULT_CSS = "Toc { color: $foreground; background: $background; }"

    @dataclass
    class Chosen(Message):
        """The reader wants to go to an entry."""

        document: DocumentId
        offset: int

    @dataclass
    class Closed(Message):
        """The reader is done with the contents."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._index: OutlineIndex | None = None
        self._titles_upto: Pos = EVERYWHERE
        self._made: tuple[ContentsItem, ...] | None = None
        self._folded: frozenset[int] = frozenset()
        self._filter = LineEdit()
        self._is_filtering = False
        self._shown: Sequence[int] = ()
        self._minutes: dict[int, str] = {}
        self._drawn: dict[int, tuple[int, str, bool]] = {}
        """How rows looked when they were drawn last."""
        self._here: int | None = None
        self._pos: Pos = 0
        self._frontier: Pos = 0

    # what it shows

    @property
    def _items(self) -> tuple[ContentsItem, ...]:
        """All entries; made when the contents are first seen, 5 000 take 20 ms."""
        if self._made is None:
            self._made = contents_items(self._index) if self._index is not None else ()
            self._folded = folded_at_first(self._made, self._pos)
            self._here = innermost(self._made, self._pos)
            self._list_anew()
        return self._made

    def show_outline(self, index: OutlineIndex, titles_upto: Pos = EVERYWHERE) -> None:
        """Show this work's entries; a long work opens with its volumes folded but the one being read.

        Args:
            index: Of the work.
            titles_upto: Titles of what begins behind it are veiled.
        """
        is_other = self._index is None or _first_book(self._index) != _first_book(index)
        self._index, self._titles_upto = index, titles_upto
        self._made, self._shown, self._here = None, (), None
        self._minutes.clear()
        if is_other:  # the same work is read anew while she types, such as when its names are known
            self._filter.set("")
            self._is_filtering = False
        self.refresh()

    def show_place(self, pos: Pos, frontier: Pos, titles_upto: Pos = EVERYWHERE) -> None:
        """Mark the entry being read, and what has been read."""
        self._pos, self._frontier, self._titles_upto = pos, frontier, titles_upto
        if not self.display:
            return
        is_new = self._made is None
        here = innermost(self._items, pos)
        is_new, self._here = is_new or here != self._here, here
        if is_new and not self.has_focus:
            self._cursor_to_here()
        for row, drawn in self._drawn.items():
            if row < len(self._shown) and drawn != self._looks(row):
                self.refresh_row(row)

    def _looks(self, row: int) -> tuple[int, str, bool]:
        """Return what of a row changes while reading."""
        at = self._shown[row]
        return at, self._beside(at, self.size.width), at == self._here

    def open(self) -> None:
        """Begin where the reader is."""
        self._here = innermost(self._items, self._pos)
        if not self._filter.text:
            self._cursor_to_here()

    def _cursor_to_here(self) -> None:
        if self._here is None:
            return
        row = max(0, bisect_right(self._shown, self._here) - 1)
        self.top = max(0, row - self.list_rows // 2)
        self.move_to(row)

    def _list_anew(self) -> None:
        """Take in and out what is folded and filtered, the cursor staying on its entry where that is possible."""
        at = self._shown[self.cursor] if self.cursor < len(self._shown) else 0
        self._drawn.clear()
        self.refresh()
        self._shown = visible_items(self._made or (), self._folded, self._filter.text, self._seen_title)
        self.move_to(max(0, bisect_right(self._shown, at) - 1))

    def _seen_title(self, item: ContentsItem) -> str:
        return shown_title(item.title, item.pos, self._titles_upto)

    def on_resize(self) -> None:
        """Keep the cursor on the page, in its middle when the list has just come up."""
        self._drawn.clear()
        self.refresh()
        self.top = self.cursor - self.list_rows // 2
        self.move_to(self.cursor)

    # keys and mouse

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Move, fold, filter, choose."""
        key = key_name(textual_key, character)
        is_ours = self._typed_into_filter(key, character) or self._left_by(key) or self._folded_by(key)
        return is_ours or self.moved_by(key)

    def _typed_into_filter(self, key: str, character: str | None) -> bool:
        if not self._is_filtering:
            if key == "/":
                self._is_filtering = True
                self.refresh()
            return self._is_filtering
        if key in ("enter", "down", "up"):
            self._is_filtering = False
            if key == "enter" and len(self._shown) == 1:
                self.choose()
        elif key == "escape":
            self._stop_filtering()
        elif not self._filter.feed(key, character):
            return False
        self._list_anew()
        return True

    def _stop_filtering(self) -> None:
        self._is_filtering = False
        self._filter.set("")

    def _left_by(self, key: str) -> bool:
        if key == "escape" and self._filter.text:
            self._stop_filtering()
            self._list_anew()
        elif key in ("escape", "t", "q"):
            self.post_message(self.Closed())
        else:
            return False
        return True

    def _folded_by(self, key: str) -> bool:
        if key not in ("left", "h", "right", "l") or not self._shown:
            return False
        at = self._shown[self.cursor]
        if key in ("right", "l"):
            self._folded -= {at}
        elif self._items[at].has_children and at not in self._folded:
            self._folded |= {at}
        else:
            self.move_to(self._parent_row(at))
        self._list_anew()
        return True

    def _parent_row(self, at: int) -> int:
        level = self._items[at].level
        return next(
            (row for row in range(self.cursor - 1, -1, -1) if self._items[self._shown[row]].level < level), self.cursor
        )

    # the list

    @property
    def row_count(self) -> int:
        """Entries neither folded away nor filtered out."""
        return len(self._shown)

    def choose(self) -> None:
        """Go to the entry under the cursor."""
        item = self._items[self._shown[self.cursor]]
        self.post_message(self.Chosen(item.document, item.offset))

    # drawing

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw the heading, or what the entries are filtered by."""
        if y:
            return self.two_sided("", "", width)
        faint = self.get_component_rich_style("list--faint")
        return self.two_sided(_("Contents"), self._filter_text(), width, self.base + Style(bold=True), faint)

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw an entry: its title, and what was read of it."""
        at, beside, is_here = self._looks(row)
        self._drawn[row] = at, beside, is_here
        if is_here and ink is self.base:
            ink = self.get_component_rich_style("list--here")
        return self.two_sided(self._words(at), beside, width, ink, faint)

    def _words(self, at: int) -> str:
        """Return an entry's title where it stands among the others."""
        item = self._items[at]
        fold = ("▸ " if at in self._folded else "▾ ") if item.has_children else "  "
        return f"{'  ' * min(item.level, _DEEPEST_INDENT)}{fold}{self._seen_title(item)}"

    def _filter_text(self) -> str:
        if not self._is_filtering and not self._filter.text:
            return ""
        return _("filter: {text}").format(text=self._filter.text + ("_" if self._is_filtering else ""))

    def _beside(self, at: int, width: int) -> str:
        """Say how far an entry is read, and how long it takes where there is room for both or nothing else to say.

        In a narrow list the title goes before the minutes.
        """
        item, index = self._items[at], self._index
        if index is None:
            return ""
        status = self._status(at, item, index)
        told = "" if item.has_children or status == _("read") else self._minutes_words(at, item, index)
        if width < _ROOMY_CELLS:
            has_room = cell_width(self._words(at)) + cell_width(told) + _BETWEEN_CELLS <= width
            return status or (told if has_room else "")
        return status + " " * max(1, _MINUTES_CELLS - cell_width(told)) + told

    def _minutes_words(self, at: int, item: ContentsItem, index: OutlineIndex) -> str:
        if at not in self._minutes:
            minutes = reading_minutes(item, index)
            self._minutes[at] = _("{n} min").format(n=minutes) if minutes else ""
        return self._minutes[at]

    def _status(self, at: int, item: ContentsItem, index: OutlineIndex) -> str:
        if at == self._here:
            return _("here")
        if 0 <= item.pos_end <= self._frontier:
            return _("read")
        if item.has_children and item.pos <= self._pos and (item.pos_end < 0 or self._pos < item.pos_end):
            return _("{share} %").format(share=share_read(item, index, self._pos))
        return ""


def _first_book(index: OutlineIndex) -> str:
    """Return what tells one work from another, in whatever library it is."""
    return next((volume.book_sha256 for volume in index.outline.volumes), "")
