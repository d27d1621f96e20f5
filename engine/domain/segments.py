"""Longer stretches of a work, among which somebody chooses by what is said of each."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.locator import Locator, Pos


@dataclass(frozen=True, slots=True)
class Segment:
    """Some short chapters together or a part of a long one, as far as the reader may see."""

    number: int
    """From 1 in story order."""
    title: str
    """Titles of its first and its last chapter."""
    where: str
    """Where it begins: "vol 2 ch 3"."""
    summary: str
    """What happens in it as far as that was written, else how its chapters begin."""
    pos: Pos
    pos_end: Pos
    locators: tuple[Locator, ...]
    """Its text, document by document."""

    @property
    def characters(self) -> int:
        """How long it is."""
        return self.pos_end - self.pos
