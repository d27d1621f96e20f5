"""The text as one scroll: which rows are on the page, and how a movement changes that.

The position is an anchor (document, offset of the first character shown) from which the row
is derived, so it survives any change of width. Slices are laid out when needed; what is
missing is named, and whoever holds the text brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.domain.book import BlockKind, DocumentId
from engine.domain.locator import Pos
from engine.domain.reading import Slice, SliceKey
from tui.render.loaded import LoadedSlices
from tui.render.rows import Row, RowKind
from tui.render.typeset import Layout

_LEAST_OVERLAPPED = 4
"""Rows of the smallest page of which one is worth keeping on a turn."""

_MOST_HEADINGS = 2
"""Headings that end a page go over to the next unless they take more than one part in two of it."""

Typesetter = Callable[[Slice], Layout]


@dataclass(frozen=True, slots=True)
class RowRef:
    """One row on the page."""

    key: SliceKey
    index: int
    """In its slice's layout."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The first character shown."""

    document: DocumentId
    offset: int


@dataclass(frozen=True, slots=True)
class PageSpan:
    """What a page shows, in the terms of places."""

    anchor: Anchor
    first_pos: Pos
    last_document: DocumentId
    last_offset: int
    """End of the last row shown, exclusive."""
    last_pos: Pos
    is_at_end: bool
    """Nothing follows below the page."""


class Flow:
    """Slices laid out one under another around a top row."""

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self.loaded = LoadedSlices()
        self._layouts: dict[SliceKey, Layout] = {}
        self._top: RowRef | None = None
        self.anchor: Anchor | None = None
        """Set by movements only; a change of width leaves it."""

    # what is laid out

    def add(self, piece: Slice) -> None:
        """Take a slice into the scroll; when there is too much of it, what lies far from the page is forgotten."""
        self.loaded.add(piece)
        if self._top is not None and self.loaded.is_too_much:
            self.loaded.keep_near(self._top.key, piece.key)
            self._layouts = {key: layout for key, layout in self._layouts.items() if key in self.loaded}

    def clear(self) -> None:
        """Forget all slices and the position."""
        self.loaded.clear()
        self._layouts.clear()
        self._top = None
        self.anchor = None

    def row(self, ref: RowRef) -> Row:
        """Return a row of a loaded slice."""
        return self._layout(ref.key).rows[ref.index]

    def layout_of(self, key: SliceKey) -> Layout:
        """Return the layout of a loaded slice."""
        return self._layout(key)

    def _layout(self, key: SliceKey) -> Layout:
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._typesetter(self.loaded.slice_of(key))
        return layout

    # where it stands

    def show(self, document: DocumentId, offset: int) -> bool:
        """Put the row of an offset at the top. Returns False when its slice is not loaded."""
        piece = self.loaded.find(document, offset)
        if piece is None:
            return False
        rows = self._layout(piece.key)
        index = rows.row_of(offset)
        if piece.rubies and index and rows[index - 1].kind is RowKind.RUBY:
            index -= 1  # the readings of the first row
        self._top = RowRef(piece.key, index)
        self.anchor = Anchor(document, offset)
        return True

    def relayout(self, typesetter: Typesetter) -> None:
        """Lay everything out anew, keeping the anchor at the top."""
        self._typesetter = typesetter
        self._layouts.clear()
        if self.anchor is not None:
            anchor = self.anchor
            self.show(anchor.document, anchor.offset)

    def page(self, height: int) -> list[RowRef]:
        """Return the rows on a page of `height` rows, fewer where the text ends or is not loaded."""
        if self._top is None:
            return []
        refs: list[RowRef] = []
        key: SliceKey | None = self._top.key
        first = self._top.index
        while key is not None and len(refs) < height:
            rows = self._layout(key).rows
            refs += [RowRef(key, i) for i in range(first, min(len(rows), first + height - len(refs)))]
            key, first = self.loaded.neighbour(key, 1), 0
        return refs

    def missing(self, height: int, margin: int) -> tuple[tuple[SliceKey, int], ...]:
        """Name the slices to bring so that `margin` rows lie ready below the page (+1) and above it (-1)."""
        if self._top is None:
            return ()
        rows_below = len(self._layout(self._top.key).rows) - self._top.index
        below = self._missing_towards(self._top.key, height + margin - rows_below, 1)
        above = self._missing_towards(self._top.key, margin - self._top.index, -1)
        return tuple((key, step) for key, step in ((below, 1), (above, -1)) if key is not None)

    def _missing_towards(self, key: SliceKey, rows: int, step: int) -> SliceKey | None:
        """Return the first key not loaded within some rows of one that is; None when there are as many."""
        while rows > 0:
            following = self.loaded.neighbour(key, step)
            if following is None:
                return self.loaded.wanted(key, step)
            key = following
            rows -= len(self._layout(key).rows)
        return None

    def span(self, height: int) -> PageSpan | None:
        """Say what the page shows; None before anything is loaded."""
        if self._top is None or self.anchor is None:
            return None
        refs = self.page(height)
        last = refs[-1]
        piece = self.loaded.slice_of(last.key)
        end = max(self.row(last).end, piece.start)
        is_last_row = last.index == len(self._layout(last.key).rows) - 1
        # Not the slice of the top row: that may be a blank row below the document before.
        anchor_piece = self.loaded.find(self.anchor.document, self.anchor.offset) or self.loaded.slice_of(self._top.key)
        return PageSpan(
            anchor=self.anchor,
            first_pos=anchor_piece.pos + max(0, self.anchor.offset - anchor_piece.start),
            last_document=last.key.document,
            last_offset=end,
            last_pos=piece.pos + end - piece.start,
            is_at_end=is_last_row and self.loaded.wanted(last.key, 1) is None,
        )

    # moving

    def move(self, rows: int, height: int) -> int:
        """Move the top by `rows`; the anchor follows. Returns the rows really moved.

        Downwards the last row of the text stays on the page; movement stops early where a
        slice is not loaded.
        """
        if self._top is None or rows == 0:
            return 0
        moved = self._down(min(rows, self._rows_below(height, rows))) if rows > 0 else -self._up(-rows)
        if moved:
            self._anchor_to_top()
        return moved

    def page_down(self, height: int) -> int:
        """Turn a page; return the rows moved, 0 at the end of the text or where nothing more is loaded.

        The last row of a paragraph cut by the page's end stays, for the eye to find, and so do headings
        that end it; where the page ended between paragraphs the next one begins at the top. The last
        page may be partly blank.
        """
        if self._top is None or self._rows_below(height, 1) <= 0:
            return 0
        refs = self.page(height)
        moved = self._down(len(refs) - self._rows_kept(refs))
        while self.row(self._top).kind is RowKind.BLANK and self._down(1):
            moved += 1
        if moved:
            self._anchor_to_top()
        return moved

    def _rows_kept(self, refs: Sequence[RowRef]) -> int:
        """Return how many rows at the end of a page come again at the top of the next."""
        if len(refs) <= _LEAST_OVERLAPPED:
            return 0
        headings = 0
        for count, ref in enumerate(reversed(refs), 1):
            row = self.row(ref)
            if row.kind is not RowKind.BLANK:
                if row.role is not BlockKind.HEADING:
                    break
                headings = count
        if 0 < headings <= len(refs) // _MOST_HEADINGS:
            return headings
        if self.row(refs[-1]).kind is RowKind.BLANK:
            return 0
        return 2 if self.row(refs[-2]).kind is RowKind.RUBY else 1

    def _rows_below(self, height: int, enough: int) -> int:
        """Count loaded rows under the page, up to `enough`."""
        assert self._top is not None
        rows = len(self._layout(self._top.key).rows) - self._top.index - height
        key: SliceKey | None = self._top.key
        while key is not None and rows < enough:
            key = self.loaded.neighbour(key, 1)
            rows += len(self._layout(key).rows) if key is not None else 0
        return min(rows, enough)

    def _down(self, rows: int) -> int:
        assert self._top is not None
        key, index, left = self._top.key, self._top.index, rows
        while left > 0:
            room = len(self._layout(key).rows) - 1 - index
            if left <= room:
                index, left = index + left, 0
                break
            following = self.loaded.neighbour(key, 1)
            if following is None:
                index, left = index + room, left - room
                break
            left -= room + 1
            key, index = following, 0
        self._top = RowRef(key, index)
        return rows - left

    def _up(self, rows: int) -> int:
        assert self._top is not None
        key, index, left = self._top.key, self._top.index, rows
        while left > 0:
            if left <= index:
                index, left = index - left, 0
                break
            previous = self.loaded.neighbour(key, -1)
            if previous is None:
                index, left = 0, left - index
                break
            left -= index + 1
            key, index = previous, len(self._layout(previous).rows) - 1
        self._top = RowRef(key, index)
        return rows - left

    def _anchor_to_top(self) -> None:
        """Set the anchor to the first character at or below the top row."""
        assert self._top is not None
        for ref in self._rows_from(self._top):
            row = self.row(ref)
            if row.kind is not RowKind.BLANK:
                self.anchor = Anchor(ref.key.document, row.start)
                return
        self.anchor = Anchor(self._top.key.document, self.row(self._top).start)

    def _rows_from(self, ref: RowRef) -> Iterator[RowRef]:
        key: SliceKey | None = ref.key
        index = ref.index
        while key is not None:
            for i in range(index, len(self._layout(key).rows)):
                yield RowRef(key, i)
            key, index = self.loaded.neighbour(key, 1), 0

    def block_start(self, step: int) -> Anchor | None:
        """Return the start of the next (+1) or previous (-1) paragraph from the top; None where none is loaded."""
        if self._top is None or self.anchor is None:
            return None
        key: SliceKey | None = self._top.key
        offset = self.anchor.offset
        while key is not None:
            piece = self.loaded.slice_of(key)
            starts = [block.start for block in piece.blocks if not block.is_continued and block.end > block.start]
            if key != self._top.key:
                candidates = starts
            elif step > 0:
                candidates = [start for start in starts if start > offset]
            else:
                candidates = [start for start in starts if start < offset]
            if candidates:
                return Anchor(key.document, candidates[0] if step > 0 else candidates[-1])
            key = self.loaded.neighbour(key, step)
        return None
