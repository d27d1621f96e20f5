"""What a row of a wiki page is made of, and running text with links in it set in rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.locator import Locator, Pos
from engine.domain.wiki import Page, PageKey, StatementId, Track
from tui.render.cells import WIDE, cell_width, clean, fit_cells
from tui.render.wrap import wrap

NO_BREAK = "\u00a0"
_JOINER = "\u2060"
"""Keeps a reference with the word before it; never drawn."""
_BETWEEN_WIDE = re.compile(f"(?<=[{WIDE}])(?=[{WIDE}])")
UNLINKED = -1


class Ink(StrEnum):
    """How a bit of a row looks."""

    TEXT = "text"
    TITLE = "title"
    HEADING = "heading"
    FAINT = "faint"
    LINK = "link"
    """Words that lead elsewhere, within a text."""
    ENTRY = "entry"
    """The same in a list, where all do."""
    CITE = "cite"
    """A raised number."""
    PLACE = "place"
    """Where a passage stands."""
    NAME = "name"
    """A name of whom the page is about, in a quotation."""
    VEIL = "veil"
    ASKED = "asked"
    """Shown because the reader asked for it."""
    NUMBER = "number"
    """The cell where a link's number goes."""
    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    WARN = "warn"
    """What went wrong."""


@dataclass(frozen=True, slots=True)
class Bit:
    """A stretch of a row of one look."""

    text: str
    ink: Ink = Ink.TEXT
    link: int = UNLINKED
    """Index of the link it belongs to; -1 for none."""


@dataclass(frozen=True, slots=True)
class WikiRow:
    """One row of a page; what is right of the bits is blank."""

    bits: tuple[Bit, ...] = ()

    @property
    def cells(self) -> int:
        """Cells the bits take."""
        return sum(cell_width(bit.text) for bit in self.bits)

    @property
    def text(self) -> str:
        """What is read in it."""
        return "".join(bit.text for bit in self.bits)


BLANK_ROW = WikiRow()


@dataclass(frozen=True, slots=True)
class ToPassage:
    """A link to a place in the text."""

    locator: Locator
    pos: Pos


@dataclass(frozen=True, slots=True)
class ToReveal:
    """A veiled run."""

    statement: StatementId


@dataclass(frozen=True, slots=True)
class ToSection:
    """A section of this page."""

    number: int


@dataclass(frozen=True, slots=True)
class ToFold:
    """The track, which opens to a line a node."""


Target = PageKey | ToPassage | ToReveal | ToSection | ToFold


@dataclass(slots=True)
class Links:
    """The links of a page in the order they are read, collected while it is set."""

    targets: list[Target]

    def add(self, target: Target) -> int:
        """Take a link and return its index."""
        self.targets.append(target)
        return len(self.targets) - 1


def one_line(text: str) -> str:
    """Return data as one safe line."""
    return " ".join(clean(text).split())


def joined(line: str) -> str:
    """Return a line in which no row ends."""
    return _BETWEEN_WIDE.sub(_JOINER, line.replace(" ", NO_BREAK))


def set_rows(bits: Sequence[Bit], width: int, *, indent: int = 0, first: Sequence[Bit] = ()) -> list[WikiRow]:
    """Set running text in rows of at most `width` cells.

    Args:
        bits: The text; newlines in it end a row.
        width: Cells of a row, indent included.
        indent: Blank cells before each row.
        first: What stands in the indent of the first row; at most `indent` cells.
    """
    text = "".join(_safe(bit) for bit in bits)
    starts = wrap(text, max(1, width - indent))
    spans = _spans(bits)
    rows = []
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        lead = _lead(first, indent) if number == 0 else _lead((), indent)
        rows.append(WikiRow((*lead, *_cut(text, spans, start, end))))
    return rows


def _lead(first: Sequence[Bit], indent: int) -> list[Bit]:
    used = sum(cell_width(bit.text) for bit in first)
    blank = [Bit(" " * (indent - used))] if used < indent else []
    return [*first, *blank]


def _safe(bit: Bit) -> str:
    joiner = _JOINER if bit.ink is Ink.CITE else ""
    return joiner + clean(bit.text).replace("\t", " ")


def _spans(bits: Iterable[Bit]) -> list[tuple[int, int, Bit]]:
    spans, at = [], 0
    for bit in bits:
        end = at + len(_safe(bit))
        spans.append((at, end, bit))
        at = end
    return spans


def _cut(text: str, spans: Sequence[tuple[int, int, Bit]], start: int, end: int) -> Iterator[Bit]:
    last = start + len(text[start:end].rstrip(" \n"))
    for first, behind, bit in spans:
        words = text[max(first, start) : min(behind, last)].replace(_JOINER, "")
        if words and first < last and behind > start:
            yield Bit(words, bit.ink, bit.link)


def two_ends(left: Sequence[Bit], right: Sequence[Bit], width: int) -> WikiRow:
    """Return a row with bits at both ends; the left ones are cut where there is no room."""
    right_cells = sum(cell_width(bit.text) for bit in right)
    room = max(1, width - right_cells - (2 if right else 0))
    kept = fit_bits(left, room)
    gap = width - right_cells - sum(cell_width(bit.text) for bit in kept)
    return WikiRow((*kept, Bit(" " * max(0, gap)), *right) if right else tuple(kept))


def fit_bits(bits: Sequence[Bit], cells: int) -> list[Bit]:
    """Cut bits to a row of so many cells, with an ellipsis where something is gone."""
    if sum(cell_width(bit.text) for bit in bits) <= cells:
        return list(bits)
    kept: list[Bit] = []
    room = cells
    for bit in bits:
        width = cell_width(bit.text)
        if width >= room:
            kept.append(Bit(fit_cells(bit.text if width > room else f"{bit.text}  ", room), bit.ink, bit.link))
            break
        kept.append(bit)
        room -= width
    return kept


def appearances_on(page: Page) -> tuple[Pos, ...]:
    """Return where to mark that whom a page is about appears, chapter by chapter; none for a page about nobody."""
    return tuple(pos for part in page.parts if isinstance(part, Track) for pos in part.marks)
