"""A row of the page that says only what changes from one stretch to the next.

Rich closes each segment and begins the next with all its colours: 80 bytes for every name that
is underlined. Within a row nothing but underline, bold or italics comes and goes mostly.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual.strip import Strip

_OFF = {"1": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""Attributes that can be switched off one by one, each with what does it."""
_RESET = "\x1b[0m"
_FROM_NOTHING = re.compile("\x1b\\[0;[0-9;]*m")
"""Begins a style anew, and takes back the colour of lines."""
_LINE_COLOUR = "\x1b[58:2::{}m"
"""By itself and with colons: a terminal that does not know it passes over the whole of it. All that draw true
colours read the colons; a reset ends it as it ends the rest."""


class PageStrip(Strip):
    """A strip of text without links of the terminal."""

    underline = ""
    """Colour of lines under its text, as "r:g:b"; empty for that of the text."""

    def render(self, console: Console) -> str:
        """Return the row as the terminal takes it."""
        if self._render_cache is None:
            system = console._color_system or ColorSystem.TRUECOLOR
            parts = []
            before = ""
            for text, style, _control in self._segments:
                if text:
                    codes = _codes(style, system) if style is not None else ""
                    parts.append(_change(before, codes) + text)
                    before = codes
            written = "".join(parts) + (_RESET if before else "")
            if self.underline and before and system is ColorSystem.TRUECOLOR:
                line = _LINE_COLOUR.format(self.underline)
                written = line + _FROM_NOTHING.sub(lambda found: found[0] + line, written)
            self._render_cache = written
        return self._render_cache


@lru_cache(maxsize=512)
def _codes(style: Style, system: ColorSystem) -> str:
    """Return the parameters that begin a style: "4;38;2;10;10;10;48;2;250;250;250"."""
    return Strip.render_style(style, "x", system).partition("x")[0].removeprefix("\x1b[").removesuffix("m")


@lru_cache(maxsize=1024)
def _change(before: str, codes: str) -> str:
    """Return the sequence that leads from one style to another."""
    if before == codes:
        return ""
    old, old_colours = _parted(before)
    new, colours = _parted(codes)
    # What switches bold off switches dim off too.
    if before and codes and old_colours == colours and not colours.startswith("2;"):
        changed = [_OFF[each] for each in old if each not in new] + [each for each in new if each not in old]
        return f"\x1b[{';'.join(changed)}m"
    if not codes:
        return _RESET
    return f"\x1b[0;{codes}m" if before else f"\x1b[{codes}m"


def _parted(codes: str) -> tuple[tuple[str, ...], str]:
    """Return the attributes that can be switched one by one, and all else."""
    parameters = codes.split(";")
    count = next((n for n, each in enumerate(parameters) if each not in _OFF), len(parameters))
    return tuple(parameters[:count]), ";".join(parameters[count:])
