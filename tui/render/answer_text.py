"""An answer in Markdown as rows, while it comes: what is added costs the same however much stands before it.

Paragraphs, headings, lists, quotations, tables and code are known; anything else is shown as it is
written. Finished rows are never set again; only the last few rows of the last block are.
"""

from __future__ import annotations

import re
from collections.abc import Container

from tui.render.answer_table import AnswerTable
from tui.render.cells import cell_width, clean
from tui.render.inline import flow, glue, parse_inline
from tui.render.wiki_bits import BLANK_ROW, Bit, Ink, WikiRow
from tui.render.wrap import wrap_hard

_KEPT_ROWS, _MOST_OPEN_ROWS = 4, 16
"""Of a paragraph that goes on: rows set anew with each piece that comes, and how many before some of them settle."""
_MOST_UNSETTLED_CHARS = 1500
"""A mark without its fellow is waited for no longer than that."""
_PIECE_CHARS = 600
_UNDECIDED = re.compile(r" {0,8}(#{1,6}|\d{1,3}[.)]?|[-*+>|_=]{1,3}|`{1,3}|~{1,3})? ?")
"""The beginning of a line that does not say yet what the line is."""
_HEADING = re.compile(r" {0,3}(#{1,6}) +")
_ITEM = re.compile(r"( {0,16})([-*+•]|\d{1,3}[.)]) +")
_QUOTE = re.compile(r" {0,3}> ?")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_RULE = re.compile(r" {0,3}([-*_])( *\1){2,} *")
_ITEM_CELLS, _QUOTE_CELLS = 2, 2
_DEEPEST = 4


class _Flow:
    """A block of running text that is still open."""

    def __init__(self, kind: str, ink: Ink = Ink.TEXT, lead: tuple[Bit, ...] = (), indent: int = 0) -> None:
        self.kind = kind
        self.ink = ink
        self.lead = lead
        self.indent = indent
        self.source = ""
        """What is not settled of it."""
        self.last = ""
        """Its last character."""


class AnswerText:
    """The rows of one answer.

    Attributes:
        done: Rows that stay as they are.
        tail: Rows behind them that may change.
        links: Numbers of the citations in the order they are read; a bit's link is an index into it.
    """

    def __init__(self, width: int, cites: Container[int], *, is_ascii: bool = False) -> None:
        """Take how it is set.

        Args:
            width: Cells of a row.
            cites: The numbers that are citations; may grow while the answer comes.
            is_ascii: Draw with ASCII signs.
        """
        self._width = max(8, width)
        self._cites = cites
        self._dot = "-" if is_ascii else "•"
        self.done: list[WikiRow] = []
        self.tail: list[WikiRow] = []
        self.links: list[int] = []
        self._settled_links = 0
        self._line = ""
        """The beginning of a line that is not decided, or a line of a table or of code that is not whole."""
        self._is_inside = False
        """The line that comes belongs to the open block already."""
        self._block: _Flow | AnswerTable | None = None
        self._fence = ""
        self._has_gap = True

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.done) + len(self.tail)

    def row(self, number: int) -> WikiRow:
        """Return a row."""
        return self.done[number] if number < len(self.done) else self.tail[number - len(self.done)]

    def feed(self, text: str) -> None:
        """Add what has come."""
        for start in range(0, len(text), _PIECE_CHARS):
            self._take(text[start : start + _PIECE_CHARS])
            self._set_tail()

    def finish(self) -> None:
        """Show the last line too, though it is not decided."""
        if self._line and not self._is_inside:
            line, self._line = self._line, ""
            self._whole_line(line)
        self._set_tail()

    def _take(self, text: str) -> None:
        lines = text.split("\n")
        for number, part in enumerate(lines):
            self._take_part(part)
            if number < len(lines) - 1:
                self._end_line()

    def _take_part(self, part: str) -> None:
        if self._is_inside and isinstance(self._block, _Flow):
            self._add(part)
            return
        self._line += part
        is_whole_needed = self._fence or isinstance(self._block, AnswerTable) or self._line.lstrip().startswith("|")
        if not is_whole_needed and self._line and not _UNDECIDED.fullmatch(self._line):
            line, self._line = self._line, ""
            self._decide(line)

    def _end_line(self) -> None:
        if not self._is_inside:
            line, self._line = self._line, ""
            self._whole_line(line)
        elif isinstance(self._block, _Flow) and self._block.kind == "heading":
            self._close()
        self._is_inside = False

    def _whole_line(self, line: str) -> None:
        """Take a line of which nothing was shown before its end."""
        fence = _FENCE.match(line)
        if self._fence:
            if fence is not None and fence[1] == self._fence:
                self._fence = ""
            else:
                self._set_code(line)
        elif fence is not None:
            self._begin_code(fence[1])
        elif not line.strip():
            self._close()
        elif line.lstrip().startswith("|"):
            self._table_row(line)
        elif _RULE.fullmatch(line):
            self._close()
            self._gap()
        else:
            self._decide(line)
            if isinstance(self._block, _Flow) and self._block.kind == "heading":
                self._close()

    # what a line is

    def _decide(self, line: str) -> None:
        """Begin a block with a line, or go on with the open one."""
        heading, item, quote = _HEADING.match(line), _ITEM.match(line), _QUOTE.match(line)
        if _FENCE.match(line) or _RULE.fullmatch(line):
            self._line = line
            return
        if heading is not None:
            self._begin(_Flow("heading", Ink.HEADING))
            line = line[heading.end() :].rstrip("#")
        elif item is not None:
            self._begin_item(item)
            line = line[item.end() :]
        elif quote is not None:
            if not (isinstance(self._block, _Flow) and self._block.kind == "quote"):
                self._begin(_Flow("quote", Ink.FAINT, (Bit(" " * _QUOTE_CELLS),), _QUOTE_CELLS))
            line = line[quote.end() :]
        elif not isinstance(self._block, _Flow):
            self._begin(_Flow("paragraph"))
        self._is_inside = True
        block = self._block
        if isinstance(block, _Flow):
            words = line.lstrip()
            self._add((glue(block.last, words) if block.last else "") + words)

    def _begin(self, block: _Flow) -> None:
        self._close()
        if block.kind != "item":
            self._gap()
        self._block = block

    def _begin_item(self, item: re.Match[str]) -> None:
        was_item = isinstance(self._block, _Flow) and self._block.kind == "item"
        depth = min(_DEEPEST, len(item[1]) // 2)
        sign = self._dot if len(item[2]) == 1 else item[2]
        before = " " * (_ITEM_CELLS * depth)
        indent = len(before) + max(_ITEM_CELLS, cell_width(sign) + 1)
        lead = Bit(f"{before}{sign}".ljust(indent - cell_width(sign) + len(sign)), Ink.FAINT)
        self._close()
        if not was_item:
            self._gap_before_list()
        self._block = _Flow("item", Ink.TEXT, (lead,), indent)

    def _gap_before_list(self) -> None:
        if self.done and not self._has_list:
            self._gap()
        self._has_list = True

    _has_list = False

    # running text

    def _add(self, text: str) -> None:
        block = self._block
        assert isinstance(block, _Flow)
        if text:
            block.source += text
            block.last = text[-1]

    def _set_tail(self) -> None:
        block = self._block
        del self.links[self._settled_links :]
        self.tail = []
        if isinstance(block, AnswerTable):
            self.done += block.settled()
            self.tail = block.open_rows()
        elif block is not None:
            self.tail = self._set_open(block)

    def _set_open(self, block: _Flow) -> list[WikiRow]:
        pieces, settled = parse_inline(block.source, self._cites, block.ink)
        flowed = flow(pieces, self._width, self.links, block.lead or _blank(block.indent), block.indent)
        if len(flowed.rows) <= _MOST_OPEN_ROWS:
            return flowed.rows
        if len(block.source) > _MOST_UNSETTLED_CHARS:
            settled = len(block.source)
        inks = {piece.at: piece.ink for piece in pieces}
        kept = len(flowed.rows) - _KEPT_ROWS
        while kept > 0 and (flowed.starts[kept] > settled or _is_within(inks, flowed.starts[kept], block.ink)):
            kept -= 1
        if kept <= 0:
            return flowed.rows
        self.done += flowed.rows[:kept]
        self._settled_links += sum(_count_links(row) for row in flowed.rows[:kept])
        block.source, block.lead = block.source[flowed.starts[kept] :], ()
        return flowed.rows[kept:]

    def _close(self) -> None:
        """End the open block; its rows stay."""
        if self._block is None:
            return
        if isinstance(self._block, AnswerTable):
            self._block.close()
        if isinstance(self._block, _Flow) and self._block.kind != "item":
            self._has_list = False
        self._set_tail()
        self.done += self.tail
        self.tail = []
        self._settled_links = len(self.links)
        self._block = None
        self._has_gap = False

    def _gap(self) -> None:
        if self.done and self.done[-1] is not BLANK_ROW:
            self.done.append(BLANK_ROW)

    # what is set line by line

    def _table_row(self, line: str) -> None:
        if not isinstance(self._block, AnswerTable):
            self._close()
            self._gap()
            self._has_list = False
            self._block = AnswerTable(self._width, self._cites, self.links)
        self._block.add(line)

    def _begin_code(self, fence: str) -> None:
        self._close()
        self._gap()
        self._has_list = False
        self._fence = fence

    def _set_code(self, line: str) -> None:
        text = clean(line).replace("\t", "    ")
        starts = wrap_hard(text, max(1, self._width - _QUOTE_CELLS))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            self.done.append(WikiRow((Bit(" " * _QUOTE_CELLS), Bit(text[start:end].rstrip("\n"), Ink.CODE))))


def _blank(cells: int) -> tuple[Bit, ...]:
    return (Bit(" " * cells),) if cells else ()


def _count_links(row: WikiRow) -> int:
    return sum(bit.link >= 0 for bit in row.bits)


def _is_within(inks: dict[int, Ink], at: int, base: Ink) -> bool:
    """Say whether a place lies within something marked, which cannot be taken apart there."""
    begun = max((start for start in inks if start <= at), default=0)
    return begun < at and inks.get(begun, base) not in (base, Ink.VEIL)
