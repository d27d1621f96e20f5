"""Rows as strips: exact width, few segments, the right styles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from engine.config import RubyStyle
from engine.domain.book import BlockKind, SpanKind
from tests.pages import B, make_slice
from tui.render.prose import Look, Overlay, PageStyle, blank_strip, row_strip
from tui.render.rows import Row, TypeOptions
from tui.render.typeset import typeset

INK = Style(color="#222222", bgcolor="#fafafa")
STYLE = PageStyle(
    ink=INK,
    faint=INK + Style(color="#888888"),
    heading=INK + Style(bold=True),
    link=Style(underline=True),
    note=INK + Style(color="#0055aa"),
    name=Style(underline=True),
    mark=Style(bgcolor="#ffee99"),
    found=Style(bgcolor="#ffee99", bold=True),
    focus=Style(reverse=True),
    selection=Style(bgcolor="#99ccff"),
)


def segments(strip: Strip) -> list[Segment]:
    return list(strip)


def only_row(piece_text: str | B, *spans: tuple[str, SpanKind, str]) -> Row:
    return typeset(make_slice(piece_text, spans=spans), TypeOptions(40))[0]


@pytest.mark.parametrize("text", ["他说：“走吧。”", "彼女は『行こう』と", "The lamp’s out — 6.40"])
def test_a_plain_row_is_one_segment_of_the_whole_width(text: str) -> None:
    (segment,) = segments(row_strip(only_row(text), 46, 3, STYLE))
    assert segment.text.startswith("   " + text)
    assert cell_len(segment.text) == 46
    assert segment.style is STYLE.ink


def test_a_blank_row_is_blank() -> None:
    blank = typeset(make_slice("一", "二"), TypeOptions(40))[1]
    assert segments(row_strip(blank, 10, 2, STYLE)) == segments(blank_strip(10, STYLE)) == [Segment(" " * 10, INK)]


@pytest.mark.parametrize(
    ("block", "style"),
    [
        (B(BlockKind.HEADING, "一", 1), STYLE.heading),
        (B(BlockKind.CAPTION, "一"), STYLE.faint),
        (B(BlockKind.RULE), STYLE.faint),
        (B(BlockKind.PICTURE, "\ufffc"), STYLE.faint),
        (B(BlockKind.QUOTE, "一", 1), STYLE.ink),
    ],
)
def test_a_row_is_drawn_as_its_kind_asks(block: B, style: Style) -> None:
    assert {segment.style for segment in row_strip(only_row(block), 40, 2, STYLE)} == {style}


def test_readings_are_faint() -> None:
    row = typeset(make_slice("黒髪", rubies={"黒髪": "かみ"}), TypeOptions(20, ruby=RubyStyle.ABOVE))[0]
    assert {segment.style for segment in row_strip(row, 20, 0, STYLE)} == {STYLE.faint}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (SpanKind.BOLD, INK + Style(bold=True)),
        (SpanKind.ITALIC, INK + Style(italic=True)),
        (SpanKind.UNDERLINE, INK + Style(underline=True)),
        (SpanKind.STRIKE, INK + Style(strike=True)),
        (SpanKind.EMPHASIS_DOTS, INK + Style(italic=True, underline=True)),
        (SpanKind.LINK, INK + STYLE.link),
    ],
)
def test_formatting_cuts_a_row_in_three(kind: SpanKind, expected: Style) -> None:
    first, middle, last = segments(row_strip(only_row("the old lamp", ("old", kind, "1#x")), 20, 2, STYLE))
    assert (first.text, middle.text, last.text) == ("  the ", "old", " lamp" + " " * 6)
    assert (first.style, middle.style, last.style) == (INK, expected, INK)


@pytest.mark.parametrize("text", ["The Thaw", "第一章", "雨の日"])
def test_a_list_of_links_is_no_louder_than_the_text(text: str) -> None:
    loud = replace(STYLE, link=Style(color="#aa0000", underline=True), _made={})
    in_list = only_row(B(BlockKind.ITEM, text, 1), (text, SpanKind.LINK, "1#x"))
    in_text = only_row(text, (text, SpanKind.LINK, "1#x"))
    styles = [
        next(segment.style for segment in row_strip(row, 40, 2, loud) if segment.text == text)
        for row in (in_list, in_text)
    ]
    assert styles == [INK + Style(underline=True), INK + loud.link]


def test_blanks_behind_an_underlined_end_are_not_underlined() -> None:
    *_rest, last = segments(row_strip(only_row("see lamp", ("lamp", SpanKind.UNDERLINE, "")), 20, 0, STYLE))
    assert (last.text, last.style) == (" " * 12, INK)


def test_the_marker_of_a_note_has_a_style_of_its_own() -> None:
    row = typeset(make_slice("灯了。", notes={"灯": "1"}), TypeOptions(40))[0]
    assert [(segment.text.strip(), segment.style) for segment in row_strip(row, 20, 2, STYLE)] == [
        ("灯", INK),
        ("¹", STYLE.note),
        ("了。", INK),
    ]


def test_the_link_in_focus_looks_it() -> None:
    row = only_row("the old lamp", ("old", SpanKind.LINK, "1#x"))
    middle = segments(row_strip(row, 20, 2, STYLE, focus=row.links[0]))[1]
    assert middle.style == INK + STYLE.link + STYLE.focus


def test_a_selection_lies_over_names_and_formatting() -> None:
    row = only_row("Ilse Marrow left", ("Marrow", SpanKind.BOLD, ""))
    overlays = [Overlay(0, 11, Look.NAME), Overlay(8, 30, Look.SELECTION)]
    drawn = [(part.text, part.style) for part in row_strip(row, 18, 0, STYLE, overlays=overlays)]
    bold = INK + Style(bold=True)
    assert drawn == [
        ("Ilse ", INK + STYLE.name),
        ("Mar", bold + STYLE.name),
        ("row", bold + STYLE.selection),
        (" left", INK + STYLE.selection),
        ("  ", INK),
    ]


def test_an_overlay_elsewhere_leaves_the_row_as_it_is() -> None:
    row = only_row("Ilse")
    assert len(segments(row_strip(row, 18, 0, STYLE, overlays=[Overlay(90, 99, Look.MARK)]))) == 1


def test_styles_are_made_once() -> None:
    row = only_row("the old lamp", ("old", SpanKind.BOLD, ""))
    first, second = (segments(row_strip(row, 20, 2, STYLE))[1].style for _ in range(2))
    assert first is second


@given(st.text(st.sampled_from("字かa “—é👨‍👩‍👧❤️ﾊﾞ\u0301क्ष"), max_size=40), st.integers(2, 60), st.integers(0, 4))
def test_a_strip_is_as_wide_as_it_says(text: str, column: int, gutter: int) -> None:
    layout = typeset(make_slice(text, spans=[(text[:3], SpanKind.BOLD, "")]), TypeOptions(column))
    strips = [row_strip(row, column + 2 * gutter, gutter, STYLE) for row in layout]
    assert [strip.cell_length for strip in strips] == [sum(cell_len(part.text) for part in strip) for strip in strips]
