"""Where rows of a paragraph begin, in Chinese, Japanese, English and what is found among them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.text.segment import grapheme_bounds, next_line_break
from tui.render import breaks
from tui.render.cells import cells_of_any
from tui.render.wrap import wrap, wrap_hard, wrap_line, wrap_measured

NEVER_FIRST = "、。，．：；？！…）〕］｝〉》」』】”’ー々っゃゅょァッ"
NEVER_LAST = "（〔［｛〈《「『【“‘"
CHINESE = "他说：“你好”，于是——走了很远的路……《春》（下）。诺赞·修雷！★①→"
JAPANESE = "彼女は「行こう」と、ラーメンっぽい々ーッょ。『グリモワール』……そして——消えた！？"
ENGLISH = "the lamp-lighter’s (old) “coat” — said: well-known, 6.40 and/or 3-4 $12 e.g. don’t"
ODD = "👨‍👩‍👧 ❤️ 🇯🇵 ﾊﾞｶﾞ か\u3099 e\u0301 क्ष ก็ำ שלום مرحبا \u200b\u2060\u00a0\u3000 한국어 \u1100\u1161 👍🏽 \u00ad"
prose = st.sampled_from([CHINESE, JAPANESE, ENGLISH]).flatmap(lambda alphabet: st.text(st.sampled_from(alphabet)))
plain_text = st.text(st.sampled_from(CHINESE + JAPANESE + ENGLISH), max_size=120)
any_text = st.text(st.sampled_from(CHINESE + JAPANESE + ENGLISH + ODD), max_size=120)
wild_text = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)
widths = st.integers(2, 200)


def rows_of(text: str, width: int, first_indent: int = 0) -> list[str]:
    starts = wrap(text, width, first_indent)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def drawn(row: str) -> str:
    return row.rstrip(" \n")


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("他说你好。", 8, ["他说你", "好。"]),
        ("他走了（下）", 8, ["他走了", "（下）"]),
        ("走了很远……然后", 10, ["走了很远……", "然后"]),
        ("走了——然后", 5, ["走了", "——然", "后"]),
        ("他说“你好”了", 5, ["他说", "“你", "好”了"]),
        ("行こうっと", 6, ["行こ", "うっと"]),
        ("フリーランス", 4, ["フ", "リー", "ラン", "ス"]),
        ("「行こう」と", 8, ["「行こ", "う」と"]),
        ("人々の家", 4, ["人々", "の家"]),
        ("the lamp burned", 9, ["the lamp ", "burned"]),
        ("a well-known man", 8, ["a well-", "known ", "man"]),
        ("yes—no and so", 5, ["yes—", "no ", "and ", "so"]),
        ("it is (so) said", 8, ["it is ", "(so) ", "said"]),
        ("and/or not", 5, ["and/", "or ", "not"]),
        ("no 6.40 train", 6, ["no ", "6.40 ", "train"]),
        ("他用Python写了", 9, ["他用", "Python写", "了"]),
    ],
)
def test_rows_end_where_a_compositor_would_end_them(text: str, width: int, expected: list[str]) -> None:
    assert rows_of(text, width) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("👨‍👩‍👧👨‍👩‍👧", 3, ["👨‍👩‍👧", "👨‍👩‍👧"]),
        ("🇯🇵🇨🇳", 3, ["🇯🇵", "🇨🇳"]),
        ("❤️❤️", 3, ["❤️", "❤️"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("か\u3099か\u3099", 2, ["か\u3099", "か\u3099"]),
        ("ﾊﾞｶﾞ", 2, ["ﾊﾞ", "ｶﾞ"]),
        ("한국어로", 4, ["한국", "어로"]),
        ("שלום עולם", 5, ["שלום ", "עולם"]),
        ("two\u00a0words stay", 10, ["two\u00a0words ", "stay"]),
        ("a two\u00a0b", 5, ["a ", "two\u00a0b"]),
        ("\u3000\u3000他走了", 8, ["\u3000\u3000他走", "了"]),
    ],
)
def test_what_is_seen_as_one_stays_whole(text: str, width: int, expected: list[str]) -> None:
    assert rows_of(text, width) == expected


def test_a_newline_ends_a_row() -> None:
    assert rows_of("one\ntwo\n\nthree", 20) == ["one\n", "two\n", "\n", "three"]


def test_an_empty_text_is_one_row() -> None:
    assert wrap("", 10) == [0]


def test_a_long_word_fills_its_rows() -> None:
    assert rows_of("Antidisestablishment", 6) == ["Antidi", "sestab", "lishme", "nt"]


def test_a_cut_in_a_word_keeps_its_closing_mark() -> None:
    assert rows_of("establish。", 9) == ["establis", "h。"]


def test_spaces_where_a_row_ends_take_no_room() -> None:
    assert rows_of("lamp      oil", 6) == ["lamp      ", "oil"]


def test_the_first_row_may_be_shorter_or_longer() -> None:
    assert rows_of("aa bb cc dd", 5, first_indent=3) == ["aa ", "bb cc ", "dd"]
    assert rows_of("aa bb cc dd", 5, first_indent=-3) == ["aa bb cc ", "dd"]


def test_an_indent_wider_than_the_row_leaves_room_for_one_character() -> None:
    assert rows_of("字字字", 4, first_indent=40) == ["字", "字字"]


@pytest.mark.parametrize("width", [-3, 0, 1])
def test_a_width_too_small_for_a_character_gives_it_a_row(width: int) -> None:
    assert rows_of("字a字", width) == ["字", "a", "字"]


def test_hard_rows_are_full_and_keep_their_spaces() -> None:
    text = "  if (x)    return\n\tend 字字"
    starts = wrap_hard(text, 6)
    assert [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)] == [
        "  if (",
        "x)    ",
        "return\n",
        "\tend 字",
        "字",
    ]


@given(st.one_of(prose, any_text, wild_text), widths, st.integers(-4, 8))
@example("ก็" * 30, 2, 0)
@example("क्ष" * 20, 4, 2)
def test_no_row_is_wider_than_asked(text: str, width: int, first_indent: int) -> None:
    rows = rows_of(text, width, first_indent)
    rooms = [max(2, width - first_indent), *[width] * (len(rows) - 1)]
    too_wide = [drawn(row) for row, room in zip(rows, rooms, strict=True) if cell_len(drawn(row)) > room]
    assert [row for row in too_wide if not is_one_as_seen(row)] == []


def is_one_as_seen(row: str) -> bool:
    """Say whether a row holds no second character as seen that has a width of its own and could begin a row."""
    bounds = grapheme_bounds(row)[1:-1]
    return not any(cell_len(row[bound]) and row[bound - 1] != "\u200d" for bound in bounds)


@given(st.one_of(prose, any_text, wild_text), widths)
def test_rows_hold_the_whole_text_in_order(text: str, width: int) -> None:
    starts = wrap(text, width)
    assert starts == sorted(set(starts))
    assert starts[0] == 0
    assert "".join(rows_of(text, width)) == text


@given(st.one_of(any_text, wild_text), widths)
def test_no_character_as_seen_is_split(text: str, width: int) -> None:
    assert set(wrap(text, width)) <= set(grapheme_bounds(text)) | {0}


@given(st.one_of(prose, plain_text, any_text), st.integers(4, 200))
def test_closing_marks_begin_no_row_and_opening_marks_end_none(text: str, width: int) -> None:
    starts = wrap(text, width)
    torn = [
        start
        for before, start in pairwise(starts)
        if (is_torn(text, start) and any_place_is_whole(text, before, start))
    ]
    assert torn == []


def is_torn(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if before == " " and after in "’”":
        return False  # an apostrophe: ’tis
    return after in NEVER_FIRST or before in NEVER_LAST or (before == after and after in "…—")


def any_place_is_whole(text: str, start: int, end: int) -> bool:
    """Say whether the row could have ended earlier without tearing anything."""
    bounds = [start + bound for bound in grapheme_bounds(text[start:end])[1:-1]]
    return any(
        cell_len(text[bound]) > 0
        and text[bound] != " "
        and text[bound - 1] != "\u200d"
        and not breaks.is_torn(text[bound - 1], text[bound])
        for bound in bounds
    )


@given(plain_text, st.integers(1, 80), st.integers(-4, 8))
@example("'字字字", 4, 0)
@example("“ 你 ” 好 ’tis", 3, 0)
def test_the_fast_path_finds_the_rows_of_the_thorough_one(text: str, width: int, first_indent: int) -> None:
    room = max(1, min(2, width), width - first_indent)
    assert wrap(text, width, first_indent) == wrap_measured(text, width, room)


@given(st.one_of(plain_text, any_text, wild_text), st.integers(1, 80), st.integers(-4, 8))
def test_rows_are_those_of_a_plain_and_slow_search(text: str, width: int, first_indent: int) -> None:
    room = max(1, min(2, width), width - first_indent)
    assert wrap_measured(text, width, room) == rows_found_slowly(text, width, room)


def rows_found_slowly(text: str, width: int, room: int) -> list[int]:
    """List all places first, then measure every row from its start."""
    places = all_places(text)
    cuts = [0, *(bound for bound in grapheme_bounds(text) if 0 < bound < len(text) and begins(text, bound))]
    rows = [0]
    while True:
        start, limit = rows[-1], width if rows[1:] else room
        if cell_len(text[start:].rstrip(" ")) <= limit:
            return rows
        fitting = [place for place in places if place > start and cell_len(text[start:place].rstrip(" ")) <= limit]
        within = [cut for cut in cuts if cut > start and cell_len(text[start:cut].rstrip(" ")) <= limit]
        whole = [cut for cut in within if not breaks.is_torn(text[cut - 1], text[cut])]
        following = [cut for cut in cuts if cut > start]
        rows += [(fitting or whole or within or skip_blanks(text, following) or [len(text)])[-1]]
        if rows[-1] == len(text):
            return rows[:-1]


def skip_blanks(text: str, cuts: list[int]) -> list[int]:
    """Return the first cut, or the first one behind the spaces that follow it."""
    if not cuts:
        return []
    behind = len(text) - len(text[cuts[0] :].lstrip(" "))
    return [behind if behind in cuts or behind == len(text) else cuts[0]]


def all_places(text: str) -> list[int]:
    places = [0]
    while places[-1] < len(text):
        following = next_line_break(text, places[-1])
        sure = [
            place for place in range(places[-1] + 1, following) if breaks.last_sure(text, place - 1, place) == place
        ]
        places.append(min([*sure, following]))
    bounds = set(grapheme_bounds(text))
    return [
        place
        for place in places[1:-1]
        if place in bounds and begins(text, place) and not breaks.is_torn(text[place - 1], text[place])
    ]


def begins(text: str, place: int) -> bool:
    return cells_of_any(text)[place] > 0 and text[place] != "\ufe0f"


@given(st.text(st.sampled_from("字か。「」 ab-’1\u3000"), max_size=80), st.integers(2, 20))
def test_a_following_block_changes_nothing(text: str, width: int) -> None:
    assert wrap_line(text + "\n字。x", 0, len(text), width) == wrap(text, width)


@settings(max_examples=20)
@given(st.integers(4, 120))
def test_a_row_is_as_full_as_the_rules_allow(width: int) -> None:
    text = "他们一起走了很远很远的路" * 20
    rows = rows_of(text, width)
    assert {len(row) for row in rows[:-1]} == {width // 2}


def test_what_is_sure_agrees_with_the_line_breaking_of_unicode() -> None:
    before = "字かガ한。，」）】！？：ー々っ・\u3000〜a9"
    after = "字かガ한「（【《aZ0"
    parted = [(left, right) for left in before for right in after if breaks.is_sure(left + right, 1)]
    assert len(parted) > 150
    assert [pair for pair in parted if next_line_break("字" + "".join(pair), 1) != 2] == []
    assert [pair for pair in parted if breaks.is_torn(*pair)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "\u0301",
        "字",
        "…",
        "（",
        "“ ",
        "a-",
        "\u200d",
        "👩\u200d",
        "❤\ufe0f",
        "🇯",
        "ก",
        "क्",
        " ",
        "\n",
        "字★",
        "e\u0301",
    ],
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    short, long = (seconds_to_wrap("x" + unit * (size // len(unit))) for size in (250_000, 1_000_000))
    assert long < 3
    assert long < 4 * 2.5 * max(short, 0.01)


def seconds_to_wrap(text: str) -> float:
    begun = time.process_time()
    wrap(text, 76)
    return time.process_time() - begun
