"""The text of a block with what rides beside it put back in: readings, note marks, descriptions of pictures."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.domain.book import PICTURE_CHAR, Block, DocumentText
from engine.text.described import described
from engine.translate import _


@dataclass(frozen=True, slots=True, order=True)
class Insertion:
    """Words to put in before the character at an offset; those of one offset follow each other by rank."""

    offset: int
    rank: int
    text: str


CLOSING, READING, NOTE, OPENING, PICTURE = range(0, 50, 10)
"""Ranks: bold type ends before a reading, a note mark stands before the next bold run begins."""


def readings(document: DocumentText) -> Iterator[Insertion]:
    """Yield the readings in parentheses behind their base text: 漢字(かんじ)."""
    for ruby in document.rubies:
        if ruby.reading:
            yield Insertion(ruby.end, READING, f"({ruby.reading})")


def note_marks(document: DocumentText, mark: Callable[[str, str], str]) -> Iterator[Insertion]:
    """Yield the marks of notes.

    Args:
        document: Where the notes hang.
        mark: Makes a mark from a note's key and its printed label.
    """
    for ref in document.note_refs:
        yield Insertion(ref.offset, NOTE, mark(ref.note, ref.label))


def pictures(document: DocumentText) -> Iterator[Insertion]:
    """Yield descriptions of pictures in brackets: [a map of the coast]."""
    for picture in document.pictures:
        yield Insertion(picture.offset, PICTURE, f"[{described(picture.alt) or _('picture')}]")


def insert(text: str, start: int, end: int, insertions: Sequence[Insertion], escape: Callable[[str], str] = str) -> str:
    """Return `[start, end)` of `text` with the insertions in it; the picture characters go.

    Args:
        text: Canonical text of a document.
        start: First offset.
        end: Exclusive; what is to be inserted at `end` itself still is.
        insertions: Sorted; those outside the range are passed over.
        escape: Applied to every piece of the text, not to the insertions.
    """
    first = bisect_left(insertions, start, key=lambda each: each.offset)
    inside = insertions[first : bisect_right(insertions, end, lo=first, key=lambda each: each.offset)]
    edges = [start, *(each.offset for each in inside), end]
    pieces = [escape(text[a:b].replace(PICTURE_CHAR, "")) for a, b in pairwise(edges)]
    words = [each.text for each in inside]
    return "".join(part for pair in zip(pieces, [*words, ""], strict=True) for part in pair)


def whole_blocks(document: DocumentText, start: int, end: int) -> list[Block]:
    """Return the blocks of `[start, end)`, cut to it, the parts of a divided block put together again."""
    found: list[Block] = []
    for block in document.blocks:
        if block.start > end or block.end < start or (block.start != block.end and block.end == start):
            continue
        cut = replace(block, start=max(start, block.start), end=min(end, block.end))
        if block.is_continued and found and found[-1].end == cut.start:
            found[-1] = replace(found[-1], end=cut.end)
        else:
            found.append(cut)
    return found
