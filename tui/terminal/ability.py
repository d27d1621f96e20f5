"""What a terminal can show, from what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver


class Colours(StrEnum):
    """How many colours there are."""

    NONE = "none"
    """The reader asked for none (NO_COLOR)."""
    FEW = "16"
    MANY = "256"
    TRUE = "true"


def colours_of(environ: Mapping[str, str]) -> Colours:
    """Return what a terminal can show; the same answer as rich gives itself when it draws."""
    if "NO_COLOR" in environ:
        return Colours.NONE
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return Colours.TRUE
    kind = environ.get("TERM", "").strip().lower().rpartition("-")[2]
    return Colours.MANY if kind in ("256color", "kitty") else Colours.FEW


def has_line_colours(environ: Mapping[str, str]) -> bool:
    """Say whether a line under text may have a colour of its own: GNU screen takes the request for other ones."""
    is_screen = "STY" in environ or (environ.get("TERM", "").startswith("screen") and "TMUX" not in environ)
    return colours_of(environ) is Colours.TRUE and not is_screen


@dataclass(frozen=True, slots=True)
class TerminalKind:
    """What the program is told of the terminal before it starts."""

    driver: type[Driver] | None = None
    """What carries keys and frames; None leaves the choice to Textual."""
    colours: Colours = Colours.TRUE
    has_line_colours: bool = False
    """It draws lines under text in a colour of their own."""
