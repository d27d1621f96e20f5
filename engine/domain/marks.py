"""Places the reader has marked, and those a jump of hers began at: one record for all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.reading import Place


class MarkKind(StrEnum):
    """What a mark is for."""

    LETTER = "letter"
    """Set and jumped to by a letter; one of each in a work."""
    BOOKMARK = "bookmark"
    BACK = "back"
    """Where a jump began."""
    AHEAD = "ahead"
    """Where the reader came back from."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked place, known without document ids."""

    kind: MarkKind
    place: Place
    """Its counter means nothing here."""
    name: str = ""
    """The letter; empty for the other kinds."""
    label: str = ""
    """The words of its line."""
    made_at: str = ""
    """ISO 8601 in UTC; given by the library when it is kept."""
    id: int = 0
    """0 until it is kept."""


@dataclass(frozen=True, slots=True)
class ShownMark:
    """A mark resolved in this library."""

    mark: Mark
    document: DocumentId
    offset: int
    pos: Pos
