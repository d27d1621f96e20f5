"""A slice laid out: rows are found by number or offset, and made only when somebody looks at them.

Laying out decides where rows begin, nothing more; of some three hundred rows of a slice a
page shows fifty.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Protocol, overload

from engine.domain.book import BlockKind
from engine.domain.reading import Slice
from tui.render.dress import HYPHEN, Dressed
from tui.render.marked import Formatting, Marked, format_dressed, format_plain, shifted
from tui.render.rows import Row, RowKind


class Piece(Protocol):
    """A block, or a few that belong together, as rows."""

    block: int
    """Index of its first block in the slice."""
    start: int
    """Document offset of its first character."""
    count: int
    """Rows, at least 1."""

    def row(self, number: int) -> Row:
        """Make a row, counted from 0."""

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""


class Layout(Sequence[Row]):
    """The rows of one slice, gaps between blocks included; there is always one at least."""

    def __init__(self, piece: Slice, pieces: Sequence[Piece], firsts: Sequence[int], end_gap: int):
        """Take the pieces in order, the row number at which each begins, and the blank rows at the end."""
        self._slice = piece
        self._pieces = pieces
        self._firsts = firsts
        self._count = firsts[-1] + pieces[-1].count + end_gap if pieces else 1
        self._made: dict[int, Row] = {}

    def with_room_below(self, rows: int) -> Layout:
        """Return the same layout with some more blank rows at the end."""
        roomy = copy(self)
        roomy._count += rows
        roomy._made = {}
        return roomy

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, from the top."""
        return self

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        row = self._made.get(index)
        if row is None:
            if not 0 <= index < self._count:
                raise IndexError(index)
            row = self._made[index] = self._make(index)
        return row

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset, the nearest for one outside the slice."""
        if not self._pieces:
            return 0
        number = max(0, bisect_right(self._pieces, offset, key=lambda piece: piece.start) - 1)
        return self._firsts[number] + self._pieces[number].row_of(offset)

    def _make(self, index: int) -> Row:
        if not self._pieces:
            return self._blank(0, self._slice.start)
        number = max(0, bisect_right(self._firsts, index) - 1)
        piece = self._pieces[number]
        inside = index - self._firsts[number]
        if inside < 0:
            return self._blank(piece.block, piece.start)
        if inside < piece.count:
            return piece.row(inside)
        if number + 1 < len(self._pieces):
            return self._blank(self._pieces[number + 1].block, self._pieces[number + 1].start)
        return self._blank(piece.block, self._slice.end)

    def _blank(self, block: int, offset: int) -> Row:
        kind = self._slice.blocks[block].kind if self._slice.blocks else BlockKind.PARAGRAPH
        return Row(RowKind.BLANK, kind, block, offset, offset)


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the rows of a block begin."""

    indent: int = 0
    """Cells before each row."""
    lead: int = 0
    """Cells by which the first row is moved, negative to the left."""
    hang: int = 0
    """Cells by which rows that continue a line are moved to the right."""


class TextPiece:
    """A block of running text."""

    __slots__ = ("_divided", "_dressed", "_end", "_marked", "_shape", "_starts", "_text", "block", "count", "start")

    def __init__(
        self,
        marked: Marked,
        block: int,
        text: str,
        starts: list[int],
        end: int,
        shape: Shape,
        dressed: Dressed | None = None,
        divided: frozenset[int] = frozenset(),
    ) -> None:
        """Take what was found out.

        Args:
            marked: Its slice.
            block: Index of the block.
            text: As drawn: `dressed.text`, or the whole slice's.
            starts: Where in `text` rows begin.
            end: Where in `text` the block ends.
            shape: Where rows begin on the page.
            dressed: None where the text is the document's.
            divided: Numbers of the rows that end within a word.
        """
        self._divided = divided
        self._marked = marked
        self.block = block
        self._text = text
        self._starts = starts
        self._end = end
        self._shape = shape
        self._dressed = dressed
        self.count = len(starts)
        self.start = marked.slice.blocks[block].start

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""
        if self._dressed is None:
            return max(0, bisect_right(self._starts, offset - self._marked.slice.start) - 1)
        bounds = self._dressed.bounds
        return max(0, bisect_right(self._starts, offset, key=lambda start: bounds[start]) - 1)

    def row(self, number: int) -> Row:
        """Make a row, counted from 0."""
        begin = self._starts[number]
        end = self._starts[number + 1] if number + 1 < self.count else self._end
        block = self._marked.slice.blocks[self.block]
        text = self._text[begin:end]
        text = text.rstrip("\n" if block.kind is BlockKind.PREFORMATTED else " \n")
        start, stop, offsets = self._place(begin, end, len(text))
        shape = self._shape
        indent = shape.indent + (shape.lead if number == 0 else 0)
        if shape.hang and number and not self._text.startswith("\n", begin - 1):
            indent += shape.hang
        formatting = Formatting()
        if self._dressed is None:
            format_plain(formatting, self._marked, self.block, start, start + len(text))
        else:
            format_dressed(formatting, self._marked, self.block, self._dressed, begin, begin + len(text))
        runs = formatting.runs()
        text = shifted(text, runs)
        if number in self._divided:
            offsets = offsets or tuple(range(start, start + len(text)))
            text, offsets = text + HYPHEN, (*offsets, offsets[-1])
        return Row(
            RowKind.TEXT, block.kind, self.block, start, stop, indent, text, offsets, runs, formatting.sorted_links()
        )

    def _place(self, begin: int, end: int, drawn: int) -> tuple[int, int, tuple[int, ...] | None]:
        """Return the document range of a row, and the offsets of its characters where they do not run on plainly."""
        shift = self._marked.slice.start
        if self._dressed is None:
            return begin + shift, end + shift, None
        start, stop = self._dressed.bounds[begin], self._dressed.bounds[end]
        offsets = tuple(self._dressed.offsets[begin : begin + drawn])
        return start, stop, None if offsets == tuple(range(start, start + drawn)) else offsets
