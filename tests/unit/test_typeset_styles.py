"""The book's own style, full rows, divided words, and what is read from right to left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import BookStyle
from engine.domain.book import Align, Block, BlockKind, BlockStyle, DocumentId, Span, SpanKind
from engine.domain.reading import Slice, SliceKey
from tests.pages import make_slice, rows_with_text, seen
from tui.render.bidi import base_level, levels_of, seen_order, turns_itself
from tui.render.contrast import contrast, readable
from tui.render.hyphens import points_of, wrap_hyphenated
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

_ADVANCED = BookStyle.ADVANCED
TEXT = (
    "Nobody ever boarded the six-forty for Corrow, and yet the stationmaster announced it every evening with "
    "considerable ceremony, as though passengers of distinction were waiting in the refreshment room."
)


def _styled(*blocks: tuple[str, BlockStyle | None], kind: BlockKind = BlockKind.PARAGRAPH) -> Slice:
    at, made = 0, []
    for text, style in blocks:
        made.append(Block(kind, at, at + len(text), style=style))
        at += len(text) + 1
    text = "\n".join(text for text, _style in blocks)
    return Slice(SliceKey(DocumentId(1), 0), 0, len(text), 0, text, tuple(made))


def _drawn(piece: Slice, options: TypeOptions) -> list[str]:
    return [" " * row.indent + row.text for row in rows_with_text(typeset(piece, options))]


@pytest.mark.parametrize(
    ("style", "row"),
    [
        (BlockStyle(Align.CENTER), "        灯塔"),
        (BlockStyle(Align.RIGHT), "                灯塔"),
        (BlockStyle(Align.LEFT), "灯塔"),
        (BlockStyle(Align.JUSTIFY), "灯塔"),
        (BlockStyle(margin=4), "    灯塔"),
        (BlockStyle(margin=24), "     灯塔"),
        (BlockStyle(indent=-4), "灯塔"),
    ],
)
def test_a_style_sheet_places_a_paragraph(style: BlockStyle, row: str) -> None:
    assert _drawn(_styled(("灯塔", style)), TypeOptions(20, book_style=_ADVANCED)) == [row]
    assert _drawn(_styled(("灯塔", style)), TypeOptions(20)) == ["灯塔"]


def test_a_hanging_indent_moves_the_rows_that_follow() -> None:
    piece = _styled(("Ilse keeps the lamp since the thaw", BlockStyle(indent=-4)))
    assert _drawn(piece, TypeOptions(20, book_style=_ADVANCED)) == ["Ilse keeps the lamp", "    since the thaw"]


def test_the_books_first_line_indent_stands_in_place_of_a_gap() -> None:
    piece = _styled(("one", None), ("two", BlockStyle(indent=4)))
    assert _drawn(piece, TypeOptions(20, paragraph_gap=0, book_style=_ADVANCED)) == ["one", "    two"]
    assert _drawn(piece, TypeOptions(20, paragraph_gap=1, book_style=_ADVANCED)) == ["one", "two"]


def test_what_begins_a_page_has_more_room_above() -> None:
    piece = _styled(("one", None), ("two", BlockStyle(is_page_start=True)))
    assert len(typeset(piece, TypeOptions(20, book_style=_ADVANCED))) == 5
    assert len(typeset(piece, TypeOptions(20))) == 3


def test_without_style_a_quotation_stands_like_any_paragraph() -> None:
    piece = _styled(("said the keeper", None), kind=BlockKind.QUOTE)
    assert _drawn(piece, TypeOptions(30, book_style=BookStyle.OFF)) == ["said the keeper"]
    assert _drawn(piece, TypeOptions(30)) == ["   said the keeper"]


@pytest.mark.parametrize(
    ("style", "kinds", "colours"),
    [
        (BookStyle.OFF, set(), []),
        (BookStyle.BASIC, {SpanKind.BOLD}, []),
        (BookStyle.ADVANCED, {SpanKind.BOLD, SpanKind.SMALL}, ["#aa0000"]),
    ],
)
def test_each_level_shows_more_of_the_books_marks(style: BookStyle, kinds: set[SpanKind], colours: list[str]) -> None:
    text = "one two three"
    spans = (Span(0, 3, SpanKind.BOLD), Span(4, 7, SpanKind.SMALL), Span(8, 13, SpanKind.COLOUR, "#aa0000"))
    piece = Slice(SliceKey(DocumentId(1), 0), 0, 13, 0, text, (Block(BlockKind.PARAGRAPH, 0, 13),), spans)
    (row,) = typeset(piece, TypeOptions(30, book_style=style))
    assert {kind for run in row.runs for kind in run.kinds} == kinds
    assert [run.colour for run in row.runs if run.colour] == colours


@given(st.tuples(*[st.integers(0, 255)] * 3), st.sampled_from([("#f5efe2", "#2c2722"), ("#17161a", "#d6d0c4")]))
def test_a_colour_of_a_book_can_always_be_read(rgb: tuple[int, int, int], theme: tuple[str, str]) -> None:
    paper, ink = theme
    made = readable("#{:02x}{:02x}{:02x}".format(*rgb), paper, ink)
    ground, shown = (tuple(int(c[n : n + 2], 16) for n in (1, 3, 5)) for c in (paper, made))
    assert contrast(shown, ground) >= 4.5


# full rows


@pytest.mark.parametrize("width", [40, 45, 68])
def test_full_rows_end_at_the_edge_but_for_the_last(width: int) -> None:
    rows = rows_with_text(typeset(make_slice(TEXT), TypeOptions(width, is_justified=True)))
    assert {row.width() for row in rows[:-1]} == {width}
    assert "  " not in rows[-1].text
    assert [word for row in rows for word in row.text.split()] == TEXT.split()


def test_every_character_of_a_full_row_stands_for_its_own() -> None:
    rows = rows_with_text(typeset(make_slice(TEXT), TypeOptions(40, is_justified=True)))
    assert [TEXT[row.offset_of(n)] for row in rows for n in range(len(row.text))] == [
        c for row in rows for c in row.text
    ]


def test_a_forced_line_break_is_not_spread() -> None:
    assert _drawn(make_slice("a short line\nand another one that is longer"), TypeOptions(24, is_justified=True))[
        0
    ] == ("a short line")


# divided words


def test_words_are_divided_where_a_dictionary_says_so() -> None:
    points = points_of("en-GB")
    assert points is not None
    rows, divided = wrap_hyphenated(TEXT, 0, len(TEXT), 32, 32, points)
    ends = [*rows[1:], len(TEXT)]
    shown = [
        TEXT[a:b].rstrip() + ("-" if n in divided else "") for n, (a, b) in enumerate(zip(rows, ends, strict=True))
    ]
    assert divided
    assert max(map(len, shown)) <= 32
    assert "".join(TEXT[a:b] for a, b in zip(rows, ends, strict=True)) == TEXT


@given(st.integers(8, 60), st.integers(0, 12))
def test_divided_rows_hold_the_whole_text_at_any_width(width: int, indent: int) -> None:
    options = TypeOptions(width, hyphens="en", first_line_indent=indent)
    rows = rows_with_text(typeset(make_slice(TEXT), options))
    assert max(row.width() for row in rows) <= width
    assert [row.end for row in rows[:-1]] == [row.start for row in rows[1:]]
    assert (rows[0].start, rows[-1].end) == (0, len(TEXT))


@pytest.mark.parametrize("language", ["", "zh", "ja", "x-nothing"])
def test_where_nobody_knows_words_stay_whole(language: str) -> None:
    assert seen(typeset(make_slice(TEXT), TypeOptions(32, hyphens=language))) == seen(
        typeset(make_slice(TEXT), TypeOptions(32))
    )


# right to left

_HEBREW = "הכל בסדר"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("abc", "abc"),
        ("אבג", "גבא"),
        ("אבג דהו", "והד גבא"),
        ("abc אבג def", "abc גבא def"),
        ("אבג abc דהו", "והד abc גבא"),
        ("אבג 123 דהו", "והד 123 גבא"),
        ("(אבג)", "(גבא)"),
        ("אבג, 1.5%!", "!1.5% ,גבא"),
        ("سلام 12", "12 مالس"),
    ],
)
def test_a_row_is_drawn_in_the_order_it_is_seen(text: str, drawn: str) -> None:
    options = TypeOptions(20, turns_text=True)
    assert _drawn(make_slice(text), options)[0].strip() == drawn


def test_a_right_to_left_paragraph_stands_at_the_right_and_keeps_its_offsets() -> None:
    (row,) = rows_with_text(typeset(make_slice(_HEBREW), TypeOptions(20, turns_text=True)))
    assert row.width() == 20
    assert [_HEBREW[row.offset_of(n)] for n in range(len(row.text))] == list(row.text)
    assert row.offset_at(19) == 0


def test_where_the_terminal_turns_the_text_stays_as_it_is_read() -> None:
    assert _drawn(make_slice(_HEBREW), TypeOptions(20)) == [_HEBREW]


def test_points_of_a_letter_stay_with_it() -> None:
    text = "בְּ"
    assert seen_order(levels_of(text, base_level(text)), text) == [0, 1, 2]


@given(st.text("abאבס 12.,()-\u05b0", max_size=30))
def test_every_character_is_drawn_once(text: str) -> None:
    levels = levels_of(text, base_level(text))
    assert sorted(seen_order(levels, text)) == list(range(len(text)))


@pytest.mark.parametrize(
    ("environ", "turns"),
    [
        ({}, False),
        ({"VTE_VERSION": "7600"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True),
        ({"TERM": "xterm"}, False),
    ],
)
def test_a_terminal_that_turns_text_is_known(environ: dict[str, str], turns: bool) -> None:
    assert turns_itself(environ) is turns
