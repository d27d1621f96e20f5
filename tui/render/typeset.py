"""Lay out a slice: decide block by block where its rows begin.

Calm typography on a grid: headings by space, quotes and lists by indent, verse with hanging
lines, scene breaks as three centred stars. Right-to-left paragraphs are turned where the terminal
does not do that itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.config import BookStyle, RubyStyle
from engine.domain.book import Align, Block, BlockKind, Ruby
from engine.domain.reading import Slice
from tui.render.aligned import AlignedPiece
from tui.render.bidi import SeenPiece, has_right_to_left
from tui.render.cells import cell_width, cells_of_plain, clean, is_plain
from tui.render.dress import INVISIBLE, Dressed, Mark, dress, dress_preformatted, joined_readings, mark_offset
from tui.render.hyphens import points_of, wrap_hyphenated
from tui.render.layout import Layout, Piece, Shape, TextPiece
from tui.render.marked import Marked
from tui.render.rows import TypeOptions
from tui.render.signs import picture_piece, rule_piece
from tui.render.spaced import SpacedPiece
from tui.render.tables import table_piece
from tui.render.wrap import Stretch, wrap, wrap_hard, wrap_line, wrap_plain

__all__ = ["Layout", "typeset"]

_QUOTE_CELLS = 3
_ITEM_CELLS = 4
_ITEM_HANG = 2
"""Rows that continue an item without a marker stand this far in, or they would look like items."""
_VERSE_CELLS = 3
_VERSE_HANG = 3
_INDENT_SHARE = 4
"""An indent takes at most one part in four of the width."""
_INDENTS = frozenset("\u3000\u2003\u00a0")
_SPACING_WITH_RUBY = 2
"""Readings above take a row; with one above each row the lines stand evenly, with and without readings."""
_PAGE_GAP = 2
"""Further blank rows above what the book begins a page with."""
_JUSTIFIED = frozenset((BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.ITEM))
_FLUSH = Shape()
_SPACED = frozenset(
    (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.QUOTE, BlockKind.ITEM, BlockKind.VERSE, BlockKind.CAPTION)
)
"""Kinds that line spacing applies to."""
_CLOSE = frozenset(((BlockKind.PICTURE, BlockKind.CAPTION), (BlockKind.CAPTION, BlockKind.ROW)))
"""What stands close together: a caption under its picture, and over its table."""


def typeset(piece: Slice, options: TypeOptions) -> Layout:
    """Lay out a slice.

    Blank rows above its first block are part of it, so layouts of the slices of a document can be
    put one under another; the first begins with its text. In options, numbers below their
    smallest value count as that.
    """
    if options.ruby is RubyStyle.ABOVE and piece.rubies and options.line_spacing < _SPACING_WITH_RUBY:
        options = replace(options, line_spacing=_SPACING_WITH_RUBY)
    setter = _Setter(piece, options)
    pieces: list[Piece] = []
    firsts: list[int] = []
    row = 0
    previous: Block | None = None
    between = _gap_between_paragraphs(options)
    for made in setter.set_blocks():
        block = piece.blocks[made.block]
        lead = made.lead_rows if isinstance(made, SpacedPiece) else 0
        if previous is not None and options.book_style is BookStyle.ADVANCED and block.style is not None:
            row += _PAGE_GAP if block.style.is_page_start else 0
        if previous is None:
            row = max(0, _first_gap(piece, block, options) - lead)
        elif previous.kind is block.kind is BlockKind.PARAGRAPH and not block.is_continued:
            row += max(0, between - lead)
        else:
            row += max(0, _gap(piece, previous, block, options) - lead)
        pieces.append(made)
        firsts.append(row)
        row += made.count
        previous = block
    return Layout(piece, pieces, firsts, _end_gap(previous, options))


class _Setter:
    """Sets the blocks of one slice in their order."""

    def __init__(self, piece: Slice, options: TypeOptions) -> None:
        self._slice = piece
        self._options = options
        self._width = max(1, options.width_cells)
        self._marked = Marked(piece, options.book_style)
        is_all_plain = is_plain(piece.text)
        self._text = piece.text if is_all_plain else clean(piece.text)
        self._cells = cells_of_plain(self._text) if is_all_plain else b""
        marks: list[Mark] = [*piece.note_refs, *piece.pictures]
        if options.ruby is RubyStyle.INLINE:
            marks += joined_readings(piece.rubies)
        self._marks = sorted(marks, key=mark_offset)
        self._mark = 0
        self._rubies = piece.rubies if options.ruby is RubyStyle.ABOVE else ()
        self._ruby = 0
        self._is_below_heading = False
        self._is_in_marked_item = False
        self._is_styled = options.book_style is BookStyle.ADVANCED and any(block.style for block in piece.blocks)
        self._is_turned = options.turns_text and has_right_to_left(piece.text)
        self._points = points_of(options.hyphens) if options.hyphens else None
        has_indents = options.first_line_indent > 0 or self._is_styled
        is_off = options.book_style is BookStyle.OFF
        self._setters: dict[BlockKind, Callable[[int, Block, list[Mark]], Piece | None]] = {
            BlockKind.PARAGRAPH: self._paragraph if has_indents else self._running,
            BlockKind.QUOTE: self._running if is_off else self._quote,
            BlockKind.ITEM: self._item,
            BlockKind.VERSE: self._running if is_off else self._verse,
            BlockKind.PREFORMATTED: self._preformatted,
            BlockKind.ROW: self._table,
            BlockKind.RULE: self._rule,
            BlockKind.PICTURE: self._picture,
        }

    def set_blocks(self) -> Iterator[Piece]:
        """Set the blocks that draw anything, tables as one."""
        is_running = self._is_running()
        for index, block in enumerate(self._slice.blocks):
            if is_running and block.kind is BlockKind.PARAGRAPH:
                # Nearly all blocks of nearly all novels: half the time of a slice is saved here.
                start, end = block.start - self._slice.start, block.end - self._slice.start
                starts = wrap_plain(self._text, self._cells, start, end, self._width, self._width)
                yield TextPiece(self._marked, index, self._text, starts, end, _FLUSH)
            elif block.kind is not BlockKind.ROW or not self._is_same_table(index - 1, block):
                made = self._set_block(index, block)
                if made is not None:
                    yield made
            self._is_below_heading = block.kind is BlockKind.HEADING
            self._is_in_marked_item = block.kind is BlockKind.ITEM and (self._is_in_marked_item or bool(block.marker))

    def _is_running(self) -> bool:
        """Say whether paragraphs of this slice are plain text on one line, with nothing beside and between."""
        options = self._options
        is_bare = not self._marks and not self._rubies and options.line_spacing <= 1 and options.first_line_indent <= 0
        is_bare = is_bare and not (self._is_styled or self._is_turned or options.is_justified or self._points)
        return is_bare and len(self._cells) > 0 and self._text.count("\n") < len(self._slice.blocks)

    def _set_block(self, index: int, block: Block) -> Piece | None:
        marks = self._marks_to(block.end)
        made = self._setters.get(block.kind, self._running)(index, block, marks)
        spacing = max(1, self._options.line_spacing)
        if made is None or block.kind not in _SPACED:
            return made
        made = self._placed(made, block)
        if spacing == 1 and not self._rubies:
            return made
        rubies = self._rubies_to(block.end)
        return SpacedPiece(made, spacing, rubies, self._width) if rubies or spacing > 1 else made

    def _placed(self, made: Piece, block: Block) -> Piece:
        """Put the rows of a block where they stand between the edges, and turn what is read from right to left."""
        align = block.style.align if self._is_styled and block.style else None
        if self._options.is_justified and align not in (Align.RIGHT, Align.CENTER) and block.kind in _JUSTIFIED:
            align = Align.JUSTIFY
        elif align is Align.JUSTIFY:
            align = None
        if align is not None:
            made = AlignedPiece(made, align, self._width, self._text, self._slice.start)
        if self._is_turned:
            text = self._text[block.start - self._slice.start : block.end - self._slice.start]
            made = SeenPiece(made, text, self._width) if has_right_to_left(text) else made
        return made

    def _is_same_table(self, index: int, block: Block) -> bool:
        if not 0 <= index < len(self._slice.blocks):
            return False
        other = self._slice.blocks[index]
        return other.kind is BlockKind.ROW and other.table == block.table

    def _marks_to(self, end: int) -> list[Mark]:
        first = self._mark
        marks = self._marks
        while self._mark < len(marks) and mark_offset(marks[self._mark]) <= end:
            self._mark += 1
        return marks[first : self._mark] if self._mark > first else []

    def _rubies_to(self, end: int) -> Sequence[Ruby]:
        first = self._ruby
        while self._ruby < len(self._rubies) and self._rubies[self._ruby].start < end:
            self._ruby += 1
        return self._rubies[first : self._ruby]

    def _paragraph(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        lead = 0 if block.is_continued else self._lead(block)
        if not self._is_styled or block.style is None:
            return self._running(index, block, marks, lead=lead)
        margin, own = self._capped(block.style.margin), block.style.indent
        if own is not None and own < 0:
            hang = self._capped(margin - own) - margin
            return self._running(index, block, marks, lead=0 if block.is_continued else -hang, indent=margin + hang)
        # The book's first-line indent stands in place of a gap between paragraphs, never beside one.
        if own and not lead and not block.is_continued and self._options.paragraph_gap < 1:
            lead = self._capped(own)
        return self._running(index, block, marks, lead=lead, indent=margin)

    def _lead(self, block: Block) -> int:
        """Return the first line's indent.

        None where the text has its own; below a heading only in Han and kana, as is the custom.
        """
        start = block.start - self._slice.start
        beginning = self._slice.text[start : start + 2]
        if beginning[:1] in _INDENTS or (self._is_below_heading and beginning.isascii()):
            return 0
        return self._capped(self._options.first_line_indent)

    def _capped(self, cells: int) -> int:
        return max(0, min(cells, self._width // _INDENT_SHARE))

    def _running(
        self, index: int, block: Block, marks: list[Mark], *, lead: int = 0, indent: int = 0, prefix: str = ""
    ) -> Piece:
        """Set a block of running text; `lead` moves its first row, a prefix hangs to the left of the indent."""
        start, end = block.start - self._slice.start, block.end - self._slice.start
        width = self._width - indent
        text = self._text
        if not marks and not prefix and not INVISIBLE.search(text, start, end):
            if self._may_divide(text, start, end):
                return self._divided(index, text, start, end, Shape(indent, lead))
            if self._cells and text.find("\n", start, end) < 0:
                starts = wrap_plain(text, self._cells, start, end, width, width - lead)
            else:
                starts = [start + row for row in wrap(text[start:end], width, lead)]
            return TextPiece(self._marked, index, text, starts, end, Shape(indent, lead) if indent or lead else _FLUSH)
        dressed = dress(text[start:end], block.start, marks, self._options, prefix)
        lead -= min(indent, cell_width(prefix))
        if not dressed.held and self._may_divide(dressed.text, 0, len(dressed.text)):
            return self._divided(index, dressed.text, 0, len(dressed.text), Shape(indent, lead), dressed)
        return self._dressed_piece(index, dressed, wrap(dressed.text, width, lead, dressed.held), Shape(indent, lead))

    def _may_divide(self, text: str, start: int, end: int) -> bool:
        """Say whether words of a part of a text may be divided: plain text of narrow characters in one line."""
        if self._points is None or text.find("\n", start, end) >= 0 or not is_plain(text, start, end):
            return False
        return not cells_of_plain(text[start:end]).count(2)

    def _divided(
        self, index: int, text: str, start: int, end: int, shape: Shape, dressed: Dressed | None = None
    ) -> Piece:
        assert self._points is not None
        width = max(1, self._width - shape.indent)
        starts, divided = wrap_hyphenated(text, start, end, width, max(1, width - shape.lead), self._points)
        return TextPiece(self._marked, index, text, starts, end, shape, dressed, divided)

    def _dressed_piece(self, index: int, dressed: Dressed, starts: list[int], shape: Shape) -> Piece:
        return TextPiece(self._marked, index, dressed.text, starts, len(dressed.text), shape, dressed)

    def _quote(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        margin = block.style.margin if self._is_styled and block.style else 0
        return self._running(index, block, marks, indent=self._capped(margin or _QUOTE_CELLS * max(1, block.level)))

    def _item(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        indent = self._capped(_ITEM_CELLS * max(1, block.level))
        if not block.marker or block.is_continued:
            is_whole = not self._is_in_marked_item and not block.is_continued
            hang = self._capped(indent + _ITEM_HANG) - indent if is_whole else 0
            return self._running(index, block, marks, lead=-hang, indent=indent + hang)
        # No-break spaces: the marker never stands in a row without its text.
        prefix = clean(block.marker).replace(" ", "\u00a0").replace("\n", "\u00a0") + "\u00a0"
        indent = max(indent, min(cell_width(prefix), self._width // 2))
        return self._running(index, block, marks, indent=indent, prefix=prefix)

    def _verse(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        indent = self._capped(_VERSE_CELLS * max(1, block.level))
        hang = self._capped(indent + _VERSE_HANG) - indent
        shape = Shape(indent, hang=hang)
        start, end = block.start - self._slice.start, block.end - self._slice.start
        if not marks:
            return TextPiece(self._marked, index, self._text, self._lines(self._text, start, end, shape), end, shape)
        dressed = dress(self._text[start:end], block.start, marks, self._options)
        lines = self._lines(dressed.text, 0, len(dressed.text), shape, dressed.held)
        return self._dressed_piece(index, dressed, lines, shape)

    def _lines(self, text: str, start: int, end: int, shape: Shape, held: Sequence[Stretch] = ()) -> list[int]:
        """Return where rows begin when each line of the text hangs."""
        width = self._width - shape.indent - shape.hang
        starts: list[int] = []
        while True:
            newline = text.find("\n", start, end)
            line_end = end if newline < 0 else newline
            starts += wrap_line(text, start, line_end, width, -shape.hang, held)
            if newline < 0:
                return starts
            start = newline + 1

    def _preformatted(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        start = block.start - self._slice.start
        dressed = dress_preformatted(self._slice.text[start : block.end - self._slice.start], block.start)
        return self._dressed_piece(index, dressed, wrap_hard(dressed.text, self._width), _FLUSH)

    def _table(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        rows = [(index, block, marks)]
        for number in range(index + 1, len(self._slice.blocks)):
            if not self._is_same_table(number, block):
                break
            following = self._slice.blocks[number]
            rows.append((number, following, self._marks_to(following.end)))
        return table_piece(self._marked, rows, self._options, self._width)

    def _rule(self, index: int, block: Block, marks: list[Mark]) -> Piece:
        return rule_piece(self._slice, index, self._width)

    def _picture(self, index: int, block: Block, marks: list[Mark]) -> Piece | None:
        return picture_piece(self._slice, index, self._options)


def _between_lines(options: TypeOptions) -> int:
    return max(0, options.line_spacing - 1)


def _gap_between_paragraphs(options: TypeOptions) -> int:
    return _between_lines(options) + max(0, options.paragraph_gap)


def _gap(piece: Slice, previous: Block, block: Block, options: TypeOptions) -> int:
    """Return the blank rows between two blocks."""
    between = _between_lines(options) if previous.kind in _SPACED and block.kind in _SPACED else 0
    if block.is_continued:
        return between
    before, after = previous.kind, block.kind
    if before is after:
        return between + _gap_of_like(piece, previous, block, options)
    if BlockKind.HEADING in (before, after):
        return between + (2 if after is BlockKind.HEADING else 1)
    if (before, after) in _CLOSE:
        return 0
    return between + max(1, options.paragraph_gap)


def _gap_of_like(piece: Slice, previous: Block, block: Block, options: TypeOptions) -> int:
    """Return the blank rows between two blocks of the same kind."""
    if block.kind is BlockKind.ITEM:
        return 0
    if block.kind is BlockKind.VERSE:
        # Stanzas hold newlines; verse without any comes line by line.
        return min(1, piece.text.count("\n", previous.start - piece.start, block.end - piece.start) - 1)
    least = 1 if block.kind in (BlockKind.HEADING, BlockKind.ROW) else 0
    return max(least, options.paragraph_gap)


def _first_gap(piece: Slice, block: Block, options: TypeOptions) -> int:
    """Return the blank rows above a slice, what stands before it not being known."""
    if piece.before is None or piece.key.ord == 0:
        return 0
    between = _between_lines(options) if block.kind in _SPACED else 0
    if block.is_continued:
        return between
    return between + (2 if block.kind is BlockKind.HEADING else max(0, options.paragraph_gap))


def _end_gap(last: Block | None, options: TypeOptions) -> int:
    """Return the blank rows below a slice that what follows will not bring itself."""
    return 1 if last is not None and last.kind is BlockKind.HEADING and options.paragraph_gap < 1 else 0
