"""What a model says it read in one window, taken apart; nothing of it is believed yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.knowledge import PointKind


class Basis(StrEnum):
    """What makes two points one."""

    NARRATOR = "narrator"
    CLAIM = "claim"
    """A character says so."""
    INFERENCE = "inference"


class FactStatus(StrEnum):
    """How a fact stands in the story."""

    SHOWN = "shown"
    CLAIMED = "claimed"
    INFERRED = "inferred"
    FALSE = "false"


class LearnedHow(StrEnum):
    """How somebody came to know a fact."""

    WITNESSED = "witnessed"
    TOLD = "told"
    READ = "read"
    INFERRED = "inferred"
    ALREADY = "already"
    UNKNOWN = "unknown"


class Sureness(StrEnum):
    """How surely somebody knows a fact."""

    CERTAIN = "certain"
    SUSPECT = "suspect"
    GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Cited:
    """Words and the paragraph they are said to stand in, as the model gives them."""

    paragraph: int
    quote: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with what it rests on."""

    text: str
    cited: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class SaidRelation:
    """Who or what the point is to another."""

    other: str
    """Key of the other point."""
    said: Said


@dataclass(slots=True)
class SaidPoint:
    """A point and what the window says of it."""

    key: str
    """"k12" for one of the roster, "p3" for a new one."""
    kind: PointKind | None
    importance: int
    """1 to 5; 0 where it was not said."""
    name: str
    cited: tuple[Cited, ...]
    is_nothing: bool = False
    """The list has it, and it is no point at all."""
    forms: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)
    relations: list[SaidRelation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SaidEvent:
    """Something that happens."""

    who: tuple[str, ...]
    when: str
    where: str
    said: Said


@dataclass(frozen=True, slots=True)
class SaidIdentity:
    """Two points that turn out to be one."""

    a: str
    b: str
    basis: Basis
    cited: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class SaidQuestion:
    """A question the story raises, or the answer to one."""

    key: str
    is_answer: bool
    said: Said


@dataclass(frozen=True, slots=True)
class SaidFact:
    """Something that makes somebody act."""

    key: str
    status: FactStatus
    hidden_from: tuple[str, ...]
    said: Said


@dataclass(frozen=True, slots=True)
class SaidLearning:
    """Who comes to know a fact."""

    fact: str
    who: tuple[str, ...]
    how: LearnedHow
    sure: Sureness
    cited: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class SaidOfChapter:
    """A recap line of a chapter, or its teaser, which cites nothing."""

    chapter: int
    is_teaser: bool
    said: Said


@dataclass(slots=True)
class Proposals:
    """Everything one reply says."""

    points: list[SaidPoint] = field(default_factory=list)
    events: list[SaidEvent] = field(default_factory=list)
    identities: list[SaidIdentity] = field(default_factory=list)
    questions: list[SaidQuestion] = field(default_factory=list)
    facts: list[SaidFact] = field(default_factory=list)
    learnings: list[SaidLearning] = field(default_factory=list)
    chapters: list[SaidOfChapter] = field(default_factory=list)
    gist: str = ""
    lines: int = 0
    """Lines that were understood."""
    strays: int = 0
    """Lines that were not."""
