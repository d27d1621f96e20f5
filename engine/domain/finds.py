"""One search of everything a reader can find: the text, the wiki, chapters, her notes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import VolumeId, WorkId
from engine.domain.hits import Findings, SearchMode
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, Pos
from engine.domain.notes import ShownNote
from engine.domain.wiki import PointId


class SearchReach(StrEnum):
    """Where it is searched."""

    VOLUME = "volume"
    WORK = "work"
    LIBRARY = "library"
    """All works, each as far as it was read."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for, and where."""

    words: str
    """As typed."""
    mode: SearchMode | None = None
    """By what passages are found; None for the best there is."""
    reach: SearchReach = SearchReach.WORK
    volume: VolumeId | None = None
    """Which one, where the reach is a volume."""
    lists_all: bool = False
    """Every passage, not the best alone: for who has stopped typing."""


@dataclass(frozen=True, slots=True)
class EntryFind:
    """Somebody or something of a wiki, known under a name that holds what was looked for."""

    work: WorkId
    work_title: str
    point: PointId
    kind: PointKind
    name: str
    """What it is called as far as is known."""
    matched: str
    """The name that fits; may be the same."""
    first: Locator | None
    """Where it is first met; None for one that is named nowhere."""


@dataclass(frozen=True, slots=True)
class ChapterFind:
    """A chapter, begun at least, whose title holds what was looked for."""

    work: WorkId
    work_title: str
    title: str
    marks: tuple[tuple[int, int], ...]
    """(start, end) in `title` of what fits."""
    start: Locator
    """Of its first character; empty."""
    pos: Pos


@dataclass(frozen=True, slots=True)
class Finds:
    """The answer; in each group in the order of the story, works as on the shelf."""

    text: Findings | None
    """None where the text is not indexed to its end: it can only be looked through."""
    entries: tuple[EntryFind, ...] = ()
    """Those named most like it first, at most `MOST_ENTRIES` of a work."""
    entry_count: int = 0
    """How many there are, exactly."""
    chapters: tuple[ChapterFind, ...] = ()
    notes: tuple[ShownNote, ...] = ()


MOST_ENTRIES = 40
