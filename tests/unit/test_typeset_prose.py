"""Paragraphs, headings, quotes, verse and preformatted text as rows."""

from __future__ import annotations

import pytest

from engine.domain.book import BlockKind, DocumentId
from engine.domain.reading import SliceKey
from tests.pages import B, make_slice, seen
from tui.render.rows import RowKind, TypeOptions
from tui.render.typeset import typeset

H = BlockKind.HEADING
EARLIER = SliceKey(DocumentId(1), 0)


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("他说：“我们走吧。”", 12, ["他说：“我们", "走吧。”"]),
        ("彼女は黒髪をかき上げた。", 12, ["彼女は黒髪を", "かき上げた。"]),
        ("The lamp was still burning.", 12, ["The lamp was", "still", "burning."]),
    ],
)
def test_a_paragraph_is_broken_into_rows(text: str, width: int, expected: list[str]) -> None:
    assert seen(typeset(make_slice(text), TypeOptions(width))) == expected


@pytest.mark.parametrize(("gap", "expected"), [(0, ["一", "二"]), (1, ["一", "", "二"]), (2, ["一", "", "", "二"])])
def test_paragraphs_stand_apart_as_asked(gap: int, expected: list[str]) -> None:
    assert seen(typeset(make_slice("一", "二"), TypeOptions(20, paragraph_gap=gap))) == expected


def test_the_first_line_may_be_indented() -> None:
    options = TypeOptions(16, paragraph_gap=0, first_line_indent=2)
    assert seen(typeset(make_slice("The lamp was out.", "Nobody came."), options)) == [
        "  The lamp was",
        "out.",
        "  Nobody came.",
    ]


def test_an_indent_of_the_text_itself_is_not_doubled() -> None:
    layout = typeset(make_slice("\u3000\u3000他走了很远的路"), TypeOptions(16, first_line_indent=4))
    assert seen(layout) == ["\u3000\u3000他走了很远的", "路"]


def test_below_a_heading_only_han_and_kana_are_indented() -> None:
    options = TypeOptions(30, first_line_indent=4)
    assert seen(typeset(make_slice(B(H, "One"), "The lamp.", "It burned."), options)) == [
        "One",
        "",
        "The lamp.",
        "",
        "    It burned.",
    ]
    assert seen(typeset(make_slice(B(H, "一"), "“走。”"), options)) == ["一", "", "    “走。”"]


def test_a_narrow_column_shortens_the_indent() -> None:
    assert seen(typeset(make_slice("字字字字字字"), TypeOptions(8, first_line_indent=8))) == ["  字字字", "字字字"]


@pytest.mark.parametrize("gap", [0, 1])
def test_two_rows_above_a_heading_and_one_below(gap: int) -> None:
    layout = typeset(make_slice("终于。", B(H, "第二章", 1), "他走了。"), TypeOptions(20, paragraph_gap=gap))
    assert seen(layout) == ["终于。", "", "", "第二章", "", "他走了。"]


def test_headings_that_follow_each_other_stay_close() -> None:
    layout = typeset(make_slice(B(H, "第一部", 1), B(H, "第一章", 2), "他走了。"), TypeOptions(20))
    assert seen(layout) == ["第一部", "", "第一章", "", "他走了。"]


def test_a_quote_is_moved_to_the_right_by_its_depth() -> None:
    piece = make_slice(
        "He wrote:",
        B(BlockKind.QUOTE, "Come before the thaw.", 1),
        B(BlockKind.QUOTE, "Burn this.", 2),
        "She did.",
    )
    assert seen(typeset(piece, TypeOptions(24))) == [
        "He wrote:",
        "",
        "   Come before the thaw.",
        "",
        "      Burn this.",
        "",
        "She did.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Tyger tyger, burning bright\nIn the forests",
            ["   Tyger tyger, burning", "      bright", "   In the forests"],
        ),
        ("床前明月光\n疑是地上霜举头望明月低头", ["   床前明月光", "   疑是地上霜举头望明月", "      低头"]),
        ("古池や\n蛙飛び込む水の音はしずか", ["   古池や", "   蛙飛び込む水の音はし", "      ずか"]),
    ],
)
def test_a_line_of_verse_that_is_too_long_hangs(text: str, expected: list[str]) -> None:
    piece = make_slice(B(BlockKind.VERSE, text))
    assert seen(typeset(piece, TypeOptions(24, first_line_indent=4))) == expected


def test_stanzas_stand_apart_and_single_lines_do_not() -> None:
    v = BlockKind.VERSE
    options = TypeOptions(30, paragraph_gap=0)
    assert seen(typeset(make_slice(B(v, "a\nb"), B(v, "c\nd")), options)) == ["   a", "   b", "", "   c", "   d"]
    assert seen(typeset(make_slice(B(v, "a"), B(v, "b"), B(v, "c")), options)) == ["   a", "   b", "   c"]


def test_preformatted_text_keeps_its_spaces_and_is_cut_at_the_width() -> None:
    piece = make_slice(B(BlockKind.PREFORMATTED, "if x:\n    go  on and on\n\tend\tx"))
    assert seen(typeset(piece, TypeOptions(12))) == ["if x:", "    go  on a", "nd on", "    end x"]


def test_a_tab_in_preformatted_text_stands_for_one_character() -> None:
    row = typeset(make_slice(B(BlockKind.PREFORMATTED, "\ta")), TypeOptions(12))[0]
    assert [row.offset_of(index) for index in range(5)] == [0, 0, 0, 0, 1]
    assert row.offset_at(4) == 1


def test_a_caption_stands_close_to_its_picture() -> None:
    piece = make_slice(B(BlockKind.PICTURE, "\ufffc"), B(BlockKind.CAPTION, "The lamp"), "Text.", pictures=["a lamp"])
    assert seen(typeset(piece, TypeOptions(40))) == ["[illustration: a lamp]", "The lamp", "", "Text."]


def test_wide_lines_leave_blank_rows_between_rows() -> None:
    layout = typeset(make_slice("他们走了很远", "回家"), TypeOptions(8, line_spacing=2))
    assert seen(layout) == ["他们走了", "", "很远", "", "", "回家"]


def test_a_continued_block_has_no_gap_above_it() -> None:
    piece = make_slice("他们走", B(BlockKind.PARAGRAPH, "了很远", is_continued=True))
    options = TypeOptions(20, first_line_indent=4)
    assert seen(typeset(piece, options)) == ["    他们走", "了很远"]


def test_layouts_of_the_slices_of_a_document_join_with_the_same_gaps() -> None:
    options = TypeOptions(20)
    assert seen(typeset(make_slice("二", start=40, ord=1, before=EARLIER), options)) == ["", "二"]
    assert seen(typeset(make_slice(B(H, "二"), start=40, ord=1, before=EARLIER), options)) == ["", "", "二"]
    rest = B(BlockKind.PARAGRAPH, "二", is_continued=True)
    assert seen(typeset(make_slice(rest, start=40, ord=1, before=EARLIER), options)) == ["二"]


def test_a_document_begins_with_its_text() -> None:
    assert seen(typeset(make_slice(B(H, "一"), before=SliceKey(DocumentId(7), 3)), TypeOptions(20))) == ["一"]


def test_a_heading_at_the_end_of_a_slice_keeps_its_gap() -> None:
    piece = make_slice("一", B(H, "二"))
    assert seen(typeset(piece, TypeOptions(20, paragraph_gap=0))) == ["一", "", "", "二", ""]


def test_right_to_left_text_stays_in_logical_order() -> None:
    layout = typeset(make_slice("שלום עולם 12 and مرحبا"), TypeOptions(14))
    assert seen(layout) == ["שלום עולם 12", "and مرحبا"]


def test_controls_become_spaces_and_offsets_hold() -> None:
    layout = typeset(make_slice("a\x1b[31mb\x07c\x00d\u2028e"), TypeOptions(20))
    assert seen(layout) == ["a [31mb c d", "e"]
    assert layout[1].start == 12


def test_a_slice_without_blocks_is_one_blank_row() -> None:
    layout = typeset(make_slice(), TypeOptions(20))
    assert [row.kind for row in layout] == [RowKind.BLANK]
    assert layout.row_of(0) == 0


@pytest.mark.parametrize("width", [-5, 0, 1, 2, 3])
def test_no_width_is_too_small(width: int) -> None:
    piece = make_slice(
        B(H, "Chapter", 1),
        "字a字",
        B(BlockKind.QUOTE, "quote", 3),
        B(BlockKind.ITEM, "item", 4, "viii."),
        B(BlockKind.VERSE, "a b\nc"),
        B(BlockKind.ROW, "a\tb", table=1),
        B(BlockKind.RULE),
        B(BlockKind.PICTURE, "\ufffc"),
        B(BlockKind.PREFORMATTED, "  x"),
    )
    layout = typeset(piece, TypeOptions(width, first_line_indent=4))
    assert max(row.width() for row in layout) <= max(2, width)
