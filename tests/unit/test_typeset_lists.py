"""Lists, tables, scene breaks and pictures as rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import PictureStyle
from engine.domain.book import BlockKind, SpanKind
from tests.pages import B, make_slice, rows_with_text, seen
from tui.render.rows import RowKind, Run, TypeOptions
from tui.render.typeset import typeset

LI, TR = BlockKind.ITEM, BlockKind.ROW


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (("lamp oil, two tins", "rope"), ["  • lamp oil, two", "    tins", "  • rope"]),
        (("两桶上好的灯油油", "绳子"), ["  • 两桶上好的灯", "    油油", "  • 绳子"]),
        (("ランプの油を二つ", "ロープ"), ["  • ランプの油を", "    二つ", "  • ロープ"]),
    ],
)
def test_the_marker_of_an_item_hangs(items: tuple[str, str], expected: list[str]) -> None:
    piece = make_slice(*[B(LI, item, 1, "•") for item in items])
    assert [row.replace("\u00a0", " ") for row in seen(typeset(piece, TypeOptions(17)))] == expected


def test_numbers_stand_flush_right_and_nested_lists_further_in() -> None:
    piece = make_slice(B(LI, "a", 1, "9."), B(LI, "b", 2, "•"), B(LI, "more", 2), B(LI, "c", 1, "10."))
    assert [row.replace("\u00a0", " ") for row in seen(typeset(piece, TypeOptions(40)))] == [
        " 9. a",
        "      • b",
        "        more",
        "10. c",
    ]


def test_a_list_stands_apart_from_paragraphs() -> None:
    piece = make_slice("He took:", B(LI, "a", 1, "•"), B(LI, "b", 1, "•"), "And left.")
    assert [row.strip() for row in seen(typeset(piece, TypeOptions(40)))] == [
        "He took:",
        "",
        "•\u00a0a",
        "•\u00a0b",
        "",
        "And left.",
    ]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (("Of the less erroneous pictures", "Brit"), ["    Of the less", "      erroneous pictures", "    Brit"]),
        (("贾夫人仙逝扬州城冷子兴", "后记"), ["    贾夫人仙逝扬州城冷子", "      兴", "    后记"]),
        (("ハルト様の長い長い雨の日", "雨"), ["    ハルト様の長い長い雨", "      の日", "    雨"]),
    ],
)
def test_a_long_item_without_a_marker_is_told_from_the_next_one(items: tuple[str, str], expected: list[str]) -> None:
    piece = make_slice(*[B(LI, item, 1) for item in items])
    assert seen(typeset(piece, TypeOptions(24))) == expected


def test_the_second_paragraph_of_an_item_stands_under_the_first() -> None:
    piece = make_slice(B(LI, "lamp oil", 1, "•"), B(LI, "two tins of it", 1))
    assert seen(typeset(piece, TypeOptions(17))) == ["  •\u00a0lamp oil", "    two tins of", "    it"]


def test_the_marker_stands_for_the_first_character() -> None:
    (row,) = typeset(make_slice(B(LI, "油", 1, "•"), start=7), TypeOptions(40))
    assert (row.start, row.end, row.offsets) == (7, 8, (7, 7, 7))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("Ilse\tlamp", "Oren Vale\tpost"), ["Ilse       lamp", "Oren Vale  post"]),
        (("贾宝玉\t公子", "黛玉\t才女"), ["贾宝玉  公子", "黛玉    才女"]),
        (("カムパネルラ\t友", "ジョバンニ\t主"), ["カムパネルラ  友", "ジョバンニ    主"]),
    ],
)
def test_columns_line_up(rows: tuple[str, str], expected: list[str]) -> None:
    piece = make_slice(*[B(TR, row, table=1) for row in rows])
    assert seen(typeset(piece, TypeOptions(40))) == expected


def test_the_heading_row_of_a_table_is_bold() -> None:
    piece = make_slice(B(TR, "Who\tWhat", table=1, is_header=True), B(TR, "Ilse\tlamp", table=1))
    head, body = typeset(piece, TypeOptions(40))
    assert head.runs == (Run(0, 10, frozenset({SpanKind.BOLD})),)
    assert body.runs == ()


def test_long_cells_are_wrapped_in_their_columns() -> None:
    piece = make_slice(B(TR, "Ilse\tkeeps the lamp at the station\t31", table=1), B(TR, "Oren\tpost\t40", table=1))
    assert seen(typeset(piece, TypeOptions(28))) == [
        "Ilse  keeps the lamp at   31",
        "      the station",
        "",
        "Oren  post                40",
    ]


def test_a_table_whose_cells_fit_has_no_blank_rows() -> None:
    piece = make_slice(B(TR, "Ilse\tlamp", table=1), B(TR, "Oren\tpost", table=1), B(TR, "Tully\tbuttons", table=1))
    assert [row.kind for row in typeset(piece, TypeOptions(28))] == [RowKind.TEXT] * 3


def test_a_table_too_narrow_for_columns_is_read_cell_by_cell() -> None:
    piece = make_slice(
        B(TR, "Who\tWhat they do", table=1, is_header=True),
        B(TR, "Ilse\tkeeps the lamp", table=1),
        B(TR, "Oren\t", table=1),
    )
    assert seen(typeset(piece, TypeOptions(13))) == [
        "Who",
        "What they do",
        "",
        "Who: Ilse",
        "Wha…: keeps",
        "  the lamp",
        "",
        "Who: Oren",
    ]


@pytest.mark.parametrize("caption", ["Trains at Ashfall", "六闸一览", "雨の予定"])
def test_a_caption_stands_close_to_its_table_and_apart_from_the_text_above(caption: str) -> None:
    piece = make_slice("He read:", B(BlockKind.CAPTION, caption), B(TR, "6.40\tCorrow", table=1))
    assert seen(typeset(piece, TypeOptions(40))) == ["He read:", "", caption, "6.40  Corrow"]


def test_a_caption_stands_close_under_its_picture() -> None:
    piece = make_slice(B(BlockKind.PICTURE, "\ufffc"), B(BlockKind.CAPTION, "The lamp"), "She looked.", pictures=[""])
    assert seen(typeset(piece, TypeOptions(40))) == ["[illustration]", "The lamp", "", "She looked."]


def test_two_tables_stand_apart() -> None:
    piece = make_slice(B(TR, "a\tb", table=1), B(TR, "c\td", table=2))
    assert seen(typeset(piece, TypeOptions(20))) == ["a  b", "", "c  d"]


def test_each_character_of_a_table_is_found_in_the_row_that_draws_it() -> None:
    cells = "Ilse\tkeeps the lamp at the station\tthirty one"
    layout = typeset(make_slice("x", B(TR, cells, table=1), B(TR, "a\tb\tc", table=1)), TypeOptions(28))
    letters = [offset for offset, char in enumerate(cells, 2) if char not in "\t "]
    assert [
        char_at(layout[layout.row_of(offset)].text, layout[layout.row_of(offset)].offsets, offset) for offset in letters
    ] == [cells[offset - 2] for offset in letters]


def char_at(text: str, offsets: tuple[int, ...] | None, offset: int) -> str:
    assert offsets is not None
    return text[len(offsets) - 1 - offsets[::-1].index(offset)]


def test_rows_of_a_table_begin_where_the_rows_above_end() -> None:
    cells = "keeps the lamp at the station\tthirty one years\tx"
    rows = rows_with_text(typeset(make_slice(B(TR, cells, table=1), B(TR, "a\tb", table=1)), TypeOptions(24)))
    inside = [row for row in rows if row.block == 0]
    assert [row.end for row in inside[:-1]] == [row.start for row in inside[1:]]
    assert inside[-1].end == len(cells)


def test_links_and_notes_in_a_table_keep_their_place() -> None:
    piece = make_slice(B(TR, "Ilse\tthe lamp", table=1), spans=[("lamp", SpanKind.LINK, "1#l")], notes={"Ilse": "2"})
    (row,) = typeset(piece, TypeOptions(40))
    assert [(row.text[link.start : link.end], link.note or link.target) for link in row.links] == [
        ("²", "0#n2"),
        ("lamp", "1#l"),
    ]


@given(
    st.lists(
        st.lists(st.text("字ab e\u0301、", max_size=12), min_size=1, max_size=4).map("\t".join), min_size=1, max_size=4
    ),
    st.integers(2, 60),
)
def test_no_row_of_a_table_is_wider_than_asked(rows: list[str], width: int) -> None:
    piece = make_slice(*[B(TR, row, table=1, is_header=number == 0) for number, row in enumerate(rows)])
    layout = typeset(piece, TypeOptions(width))
    assert max(row.width() for row in layout) <= width


def test_a_scene_break_stands_in_the_middle() -> None:
    layout = typeset(make_slice("一", B(BlockKind.RULE), "二", B(BlockKind.RULE, "~ ~"), "三"), TypeOptions(20))
    assert seen(layout) == ["一", "", "      ＊ ＊ ＊", "", "二", "", "        ~ ~", "", "三"]
    assert [row.kind for row in layout].count(RowKind.RULE) == 2


@pytest.mark.parametrize(("width", "expected"), [(7, "  ***"), (3, "***"), (2, "*…")])
def test_a_scene_break_fits_a_narrow_column(width: int, expected: str) -> None:
    assert seen(typeset(make_slice(B(BlockKind.RULE)), TypeOptions(width))) == [expected]


def test_a_picture_is_a_line_with_its_description() -> None:
    piece = make_slice(B(BlockKind.PICTURE, "\ufffc\ufffc"), pictures=["夜の\n銀河", ""])
    layout = typeset(piece, TypeOptions(40))
    assert seen(layout) == ["[illustration: 夜の 銀河]", "[illustration]"]
    assert [(row.kind, row.start, row.end) for row in layout] == [
        (RowKind.PICTURE, 0, 1),
        (RowKind.PICTURE, 1, 2),
    ]


@pytest.mark.parametrize(
    ("alt", "expected"),
    [
        ("A map: the line comes up from Merrin", ["[illustration: A map:", "the line comes up from", "Merrin]"]),
        ("一页图样：一口钟的剖面图", ["[illustration: 一页图", "样：一口钟的剖面图]"]),
        ("上から見た水色の子ども傘", ["[illustration: 上から", "見た水色の子ども傘]"]),
    ],
)
def test_a_long_description_is_told_whole(alt: str, expected: list[str]) -> None:
    layout = typeset(make_slice("x", B(BlockKind.PICTURE, "\ufffc"), "y", pictures=[alt]), TypeOptions(22))
    assert seen(layout)[2:-2] == expected
    assert [layout.row_of(offset) for offset in (0, 2, 4)] == [0, 2, len(layout) - 1]


def test_a_description_without_end_is_cut() -> None:
    piece = make_slice(B(BlockKind.PICTURE, "\ufffc"), pictures=["a lamp on a table by a window " * 9])
    rows = seen(typeset(piece, TypeOptions(30)))
    assert len(rows) == 4
    assert rows[-1].endswith("…")


@pytest.mark.parametrize("alt", ["iBooksMath1.png", "Image00012.jpeg", "cover page-2.SVG"])
def test_the_name_of_a_file_describes_nothing(alt: str) -> None:
    assert seen(typeset(make_slice(B(BlockKind.PICTURE, "\ufffc"), pictures=[alt]), TypeOptions(60))) == [
        "[illustration]"
    ]


@pytest.mark.parametrize("kind", [BlockKind.CAPTION, BlockKind.PARAGRAPH])
@pytest.mark.parametrize(
    ("alt", "below"),
    [
        ("Alice in the Room of the Duchess.", "Alice in the room of the Duchess"),
        ("八島太郎『新しい太陽』より", "八島太郎『新しい太陽』より。"),
        ("洛特先生本子上的一页", "洛特先生本子上的一页"),
    ],
)
def test_what_a_caption_says_is_not_said_twice(kind: BlockKind, alt: str, below: str) -> None:
    piece = make_slice(B(BlockKind.PICTURE, "\ufffc"), B(kind, below), pictures=[alt])
    assert seen(typeset(piece, TypeOptions(60)))[0] == "[illustration]"


def test_a_picture_among_words_is_named_there() -> None:
    (row,) = typeset(make_slice("The sign \ufffc hung low.", pictures=["key"]), TypeOptions(60))
    assert row.text == "The sign [illustration: key] hung low."
    assert row.offset_at(12) == 9


def test_pictures_off_leave_no_row() -> None:
    off = TypeOptions(40, pictures=PictureStyle.OFF)
    piece = make_slice("一", B(BlockKind.PICTURE, "\ufffc"), "二\ufffc三", pictures=["a", "b"])
    assert seen(typeset(piece, off)) == ["一", "", "二三"]


def test_a_slice_of_pictures_that_are_off_is_one_blank_row() -> None:
    layout = typeset(make_slice(B(BlockKind.PICTURE, "\ufffc")), TypeOptions(40, pictures=PictureStyle.OFF))
    assert [row.kind for row in layout] == [RowKind.BLANK]
