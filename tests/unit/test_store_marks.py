"""What rides beside the text of a slice is written and read back."""

from __future__ import annotations

import pytest

from engine.domain.book import Align, Block, BlockKind, BlockStyle, Span, SpanKind
from engine.store.marks import marks_from_piece, piece_from_row
from engine.text.slices import Piece

_CENTRED = BlockStyle(Align.CENTER)
_SET = BlockStyle(None, -2, 4, is_page_start=True)


@pytest.mark.parametrize(
    "styles", [(None, None, None), (_CENTRED, _CENTRED, None), (None, _SET, _CENTRED), (_SET, _SET, _SET)], ids=str
)
def test_styles_of_blocks_are_read_back(styles: tuple[BlockStyle | None, ...]) -> None:
    blocks = tuple(Block(BlockKind.PARAGRAPH, 5 * n, 5 * n + 4, style=style) for n, style in enumerate(styles))
    spans = (Span(1, 3, SpanKind.SMALL), Span(6, 8, SpanKind.COLOUR, "#aa0000"))
    piece = Piece(0, 14, "lamp\nlamp\nlamp", blocks, spans)
    assert piece_from_row(piece.start, piece.end, piece.text, marks_from_piece(piece)) == piece


def test_a_slice_without_styles_is_written_without_them() -> None:
    piece = Piece(0, 4, "lamp", (Block(BlockKind.PARAGRAPH, 0, 4),))
    assert marks_from_piece(piece) == '{"b":[4]}'
