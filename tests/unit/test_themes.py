"""Themes: read from TOML, legible in as many colours as the terminal has."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet

from engine.errors import SettingInvalidError
from tui.render.page_style import page_style
from tui.terminal.ability import Colours, colours_of
from tui.themes import PageTheme, load_themes, textual_theme, theme_from_toml

_THEMES = load_themes(Path("/nonexistent"))[0]
_NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
_NAMES += [f"bright {name}" for name in _NAMES]
_PALETTES = {
    "linux": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
    " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
    " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "windows": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc"
    " 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
}
_PAIRS = [
    ("ink", "paper"),
    ("faint", "paper"),
    ("accent", "paper"),
    ("warn", "paper"),
    ("ink", "mark"),
    ("paper", "accent"),
]
_TEXT_CONTRAST = 4.5
_SIGN_CONTRAST = 3.0
"""Of what is no text: the blocks that veil a spoiler."""


def _luminance(colour: ColorTriplet) -> float:
    parts = [value / 255 for value in colour]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    dark, light = sorted([_luminance(one), _luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def _true(theme: PageTheme, token: str) -> ColorTriplet:
    return Color.parse(getattr(theme, token)).get_truecolor()


def _of_256(theme: PageTheme, token: str) -> ColorTriplet:
    return Color.parse(getattr(theme, token)).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()


def _of_16(theme: PageTheme, token: str, palette: str) -> ColorTriplet:
    return Color.parse("#" + _PALETTES[palette].split()[_NAMES.index(getattr(theme, token))]).get_truecolor()


_DEPTHS = {"true": _true, "256": _of_256}
_HEX_THEMES = [theme for theme in _THEMES.values() if not theme.is_ansi]
_ANSI_THEMES = [theme for theme in _THEMES.values() if theme.is_ansi]


def _named(theme: PageTheme) -> str:
    return theme.name


@pytest.mark.parametrize("theme", _HEX_THEMES, ids=_named)
@pytest.mark.parametrize("depth", _DEPTHS)
@pytest.mark.parametrize(("over", "under"), _PAIRS)
def test_text_stands_out(theme: PageTheme, depth: str, over: str, under: str) -> None:
    colour = _DEPTHS[depth]
    assert _contrast(colour(theme, over), colour(theme, under)) >= _TEXT_CONTRAST


@pytest.mark.parametrize("theme", _ANSI_THEMES, ids=_named)
@pytest.mark.parametrize("palette", _PALETTES)
@pytest.mark.parametrize(("over", "under"), _PAIRS)
def test_text_stands_out_in_sixteen_colours(theme: PageTheme, palette: str, over: str, under: str) -> None:
    assert _contrast(_of_16(theme, over, palette), _of_16(theme, under, palette)) >= _TEXT_CONTRAST


@pytest.mark.parametrize("theme", _HEX_THEMES, ids=_named)
@pytest.mark.parametrize("depth", _DEPTHS)
def test_a_veil_can_be_seen(theme: PageTheme, depth: str) -> None:
    colour = _DEPTHS[depth]
    assert _contrast(colour(theme, "veil"), colour(theme, "paper")) >= _SIGN_CONTRAST


def test_there_is_a_theme_for_sixteen_colours() -> None:
    assert [theme.name for theme in _ANSI_THEMES] == ["ansi"]


def test_what_is_chosen_shows_without_any_colour() -> None:
    style = page_style(_THEMES["ansi"])
    assert (style.focus.reverse, style.selection.reverse, style.mark.underline) == (True, True, True)


def test_the_terminals_colours_keep_their_names_in_textual() -> None:
    made = textual_theme(_THEMES["ansi"])
    assert (made.ansi, made.background, made.error) == (True, "ansi_black", "ansi_bright_red")


_TOML = (
    'name = "mine"\n[colors]\npaper = "{}"\nink = "{}"\nfaint = "{}"\naccent = "{}"\n'
    'mark = "{}"\nveil = "{}"\nwarn = "{}"\n'
)


@pytest.mark.parametrize(
    "colours",
    [
        ["#101010", "white", *["#ffffff"] * 5],
        ["black", "#ffffff", *["white"] * 5],
        ["pink", *["white"] * 6],
        ["black", "bright default", *["white"] * 5],
        ["#10101", *["#ffffff"] * 6],
    ],
    ids=" ".join,
)
def test_colours_of_two_kinds_or_of_none_are_refused(colours: list[str]) -> None:
    with pytest.raises(SettingInvalidError, match="colors"):
        theme_from_toml(_TOML.format(*colours), Path("mine.toml"))


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, Colours.TRUE),
        ({"TERM": "xterm-256color"}, Colours.MANY),
        ({"TERM": "tmux-256color"}, Colours.MANY),
        ({"TERM": "screen-256color"}, Colours.MANY),
        ({"TERM": "xterm-kitty"}, Colours.MANY),
        ({"TERM": "linux"}, Colours.FEW),
        ({"TERM": "screen"}, Colours.FEW),
        ({"TERM": "xterm"}, Colours.FEW),
        ({"TERM": "vt100"}, Colours.FEW),
        ({"TERM": "xterm-16color"}, Colours.FEW),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Colours.NONE),
    ],
)
def test_what_the_terminal_can_show(environ: dict[str, str], colours: Colours) -> None:
    assert colours_of(environ) is colours


_TONES = ("mark", "mark_accent", "mark_warn", "mark_faint")


@pytest.mark.parametrize("name", [name for name, theme in _THEMES.items() if not theme.is_ansi])
@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT])
@pytest.mark.parametrize("tone", _TONES)
def test_text_is_read_on_every_tone_of_a_highlight(name: str, system: ColorSystem, tone: str) -> None:
    style = page_style(_THEMES[name])
    ground, ink = getattr(style, tone).bgcolor, style.ink.color
    assert ground is not None
    assert ink is not None
    assert _contrast(*(each.downgrade(system).get_truecolor() for each in (ink, ground))) >= _TEXT_CONTRAST


@pytest.mark.parametrize("name", [name for name, theme in _THEMES.items() if not theme.is_ansi])
def test_the_tones_of_highlights_differ_from_each_other_and_from_paper(name: str) -> None:
    style = page_style(_THEMES[name])
    grounds = {str(getattr(style, tone).bgcolor) for tone in _TONES}
    assert len(grounds | {str(style.ink.bgcolor)}) == len(_TONES) + 1


def test_with_the_terminals_own_colours_highlights_are_underlined() -> None:
    style = page_style(_THEMES["ansi"])
    assert all(getattr(style, tone).underline for tone in _TONES)
