"""Where a caret goes, what a selection holds, and its words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.domain.book import Block, BlockKind, DocumentId
from engine.domain.locator import Pos
from engine.domain.reading import Slice, SliceKey
from tests.pages import B, make_slice
from tui.render.caret import Caret
from tui.render.flow import Flow
from tui.render.rows import TypeOptions
from tui.render.selection import Reach, Selection, Spot, reach_in, text_of_pieces
from tui.render.typeset import typeset
from tui.render.words import sentences_of, words_of

_ONE = DocumentId(1)


def _caret(*pieces: Slice, columns: int = 40, names: Sequence[tuple[int, int]] = ()) -> Caret:
    flow = Flow(lambda piece: typeset(piece, TypeOptions(columns)))
    for piece in pieces:
        flow.add(piece)
    return Caret(flow, lambda _document, start, end: [span for span in names if start <= span[0] < end])


def _at(caret: Caret, offset: int) -> Reach:
    reach = caret.units.char(_ONE, offset)
    assert reach is not None
    return reach


def _place(reach: Reach | None) -> tuple[int, int]:
    assert reach is not None
    return reach.first.offset, reach.last.offset


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Nobody ever boarded the 6.40.", ["Nobody", "ever", "boarded", "the", "6.40"]),
        ("don’t stop", ["don’t", "stop"]),
        ("俺は男子でも、トラキアの人々と", ["俺", "は", "男子", "でも", "トラキア", "の", "人々", "と"]),
        ("刘备字玄德。", ["刘", "备", "字", "玄", "德"]),
        ("", []),
    ],
)
def test_words_are_what_a_reader_of_the_language_takes_for_one(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in words_of(text)] == words


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("却说刘备字玄德", "刘备", ["却", "说", "刘备", "字", "玄", "德"]),
        ("ミナ・トラキアは", "ミナ・トラキア", ["ミナ・トラキア", "は"]),
        ("saw the Lamplighter go", "the Lamplighter", ["saw", "the Lamplighter", "go"]),
    ],
)
def test_a_known_name_is_one_word(text: str, name: str, words: list[str]) -> None:
    start = text.index(name)
    assert [text[a:b] for a, b in words_of(text, [(start, start + len(name))])] == words


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He came.  He saw.", ["He came.", "He saw."]),
        ("「行こう。」彼は言った。", ["「行こう。」", "彼は言った。"]),
        ("他来了。　谁也不知道！", ["他来了。", "谁也不知道！"]),
    ],
)
def test_sentences_come_without_the_blanks_around_them(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentences_of(text)] == sentences


def test_a_step_goes_by_characters_as_seen_and_over_line_ends() -> None:
    text = "e\u0301👨‍👩‍👧\nか\u3099"
    caret = _caret(make_slice(B(BlockKind.VERSE, text)))
    at, seen = _at(caret, 0), list[str]()
    for _each in range(4):
        seen.append(text[slice(*_place(at))])
        at = caret.beside(at, 1) or at
    assert seen == ["e\u0301", "👨‍👩‍👧", "か\u3099", "か\u3099"]


def test_a_step_back_is_the_opposite_of_a_step() -> None:
    caret = _caret(make_slice("one two", "三つ\u00ad目 👩‍🚀"), columns=6)
    there = [_at(caret, 0)]
    while (following := caret.beside(there[-1], 1)) is not None:
        there.append(following)
    back = [there[-1]]
    while (previous := caret.beside(back[-1], -1)) is not None:
        back.append(previous)
    assert back == there[::-1]


def test_words_are_stepped_over_to_and_fro() -> None:
    caret = _caret(make_slice("one two", "three"))
    assert [_place(caret.word(_at(caret, 0), 1)), _place(caret.word(_at(caret, 4), 1))] == [(4, 5), (8, 9)]
    assert [_place(caret.word(_at(caret, 8), -1)), _place(caret.word(_at(caret, 6), -1))] == [(4, 5), (4, 5)]
    assert caret.word(_at(caret, 8), 1) is None


def test_the_end_of_a_word_is_its_last_character_and_then_that_of_the_next() -> None:
    caret = _caret(make_slice("one two", "three"))
    assert [_place(caret.word_end(_at(caret, each))) for each in (0, 2, 6)] == [(2, 3), (6, 7), (12, 13)]


def test_sentences_and_paragraphs_are_stepped_over() -> None:
    text = "He came. He saw."
    caret = _caret(make_slice(text, "　They left."))
    assert _place(caret.sentence(_at(caret, 0), 1)) == (9, 10)
    assert _place(caret.sentence(_at(caret, 12), -1)) == (9, 10)
    assert _place(caret.paragraph(_at(caret, 0), 1)) == (len(text) + 2, len(text) + 3)
    assert _place(caret.paragraph(_at(caret, len(text) + 4), -1)) == (len(text) + 2, len(text) + 3)


def test_a_paragraph_in_several_blocks_is_one() -> None:
    piece = make_slice(
        "one", B(BlockKind.PARAGRAPH, " long"), B(BlockKind.PARAGRAPH, " line", is_continued=True), "two"
    )
    caret = _caret(piece)
    assert _place(caret.paragraph(_at(caret, 0), 1)) == (5, 6)
    assert _place(caret.paragraph(_at(caret, 5), 1)) == (15, 16)
    assert _place(caret.units.paragraph_at(_ONE, 12)) == (5, 14)


def test_lines_are_followed_at_the_same_cell_over_gaps_and_wide_characters() -> None:
    caret = _caret(make_slice("abcdef", "漢字漢字"))
    below = caret.line(_at(caret, 3), 1, 3)
    assert _place(below) == (8, 9)
    assert below is not None
    assert _place(caret.line(below, -1, 3)) == (3, 4)
    assert caret.line(_at(caret, 0), -1, 0) is None


def test_the_edges_of_a_line_are_its_first_and_last_character_drawn() -> None:
    caret = _caret(make_slice("one two three four"), columns=10)
    assert _place(caret.line_edge(_at(caret, 3), 1)) == (6, 7)
    assert _place(caret.line_edge(_at(caret, 12), -1)) == (8, 9)


def test_a_readers_units_stand_around_a_place() -> None:
    text = "He came. 男子でも走る。"
    caret = _caret(make_slice(text))
    found = (caret.units.word_at(_ONE, 9), caret.units.sentence_at(_ONE, 2), caret.units.paragraph_at(_ONE, 2))
    assert [text[slice(*_place(each))] for each in found] == ["男子", "He came.", text]
    assert caret.units.word_at(_ONE, 7) is None


# across documents and volumes


def _volumes() -> tuple[Slice, Slice]:
    keys = SliceKey(DocumentId(9), 0), SliceKey(DocumentId(2), 0)
    texts = "the first ends.", "第二巻の始まり。"
    made = [
        Slice(key, 0, len(text), Pos(number << 40), text, (Block(BlockKind.PARAGRAPH, 0, len(text)),))
        for number, (key, text) in enumerate(zip(keys, texts, strict=True))
    ]
    one, two = made
    return (
        Slice(one.key, 0, one.end, one.pos, one.text, one.blocks, after=two.key),
        Slice(two.key, 0, two.end, two.pos, two.text, two.blocks, before=one.key),
    )


def test_a_caret_goes_on_into_the_next_volume_and_the_selection_holds_both() -> None:
    one, two = _volumes()
    caret = _caret(one, two)
    anchor = caret.units.char(DocumentId(9), 10)
    assert anchor is not None
    end = caret.word(anchor, 1)
    assert end is not None
    assert end.first.document == DocumentId(2)
    reach = Selection(anchor, end).reach
    assert text_of_pieces([one, two], reach).text == "ends.\n第"
    back = caret.word(end, -1)
    assert back is not None
    assert (back.first.document, back.first.offset) == (DocumentId(9), 10)


def test_the_other_end_moves_after_a_turn() -> None:
    caret = _caret(make_slice("one two three"))
    selection = Selection(_at(caret, 4), _at(caret, 6)).turned()
    moved = selection.moved(caret.word(selection.caret, -1) or selection.caret)
    assert _place(moved.reach) == (0, 7)


def test_what_is_selected_leaves_readings_notes_and_pictures_out() -> None:
    piece = make_slice("黒髪\ufffcと\u00ad火", "x", rubies={"黒髪": "くろかみ"}, notes={"火": "1"}, pictures=["a lamp"])
    assert text_of_pieces([piece], reach_in(piece, 0, piece.end)).text == "黒髪と火\nx"


@pytest.mark.parametrize("unit", ["a", "漢", "👨‍👩‍👧", "e\u0301"])
def test_what_is_too_long_is_cut_between_characters_as_seen(unit: str) -> None:
    piece = make_slice(unit * 200)
    cut = text_of_pieces([piece], reach_in(piece, 0, piece.end), most_bytes=100)
    assert cut.is_cut
    assert len(cut.text.encode()) <= 100
    assert cut.text.replace(unit, "") == ""
    assert len(cut.text) >= len(unit)


def test_a_slice_that_goes_on_in_a_line_is_joined_without_a_newline() -> None:
    one, two = make_slice("one "), make_slice("two", start=4, ord=1)
    assert text_of_pieces([one, two], Reach(Spot(Pos(0), 0, _ONE), Spot(Pos(0), 7, _ONE))).text == "one two"
