"""What is written about a work: statements with their evidence, as they are handed in and as they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import DocumentId
from engine.domain.locator import Locator, Pos
from engine.domain.wiki import Plain, PointId, Revealed, StatementId, Veil

VOLUME_ORDS = 1_000
"""Sentences of a volume's summary are numbered from its ord times this."""


class Role(StrEnum):
    """What a statement is for."""

    NOTE = "note"
    """A sentence added by one volume's reading."""
    SENTENCE = "sentence"
    CELL = "cell"
    """An infobox cell; its text is label, tab, value."""
    HEADING = "heading"
    SUMMARY = "summary"
    RELATION = "relation"
    RECAP = "recap"
    TEASER = "teaser"
    """Leads into the chapter its evidence stands in, and tells no outcome of it."""
    TITLE = "title"
    """What an entry is called that is not to be named before: until it unlocks the entry is locked."""
    EVENT = "event"
    """Something that happened; its text is when, tab, where, tab, what."""
    FACT = "fact"
    """Something not everybody in the story knows."""
    KNOWLEDGE = "knowledge"
    """Who came to know a fact: about the one who knows."""
    VOLUME = "volume"
    """A sentence of the summary of a volume."""
    QUESTION = "question"
    ANSWER = "answer"
    """To the question of its section."""
    NODE = "node"
    """A turn in the story of somebody, picked by whoever wrote the entry."""
    GROUP = "group"
    """The title of a group of entries that its point stands in."""


class Verdict(StrEnum):
    """What is known of a statement's truth."""

    UNCHECKED = "unchecked"
    SUPPORT = "support"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"
    NEAR_COPY = "near-copy"
    """It says what its evidence says in nearly the same words."""


class Origin(StrEnum):
    """Who brought something into the library."""

    RULES = "rules"
    MODEL = "model"
    READER = "reader"
    PACK = "pack"


class QuoteHow(StrEnum):
    """How a quotation was found in the text."""

    EXACT = "exact"
    FOLDED = "folded"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words a statement rests on, as its writer gives them."""

    document: DocumentId
    near: int
    """Document offset inside the paragraph they are said to stand in."""
    exact: str


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A statement as it is handed in by a model's writer, a pack or a test; the program computes its unlock."""

    text: str
    role: Role = Role.SENTENCE
    point: PointId | None = None
    """Whom or what it is about; None for the work as a whole."""
    section: str = ""
    """Holds together what stands under one heading; a key, never shown: the heading is a statement of its own."""
    ord: int = 0
    quotes: tuple[Quote, ...] = ()
    links: tuple[PointId, ...] = ()
    """Points it names or links; which of several bearers a shared name means follows from them."""
    not_before: Locator | None = None
    """The writer's own mark: it can delay, not hasten."""
    verdict: Verdict = Verdict.UNCHECKED
    origin: Origin = Origin.MODEL
    is_marked: bool = False
    """The writer holds it for a spoiler even where it has been read."""


@dataclass(frozen=True, slots=True)
class WrittenBy:
    """Who wrote sentences of a page, and how many of them were held against the text."""

    model: str
    made_at: str
    """ISO 8601, the day."""
    sentences: int
    checked: int


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """A passage a statement rests on."""

    locator: Locator
    pos: Pos
    quote: str
    how: QuoteHow


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A statement as one reader may see it."""

    id: StatementId
    point: PointId | None
    role: Role
    section: int
    """Number of its section among those of its point, from 0 in the order of their first statement."""
    ord: int
    run: Plain | Veil | Revealed
    verdict: Verdict
    evidence: tuple[ShownEvidence, ...] = ()
    """In story order; none for a veiled statement."""
