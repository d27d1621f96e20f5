"""What the wiki shows: pages, already masked for one reader at one boundary.

A page is a list of parts in the order they are read. Nothing here is hidden from a screen: a
statement the reader may not see yet has become a `Veil` before the page was made, and a name
she may not know is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Locator, Pos

PointId = NewType("PointId", int)
"""A knowledge point of one library; never reused."""
StatementId = NewType("StatementId", int)
"""A written statement; what a reveal names."""


class PageKind(StrEnum):
    """The views of a work's wiki."""

    HOME = "home"
    CATEGORY = "category"
    VOLUME = "volume"
    INDEX = "index"
    ENTRY = "entry"
    INSPECTOR = "inspector"
    """All that is kept of a point, or without one of all points: names, places, notes, evidence."""
    GLANCE = "glance"
    """What may be known of a chapter before it is read."""


@dataclass(frozen=True, slots=True)
class PageKey:
    """Which page of a work's wiki."""

    kind: PageKind
    point: PointId | None = None
    """For an entry, and for the inspector of one."""
    category: PointKind | None = None
    """For a category."""
    volume_ord: int | None = None
    """For a volume."""
    pos: Pos | None = None
    """For a glance: anywhere in the chapter."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A run of words."""

    text: str


@dataclass(frozen=True, slots=True)
class PageLink:
    """Words that lead to another page."""

    text: str
    target: PageKey


@dataclass(frozen=True, slots=True)
class Cite:
    """A numbered reference to a passage, drawn as a small raised number."""

    number: int
    """From 1 on a page; one place, one number."""
    locator: Locator
    pos: Pos


@dataclass(frozen=True, slots=True)
class Veil:
    """A statement the reader may not see yet; its words are not here."""

    statement: StatementId
    length_chars: int
    """How long to draw it; the same for all in strict mode."""
    unlocks_chapter: str = ""
    """Where it opens, in words such as "chapter 11"; empty in strict mode and when that would itself tell."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A statement shown because the reader asked for it, though it lies beyond her."""

    statement: StatementId
    text: str


Run = Plain | PageLink | Cite | Veil | Revealed


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's title."""

    run: Plain | Veil | Revealed
    level: int
    """1 for a section, 2 for one inside it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage of the work, in its own words."""

    text: str
    locator: Locator
    pos: Pos
    where: str
    """ "ch 7" or "vol 2 ch 3", in the reader's language."""
    names: tuple[tuple[int, int], ...] = ()
    """(start, end) in `text` of the names of whom the page is about."""


@dataclass(frozen=True, slots=True)
class Facts:
    """An infobox, or a table: label and value a row."""

    rows: tuple[tuple[str, tuple[Run, ...]], ...]
    """An empty label for a row that is veiled as a whole."""
    is_infobox: bool = False
    """Stands beside the page where there is room."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One line of a list of pages."""

    link: PageLink
    note: str = ""
    """One line beside it."""
    count: int | None = None
    """Mentions up to the boundary, or entries that may be shown."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of pages."""

    rows: tuple[LinkRow, ...]
    has_more_to_come: bool = False
    """Something lies beyond the boundary; never how much."""
    title: str = ""
    """What stands over it; empty where a heading does."""
    is_aside: bool = False
    """Leads elsewhere; stands beside the page where there is room."""


class NodeKind(StrEnum):
    """Why a chapter stands in a track."""

    CHOSEN = "chosen"
    """Picked by whoever wrote the entry."""
    CITED = "cited"
    """A passage of it is quoted on the page."""
    APPEARANCE = "appearance"


@dataclass(frozen=True, slots=True)
class TrackNode:
    """A chapter in which a point appears."""

    where: str
    count: int
    """Mentions in the chapter up to the boundary."""
    locator: Locator
    """Of the first of them."""
    pos: Pos
    note: str = ""
    volume: int = 0
    """Index among the volumes begun."""
    chapter: int = 0
    """Index among the chapters of the volume that hold text."""
    kind: NodeKind = NodeKind.APPEARANCE


@dataclass(frozen=True, slots=True)
class Track:
    """Where a point appears over the work, up to the boundary."""

    nodes: tuple[TrackNode, ...]
    chapters_by_volume: tuple[int, ...]
    """Number of chapters of each volume begun, for drawing the nodes to scale."""
    is_open_ended: bool
    """The work goes on beyond the boundary."""
    chapters_begun: int = 0
    """Of the last of these volumes; the rest lies ahead."""
    marks: tuple[Pos, ...] = ()
    """Where each chapter names the point first, for the progress bar; bare marks ahead where the reader wishes them."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage a page rests on, under the number it is cited by."""

    number: int
    locator: Locator
    pos: Pos
    where: str
    """ "ch 7" or "vol 2 ch 3", in the reader's language."""
    quote: str
    """How it begins, in quotation marks."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What stands under a page: its passages in the order of their numbers."""

    rows: tuple[Source, ...]


Part = Heading | Paragraph | Quotation | Facts | Listing | Track | Sources


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the wiki, as this reader may see it."""

    key: PageKey
    title: str
    kind_words: str
    """ "person", "home" ..., in the reader's language."""
    also: tuple[str, ...]
    """Other names known at the boundary, in order of appearance."""
    parts: tuple[Part, ...]
    is_locked: bool = False
    """The entry may be named but not opened yet; `parts` then only says so."""
    is_waiting: bool = False
    """The names of the work are still being gathered; ask again in a moment."""


@dataclass(frozen=True, slots=True)
class KnownAlias:
    """A name of a point, as far as it is known."""

    form: str
    kind: AliasKind
    first_pos: Pos
    reveal_pos: Pos
    count: int
    """Mentions up to the boundary."""


@dataclass(frozen=True, slots=True)
class KnownPoint:
    """A point as far as it is known: a line of `entities`."""

    id: PointId
    kind: PointKind
    name: str
    """The proper name, or the name she knows it by before that is revealed."""
    aliases: tuple[KnownAlias, ...]
    count: int
    first_pos: Pos


@dataclass(frozen=True, slots=True)
class LockedEntry:
    """An entry whose title would tell too much: it is there, and no more is said of it."""

    point: PointId
    kind: PointKind
    unlocks_chapter: str
    """Where it opens, in words such as "chapter 11"; empty when that would itself tell."""


class KnowledgeState(StrEnum):
    """Whether the names of a work are known."""

    NONE = "none"
    WORKING = "working"
    """They are being looked for, or will be; what was known of the same text before is still shown."""
    READY = "ready"


class MatchHow(StrEnum):
    """How a selection found a point, best first."""

    EXACT = "exact"
    FOLDED = "folded"
    ALIAS = "alias"
    TITLE = "title"
    CONTAINED = "contained"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A point that a selection may mean."""

    point: PointId
    kind: PointKind
    name: str
    """Its proper name, if known at the boundary, else the name she knows."""
    matched: str
    """The alias that fitted."""
    how: MatchHow
    ratio: float
    """0-100."""


@dataclass(frozen=True, slots=True)
class NameInText:
    """An occurrence of a known name, for the underline."""

    start: int
    """Document offset."""
    end: int
    point: PointId


class Correction(StrEnum):
    """What the reader may set right; such acts survive re-analysis."""

    MERGE = "merge"
    """Two points are one, always."""
    IDENTITY = "identity"
    """Two points turn out to be one, from a pos on."""
    SPLIT = "split"
    """An alias becomes a point of its own."""
    RENAME = "rename"
    HIDE = "hide"
    REKIND = "rekind"
    ADD = "add"
