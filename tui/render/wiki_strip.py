"""Rows of a wiki page as strips: text and the column beside it, the link in focus, numbers to open links by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from tui.render.cells import cell_width
from tui.render.dress import lowered
from tui.render.wiki_bits import BLANK_ROW, Bit, Ink, WikiRow, fit_bits
from tui.render.wiki_rows import WikiLayout


@dataclass(frozen=True, slots=True)
class WikiStyle:
    """The styles of a page; each is complete, with ink and paper."""

    inks: Mapping[Ink, Style]
    focus: Style
    """Of the link in focus."""

    def of(self, bit: Bit, focus: int) -> Style:
        """Return the style of a bit, given the index of the link in focus (-1 for none)."""
        if bit.link >= 0 and bit.link == focus and bit.ink is not Ink.NUMBER:
            return self.inks[bit.ink] + self.focus
        return self.inks[bit.ink]


def row_segments(
    layout: WikiLayout,
    number: int,
    side_number: int,
    style: WikiStyle,
    *,
    focus: int = -1,
    numbers: Mapping[int, int] | None = None,
) -> list[Segment]:
    """Return the segments of a row of the page, text and side column, as wide as both.

    Args:
        layout: The page.
        number: Of the row of the text; none is drawn beyond the last.
        side_number: Of the row of the side column.
        style: Styles.
        focus: Index of the link in focus.
        numbers: The digit that opens a link, by its index.
    """
    text = layout.rows[number] if 0 <= number < len(layout.rows) else BLANK_ROW
    drawn = _segments(text, layout.text_cells, style, focus, numbers or {})
    if not layout.side_cells:
        return drawn
    side = layout.side[side_number] if 0 <= side_number < len(layout.side) else BLANK_ROW
    beside = _segments(side, layout.side_cells, style, focus, numbers or {})
    gap = Segment(" " * layout.gap_cells, style.inks[Ink.TEXT])
    return [*beside, gap, *drawn] if layout.is_side_first else [*drawn, gap, *beside]


def _segments(row: WikiRow, cells: int, style: WikiStyle, focus: int, numbers: Mapping[int, int]) -> list[Segment]:
    bits = row.bits if row.cells <= cells else fit_bits(row.bits, cells)
    segments = [
        Segment(_number(bit, numbers) if bit.ink is Ink.NUMBER else bit.text, style.of(bit, focus)) for bit in bits
    ]
    used = sum(cell_width(segment.text) for segment in segments)
    if used < cells:
        segments.append(Segment(" " * (cells - used), style.inks[Ink.TEXT]))
    return segments


def _number(bit: Bit, numbers: Mapping[int, int]) -> str:
    digit = numbers.get(bit.link)
    if digit is None:
        return " "
    small = lowered(str(digit))
    return small if bit.text != " " and cell_width(small) == 1 else str(digit)


def link_at(layout: WikiLayout, number: int, side_number: int, cell: int) -> int:
    """Return the index of the link under a cell of a row of the page; -1 for none.

    Args:
        layout: The page.
        number: Of the row of the text.
        side_number: Of the row of the side column.
        cell: From the left edge of both columns.
    """
    text_left = layout.side_cells + layout.gap_cells if layout.is_side_first else 0
    side_left = 0 if layout.is_side_first else layout.text_cells + layout.gap_cells
    for rows, row, left in ((layout.rows, number, text_left), (layout.side, side_number, side_left)):
        at = left
        for bit in rows[row].bits if 0 <= row < len(rows) else ():
            following = at + cell_width(bit.text)
            if at <= cell < following and bit.link >= 0:
                return bit.link
            at = following
    return -1
