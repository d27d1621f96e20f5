"""Rows that stand for something: scene breaks and pictures."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from engine.config import PictureStyle
from engine.domain.book import PICTURE_CHAR, BlockKind, Picture
from engine.domain.reading import Slice
from tui.render.art import fitting_cells
from tui.render.cells import cell_width, clean, fit_cells
from tui.render.dress import picture_line, picture_words
from tui.render.layout import Piece
from tui.render.rows import Art, Row, RowKind, TypeOptions
from tui.render.wrap import wrap

_STARS = "＊ ＊ ＊"
_SMALL_STARS = "***"
_MOST_ROWS = 4
"""Of a picture's description."""


class RowsPiece:
    """Rows that were made at once."""

    __slots__ = ("_rows", "block", "count", "start")

    def __init__(self, block: int, rows: list[Row]) -> None:
        """Take the rows of a block, at least one; their offsets grow."""
        self.block = block
        self._rows = rows
        self.count = len(rows)
        self.start = rows[0].start

    def row(self, number: int) -> Row:
        """Return a row, counted from 0."""
        return self._rows[number]

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""
        return max(0, bisect_right(self._rows, offset, key=lambda row: row.start) - 1)


def rule_piece(piece: Slice, index: int, width: int) -> Piece:
    """Set a scene break: its own sign, or stars, in the middle."""
    block = piece.blocks[index]
    sign = clean(piece.text[block.start - piece.start : block.end - piece.start]).replace("\n", " ").strip()
    sign = sign or (_STARS if cell_width(_STARS) <= width else _SMALL_STARS)
    sign = fit_cells(sign, width)
    indent = (width - cell_width(sign)) // 2
    offsets = (block.start,) * len(sign)
    return RowsPiece(
        index, [Row(RowKind.RULE, block.kind, index, block.start, block.end, max(0, indent), sign, offsets)]
    )


def picture_piece(piece: Slice, index: int, options: TypeOptions) -> Piece | None:
    """Set a block of pictures, each with its description; None when pictures are off."""
    if options.pictures is PictureStyle.OFF:
        return None
    block = piece.blocks[index]
    pictures = {picture.offset: picture for picture in piece.pictures}
    text = piece.text[block.start - piece.start : block.end - piece.start]
    places = [block.start + at for at, char in enumerate(text) if char == PICTURE_CHAR] or [block.start]
    places[0] = block.start
    caption = _text_below(piece, index) if len(places) == 1 else ""
    rows: list[Row] = []
    for number, place in enumerate(places):
        end = places[number + 1] if number + 1 < len(places) else block.end
        art = _art_rows(pictures.get(place), index, block.kind, place, end, options)
        rows += art
        if art:
            words = picture_words(pictures.get(place), caption)
            lines = _lines(words, options.width_cells) if words else []
            rows += (
                Row(
                    RowKind.PICTURE, block.kind, index, end, end, max(0, (options.width_cells - cell_width(line)) // 2),
                    line, (end,) * len(line),
                )
                for line in lines
            )  # fmt: skip
            continue
        lines = _lines(picture_line(pictures.get(place), caption), options.width_cells)
        rows += (
            Row(RowKind.PICTURE, block.kind, index, start, end, 0, line, (place,) * len(line))
            for start, line in zip((place, *(end,) * len(lines)), lines, strict=False)
        )
    return RowsPiece(index, rows)


def _art_rows(
    picture: Picture | None, index: int, role: BlockKind, start: int, end: int, options: TypeOptions
) -> list[Row]:
    """Return the rows of a picture drawn in cells; none where it cannot be drawn."""
    if picture is None or not picture.href or options.pictures is not PictureStyle.BLOCKS:
        return []
    columns, rows = fitting_cells(picture.width, picture.height, options.width_cells, options.picture_rows)
    indent = max(0, (options.width_cells - columns) // 2)
    starts = (start, *(end,) * (rows - 1))
    return [
        Row(RowKind.PICTURE, role, index, first, end, indent, art=Art(picture.href, columns, rows, number))
        for number, first in enumerate(starts[:rows])
    ]


def _text_below(piece: Slice, index: int) -> str:
    """Return the start of the block below, longer than any description that it might repeat."""
    if index + 1 >= len(piece.blocks):
        return ""
    below = piece.blocks[index + 1]
    return piece.text[below.start - piece.start : below.end - piece.start]


def _lines(text: str, width: int) -> list[str]:
    """Wrap a description; too long a one is cut."""
    starts = wrap(text, width)
    lines = [text[a:b].rstrip(" ") for a, b in pairwise([*starts[:_MOST_ROWS], len(text)])]
    return [*lines[:-1], fit_cells(lines[-1], width)]
