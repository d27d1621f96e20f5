"""Readings of characters: beside them, above them, or off."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import RubyStyle
from engine.domain.book import BlockKind, Ruby
from engine.text.segment import next_line_break
from tests.pages import B, make_slice, rows_with_text, seen
from tui.render.breaks import is_torn
from tui.render.cells import cell_width
from tui.render.dress import Dressed, dress, joined_readings
from tui.render.rows import RowKind, TypeOptions
from tui.render.typeset import typeset
from tui.render.wrap import wrap

TEXT = "彼女は黒髪をかき上げ、魔導書を閉じた。"
READINGS = {"黒髪": "くろかみ", "魔導書": "グリモワール"}


def options(width: int, ruby: RubyStyle) -> TypeOptions:
    return TypeOptions(width, ruby=ruby)


def test_readings_stand_behind_their_characters() -> None:
    layout = typeset(make_slice(TEXT, rubies=READINGS), options(60, RubyStyle.INLINE))
    assert seen(layout) == ["彼女は黒髪(くろかみ)をかき上げ、魔導書(グリモワール)を閉じ", "た。"]


@pytest.mark.parametrize(
    ("text", "readings", "expected"),
    [
        ("潮見坂の店", {"潮": "しお", "見": "み", "坂": "ざか"}, "潮見坂(しおみざか)の店"),
        ("土砂降りだ", {"土": "ど", "砂": "しゃ", "降": "ぶ"}, "土砂降(どしゃぶ)りだ"),
        ("你好，世界", {"你": "nǐ", "好": "hǎo", "世": "shì", "界": "jiè"}, "你好(nǐhǎo)，世界(shìjiè)"),
    ],
)
def test_readings_character_by_character_are_read_as_one_word(
    text: str, readings: dict[str, str], expected: str
) -> None:
    (row,) = typeset(make_slice(text, rubies=readings), options(60, RubyStyle.INLINE))
    assert row.text == expected


def test_readings_of_neighbouring_words_stay_apart() -> None:
    (row,) = typeset(
        make_slice("黒髪魔女", rubies={"黒髪": "くろかみ", "魔女": "まじょ"}), options(60, RubyStyle.INLINE)
    )
    assert row.text == "黒髪(くろかみ)魔女(まじょ)"


def test_a_whole_sentence_read_character_by_character_is_not_drawn_together() -> None:
    readings = {"汉": "hàn", "字": "zì", "是": "shì", "写": "xiě", "的": "de"}
    (row,) = typeset(make_slice("汉字是写的", rubies=readings), options(60, RubyStyle.INLINE))
    assert row.text == "汉(hàn)字(zì)是(shì)写(xiě)的(de)"


def test_a_character_of_a_reading_stands_for_the_last_one_it_reads() -> None:
    (row,) = typeset(make_slice("黒髪を", rubies={"黒髪": "かみ"}), options(40, RubyStyle.INLINE))
    assert row.text == "黒髪(かみ)を"
    assert row.offsets == (0, 1, 1, 1, 1, 1, 2)
    assert row.span_of(0, 2) == (0, 6)


@pytest.mark.parametrize(
    ("text", "readings", "expected"),
    [
        ("あいうえおか眠い", {"眠": "ねむ"}, ["あいうえおか", "眠(ねむ)い"]),
        ("あいうえおか、眠る", {"眠": "ねむ"}, ["あいうえおか、", "眠(ねむ)る"]),
        ("あいうえ「眠る」", {"眠": "ねむ"}, ["あいうえ", "「眠(ねむ)る」"]),
        ("あいうえお眠。い", {"眠": "ねむ"}, ["あいうえお", "眠(ねむ)。い"]),
        ("走进这条小路是", {"小路": "xiǎolù"}, ["走进这条", "小路(xiǎolù)是"]),
        ("then a WWW page", {"WWW": "world wide"}, ["then a", "WWW(world wide)", "page"]),
    ],
)
def test_a_row_does_not_end_between_characters_and_their_reading(
    text: str, readings: dict[str, str], expected: list[str]
) -> None:
    width = 14 if not text.isascii() else 15
    assert seen(typeset(make_slice(text, rubies=readings), options(width, RubyStyle.INLINE))) == expected


def test_a_reading_too_long_for_a_row_is_wrapped_as_any_text() -> None:
    rows = seen(typeset(make_slice("あ眠い", rubies={"眠": "とてもながいよみ"}), options(10, RubyStyle.INLINE)))
    assert rows == ["あ", "眠(とても", "ながいよ", "み)い"]


def test_a_cell_of_a_table_and_a_line_of_verse_keep_their_readings_whole() -> None:
    verse = make_slice(B(BlockKind.VERSE, "あいうえおかきく眠い"), rubies={"眠": "ねむ"})
    assert seen(typeset(verse, options(26, RubyStyle.INLINE)))[0].strip() == "あいうえおかきく"
    row = make_slice(B(BlockKind.ROW, "あいうえおか眠い\tあ"), rubies={"眠": "ねむ"})
    assert seen(typeset(row, options(18, RubyStyle.INLINE)))[0].split() == ["あいうえおか", "あ"]


_PARTS = st.sampled_from(
    ["眠", "黒髪", "魔導書", "the sea", "「", "」", "。", "、", "あい", "ー", "lamp ", "6.40 ", "…"]
)


@given(st.integers(2, 200), st.lists(st.tuples(_PARTS, st.text("かぐッ-a ー。", max_size=12)), min_size=1, max_size=30))
def test_no_row_ends_within_characters_and_their_reading_that_fit_in_a_row(
    width: int, parts: list[tuple[str, str]]
) -> None:
    text, rubies = "", []
    for part, reading in parts:
        if reading.strip() and part not in "「」。、ー…":
            rubies.append(Ruby(len(text), len(text) + len(part.rstrip()), reading.strip()))
        text += part
    drawn = dress(text, 0, joined_readings(rubies), options(width, RubyStyle.INLINE))
    starts = wrap(drawn.text, width, 0, drawn.held)
    assert len(drawn.held) == len(joined_readings(rubies))
    parted = [held for held in drawn.held if set(starts) & set(range(held[0] + 1, held[1]))]
    assert [held for held in parted if cell_width(_with_its_neighbours(drawn, held)) <= width] == []
    rows = [drawn.text[start:end].rstrip(" ") for start, end in pairwise([*starts, len(drawn.text)])]
    assert max(map(cell_width, rows)) <= width


def _with_its_neighbours(drawn: Dressed, held: tuple[int, int]) -> str:
    """Return a stretch with what may not be parted from it."""
    text = drawn.text
    inside = {at for start, end in drawn.held for at in range(start + 1, end)}
    breaks = [0]
    while breaks[-1] < len(text):
        breaks.append(next_line_break(text, breaks[-1]))
    places = [at for at in breaks if at in (0, len(text)) or not (at in inside or is_torn(text[at - 1], text[at]))]
    start = max(place for place in places if place <= held[0])
    return text[start : min(place for place in places if place >= held[1])].rstrip(" ")


def test_a_reading_cut_by_the_end_of_a_row_leaves_no_hole_in_the_text() -> None:
    rows = rows_with_text(typeset(make_slice(TEXT, rubies=READINGS), options(12, RubyStyle.INLINE)))
    assert [(row.start, row.end) for row in rows][-1][1] == len(TEXT)
    assert [row.end for row in rows[:-1]] == [row.start for row in rows[1:]]


def test_readings_off_are_not_drawn() -> None:
    assert seen(typeset(make_slice(TEXT, rubies=READINGS), options(60, RubyStyle.OFF))) == [TEXT]


def test_readings_above_stand_over_their_characters() -> None:
    layout = typeset(make_slice(TEXT, rubies=READINGS), options(60, RubyStyle.ABOVE))
    assert seen(layout) == ["    くろかみ       グリモワール", TEXT]
    assert [row.kind for row in layout] == [RowKind.RUBY, RowKind.TEXT]


def test_lines_stand_evenly_with_and_without_readings() -> None:
    text = "彼女は黒髪をかき上げ、魔導書を閉じた。\n彼女は黒髪をかき上げた。"
    layout = typeset(make_slice(text, rubies={"魔導書": "まどう"}), options(12, RubyStyle.ABOVE))
    places = [number for number, row in enumerate(layout) if row.kind is RowKind.TEXT]
    assert places == [0, 2, 4, 6, 8, 10] or [b - a for a, b in pairwise(places)].count(2) == len(places) - 2
    assert [row.text.strip() for row in layout if row.kind is RowKind.RUBY] == ["まどう"]


def test_readings_above_a_first_row_stand_in_the_gap_between_paragraphs() -> None:
    text = "彼女は本を閉じた。\n黒髪をかき上げた。"
    plain = typeset(make_slice(text, rubies={"本": "ほん"}), options(40, RubyStyle.ABOVE))
    both = typeset(make_slice(text, rubies={"本": "ほん", "黒髪": "くろかみ"}), options(40, RubyStyle.ABOVE))
    assert len(plain) == len(both)


def test_a_reading_uses_the_blank_row_of_wide_lines() -> None:
    wide = TypeOptions(20, line_spacing=2, ruby=RubyStyle.ABOVE)
    assert seen(typeset(make_slice(TEXT, rubies={"魔導書": "まどう"}), wide)) == [
        "彼女は黒髪をかき上",
        "    まどう",
        "げ、魔導書を閉じた。",
    ]


def test_long_readings_move_to_the_right_and_never_overlap() -> None:
    layout = typeset(make_slice("黒髪と魔導書", rubies=READINGS), options(40, RubyStyle.ABOVE))
    assert seen(layout)[0] == "くろかみ グリモワール"


def test_readings_of_neighbouring_characters_may_touch() -> None:
    piece = make_slice("漢字だ", rubies={"漢": "かん", "字": "じ"})
    assert seen(typeset(piece, options(20, RubyStyle.ABOVE)))[0] == "かんじ"


def test_a_reading_at_the_end_of_a_row_moves_back_into_it() -> None:
    piece = make_slice("これは魔導書", rubies={"魔導書": "グリモワール"})
    assert seen(typeset(piece, options(12, RubyStyle.ABOVE)))[0] == "グリモワール"


def test_a_reading_longer_than_the_row_is_cut() -> None:
    piece = make_slice("字", rubies={"字": "とてもながいよみ"})
    assert seen(typeset(piece, options(8, RubyStyle.ABOVE)))[0] == "とても…"


def test_the_offset_of_a_text_is_never_found_in_the_row_of_its_readings() -> None:
    layout = typeset(make_slice(TEXT, rubies=READINGS), options(20, RubyStyle.ABOVE))
    assert {layout[layout.row_of(offset)].kind for offset in range(len(TEXT))} == {RowKind.TEXT}


@given(st.integers(1, 60), st.lists(st.text("かきくabc漢", min_size=1, max_size=9), min_size=3, max_size=3))
def test_no_row_of_readings_is_wider_than_asked(width: int, readings: list[str]) -> None:
    piece = make_slice(
        "彼女は黒髪をかき上げ、魔導書を閉じた。", rubies=dict(zip(["彼女", "黒髪", "魔"], readings, strict=True))
    )
    layout = typeset(piece, options(width, RubyStyle.ABOVE))
    assert max(row.width() for row in layout) <= max(2, width)


@pytest.mark.parametrize("mode", list(RubyStyle))
def test_every_character_of_the_text_is_drawn_once(mode: RubyStyle) -> None:
    layout = typeset(make_slice(TEXT, rubies=READINGS), options(14, mode))
    drawn = [row.offset_of(i) for row in rows_with_text(layout) for i in range(len(row.text))]
    assert sorted(set(drawn)) == list(range(len(TEXT)))
