"""What the reader wants of a conversation; whoever holds the library sees to it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.chat import Card, Citation, SpoilerChoice, TurnId
from engine.domain.locator import Locator


@dataclass(frozen=True, slots=True)
class Ask:
    """A question is asked."""

    turn: TurnId
    """Its name from now on; the same one twice is one question."""
    question: str
    instead_of: TurnId | None = None
    """The turn it is asked beside, to be answered otherwise."""


@dataclass(frozen=True, slots=True)
class Choose:
    """She has said whether she wants to be told."""

    turn: TurnId
    choice: SpoilerChoice


@dataclass(frozen=True, slots=True)
class Stop:
    """A turn is given up; what came is kept."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class Preview:
    """The words of a cited passage are needed."""

    turn: TurnId
    citation: Citation


@dataclass(frozen=True, slots=True)
class GoTo:
    """The page is to show a passage."""

    locator: Locator


@dataclass(frozen=True, slots=True)
class OpenCard:
    """A card is followed to where it leads."""

    card: Card


@dataclass(frozen=True, slots=True)
class Act:
    """What a card offers is agreed to, or undone."""

    turn: TurnId
    card: Card
    number: int
    is_undo: bool


@dataclass(frozen=True, slots=True)
class ShowContext:
    """What was sent in a turn is to be shown."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class Copy:
    """An answer is to be copied."""

    text: str


@dataclass(frozen=True, slots=True)
class Branch:
    """Another answer to the same question is to be shown."""

    turn: TurnId
    step: int


@dataclass(frozen=True, slots=True)
class Drop:
    """The last thing beside the question is taken away."""


@dataclass(frozen=True, slots=True)
class ListThem:
    """The conversations are to be listed."""


@dataclass(frozen=True, slots=True)
class BeginAnew:
    """A new conversation is begun."""


@dataclass(frozen=True, slots=True)
class Export:
    """The conversation is to be written as Markdown."""


@dataclass(frozen=True, slots=True)
class NameModels:
    """A model is to be named."""


Wish = (
    Ask
    | Choose
    | Stop
    | Preview
    | GoTo
    | OpenCard
    | Act
    | ShowContext
    | Copy
    | Branch
    | Drop
    | ListThem
    | BeginAnew
    | Export
    | NameModels
)
