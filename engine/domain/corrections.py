"""What the reader sets right among the points of a work."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator
from engine.domain.wiki import Correction, PointId


@dataclass(frozen=True, slots=True)
class Act:
    """One correction, as the reader asks for it.

    | correction | points | form | kind | at |
    |---|---|---|---|---|
    | MERGE | the two | | | |
    | IDENTITY | the two | | | from its end on they are one |
    | SPLIT | the one | the alias that leaves | | |
    | RENAME | the one | the new name | | |
    | HIDE | the one | | | |
    | REKIND | the one | | the new kind | |
    | ADD | none, or whose further name it is | the name | of a new point | |
    """

    correction: Correction
    points: tuple[PointId, ...] = ()
    form: str = ""
    kind: PointKind | None = None
    at: Locator | None = None


@dataclass(frozen=True, slots=True)
class MadeCorrection:
    """A correction that stands."""

    id: int
    correction: Correction
    names: tuple[str, ...]
    """Of the points, as they were called when it was made."""
    form: str
    kind: PointKind | None
    made_at: str
    """ISO 8601, UTC."""
