"""Ends of marks moved to where their text really begins and ends."""

from __future__ import annotations

from bisect import bisect_right

from engine.domain.book import Block, Ruby, Span, SpanKind

_ALWAYS = 2
"""What more than one part in so many of a document has is its usual look."""


def settled_spans(spans: list[Span], text: str, blocks: list[Block]) -> list[Span]:
    """Move ends off white space and divide spans at block borders."""
    starts = [block.start for block in blocks]
    settled: list[Span] = []
    for span in spans:
        index = max(0, bisect_right(starts, span.start) - 1)
        while index < len(blocks) and blocks[index].start < span.end:
            block = blocks[index]
            start, end = _trimmed(text, max(span.start, block.start), min(span.end, block.end))
            if end > start:
                settled.append(Span(start, end, span.kind, span.target))
            index += 1
    return sorted(settled, key=lambda span: (span.start, -span.end))


def settled_ruby(ruby: Ruby, text: str) -> Ruby:
    """Move the ends of a base off white space."""
    start, end = _trimmed(text, ruby.start, min(ruby.end, len(text)))
    return Ruby(start, end, ruby.reading)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def without_usual(spans: list[Span], length: int) -> list[Span]:
    """Return spans without the small size or the colour that most of a document has: nothing is told apart by it."""
    covered: dict[tuple[SpanKind, str], int] = {}
    for span in spans:
        if span.kind in (SpanKind.SMALL, SpanKind.COLOUR):
            key = span.kind, span.target
            covered[key] = covered.get(key, 0) + span.end - span.start
    usual = {key for key, chars in covered.items() if chars * _ALWAYS > length}
    return [span for span in spans if (span.kind, span.target) not in usual] if usual else spans
