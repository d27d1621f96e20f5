"""Tables: columns side by side where the width allows, else one cell a row under its heading's name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.domain.book import Block, BlockKind, SpanKind
from tui.render.cells import cell_width, fit_cells
from tui.render.dress import Dressed, Mark, dress, mark_offset
from tui.render.layout import Piece
from tui.render.marked import Formatting, Marked, format_dressed, shifted
from tui.render.rows import Row, RowKind, TypeOptions
from tui.render.wrap import wrap

_BETWEEN = 2
"""Blank cells between columns."""
_NARROWEST = 6
"""Cells a wrapped column needs at least."""
_LONGEST_HEAD = 3
"""A heading before a cell takes at most one part in three of the width."""
_HANG = 2


@dataclass(frozen=True, slots=True)
class _Cell:
    dressed: Dressed
    starts: list[int]
    """Where in the drawn text its rows begin."""

    def line(self, number: int) -> tuple[int, int]:
        """Return where in the drawn text a row begins and ends; the end of the text for one below the last."""
        if number >= len(self.starts):
            return len(self.dressed.text), len(self.dressed.text)
        begin = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.dressed.text)
        return begin, begin + len(self.dressed.text[begin:end].rstrip(" \n"))

    def rest(self, number: int) -> int | None:
        """Return the document offset at which a row begins; None when there is no such row."""
        return self.dressed.bounds[self.starts[number]] if number < len(self.starts) else None


@dataclass(frozen=True, slots=True)
class _TableRow:
    index: int
    """Of its block."""
    block: Block
    cells: list[Dressed]


class TablePiece:
    """The rows of one table."""

    __slots__ = ("_rows", "_starts", "block", "count", "start")

    def __init__(self, rows: list[Row]) -> None:
        """Take the rows, at least one; their starts never fall."""
        self._rows = rows
        self._starts = [row.start for row in rows]
        self.block = rows[0].block
        self.start = rows[0].start
        self.count = len(rows)

    def row(self, number: int) -> Row:
        """Return a row, counted from 0."""
        return self._rows[number]

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset; cells of a table row stand side by side."""
        last = max(0, bisect_right(self._starts, offset) - 1)
        block = self._rows[last].block
        number = last
        while number >= 0 and self._rows[number].block == block:
            offsets = self._rows[number].offsets
            if offsets and offset in offsets:
                return number
            number -= 1
        return last


def table_piece(
    marked: Marked, rows: Sequence[tuple[int, Block, list[Mark]]], options: TypeOptions, width: int
) -> Piece:
    """Set a table.

    Args:
        marked: Its slice.
        rows: Index in the slice, block and marks of each row, at least one.
        options: How marks are drawn.
        width: Cells of the text column.
    """
    table = [_TableRow(index, block, _cells_of(marked, block, marks, options)) for index, block, marks in rows]
    columns = max(len(row.cells) for row in table)
    natural = [
        max(max(map(cell_width, row.cells[column].text.split("\n"))) if column < len(row.cells) else 0 for row in table)
        for column in range(columns)
    ]
    widths = _column_widths(natural, width - _BETWEEN * (columns - 1))
    made = _Rows(marked, width)
    if widths:
        wrapped = [_wrapped(row, widths) for row in table]
        is_loose = any(len(cell.starts) > 1 for cells in wrapped for cell in cells)
        for row, cells in zip(table, wrapped, strict=True):
            made.side_by_side(row, cells, widths, is_loose=is_loose)
    else:
        heads = [cell.text for cell in table[0].cells] if table[0].block.is_header else []
        for row in table:
            made.one_a_row(row, [] if row.block.is_header else heads)
    return TablePiece(made.rows)


def _cells_of(marked: Marked, block: Block, marks: Sequence[Mark], options: TypeOptions) -> list[Dressed]:
    start = marked.slice.start
    cells = []
    at = block.start
    for text in marked.slice.text[block.start - start : block.end - start].split("\t"):
        end = at + len(text)
        cells.append(dress(text, at, [mark for mark in marks if at <= mark_offset(mark) <= end], options))
        at = end + 1
    return cells


def _wrapped(row: _TableRow, widths: Sequence[int]) -> list[_Cell]:
    cells = zip(row.cells, widths, strict=False)
    return [_Cell(cell, wrap(cell.text, max(1, width), 0, cell.held)) for cell, width in cells]


def _column_widths(natural: Sequence[int], room: int) -> list[int]:
    """Share the room: narrow columns get what they need, the others equal parts; [] when that is too little."""
    if sum(natural) <= room:
        return list(natural)
    widths = list(natural)
    wide = set(range(len(natural)))
    while wide:
        share = (room - sum(widths[column] for column in range(len(widths)) if column not in wide)) // len(wide)
        if share < _NARROWEST:
            return []
        fitting = {column for column in wide if natural[column] <= share}
        if not fitting:
            for column in wide:
                widths[column] = share
            break
        wide -= fitting
    return widths


class _Rows:
    """Collects the rows of a table from the top."""

    def __init__(self, marked: Marked, width: int) -> None:
        self.rows: list[Row] = []
        self._marked = marked
        self._width = width

    def side_by_side(self, row: _TableRow, cells: Sequence[_Cell], widths: Sequence[int], *, is_loose: bool) -> None:
        """Add a table row of wrapped cells; loose rows stand apart, or nobody sees where one begins."""
        if is_loose:
            self._add_blank(row)
        lefts = [0, *accumulate(cells + _BETWEEN for cells in widths)]
        height = max(len(cell.starts) for cell in cells)
        for number in range(height):
            self._add_line(row, cells, lefts, number)

    def _add_line(self, row: _TableRow, cells: Sequence[_Cell], lefts: Sequence[int], number: int) -> None:
        text = ""
        used = 0
        offsets: list[int] = []
        formatting = Formatting()
        for cell, left in zip(cells, lefts, strict=False):
            begin, end = cell.line(number)
            if begin == end:
                continue
            tab = max(row.block.start, cell.dressed.bounds[0] - 1)
            text += " " * (left - used)
            offsets += [tab] * (len(text) - len(offsets))
            format_dressed(formatting, self._marked, row.index, cell.dressed, begin, end, len(text))
            text += cell.dressed.text[begin:end]
            offsets += cell.dressed.offsets[begin:end]
            used = left + cell_width(cell.dressed.text[begin:end])
        rests = [rest for cell in cells if (rest := cell.rest(number)) is not None]
        following = [rest for cell in cells if (rest := cell.rest(number + 1)) is not None]
        start = row.block.start if number == 0 else min(rests)
        self._add(row, start, min(following, default=row.block.end), 0, text, offsets, formatting)

    def one_a_row(self, row: _TableRow, heads: Sequence[str]) -> None:
        """Add a table row, each cell that holds something beginning a row, after its column's heading."""
        self._add_blank(row)
        filled = [(number, cell) for number, cell in enumerate(row.cells) if cell.text] or [(0, row.cells[0])]
        for place, (number, cell) in enumerate(filled):
            head = heads[number].replace("\n", " ") if number < len(heads) else ""
            head = fit_cells(head, self._width // _LONGEST_HEAD) if self._width >= _HANG * _NARROWEST else ""
            following = filled[place + 1][1].offsets[0] if place + 1 < len(filled) else row.block.end
            start = cell.offsets[0] if place and cell.offsets else row.block.start
            self._add_cell(row, cell, f"{head}: " if head else "", start, following)

    def _add_blank(self, row: _TableRow) -> None:
        """Add a blank row between two rows of the table."""
        if self.rows:
            start = row.block.start
            self.rows.append(Row(RowKind.BLANK, BlockKind.ROW, row.index, start, start))

    def _add_cell(self, row: _TableRow, cell: Dressed, head: str, start: int, end: int) -> None:
        hang = _HANG if self._width > _HANG * _NARROWEST else 0
        lead = cell_width(head) - hang
        starts = wrap(cell.text, self._width - hang, lead, cell.held)
        lines = _Cell(cell, starts)
        for number in range(len(starts)):
            first, last = lines.line(number)
            text = (head if number == 0 else "") + cell.text[first:last]
            formatting = Formatting()
            format_dressed(formatting, self._marked, row.index, cell, first, last, len(text) - (last - first))
            offsets = [start] * (len(text) - (last - first)) + cell.offsets[first:last]
            rest = lines.rest(number + 1)
            stop = end if rest is None else rest
            self._add(row, start, stop, hang if number else 0, text, offsets, formatting)
            start = stop

    def _add(
        self, row: _TableRow, start: int, end: int, indent: int, text: str, offsets: list[int], formatting: Formatting
    ) -> None:
        if row.block.is_header and text:
            formatting.spans.append((0, len(text), SpanKind.BOLD))
        runs = formatting.runs()
        self.rows.append(
            Row(
                RowKind.TEXT,
                BlockKind.ROW,
                row.index,
                start,
                end,
                indent,
                shifted(text, runs),
                tuple(offsets),
                runs,
                formatting.sorted_links(),
            )
        )
