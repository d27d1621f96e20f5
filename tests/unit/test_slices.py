from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.book import (
    Block,
    BlockKind,
    DocumentText,
    NoteRef,
    Picture,
    Ruby,
    Span,
    SpanKind,
)
from engine.store.marks import marks_from_piece, piece_from_row
from engine.text.slices import cut_pieces
from tests.shelving import document_of

_PARAGRAPHS = {
    "en": "The lamp burned low, and nobody came to trim it before the morning train.",
    "zh": "灯火渐渐暗了下去，没有人来剪灯芯，直到清晨的列车进站。",
    "ja": "灯は次第に弱まり、朝の列車が着くまで誰も芯を切りに来なかった。",
}


def test_a_short_document_is_one_slice_with_all_its_marks() -> None:
    span = Span(0, 3, SpanKind.BOLD)
    document = DocumentText(0, "a", "one\ntwo", (_p(0, 3), _p(4, 7)), spans=(span,))
    (piece,) = cut_pieces(document)
    assert (piece.start, piece.end, piece.text, piece.spans) == (0, 7, "one\ntwo", (span,))


def test_a_document_without_blocks_has_no_slices() -> None:
    assert cut_pieces(DocumentText(0, "a", "", ())) == []


def test_a_document_of_nothing_but_marks_of_notes_has_no_slices() -> None:
    assert cut_pieces(DocumentText(0, "a", "", (), note_refs=(NoteRef(0, "1", "0#n1"),))) == []


@pytest.mark.parametrize("paragraph", _PARAGRAPHS.values(), ids=_PARAGRAPHS)
def test_slices_are_whole_blocks_below_the_limit(paragraph: str) -> None:
    document = document_of([paragraph] * 3000)
    pieces = cut_pieces(document)
    assert max(piece.end - piece.start for piece in pieces) <= 16_384
    assert [b for piece in pieces for b in piece.blocks] == list(document.blocks)
    assert "\n".join(piece.text for piece in pieces) == document.text


def test_a_span_across_a_cut_goes_on_in_the_next_slice() -> None:
    document = DocumentText(0, "a", "one\ntwo", (_p(0, 3), _p(4, 7)), spans=(Span(1, 6, SpanKind.ITALIC),))
    first, second = cut_pieces(document, size_chars=4)
    assert first.spans == (Span(1, 3, SpanKind.ITALIC),)
    assert second.spans == (Span(4, 6, SpanKind.ITALIC),)


def test_each_note_and_picture_lies_in_exactly_one_slice() -> None:
    refs = tuple(NoteRef(offset, str(offset), f"0#n{offset}") for offset in range(8))
    pictures = (Picture(3, "a.png"), Picture(4, "b.png"))
    document = DocumentText(0, "a", "one\ntwo", (_p(0, 3), _p(4, 7)), note_refs=refs, pictures=pictures)
    pieces = cut_pieces(document, size_chars=4)
    assert tuple(ref for piece in pieces for ref in piece.note_refs) == refs
    assert [piece.pictures for piece in pieces] == [pictures[:1], pictures[1:]]


_BLOCKS = st.builds(
    Block,
    st.sampled_from(BlockKind),
    st.just(0),
    st.just(0),
    level=st.integers(0, 6),
    marker=st.sampled_from(["", "•", "3."]),
    is_continued=st.booleans(),
    table=st.integers(0, 3),
    is_header=st.booleans(),
)


@given(st.lists(st.tuples(_BLOCKS, st.text(max_size=40), st.integers(0, 2)), max_size=30), st.integers(1, 60))
def test_marks_come_back_from_their_row_as_they_were(made: list[tuple[Block, str, int]], size_chars: int) -> None:
    document = _document_from(made)
    pieces = cut_pieces(document, size_chars)
    assert [piece_from_row(p.start, p.end, p.text, marks_from_piece(p)) for p in pieces] == pieces


def _document_from(made: list[tuple[Block, str, int]]) -> DocumentText:
    blocks, text = [], ""
    for block, words, gap in made:
        text += "\n" * gap
        blocks.append(
            Block(
                block.kind,
                len(text),
                len(text) + len(words),
                block.level,
                block.marker,
                block.is_continued,
                block.table,
                block.is_header,
            )
        )
        text += words
    n = len(text)
    return DocumentText(
        0,
        "a",
        text,
        tuple(blocks),
        spans=tuple(Span(i, min(i + 5, n), SpanKind.LINK, f"{i}#x") for i in range(0, n, 7)),
        rubies=tuple(Ruby(i, min(i + 2, n), "かな") for i in range(0, n, 11)),
        note_refs=tuple(NoteRef(i, "＊", f"0#{i}") for i in range(0, n, 13)),
        pictures=tuple(Picture(i, "p.png", "alt", 3, 4) for i in range(0, n, 17)),
    )


def _p(start: int, end: int) -> Block:
    return Block(BlockKind.PARAGRAPH, start, end)
