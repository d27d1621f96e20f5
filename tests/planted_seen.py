"""What a view of a planted work has shown, and how far its reader has read."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.domain.locator import Pos
from engine.spoilers.policy import Upto
from tests.planting import Planted


@dataclass(slots=True)
class Seen:
    """What one view has shown."""

    words: str = ""
    places: list[Pos] = field(default_factory=list)
    """Where it leads; none may lie beyond the boundary."""
    joined: list[frozenset[str]] = field(default_factory=list)
    """Names shown as those of one point."""
    tells_of_more: bool = False
    listed: frozenset[str] = frozenset()
    """Under which names entries are listed."""


def put_frontier(planted: Planted, upto: Upto) -> None:
    """Let the reader have read as far as a bound says."""
    if upto.place is not None:
        planted.library.set_frontier(planted.work, upto.place.document, upto.place.end)
