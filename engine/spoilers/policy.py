"""How far a request may see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.config import Settings, SpoilerMode
from engine.domain.locator import Locator, Pos, locator_from_text

Mode = SpoilerMode
"""off shows all, auto veils what was not read, strict veils more."""

END: Pos = 1 << 62
"""Behind everything."""


class Reach(StrEnum):
    """What a request names as the last thing it wants to see."""

    FRONTIER = "frontier"
    END = "end"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Upto:
    """How far a request wants to see; `--upto` of the commands."""

    reach: Reach
    place: Locator | None = None
    """For PLACE; its end counts."""


FRONTIER = Upto(Reach.FRONTIER)
WHOLE = Upto(Reach.END)


def upto_from_text(text: str) -> Upto | None:
    """Read "frontier", "end" or a locator; None for anything else."""
    word = text.strip()
    if word in (Reach.FRONTIER, Reach.END):
        return Upto(Reach(word))
    place = locator_from_text(word)
    return None if place is None else Upto(Reach.PLACE, place)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a reader may set within auto; strict and off go before it."""

    veils_titles: bool = False
    """Titles of chapters ahead are veiled."""
    marks_ahead: bool = False
    """Appearances ahead are marked on the progress bar, without a word to them."""


def wishes_of(settings: Settings) -> Wishes:
    """Return what a reader has set within the mode."""
    return Wishes(veils_titles=settings.veil_titles, marks_ahead=settings.marks_ahead)


@dataclass(frozen=True, slots=True)
class Bound:
    """How far one request may see, in which mode."""

    mode: Mode
    frontier: Pos
    """How far the reader has read."""
    boundary: Pos
    """What ends at or before this pos may be shown."""
    wishes: Wishes = Wishes()


def bound_of(
    mode: Mode, frontier: Pos, upto: Upto = FRONTIER, place_end: Pos = 0, wishes: Wishes | None = None
) -> Bound:
    """Return the bound of a request.

    Args:
        mode: off lifts every boundary, whatever `upto` says.
        frontier: How far the reader has read.
        upto: How far the request wants to see.
        place_end: Pos of the end of `upto.place`.
        wishes: What the reader has set within the mode.
    """
    boundary = frontier if upto.reach is Reach.FRONTIER else place_end
    if mode is Mode.OFF or upto.reach is Reach.END:
        boundary = END
    return Bound(mode, frontier, boundary, wishes or Wishes())


def may_tell_of_more(mode: SpoilerMode) -> bool:
    """Say whether a reader may be told that something lies beyond the boundary, without being told what."""
    return mode is Mode.AUTO


def mode_of_others(asked: Mode | None) -> Mode | None:
    """Return in which mode other works are shown beside one that is asked for in a mode; None for each in its own.

    Strict holds for all that is shown; what one work may show opens no other.
    """
    return Mode.STRICT if asked is Mode.STRICT else None


class LookAhead(StrEnum):
    """Whether the companion may look beyond the boundary."""

    FREE = "free"
    ASKS = "asks"
    NEVER = "never"


def look_ahead(mode: Mode) -> LookAhead:
    """Return whether the companion may look ahead: everywhere, after asking, or never."""
    return {Mode.OFF: LookAhead.FREE, Mode.AUTO: LookAhead.ASKS, Mode.STRICT: LookAhead.NEVER}[mode]
