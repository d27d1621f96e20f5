"""A knowledge pack as the reader sees it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.book import WorkId


@dataclass(frozen=True, slots=True)
class PackInfo:
    """What a pack says of itself; nothing of what it tells."""

    title: str
    language: str
    """BCP 47, in which it is written."""
    made_at: str
    """ISO 8601, the day."""
    models: tuple[str, ...]
    """By which it was written."""
    books: tuple[str, ...]
    """Titles of the books it is about, in their order."""
    points: int
    statements: int


@dataclass(frozen=True, slots=True)
class PackReport:
    """What became of a pack that was taken in."""

    work: WorkId
    points: int
    statements: int
    left_out: int
    """Statements whose passages do not stand in the reader's books."""
    waiting: int
    """Statements that wait for the end of the work, for nobody here has held them against the text."""
