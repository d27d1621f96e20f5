"""Cut a document into slices: whole blocks, few enough characters to be laid out at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.domain.book import Block, DocumentText, NoteRef, Picture, Ruby, Span
from engine.domain.reading import SLICE_CHARS


@dataclass(frozen=True, slots=True)
class Piece:
    """A slice that does not know its neighbours yet. Offsets are document offsets; `text[0]` is at `start`."""

    start: int
    end: int
    text: str
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...] = ()
    rubies: tuple[Ruby, ...] = ()
    note_refs: tuple[NoteRef, ...] = ()
    pictures: tuple[Picture, ...] = ()


EMPTY_PIECE = Piece(0, 0, "", ())
"""What stands for a document without anything to show."""


def cut_pieces(document: DocumentText, size_chars: int = SLICE_CHARS) -> list[Piece]:
    """Cut a document at block borders into pieces of at most `size_chars` characters.

    A block longer than that, which the EPUB room never makes, is a piece of its own. Spans and
    readings across a cut are cut with it.

    Returns:
        The pieces in order; none for a document without blocks.
    """
    groups = list(_groups(document.blocks, size_chars))
    if not groups:  # but there may be marks, of notes that stand behind nothing
        return []
    if len(groups) == 1:
        return [
            Piece(
                groups[0][0].start,
                groups[0][-1].end,
                document.text[groups[0][0].start : groups[0][-1].end],
                tuple(groups[0]),
                document.spans,
                document.rubies,
                document.note_refs,
                document.pictures,
            )
        ]
    return _with_marks(document, groups)


def _groups(blocks: Sequence[Block], size_chars: int) -> Iterator[list[Block]]:
    group: list[Block] = []
    for block in blocks:
        if group and block.end - group[0].start > size_chars:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _with_marks(document: DocumentText, groups: list[list[Block]]) -> list[Piece]:
    starts = [group[0].start for group in groups]
    ends = [group[-1].end for group in groups]
    spans = _cut_ranges(document.spans, starts, ends)
    rubies = _cut_ranges(document.rubies, starts, ends)
    refs: list[list[NoteRef]] = [[] for _ in groups]
    for ref in document.note_refs:
        refs[_piece_at(starts, ref.offset)].append(ref)
    pictures: list[list[Picture]] = [[] for _ in groups]
    for picture in document.pictures:
        pictures[_piece_at(starts, picture.offset)].append(picture)
    return [
        Piece(
            starts[i],
            ends[i],
            document.text[starts[i] : ends[i]],
            tuple(group),
            tuple(spans[i]),
            tuple(rubies[i]),
            tuple(refs[i]),
            tuple(pictures[i]),
        )
        for i, group in enumerate(groups)
    ]


def _piece_at(starts: list[int], offset: int) -> int:
    return max(0, bisect_right(starts, offset) - 1)


_Range = TypeVar("_Range", Span, Ruby)


def _cut_ranges(ranges: Sequence[_Range], starts: list[int], ends: list[int]) -> list[list[_Range]]:
    """Give each piece its share of the ranges, in their order."""
    shares: list[list[_Range]] = [[] for _ in starts]
    for item in ranges:
        i = _piece_at(starts, item.start)
        while i < len(starts) and starts[i] < item.end:
            start, end = max(item.start, starts[i]), min(item.end, ends[i])
            if start < end:
                shares[i].append(
                    item if (start, end) == (item.start, item.end) else replace(item, start=start, end=end)
                )
            i += 1
    return shares
