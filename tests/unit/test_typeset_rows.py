"""From offsets to rows and back, and the formatting of rows."""

from __future__ import annotations

import pytest

from engine.domain.book import BlockKind, SpanKind
from tests.pages import B, make_slice, rows_with_text
from tui.render.rows import Link, RowKind, Run, TypeOptions
from tui.render.typeset import typeset

TEXTS = [
    "他说：“我们走吧。”于是他们——走了很远……",
    "彼女は黒髪をかき上げ、『グリモワール』を閉じた。",
    "The lamp-lighter’s coat was out at the elbows.",
]


@pytest.mark.parametrize("text", TEXTS)
def test_rows_of_a_block_follow_each_other_without_a_gap(text: str) -> None:
    rows = rows_with_text(typeset(make_slice(text, start=300), TypeOptions(10)))
    assert rows[0].start == 300
    assert [row.end for row in rows[:-1]] == [row.start for row in rows[1:]]
    assert rows[-1].end == 300 + len(text)


@pytest.mark.parametrize("text", TEXTS)
def test_each_offset_is_found_in_the_row_that_draws_it(text: str) -> None:
    layout = typeset(make_slice("一", text, "end", start=300), TypeOptions(10))
    letters = [offset for offset, char in enumerate(text, 302) if char != " "]
    found = [(layout[layout.row_of(offset)], offset) for offset in letters]
    assert "".join(row.text[offset - row.start] for row, offset in found) == text.replace(" ", "")


def test_the_end_of_a_paragraph_belongs_to_its_last_row() -> None:
    layout = typeset(make_slice("他们走了", "回家"), TypeOptions(4))
    assert [layout.row_of(offset) for offset in range(7)] == [0, 0, 1, 1, 1, 3, 3]


def test_an_offset_outside_the_slice_is_in_the_nearest_row() -> None:
    layout = typeset(make_slice("一", "二", start=50), TypeOptions(4))
    assert (layout.row_of(0), layout.row_of(999)) == (0, 2)


def test_a_blank_row_stands_before_the_block_below() -> None:
    row = typeset(make_slice("一", "二"), TypeOptions(4))[1]
    assert (row.kind, row.block, row.start, row.end) == (RowKind.BLANK, 1, 2, 2)


def test_rows_can_be_taken_from_the_end_and_in_stretches() -> None:
    layout = typeset(make_slice("一", "二"), TypeOptions(4))
    assert layout[-1].text == "二"
    assert [row.text for row in layout[0:3:2]] == ["一", "二"]
    with pytest.raises(IndexError):
        layout[3]


def test_formatting_is_cut_to_rows() -> None:
    layout = typeset(make_slice("他们走了很远", spans=[("走了很", SpanKind.BOLD, "")]), TypeOptions(6))
    assert [row.runs for row in layout] == [
        (Run(2, 3, frozenset({SpanKind.BOLD})),),
        (Run(0, 2, frozenset({SpanKind.BOLD})),),
    ]


def test_overlapping_formatting_becomes_runs_side_by_side() -> None:
    spans = [("abcd", SpanKind.BOLD, ""), ("cdef", SpanKind.ITALIC, "")]
    (row,) = typeset(make_slice("abcdef", spans=spans), TypeOptions(20))
    assert row.runs == (
        Run(0, 2, frozenset({SpanKind.BOLD})),
        Run(2, 4, frozenset({SpanKind.BOLD, SpanKind.ITALIC})),
        Run(4, 6, frozenset({SpanKind.ITALIC})),
    )


def test_a_span_over_two_blocks_formats_both() -> None:
    rows = rows_with_text(typeset(make_slice("ab", "cd", spans=[("b\nc", SpanKind.ITALIC, "")]), TypeOptions(20)))
    assert [row.runs[0].start for row in rows] == [1, 0]


def test_a_link_can_be_opened_from_each_row_it_stands_in() -> None:
    layout = typeset(make_slice("see the lamp", spans=[("the lamp", SpanKind.LINK, "3#x")]), TypeOptions(8))
    assert [row.links for row in layout] == [
        (Link(4, 7, 4, target="3#x"),),
        (Link(0, 4, 4, target="3#x"),),
    ]


def test_raised_and_lowered_digits_are_drawn_as_such() -> None:
    spans = [("23", SpanKind.SUPERSCRIPT, ""), ("8", SpanKind.SUBSCRIPT, "")]
    (row,) = typeset(make_slice("x23 y8 z9", spans=spans), TypeOptions(20))
    assert row.text == "x²³ y₈ z9"


@pytest.mark.parametrize(
    ("label", "drawn"),
    [("1", "¹"), ("[12]", "¹²"), ("（3）", "³"), ("*", "*"), ("†", "†"), ("a", "[a]"), ("注", "[注]"), ("", "[*]")],
)
def test_a_note_hangs_behind_its_word(label: str, drawn: str) -> None:
    (row,) = typeset(make_slice("他走了。", notes={"走了": label}), TypeOptions(20))
    assert row.text == f"他走了{drawn}。"
    assert row.links == (Link(3, 3 + len(drawn), 3, note=f"0#n{label}"),)
    assert [row.offset_of(index) for index in (2, 3, 3 + len(drawn))] == [2, 2, 3]


def test_no_row_begins_with_the_raised_number_of_a_note() -> None:
    layout = typeset(make_slice("他走了很远", notes={"他走": "1"}), TypeOptions(4))
    assert [row.text for row in layout] == ["他", "走¹", "了很", "远"]


def test_a_note_at_the_very_start_of_a_block_is_drawn_there() -> None:
    piece = make_slice("一", "二", notes={"一\n": "1"})
    assert [row.text for row in typeset(piece, TypeOptions(9))] == ["一", "", "¹二"]


def test_a_cell_of_a_row_stands_for_an_offset() -> None:
    piece = make_slice("字a字", B(BlockKind.QUOTE, "引用", 1))
    layout = typeset(piece, TypeOptions(20))
    assert [layout[0].offset_at(cell) for cell in range(7)] == [0, 0, 1, 2, 2, 2, 2]
    assert [layout[2].offset_at(cell) for cell in (0, 2, 3, 5, 19)] == [4, 4, 4, 5, 5]


def test_a_range_of_the_document_is_found_in_a_row() -> None:
    first, second = typeset(make_slice("他们走了很远"), TypeOptions(6))
    assert (first.span_of(1, 5), second.span_of(1, 5)) == ((1, 3), (0, 2))
    assert second.span_of(0, 3) == (0, 0)
    assert first.cells_of(1, 3) == (2, 6)


@pytest.mark.parametrize("sign", ["\u00ad", "\u2060", "\ufeff"])
def test_hints_to_a_typesetter_are_not_drawn_but_counted(sign: str) -> None:
    piece = make_slice(f"free as air{sign}—or as an income")
    row = rows_with_text(typeset(piece, TypeOptions(60)))[0]
    assert row.text == "free as air—or as an income"
    assert row.offset_of(row.text.index("—")) == piece.text.index("—")
    assert row.end == len(piece.text)
