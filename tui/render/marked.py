"""What rides beside the text of a slice, brought to the characters drawn: formatting, links, note markers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from engine.config import BookStyle
from engine.domain.book import Block, SpanKind
from engine.domain.reading import Slice
from tui.render.dress import Dressed, lowered, raised
from tui.render.rows import Link, Run

_OF_SHEETS = frozenset((SpanKind.SMALL, SpanKind.COLOUR))
_LEFT_OUT = {
    BookStyle.OFF: frozenset(SpanKind) - {SpanKind.LINK, SpanKind.SUPERSCRIPT, SpanKind.SUBSCRIPT},
    BookStyle.BASIC: _OF_SHEETS,
    BookStyle.ADVANCED: frozenset[SpanKind](),
}


@dataclass(slots=True)
class Formatting:
    """Formatting of a row as it is found, stretch by stretch."""

    spans: list[tuple[int, int, SpanKind]] = field(default_factory=list)
    """(start, end, kind) as indices in the row; may overlap."""
    links: list[Link] = field(default_factory=list)
    colours: list[tuple[int, int, str]] = field(default_factory=list)
    """(start, end, "#rrggbb"); they do not overlap."""

    def runs(self) -> tuple[Run, ...]:
        """Return the spans as runs without overlap."""
        return flat_runs(self.spans, self.colours)

    def add(self, start: int, end: int, kind: SpanKind, target: str, offset: int) -> None:
        """Add a span that begins at a document offset."""
        if kind is SpanKind.COLOUR:
            self.colours.append((start, end, target))
            return
        self.spans.append((start, end, kind))
        if kind is SpanKind.LINK:
            self.links.append(Link(start, end, offset, target=target))

    def sorted_links(self) -> tuple[Link, ...]:
        """Return the links from left to right."""
        return tuple(sorted(self.links, key=lambda link: link.start))


class Marked:
    """What rides beside the text of a slice, found by block."""

    def __init__(self, piece: Slice, style: BookStyle = BookStyle.BASIC) -> None:
        """Take a slice, and how much of the book's own style is followed."""
        self.slice = piece
        self._style = style
        self._spans: dict[int, list[tuple[int, int, SpanKind, str]]] | None = None

    def spans(self, block: int) -> list[tuple[int, int, SpanKind, str]]:
        """Return (start, end, kind, target) of the spans that reach into a block, clipped to it."""
        if self._spans is None:
            self._spans = self._by_block()
        return self._spans.get(block, [])

    def _by_block(self) -> dict[int, list[tuple[int, int, SpanKind, str]]]:
        blocks = self.slice.blocks
        found: dict[int, list[tuple[int, int, SpanKind, str]]] = {}
        left_out = _LEFT_OUT[self._style]
        for span in self.slice.spans:
            if span.kind in left_out:
                continue
            number = max(0, bisect_right(blocks, span.start, key=_block_start) - 1)
            while number < len(blocks) and blocks[number].start < span.end:
                start, end = max(span.start, blocks[number].start), min(span.end, blocks[number].end)
                if start < end:
                    found.setdefault(number, []).append((start, end, span.kind, span.target))
                number += 1
        return found


def _block_start(block: Block) -> int:
    return block.start


def format_plain(formatting: Formatting, marked: Marked, block: int, start: int, end: int) -> None:
    """Add what reaches into a row that draws the document's text from `start` to `end` as it is."""
    for first, last, kind, target in marked.spans(block):
        if first < end and last > start:
            left, right = max(first, start) - start, min(last, end) - start
            formatting.add(left, right, kind, target, first)


def format_dressed(
    formatting: Formatting, marked: Marked, block: int, dressed: Dressed, begin: int, end: int, shift: int = 0
) -> None:
    """Add what reaches into `dressed.text[begin:end]`, drawn at index `shift` of a row."""
    bounds = dressed.bounds
    for first, last, kind, target in marked.spans(block):
        left = bisect_left(bounds, first, begin, end) - begin + shift
        right = bisect_left(bounds, last, begin, end) - begin + shift
        if left < right:
            formatting.add(left, right, kind, target, first)
    for left, right, note in dressed.notes:
        if left < end and right > begin:
            place = max(left, begin) - begin + shift, min(right, end) - begin + shift
            formatting.links.append(Link(*place, note.offset, note=note.note))


def flat_runs(
    spans: Sequence[tuple[int, int, SpanKind]], colours: Sequence[tuple[int, int, str]] = ()
) -> tuple[Run, ...]:
    """Return runs without overlap from spans that may overlap."""
    if not spans and not colours:
        return ()
    edges = sorted({edge for start, end, _kind in (*spans, *colours) for edge in (start, end)})
    runs = []
    for start, end in pairwise(edges):
        kinds = frozenset(kind for first, last, kind in spans if first <= start and last >= end)
        colour = next((each for first, last, each in colours if first <= start and last >= end), "")
        if kinds or colour:
            runs.append(Run(start, end, kinds, colour))
    return tuple(runs)


def shifted(text: str, runs: Sequence[Run]) -> str:
    """Raise and lower digits where a run says so."""
    for run in runs:
        if SpanKind.SUPERSCRIPT in run.kinds:
            text = text[: run.start] + raised(text[run.start : run.end]) + text[run.end :]
        elif SpanKind.SUBSCRIPT in run.kinds:
            text = text[: run.start] + lowered(text[run.start : run.end]) + text[run.end :]
    return text
