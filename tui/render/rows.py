"""What a laid-out slice is made of: rows, and how they were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.config import BookStyle, PictureStyle, RubyStyle
from engine.domain.book import BlockKind, SpanKind
from tui.render.cells import cell_width, cells_of_any


@dataclass(frozen=True, slots=True)
class TypeOptions:
    """How the text is set."""

    width_cells: int
    """Width of the text column; less than 1 counts as 1."""
    paragraph_gap: int = 1
    """Blank rows between paragraphs."""
    first_line_indent: int = 0
    """Cells; not added where the text brings an indent of its own."""
    line_spacing: int = 1
    """1: no blank row between rows."""
    ruby: RubyStyle = RubyStyle.INLINE
    pictures: PictureStyle = PictureStyle.LINE
    book_style: BookStyle = BookStyle.BASIC
    is_justified: bool = False
    hyphens: str = ""
    """Language in which words may be divided; empty to leave them whole."""
    picture_rows: int = 0
    """Rows a picture may take; 0 draws none."""
    turns_text: bool = False
    """Right-to-left text is put into the order it is seen in."""


class RowKind(StrEnum):
    """What a row holds."""

    TEXT = "text"
    BLANK = "blank"
    RUBY = "ruby"
    """Readings for the row below."""
    PICTURE = "picture"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a row with the same formatting; runs of a row follow each other without overlap."""

    start: int
    """Index in the row's text."""
    end: int
    kinds: frozenset[SpanKind]
    colour: str = ""
    """"#rrggbb" by the book's own style; empty for ink."""


@dataclass(frozen=True, slots=True)
class Link:
    """What can be opened in a row: a link, or the marker of a note."""

    start: int
    """Index in the row's text."""
    end: int
    offset: int
    """Document offset where the link begins or the note hangs."""
    target: str = ""
    """As in Span; empty for a note."""
    note: str = ""
    """The note's key; empty for a link."""


@dataclass(frozen=True, slots=True)
class Art:
    """A row of a picture."""

    href: str
    columns: int
    rows: int
    row: int
    """Which of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a page."""

    kind: RowKind
    role: BlockKind
    """Kind of the block it belongs to."""
    block: int
    """Index in the slice's blocks; for blank rows the block below."""
    start: int
    """Document offset of its first character."""
    end: int
    """Exclusive; spaces and a newline not drawn at the end of the row are within. Equal to `start` where
    the row holds no text of the document."""
    indent: int = 0
    """Blank cells before the text."""
    text: str = ""
    """As drawn."""
    offsets: tuple[int, ...] | None = None
    """For each character drawn the document offset it stands for; None where the first stands for `start`,
    the next for the one after it, and so on."""
    runs: tuple[Run, ...] = ()
    links: tuple[Link, ...] = ()
    art: Art | None = None
    """The row is one of a picture, and has no text."""

    def width(self) -> int:
        """Return the cells of indent and text."""
        return self.indent + cell_width(self.text)

    def offset_of(self, index: int) -> int:
        """Return the document offset that a drawn character stands for."""
        return self.start + index if self.offsets is None else self.offsets[index]

    def offset_at(self, cell: int) -> int:
        """Return the document offset under a cell of the row, the nearest one where no character is."""
        if not self.text:
            return self.start
        right = self.indent
        for index, width in enumerate(cells_of_any(self.text)):
            right += width
            if cell < right:
                return self.offset_of(index)
        return self.offset_of(len(self.text) - 1)

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last + 1 index of the characters drawn for a range of the document; (0, 0) for none."""
        if self.offsets is None:
            first, last = max(0, start - self.start), min(len(self.text), end - self.start)
            return (first, last) if first < last else (0, 0)
        drawn = [index for index, offset in enumerate(self.offsets) if start <= offset < end]
        return (drawn[0], drawn[-1] + 1) if drawn else (0, 0)

    def cells_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last + 1 cell that the characters drawn from index `start` to `end` take."""
        return self.indent + cell_width(self.text[:start]), self.indent + cell_width(self.text[:end])
