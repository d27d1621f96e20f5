"""The styles of a page, from the colours of a theme."""

from __future__ import annotations

from rich.style import Style

from tui.render.prose import PageStyle
from tui.themes import PageTheme

_TONE_SHARE = 0.24
"""Of its colour in the paper behind a highlight: ink stays easy to read on it."""


def page_style(theme: PageTheme, *, has_line_colours: bool = False) -> PageStyle:
    """Return the page's styles under a theme; colour is never the only sign.

    Args:
        theme: The colours.
        has_line_colours: The terminal can draw a line under text in a colour of its own.
    """
    colour = theme.rich_colour
    ink = Style(color=colour("ink"), bgcolor=colour("paper"))
    # Where colours may be missing altogether, what is chosen is shown by inverting it.
    chosen = Style(reverse=True) if theme.is_ansi else Style(color=colour("paper"), bgcolor=colour("accent"))
    marked = Style(bgcolor=colour("mark"), underline=True if theme.is_ansi else None)
    return PageStyle(
        ink=ink,
        faint=ink + Style(color=colour("faint")),
        heading=ink + Style(bold=True),
        link=Style(color=colour("accent"), underline=True),
        note=ink + Style(color=colour("accent")),
        name=Style(underline=True),
        mark=marked,
        mark_accent=_tone(theme, theme.accent, "accent"),
        mark_warn=_tone(theme, theme.warn, "warn"),
        mark_faint=_tone(theme, theme.faint, "faint"),
        found=marked + Style(bold=True),
        focus=chosen,
        name_line=_line_colour(theme.faint) if has_line_colours and not theme.is_ansi else "",
        selection=chosen if theme.is_ansi else Style(bgcolor=colour("mark"), bold=True),
    )


def _tone(theme: PageTheme, colour: str, token: str) -> Style:
    """Return another tone of a highlight: paper with some of a colour of the theme in it."""
    if theme.is_ansi:
        return Style(color=theme.rich_colour(token), underline=True)
    return Style(bgcolor=blended(theme.paper, colour, _TONE_SHARE))


def blended(paper: str, colour: str, share: float) -> str:
    """Return a colour with so much of another in it, both "#rrggbb"."""
    parts = ((int(paper[n : n + 2], 16), int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in parts)


def _line_colour(colour: str) -> str:
    return ":".join(str(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
