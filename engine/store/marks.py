"""How the blocks and marks of a slice are written in its row: JSON with small numbers.

A paragraph that follows its predecessor by one newline, which most do, is the bare number of
its characters; any other block is a list whose trailing defaults are left out. Offsets count
from the start of the slice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from engine.domain.book import Align, Block, BlockKind, BlockStyle, NoteRef, Picture, Ruby, Span, SpanKind
from engine.text.slices import Piece

SLICE_ID_SHIFT = 20
"""A slice's id is its document's id shifted by this, plus its ord."""

_DEFAULTS: list[Any] = [0, "", 0, 0]
_CONTINUED = 1
_HEADER = 2


def marks_from_piece(piece: Piece) -> str:
    """Write everything of a piece but its text."""
    o = piece.start
    found: dict[str, Sequence[Any]] = {
        "b": _packed_blocks(piece),
        "y": _packed_styles(piece.blocks),
        "s": [[s.start - o, s.end - s.start, s.kind, *([s.target] if s.target else ())] for s in piece.spans],
        "r": [[r.start - o, r.end - r.start, r.reading] for r in piece.rubies],
        "n": [[n.offset - o, n.label, n.note] for n in piece.note_refs],
        "i": [[i.offset - o, i.href, i.alt, i.width, i.height] for i in piece.pictures],
    }
    return json.dumps({k: v for k, v in found.items() if v}, ensure_ascii=False, separators=(",", ":"))


def _packed_blocks(piece: Piece) -> list[int | list[Any]]:
    packed: list[int | list[Any]] = []
    previous_end = piece.start - 1
    for b in piece.blocks:
        gap, length = b.start - previous_end, b.end - b.start
        flags = b.is_continued * _CONTINUED | b.is_header * _HEADER
        if gap == 1 and b.kind is BlockKind.PARAGRAPH and not (b.level or b.marker or flags or b.table):
            packed.append(length)
        else:
            item: list[Any] = [b.kind.value, gap, length, b.level, b.marker, flags, b.table]
            while not item[-1] and len(item) > 3:
                item.pop()
            packed.append(item)
        previous_end = b.end
    return packed


def piece_from_row(start: int, end: int, text: str, marks: str) -> Piece:
    """Read a piece back from the columns of its row."""
    found = json.loads(marks)
    return Piece(
        start,
        end,
        text,
        _with_styles(_unpacked_blocks(start, found.get("b", ())), found.get("y", ())),
        tuple(Span(start + s[0], start + s[0] + s[1], SpanKind(s[2]), *s[3:]) for s in found.get("s", ())),
        tuple(Ruby(start + a, start + a + n, reading) for a, n, reading in found.get("r", ())),
        tuple(NoteRef(start + a, label, note) for a, label, note in found.get("n", ())),
        tuple(Picture(start + a, *rest) for a, *rest in found.get("i", ())),
    )


def _unpacked_blocks(start: int, packed: Sequence[int | list[Any]]) -> tuple[Block, ...]:
    blocks = []
    at = start - 1
    for item in packed:
        if isinstance(item, int):
            at += 1
            blocks.append(Block(BlockKind.PARAGRAPH, at, at + item))
            at += item
            continue
        kind, gap, length, *rest = item
        level, marker, flags, table = rest + _DEFAULTS[len(rest) :]
        at += gap
        blocks.append(
            Block(
                BlockKind(kind), at, at + length, level, marker, bool(flags & _CONTINUED), table, bool(flags & _HEADER)
            )
        )
        at += length
    return tuple(blocks)


def _packed_styles(blocks: Iterable[Block]) -> list[list[Any]]:
    """Return runs of blocks of one style, [blocks] or [blocks, align, indent, margin, begins a page]; [] for none."""
    runs = [(style, len([*same])) for style, same in groupby(blocks, key=lambda block: block.style)]
    if all(style is None for style, _count in runs):
        return []
    return [
        [count] if style is None else [count, style.align or "", style.indent, style.margin, int(style.is_page_start)]
        for style, count in runs
    ]


def _with_styles(blocks: tuple[Block, ...], packed: Sequence[list[Any]]) -> tuple[Block, ...]:
    if not packed:
        return blocks
    styles = _unpacked_styles(packed)
    return tuple(replace(block, style=style) if style else block for block, style in zip(blocks, styles, strict=True))


def _unpacked_styles(packed: Sequence[list[Any]]) -> Iterator[BlockStyle | None]:
    for count, *rest in packed:
        style = None
        if rest:
            align, indent, margin, is_page_start = rest
            style = BlockStyle(Align(align) if align else None, indent, margin, bool(is_page_start))
        yield from [style] * count
