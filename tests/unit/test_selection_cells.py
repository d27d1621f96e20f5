"""What is copied is what was highlighted: for every two places a pointer can be moved between."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest
from rich.style import Style

from engine.config import RubyStyle
from engine.domain.book import BlockKind, DocumentId, SpanKind
from engine.domain.locator import Pos
from engine.domain.reading import Slice
from tests.pages import B, make_slice
from tui.render.caret import Caret
from tui.render.flow import Flow
from tui.render.pointer import Pointer
from tui.render.prose import Look, PageStyle, row_strip
from tui.render.rows import Row, RowKind, TypeOptions
from tui.render.selection import Reach, Selection, text_of_pieces
from tui.render.typeset import typeset

_MIXED = (
    B(BlockKind.HEADING, "第7章 The 6.40 三等"),
    B(BlockKind.PARAGRAPH, "彼女は黒髪をかき上げ、魔導書を閉じた。👩‍🚀と家族👨‍👩‍👧‍👦は、Cafe\u0301で待つ。"),
    B(BlockKind.PARAGRAPH, "灯塔里的火从来没有熄过，可是谁也说不清——“最后一次”添油的人究竟是谁。"),
    B(BlockKind.ITEM, "a word\u00ad that may be part\u00aded, and ﬂags 🇯🇵🇨🇳 in it", marker="1."),
    B(BlockKind.QUOTE, "Nobody  ever boarded ☺️ the 6.40 \ufffc and नमस्ते stood."),
    B(BlockKind.VERSE, "春は\nあけぼの"),
    B(BlockKind.ROW, "ア\tthe lamp\t三", table=1),
    B(BlockKind.ROW, "イ\tof the quiet line\t四", table=1),
    B(BlockKind.RULE, ""),
    B(BlockKind.PARAGRAPH, "\u200b零 ｶﾞｷﾞ zero\u200b wide, ไทยก็ได้ and the end."),
)
_PLAIN, _LIT = Style(color="white"), Style(reverse=True)


class _TwoStyles(PageStyle):
    """Draws what is selected in one style and all else in another."""

    def of_text(self, base: Style, kinds: frozenset[SpanKind], look: Look | None, colour: str = "") -> Style:
        return _LIT if look is Look.SELECTION else _PLAIN


_STYLE = _TwoStyles(*(_PLAIN,) * 10)
Cell = tuple[int, int]
"""(row, cell)."""


def _piece() -> Slice:
    return make_slice(
        *_MIXED,
        rubies={"黒髪": "くろかみ", "魔導書": "グリモワール"},
        notes={"火": "1", "boarded": "*"},
        spans=[("stood", SpanKind.LINK, "1#a"), ("最后一次", SpanKind.BOLD, "")],
        pictures=["a lamp"],
    )


class _Page:
    """A page of the mixed text, selected from on it."""

    def __init__(self, columns: int, rows: int, first: int, ruby: RubyStyle) -> None:
        self.piece = _piece()
        flow = Flow(lambda piece: typeset(piece, TypeOptions(columns, ruby=ruby)))
        flow.add(self.piece)
        flow.show(DocumentId(1), 0)
        flow.move(first, rows)
        refs = flow.page(rows)
        self.rows = [flow.row(ref) for ref in refs]
        self.columns = columns
        self._pointer = Pointer(flow, Caret(flow, lambda _document, _start, _end: ()), refs)
        self._own = [_own(self.piece, row) for row in self.rows]
        self.offsets = [[row.offset_of(index) for index in range(len(row.text))] for row in self.rows]
        of_text = [each for row, each in zip(self.rows, self.offsets, strict=True) if row.start < row.end]
        self.drawn = {offset for offsets in of_text for offset in offsets}
        """Offsets of all characters of the text that are drawn."""

    def drag(self, start: Cell, end: Cell) -> Reach:
        """Return what a pointer selects that is pressed on one cell and let go on another."""
        anchor, caret = self._pointer.reach(*start), self._pointer.reach(*end)
        assert anchor is not None
        assert caret is not None
        return Selection(anchor, caret, has_caret=False).reach

    def lit(self, reach: Reach) -> list[tuple[int, str, int, bool]]:
        """Return (row, character, its document offset, is it the text's own) for each that is drawn as selected."""
        source = Selection(reach, reach, has_caret=False).overlays(lambda _document: Pos(0))
        found = []
        for y, row in enumerate(self.rows):
            overlays = source(DocumentId(1), row.start, row.end) if row.start < row.end else ()
            if overlays:
                strip = row_strip(row, self.columns, 0, _STYLE, overlays=overlays)
                lit = [segment.style is _LIT for segment in strip for _char in segment.text][row.indent :]
                marks = zip(row.text, self.offsets[y], self._own[y], lit, strict=False)
                found += [(y, char, offset, own) for char, offset, own, is_lit in marks if is_lit]
        return found

    def cells(self) -> list[Cell]:
        """Return (row, cell) of the whole page."""
        return [(y, x) for y in range(len(self.rows)) for x in range(self.columns)]

    def under(self, cell: Cell) -> set[int]:
        """Return the offset of the text's own character at a cell, nothing where none is."""
        row, x = self.rows[cell[0]], cell[1]
        is_on_text = row.kind is not RowKind.RUBY and row.start < row.end and row.indent <= x < row.width()
        return {row.offset_at(x)} - set(range(row.start)) if is_on_text else set()


def _own(piece: Slice, row: Row) -> list[bool]:
    """Say of each character of a row whether it is the text's own: not of a reading, a marker, a picture's words."""
    seen: set[int] = set()
    own = []
    for index, char in enumerate(row.text):
        offset = row.offset_of(index)
        own.append(offset not in seen and piece.text[offset - piece.start] == char)
        if own[-1]:
            seen.add(offset)
    return own


def _faults(page: _Page, start: Cell, end: Cell) -> Iterator[str]:
    """Yield what is wrong with what a drag selects."""
    reach = page.drag(start, end)
    lit = page.lit(reach)
    copied = text_of_pieces([page.piece], reach).text
    seen = "".join(char for _y, char, _offset, is_own in lit if is_own)
    if "".join(seen.split()) != "".join(copied.split()):
        yield f"{start} {end}: highlighted {seen!r}, copied {copied!r}"
    if copied != copied.strip("\n"):
        yield f"{start} {end}: blank lines copied: {copied!r}"
    low, high = sorted((start[0], end[0]))
    high += page.rows[high].kind is RowKind.RUBY
    if not {y for y, *_rest in lit} <= set(range(low, high + 1)):
        yield f"{start} {end}: rows highlighted that were not passed"
    places = {offset for _y, _char, offset, _own in lit}
    missed = {each for each in page.drawn if reach.first.offset <= each < reach.last.offset} - places
    if missed:
        yield f"{start} {end}: selected, and not highlighted: {missed}"
    if not (page.under(start) | page.under(end)) <= places:
        yield f"{start} {end}: pointed at, and not highlighted"


@pytest.mark.parametrize("first", [0, 6, 12, 18, 24])
def test_every_pair_on_a_small_page_is_copied_as_it_is_highlighted(first: int) -> None:
    page = _Page(20, 6, first, RubyStyle.INLINE)
    pairs = combinations_with_replacement(page.cells(), 2)
    assert [fault for start, end in pairs for fault in _faults(page, start, end)] == []


@pytest.mark.parametrize("ruby", list(RubyStyle))
def test_pairs_on_a_page_are_copied_as_they_are_highlighted(ruby: RubyStyle) -> None:
    page = _Page(80, 24, 0, ruby)
    chance = random.Random(80 * 24)
    pairs = [chance.sample(page.cells(), 2) for _each in range(5000)]
    assert [fault for start, end in pairs for fault in _faults(page, start, end)] == []


def test_a_pointer_that_goes_back_selects_the_same() -> None:
    page = _Page(20, 6, 6, RubyStyle.INLINE)
    pairs = list(combinations(page.cells(), 2))
    assert [page.drag(start, end) for start, end in pairs] == [page.drag(end, start) for start, end in pairs]
