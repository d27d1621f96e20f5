"""A table of an answer, row by row as its lines come."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from tui.render.cells import cell_width
from tui.render.inline import Piece, flow, parse_inline
from tui.render.wiki_bits import Bit, Ink, WikiRow

_RULE_CELL = re.compile(r":?-{1,}:?")
_MEASURED = 12
"""The widths of the columns are those of the first rows; a table that goes on keeps them."""
_GAP_CELLS = 2
_LEAST_CELLS = 4
_MOST_COLUMNS = 12


class AnswerTable:
    """Rows of cells; what is settled is never set again."""

    def __init__(self, width: int, cites: Container[int], links: list[int]) -> None:
        """Take how it is set; arguments as for `AnswerText`."""
        self._width = width
        self._cites = cites
        self._links = links
        self._rows: list[list[str]] = []
        self._widths: list[int] = []
        """Of the columns, once they are fixed."""
        self._has_head = False
        self._set = 0
        self._is_closed = False

    def add(self, line: str) -> None:
        """Add a line such as "| a | b |"."""
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))][:_MOST_COLUMNS]
        if cells and all(_RULE_CELL.fullmatch(cell) for cell in cells):
            self._has_head = len(self._rows) == 1
        else:
            self._rows.append(cells)

    def close(self) -> None:
        """Say that nothing more comes; its rows are those of `open_rows` from now on."""
        self._is_closed = True

    def settled(self) -> list[WikiRow]:
        """Return rows that stay as they are and were not returned before; none before the columns are fixed."""
        if self._is_closed or (not self._widths and len(self._rows) <= _MEASURED):
            return []
        self._widths = self._widths or _column_widths(self._rows, self._width)
        rows = self._set_rows(self._set, self._widths)
        self._set = len(self._rows)
        return rows

    def open_rows(self) -> list[WikiRow]:
        """Return the rows that may change."""
        return self._set_rows(self._set, self._widths or _column_widths(self._rows, self._width))

    def _set_rows(self, first: int, widths: Sequence[int]) -> list[WikiRow]:
        rows = []
        for number in range(first, len(self._rows)):
            rows += self._set_row(self._rows[number], widths, is_head=self._has_head and number == 0)
        return rows

    def _set_row(self, cells: Sequence[str], widths: Sequence[int], *, is_head: bool) -> list[WikiRow]:
        ink = Ink.HEADING if is_head else Ink.TEXT
        columns = []
        for cell, width in zip([*cells, *[""] * len(widths)], widths, strict=False):
            pieces = parse_inline(cell.replace("\\|", "|"), self._cites, ink)[0] or [Piece("", ink, 0)]
            columns.append(flow(pieces, width, self._links, (), 0).rows)
        height = max((len(column) for column in columns), default=0)
        return [_beside(columns, widths, number) for number in range(height)]


def _beside(columns: Sequence[Sequence[WikiRow]], widths: Sequence[int], number: int) -> WikiRow:
    bits: list[Bit] = []
    for column, width in zip(columns, widths, strict=True):
        row = column[number] if number < len(column) else WikiRow()
        bits += [*row.bits, Bit(" " * (width - row.cells + _GAP_CELLS))]
    return WikiRow(tuple(bits[:-1]))


def _column_widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return as much for each column as it needs, the widest cut first where there is not room for all."""
    count = max((len(row) for row in rows), default=0)
    wanted = [max((cell_width(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]
    room = max(_LEAST_CELLS * count, width - _GAP_CELLS * (count - 1))
    widths = [max(1, each) for each in wanted]
    while sum(widths) > room and max(widths) > _LEAST_CELLS:
        most = max(widths)
        second = max((each for each in widths if each < most), default=_LEAST_CELLS)
        widest = [at for at in range(count) if widths[at] == most]
        over = sum(widths) - room
        cut = max(1, min(most - max(second, _LEAST_CELLS), -(-over // len(widest))))
        for at in widest:
            widths[at] = max(_LEAST_CELLS, widths[at] - cut)
    return widths
