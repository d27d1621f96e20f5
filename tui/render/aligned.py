"""Rows moved to the middle or the right, or spread to the full width."""

from __future__ import annotations

from dataclasses import replace

from engine.domain.book import Align
from tui.render.cells import cell_width
from tui.render.layout import Piece
from tui.render.rows import Link, Row, RowKind, Run

_MOST_SPREAD = 4
"""A row is spread by at most one part in so many of its width; what a long word left short stays short."""


class AlignedPiece:
    """A piece whose rows stand elsewhere between the edges."""

    __slots__ = ("_align", "_inner", "_text", "_text_start", "_width", "block", "count", "start")

    def __init__(self, inner: Piece, align: Align, width: int, text: str, text_start: int) -> None:
        """Take a piece.

        Args:
            inner: The piece.
            align: Where its rows stand.
            width: Cells between the edges.
            text: Of the slice, in which a forced line break is seen.
            text_start: Document offset of its first character.
        """
        self._inner = inner
        self._align = align
        self._width = width
        self._text, self._text_start = text, text_start
        self.block, self.start, self.count = inner.block, inner.start, inner.count

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""
        return self._inner.row_of(offset)

    def row(self, number: int) -> Row:
        """Make a row, counted from 0."""
        row = self._inner.row(number)
        if row.kind is not RowKind.TEXT:
            return row
        free = self._width - row.width()
        if free <= 0 or self._align is Align.LEFT:
            return row
        if self._align is Align.JUSTIFY:
            is_last = number + 1 == self.count or self._text[row.end - self._text_start - 1 :][:1] == "\n"
            return (
                row if is_last or free * _MOST_SPREAD > self._width else spread(row, free, from_right=number % 2 == 1)
            )
        if self._align is Align.CENTER:  # what a first line is moved by would show in the middle
            return replace(row, indent=(self._width - cell_width(row.text)) // 2)
        return replace(row, indent=row.indent + free)


def spread(row: Row, free: int, *, from_right: bool) -> Row:
    """Return a row made wider at its blanks; where they cannot all grow alike, those that grow more stand evenly.

    Args:
        row: With at least one blank between words, or nothing is done.
        free: Cells to add.
        from_right: Count from the right, as every second row does, so that wider blanks do not stand in columns.
    """
    text = row.text
    lead = len(text) - len(text.lstrip(" "))
    blanks = [n for n in range(lead, len(text)) if text[n] == " " and text[n - 1] != " "]
    if not blanks:
        return row
    each, rest = divmod(free, len(blanks))
    count = len(blanks)
    steps = [(k + 1) * rest // count - k * rest // count for k in range(count)]
    grows = {n: each + more for n, more in zip(blanks, steps[::-1] if from_right else steps, strict=True)}
    places: list[int] = []
    drawn: list[str] = []
    offsets: list[int] = []
    for n, char in enumerate(text):
        places.append(len(offsets))
        times = 1 + grows.get(n, 0)
        drawn.append(char * times)
        offsets += [row.offset_of(n)] * times
    places.append(len(offsets))
    return replace(
        row,
        text="".join(drawn),
        offsets=tuple(offsets),
        runs=tuple(Run(places[run.start], places[run.end], run.kinds, run.colour) for run in row.runs),
        links=tuple(
            Link(places[link.start], places[link.end], link.offset, link.target, link.note) for link in row.links
        ),
    )
