"""What of the text a pointer is on, anywhere over a page: also beside it and between two paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.render.caret import Caret, holds_text
from tui.render.flow import Flow, RowRef
from tui.render.rows import RowKind
from tui.render.selection import Reach


class Pointer:
    """The rows of one page, under a pointer."""

    def __init__(self, flow: Flow, caret: Caret, refs: Sequence[RowRef]) -> None:
        """Take the text and the rows of the page from top to bottom."""
        self._flow = flow
        self._caret = caret
        self._refs = refs

    def reach(self, y: int, cell: int) -> Reach | None:
        """Return what is at a cell of a row; None on a page without text.

        Beside the text of a row, on blank rows and below the last one it is a gap, of which a
        selection takes nothing.
        """
        count = len(self._refs)
        y = min(max(0, y), count)
        if y < count and self._flow.row(self._refs[y]).kind is RowKind.RUBY:
            y += 1  # readings stand for the characters below
        row = self._flow.row(self._refs[y]) if y < count else None
        if row is None or not holds_text(row):
            return self._gap(above=y, below=y)
        if cell < row.indent or row.offset_at(cell) < row.start:
            return self._gap(above=y, below=y)
        if cell >= row.width():
            return self._gap(above=y + 1, below=y + 1)
        return self._caret.char_in_row(self._refs[y], cell)

    def _gap(self, *, above: int, below: int) -> Reach | None:
        """Return the gap between the last row of text above one row and the first at or below another."""
        before = self._edge(reversed(self._refs[:above]), is_last=True)
        after = self._edge(self._refs[below:], is_last=False)
        # At an end of the page nothing stands on the other side.
        first = after.first if after is not None else before.last if before is not None else None
        last = before.last if before is not None else first
        return None if first is None or last is None else Reach(first, last)

    def _edge(self, refs: Iterable[RowRef], *, is_last: bool) -> Reach | None:
        """Return the last or the first character of the first of some rows that holds text."""
        for ref in refs:
            row = self._flow.row(ref)
            if holds_text(row):
                return self._caret.char_in_row(ref, row.width() if is_last else 0)
        return None
