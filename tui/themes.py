"""Read themes from TOML and hand them to Textual."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import tomli
from textual.theme import Theme

import themes
from engine.errors import SettingInvalidError
from engine.translate import _


@dataclass(frozen=True, slots=True)
class PageTheme:
    """The seven colours of a page, each "#rrggbb" or the name of one of the terminal's own sixteen.

    Names are black, red, green, yellow, blue, magenta, cyan, white, the same after "bright ", and default.
    A theme is all of one kind.
    """

    name: str
    is_dark: bool
    paper: str
    ink: str
    faint: str
    accent: str
    mark: str
    """Background of what is selected or highlighted."""
    veil: str
    """Ink of a spoiler's veil."""
    warn: str

    @property
    def is_ansi(self) -> bool:
        """Its colours are the terminal's own; any terminal can show them."""
        return not self.paper.startswith("#")

    def rich_colour(self, token: str) -> str:
        """Return a colour by its token ("ink") as rich spells it."""
        return str(getattr(self, token)).replace(" ", "_")


_COLOURS = tuple(field.name for field in fields(PageTheme) if field.name not in ("name", "is_dark"))
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_ANSI = re.compile(r"default|(bright )?(black|red|green|yellow|blue|magenta|cyan|white)")


def theme_from_toml(text: str, source: Path) -> PageTheme:
    """Read one theme.

    Raises:
        SettingInvalidError: no TOML, or a colour missing, unknown, or of another kind than the rest.
    """
    try:
        table = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise SettingInvalidError(source, str(error)) from error
    colours = table.get("colors")
    colours = colours if isinstance(colours, dict) else {}
    kind = _HEX if str(colours.get("paper", "")).startswith("#") else _ANSI
    bad = [name for name in _COLOURS if not kind.fullmatch(str(colours.get(name, "")))]
    if bad:
        example = "#a0b0c0" if kind is _HEX or bad[0] == "paper" else "bright white"
        needed = _("{name}: a colour such as {example} is needed")
        raise SettingInvalidError(source, needed.format(name=f"colors.{bad[0]}", example=example))
    name = str(table.get("name") or source.stem)
    return PageTheme(name, bool(table.get("dark", False)), **{key: str(colours[key]).lower() for key in _COLOURS})


def without_colours(theme: PageTheme) -> PageTheme:
    """Return a theme of the same name in which everything has the terminal's default colours."""
    return PageTheme(theme.name, theme.is_dark, **dict.fromkeys(_COLOURS, "default"))


def load_themes(folder: Path) -> tuple[dict[str, PageTheme], tuple[SettingInvalidError, ...]]:
    """Return the themes by name, those that come with the program and the reader's own from `folder`.

    Hers win over ours of the same name. A theme that cannot be used is left out and complained about.
    """
    found: dict[str, PageTheme] = {}
    complaints: list[SettingInvalidError] = []
    for file in _theme_files(folder):
        try:
            theme = theme_from_toml(file.read_text(encoding="utf-8"), Path(file.name))
        except SettingInvalidError as complaint:
            complaints.append(complaint)
        except (OSError, UnicodeDecodeError) as error:
            complaints.append(SettingInvalidError(Path(file.name), str(error)))
        else:
            found[theme.name] = theme
    return found, tuple(complaints)


def _theme_files(folder: Path) -> Iterable[Path]:
    # Not importlib.resources: its readers take 2 ms to import, and an installed package is a folder.
    for place in (*map(Path, themes.__path__), folder):
        if place.is_dir():
            yield from sorted(place.glob("*.toml"))


def textual_theme(theme: PageTheme) -> Theme:
    """Return the theme as Textual wants it; our tokens are CSS variables of the same names."""
    colours = {name: _textual_colour(theme, name) for name in _COLOURS}
    # Textual's own styles ask for these two where colours are the terminal's.
    ansi = {"ansi-background": colours["paper"], "ansi-foreground": colours["ink"]} if theme.is_ansi else {}
    return Theme(
        name=theme.name,
        primary=colours["accent"],
        secondary=colours["faint"],
        warning=colours["warn"],
        error=colours["warn"],
        success=colours["accent"],
        accent=colours["accent"],
        foreground=colours["ink"],
        background=colours["paper"],
        surface=colours["paper"],
        panel=colours["paper"],
        boost=colours["paper"] if theme.is_ansi else None,
        dark=theme.is_dark,
        variables={**colours, **ansi},
        ansi=theme.is_ansi,
    )


def _textual_colour(theme: PageTheme, token: str) -> str:
    return f"ansi_{theme.rich_colour(token)}" if theme.is_ansi else str(getattr(theme, token))
