"""Rows above the rows of a block: blank ones for wide lines, readings for the characters below."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from engine.domain.book import Ruby
from tui.render.cells import cell_width, clean, fit_cells
from tui.render.layout import Piece
from tui.render.rows import Row, RowKind


class SpacedPiece:
    """A piece with blank rows between its rows, and readings above those that have some."""

    __slots__ = ("_inner", "_places", "_rubies", "_width", "block", "count", "start")

    def __init__(self, inner: Piece, spacing: int, rubies: Sequence[Ruby], width: int) -> None:
        """Take a piece and what stands above its rows.

        Args:
            inner: The piece.
            spacing: Rows from one of its rows to the next, at least 1.
            rubies: Readings to set above the characters, in the order of the text.
            width: Cells no reading reaches beyond.
        """
        self._inner = inner
        self._width = width
        self._rubies: dict[int, list[Ruby]] = {}
        for ruby in rubies:
            self._rubies.setdefault(inner.row_of(ruby.start), []).append(ruby)
        self._places: list[int] = []
        place = 0
        for number in range(inner.count):
            blank = spacing - 1 if number else 0
            place += max(blank, 1) if number in self._rubies else blank
            self._places.append(place)
            place += 1
        self.count = place
        self.block = inner.block
        self.start = inner.start

    @property
    def lead_rows(self) -> int:
        """Rows of readings above the first one; they stand in the gap above the block where there is one."""
        return 1 if 0 in self._rubies else 0

    def row(self, number: int) -> Row:
        """Make a row, counted from 0."""
        inside = bisect_left(self._places, number)
        below = self._inner.row(inside)
        place = self._places[inside]
        if place == number:
            return below
        if place - 1 == number and inside in self._rubies:
            return _ruby_row(below, self._rubies[inside], self._width)
        return Row(RowKind.BLANK, below.role, below.block, below.start, below.start)

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""
        return self._places[self._inner.row_of(offset)]


def _ruby_row(below: Row, rubies: Sequence[Ruby], width: int) -> Row:
    """Set readings above their characters, in the middle where there is room, else moved to the right.

    What then reaches beyond the width is moved back to the left as far as the reading before
    it allows, and cut.
    """
    text = ""
    offsets: list[int] = []
    used = 0
    previous_end = -1
    for ruby in rubies:
        left, right = below.cells_of(*below.span_of(ruby.start, ruby.end))
        reading = clean(ruby.reading).replace("\n", " ")
        cells = cell_width(reading)
        free = used + (1 if used and ruby.start != previous_end else 0)
        place = max(free, left - (cells - (right - left)) // 2)
        place = max(free, min(place, width - cells))
        reading = fit_cells(reading, width - place)
        text += " " * (place - used) + reading
        offsets += [ruby.start] * (len(text) - len(offsets))
        used = place + cell_width(reading) if reading else used
        previous_end = ruby.end
    text = text.rstrip(" ")
    return Row(RowKind.RUBY, below.role, below.block, below.start, below.start, 0, text, tuple(offsets[: len(text)]))
