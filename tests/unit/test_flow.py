"""Slices joined to one scroll: movement, anchors, what is missing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import RubyStyle
from engine.domain.book import Block, BlockKind, DocumentId
from engine.domain.reading import Slice, SliceKey
from tests.pages import B, make_slice
from tui.render.flow import Anchor, Flow
from tui.render.rows import RowKind, TypeOptions
from tui.render.typeset import Layout, typeset

_TEXTS = {
    "en": "Nobody ever boarded the 6.40, and still it stood there with its doors open, snow drifting in. ",
    "zh": "灯塔里的火从来没有熄过，可是谁也说不清，最后一次添油的人究竟是谁。",
    "ja": "誰も乗らない六時四十分の列車は、今夜も扉を開けたまま、雪の中に立っていた。",
}
_WIDTHS = (21, 40, 68)


def _slices(language: str, documents: int = 3, paragraphs: int = 12) -> list[Slice]:
    """Make documents of one slice each, read one after the other."""
    made = []
    for number in range(documents):
        parts = [f"{number}.{p} " + _TEXTS[language] * (1 + p % 4) for p in range(paragraphs)]
        blocks, at = [], 0
        for part in parts:
            blocks.append(Block(BlockKind.PARAGRAPH, at, at + len(part)))
            at += len(part) + 1
        text = "\n".join(parts)
        made.append(
            Slice(
                SliceKey(DocumentId(number + 1), 0),
                0,
                len(text),
                number * 100_000,
                text,
                tuple(blocks),
                before=SliceKey(DocumentId(number), -1) if number else None,
                after=SliceKey(DocumentId(number + 2), 0) if number + 1 < documents else None,
            )
        )
    return made


def _setter(width: int) -> Callable[[Slice], Layout]:
    return lambda piece: typeset(piece, TypeOptions(width))


def _flow(language: str = "en", width: int = 40, loaded: int = 3) -> Flow:
    flow = Flow(_setter(width))
    for piece in _slices(language)[:loaded]:
        flow.add(piece)
    flow.show(DocumentId(1), 0)
    return flow


def _texts(flow: Flow, height: int) -> list[str]:
    return [flow.row(ref).text for ref in flow.page(height)]


def test_the_page_runs_on_into_the_next_document() -> None:
    flow = _flow()
    flow.move(10_000, 10)
    assert flow.page(10)[-1].key.document == DocumentId(3)


def test_the_last_row_stays_on_the_page_when_moving_by_rows() -> None:
    flow = _flow()
    flow.move(10_000, 10)
    assert len(flow.page(10)) == 10


def test_at_the_end_there_is_nothing_to_move() -> None:
    flow = _flow()
    flow.move(10_000, 10)
    assert flow.move(1, 10) == 0


def test_a_movement_and_its_return_come_back_to_the_same_page() -> None:
    flow = _flow()
    flow.move(7, 10)
    before = _texts(flow, 10)
    flow.move(31, 10)
    flow.move(-31, 10)
    assert _texts(flow, 10) == before


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_pages_show_every_row_of_the_text(language: str) -> None:
    flow = _flow(language)
    shown = [flow.page(9)]
    while flow.page_down(9):
        shown.append(flow.page(9))
    seen = {(ref.key, ref.index) for page in shown for ref in page if flow.row(ref).kind is RowKind.TEXT}
    rows = {
        (piece.key, index)
        for piece in _slices(language)
        for index, row in enumerate(flow.layout_of(piece.key).rows)
        if row.kind is RowKind.TEXT
    }
    assert seen == rows


def test_a_turned_page_keeps_a_row_of_a_paragraph_that_was_cut() -> None:
    flow = _flow("zh")
    pages = [flow.page(7)]
    while flow.page_down(7):
        pages.append(flow.page(7))
    cut = [(a, b) for a, b in pairwise(pages) if flow.row(a[-1]).kind is RowKind.TEXT]
    assert cut
    assert all(a[-1] == b[0] for a, b in cut)


@pytest.mark.parametrize(
    ("height", "following"),
    [(6, ["II", "", "The Lamp"]), (8, ["II", "", "The Lamp"]), (9, ["II", "", "The Lamp"]), (10, ["It burned."])],
)
def test_headings_at_the_end_of_a_page_go_over_to_their_text(height: int, following: list[str]) -> None:
    heading = BlockKind.HEADING
    flow = Flow(_setter(40))
    flow.add(make_slice("one", "two", B(heading, "II"), B(heading, "The Lamp"), "It burned.", *"345678"))
    flow.show(DocumentId(1), 0)
    flow.page_down(height)
    assert _texts(flow, height)[: len(following)] == following


def test_the_row_that_stays_on_a_turned_page_keeps_its_readings() -> None:
    flow = Flow(lambda piece: typeset(piece, TypeOptions(8, ruby=RubyStyle.ABOVE)))
    flow.add(make_slice("一二三四五六七八甲乙丙丁九十百千万億", rubies={"九": "く"}))
    flow.show(DocumentId(1), 0)
    assert _texts(flow, 7) == ["一二三四", "", "五六七八", "", "甲乙丙丁", "く", "九十百千"]
    flow.page_down(7)
    assert _texts(flow, 5) == ["く", "九十百千", "", "万億"]


def test_a_place_is_shown_with_the_readings_of_its_first_row() -> None:
    flow = Flow(lambda piece: typeset(piece, TypeOptions(8, ruby=RubyStyle.ABOVE)))
    flow.add(make_slice("一二三四五六七八甲乙丙丁九十百千万億", rubies={"九": "く"}))
    flow.show(DocumentId(1), 12)
    assert _texts(flow, 2) == ["く", "九十百千"]
    assert flow.anchor == Anchor(DocumentId(1), 12)


def test_a_page_of_headings_is_turned_like_any_other() -> None:
    flow = Flow(_setter(40))
    flow.add(make_slice(*[B(BlockKind.HEADING, f"Part {n}") for n in range(9)]))
    flow.show(DocumentId(1), 0)
    assert [flow.page_down(5), flow.page_down(5)] == [4, 4]


def test_a_turned_page_never_begins_with_a_blank_row() -> None:
    flow = _flow("en")
    firsts = []
    while flow.page_down(7):
        firsts.append(flow.row(flow.page(7)[0]).kind)
    assert RowKind.BLANK not in firsts


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
@given(st.lists(st.sampled_from(_WIDTHS), min_size=1, max_size=12), st.integers(0, 700))
@settings(max_examples=60, deadline=None)
def test_no_change_of_width_moves_the_first_character(language: str, widths: list[int], offset: int) -> None:
    flow = _flow(language)
    flow.show(DocumentId(2), offset)
    anchor = flow.anchor
    for width in widths:
        flow.relayout(_setter(width))
    assert flow.anchor == anchor
    top = flow.row(flow.page(5)[0])
    assert top.start <= offset <= top.end


def test_missing_slices_are_named_with_their_direction() -> None:
    flow = _flow(loaded=2)
    flow.show(DocumentId(2), 0)
    assert (SliceKey(DocumentId(3), 0), 1) in flow.missing(200, 50)


def test_a_movement_stops_where_nothing_is_loaded() -> None:
    flow = _flow(loaded=1)
    rows = len(flow.layout_of(SliceKey(DocumentId(1), 0)).rows)
    assert flow.move(10_000, 10) == rows - 10


def test_a_place_in_a_slice_not_loaded_is_not_shown() -> None:
    assert _flow(loaded=1).show(DocumentId(3), 5) is False


def test_the_span_of_a_page_tells_where_it_ends() -> None:
    flow = _flow()
    flow.move(10_000, 10)
    span = flow.span(10)
    assert span is not None
    assert span.is_at_end
    assert span.last_pos == 200_000 + _slices("en")[2].end


@pytest.mark.parametrize(("step", "offsets"), [(1, (0, 1)), (-1, (1, 0))])
def test_paragraphs_are_gone_through_one_by_one(step: int, offsets: tuple[int, int]) -> None:
    flow = _flow()
    blocks = _slices("en")[1].blocks
    flow.show(DocumentId(2), blocks[offsets[0]].start)
    found = flow.block_start(step)
    assert found is not None
    assert found.offset == blocks[offsets[1]].start


def test_between_two_documents_the_page_stands_at_the_one_that_begins() -> None:
    """The room below a document belongs to it, but nobody reads there: the place is what is read next."""
    flow = Flow(lambda piece: typeset(piece, TypeOptions(40)).with_room_below(2))
    for piece in _slices("en"):
        flow.add(piece)
    flow.show(DocumentId(2), 0)
    flow.move(-1, 20)
    span = flow.span(20)
    assert span is not None
    assert (flow.page(20)[0].key.document, span.anchor.document, span.first_pos) == (
        DocumentId(1),
        DocumentId(2),
        100_000,
    )


def test_a_place_amid_hundreds_of_tiny_documents_is_shown_however_many_are_loaded_around_it() -> None:
    pieces = _slices("en", documents=400, paragraphs=1)
    flow = Flow(_setter(40))
    for piece in pieces:
        flow.add(piece)
    assert flow.show(DocumentId(2), 0)
    assert flow.page(20)[0].key == pieces[1].key


@pytest.mark.parametrize("step", [1, -1])
def test_what_is_loaded_far_on_takes_nothing_from_the_page(step: int) -> None:
    pieces = _slices("en", documents=2_000, paragraphs=1)
    flow = Flow(_setter(40))
    middle = len(pieces) // 2
    flow.add(pieces[middle])
    flow.show(pieces[middle].key.document, 0)
    for distance in range(1, middle):
        flow.add(pieces[middle + step * distance])
    flow.move(step * 300, 20)
    assert len(flow.page(20)) == 20


def test_a_long_text_read_through_is_not_kept_whole() -> None:
    pieces = _slices("en", documents=300, paragraphs=100)
    flow = Flow(_setter(40))
    for piece in pieces:
        flow.add(piece)
        flow.show(piece.key.document, 0)
    assert flow.loaded.find(pieces[0].key.document, 0) is None
    assert flow.loaded.find(pieces[-2].key.document, 0) is not None
