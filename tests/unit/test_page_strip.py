"""A row that says only what changes looks the same as one that says everything."""

from __future__ import annotations

from itertools import permutations

import pyte
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tests.pages import make_slice
from tui.render.page_strip import PageStrip
from tui.render.prose import Look, Overlay, PageStyle, row_strip
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

_BASE = Style(color="#202020", bgcolor="#f0f0e0")
_STYLES = {
    "plain": _BASE,
    "name": _BASE + Style(underline=True),
    "heading": _BASE + Style(bold=True),
    "both": _BASE + Style(bold=True, underline=True),
    "slanted": _BASE + Style(italic=True, strike=True),
    "turned": _BASE + Style(reverse=True),
    "dim": _BASE + Style(dim=True),
    "dim bold": _BASE + Style(dim=True, bold=True),
    "mark": Style(color="#202020", bgcolor="#c0c000", bold=True),
    "nothing": Style(),
}
_WIDTH = 30


def _cells(written: str) -> list[tuple[object, ...]]:
    screen = pyte.Screen(_WIDTH, 1)
    pyte.Stream(screen).feed(written)
    return [tuple(screen.buffer[0][x]) for x in range(_WIDTH)]


def _console(system: ColorSystem) -> Console:
    console = Console(force_terminal=True, color_system="truecolor")
    console._color_system = system
    return console


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD])
@pytest.mark.parametrize("names", list(permutations(_STYLES, 2)), ids="-".join)
def test_every_change_of_style_is_seen(names: tuple[str, ...], system: ColorSystem) -> None:
    segments = [Segment(f"{name[:4]} 漢 ", _STYLES[name]) for name in names]
    whole, short = Strip(segments), PageStrip(segments)
    assert _cells(short.render(_console(system))) == _cells(whole.render(_console(system)))


def test_an_underlined_name_costs_nine_bytes() -> None:
    row = PageStrip([Segment("seen by the Lamplighter then", _BASE)])
    named = PageStrip(
        [Segment("seen by ", _BASE), Segment("the Lamplighter", _STYLES["name"]), Segment(" then", _BASE)]
    )
    console = _console(ColorSystem.TRUECOLOR)
    assert len(named.render(console)) - len(row.render(console)) == 9


def test_the_line_under_a_name_has_a_colour_of_its_own_whatever_stands_before_it() -> None:
    segments = [Segment("a", _BASE), Segment("b", _STYLES["mark"]), Segment("c", _STYLES["name"])]
    strip = PageStrip(segments)
    strip.underline = "1:2:3"
    written = strip.render(_console(ColorSystem.TRUECOLOR))
    assert written.startswith("\x1b[58:2::1:2:3m")
    assert written.rpartition("c")[0].rpartition("\x1b[0;")[2].endswith("m\x1b[58:2::1:2:3m")
    assert _cells(written.replace("\x1b[58:2::1:2:3m", "")) == _cells(
        PageStrip(segments).render(_console(ColorSystem.TRUECOLOR))
    )


def test_where_colours_are_few_the_line_has_none() -> None:
    strip = PageStrip([Segment("c", _STYLES["name"])])
    strip.underline = "1:2:3"
    assert "58:" not in strip.render(_console(ColorSystem.EIGHT_BIT))


def test_a_row_leaves_no_style_behind() -> None:
    strip = PageStrip([Segment("a", _BASE), Segment("", _BASE), Segment("b", _STYLES["name"])])
    assert strip.render(_console(ColorSystem.TRUECOLOR)).endswith("b\x1b[0m")


_PAGE_STYLE = PageStyle(*(_BASE,) * 5, name=_STYLES["name"], mark=_BASE, found=_BASE, focus=_BASE, selection=_BASE)


@pytest.mark.parametrize(
    "text", ["seen by the Lamplighter then", "却说刘备字玄德，", "お綾👩‍🚀と話す", "e\u0301te\u0301"]
)
@pytest.mark.parametrize("spans", [[(0, 2)], [(2, 5)], [(0, 2), (3, 4), (5, 8)], [(3, 99)], [(90, 99)]], ids=str)
def test_names_are_drawn_the_same_by_the_short_way(text: str, spans: list[tuple[int, int]]) -> None:
    (row,) = typeset(make_slice(text), TypeOptions(60))
    names = [Overlay(start, end, Look.NAME) for start, end in spans]
    short = row_strip(row, 64, 2, _PAGE_STYLE, overlays=names)
    long = row_strip(row, 64, 2, _PAGE_STYLE, overlays=[*names, Overlay(0, 0, Look.MARK)])
    assert short == long
