"""A question to the companion and everything that happens until it is answered, as numbered events.

The same events go over the pipe from the companion's process, are printed by `understory ask
--json`, and are kept; what the reader sees is made from them by `after`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import NewType, TypeAlias

from engine.domain.locator import Locator
from engine.domain.models import Usage

TurnId = NewType("TurnId", str)
"""Of one question; made by whoever asks, so that a question sent twice is one."""

EVENTS_VERSION = 1
"""Stands in the first event of a turn; readers ignore events and fields they do not know."""


class TurnState(StrEnum):
    """How far a turn has come."""

    PENDING = "pending"
    """Asked, nothing has come yet."""
    STREAMING = "streaming"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


class SpoilerChoice(StrEnum):
    """What the reader says when the full answer lies beyond where she has read."""

    FULL = "full"
    """Answer in full; holds for this answer only."""
    READ = "read"
    """Answer as far as she has read."""
    STOP = "stop"


class CardKind(StrEnum):
    """What a card shows."""

    ENTRY = "entry"
    CHAPTER = "chapter"
    VOLUME = "volume"
    SETTING = "setting"
    QUOTE = "quote"
    TABLE = "table"
    TRACK = "track"
    OFFER = "offer"
    """Something the companion would do and has not done: `target` is the call to agree to."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage an answer rests on."""

    number: int
    """As it stands in the text; one place has one number."""
    locator: Locator
    where: str
    """The chapter, in words."""
    quote: str
    """How it begins."""
    text: str = ""
    """The passage as it is shown: whole sentences, enough to bear what is said; empty where nobody looked."""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The question was taken; it is on disk."""

    question: str
    model: str
    """Empty when the companion only quotes."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The first line, ours and not the model's."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolBegun:
    """The companion begins to look somewhere."""

    call: str
    tool: str
    text: str
    """What it looks for, in words."""


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """It has looked."""

    call: str
    tool: str
    seconds: float
    text: str
    """What was found, in words, such as "6 passages"; or why it failed."""
    has_failed: bool = False
    locators: tuple[Locator, ...] = ()
    """Where what was found stands."""


@dataclass(frozen=True, slots=True)
class SpoilerAsked:
    """The full answer lies beyond where the reader has read; the turn waits."""

    text: str


@dataclass(frozen=True, slots=True)
class SpoilerAnswered:
    """The reader has chosen."""

    choice: SpoilerChoice


@dataclass(frozen=True, slots=True)
class TextAdded:
    """Whole sentences that may be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """Citations of the text so far that are verified."""

    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """Something to show beside the text."""

    kind: CardKind
    title: str
    target: str = ""
    """What it leads to: a locator, or the id of an entry; of a setting or an offer the call to agree to, for
    `Library.agree` and `Library.undo`; empty for nothing."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Lines of cells; a setting has one of name, old value, new value."""


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """The turn is completed: the whole text, cleaned and numbered anew."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """There is no whole answer; what came is kept."""

    title: str
    message: str


@dataclass(frozen=True, slots=True)
class TurnStopped:
    """The reader stopped it; what came is kept."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What the turn has used so far."""

    usage: Usage
    model: str
    money: float = 0.0


ChatEvent: TypeAlias = (
    TurnStarted
    | Lead
    | ToolBegun
    | ToolEnded
    | SpoilerAsked
    | SpoilerAnswered
    | TextAdded
    | Cited
    | Card
    | AnswerReady
    | TurnFailed
    | TurnStopped
    | TurnUsage
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event in its place."""

    turn: TurnId
    number: int
    """From 1, without gaps."""
    event: ChatEvent


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn as it is shown."""

    turn: TurnId
    state: TurnState = TurnState.PENDING
    number: int = 0
    """Of the last event taken in."""
    question: str = ""
    model: str = ""
    lead: str = ""
    tools: tuple[ToolBegun | ToolEnded, ...] = ()
    """In the order they were begun; one that has ended stands in its place."""
    spoiler: str = ""
    """What is asked while the turn waits for the reader; else empty."""
    choice: SpoilerChoice | None = None
    text: str = ""
    citations: tuple[Citation, ...] = ()
    cards: tuple[Card, ...] = ()
    failure: str = ""
    usage: Usage = field(default_factory=Usage)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in (TurnState.COMPLETED, TurnState.FAILED, TurnState.STOPPED)

    @property
    def is_waiting(self) -> bool:
        """Whether the reader has to say whether she wants to be told."""
        return bool(self.spoiler) and not self.has_ended


def view_of(turn: TurnId, events: Iterable[Numbered]) -> TurnView:
    """Return a turn as its events have made it."""
    return reduce(after, events, TurnView(turn))


def after(view: TurnView, numbered: Numbered) -> TurnView:
    """Return the view after one more event; one of another turn, one seen before, or after the end changes nothing."""
    if numbered.turn != view.turn or numbered.number <= view.number or view.has_ended:
        return view
    view = replace(view, number=numbered.number)
    event = numbered.event
    if isinstance(event, AnswerReady | TurnFailed | TurnStopped):
        return _ended(view, event)
    if isinstance(event, ToolBegun | ToolEnded):
        return replace(view, state=TurnState.STREAMING, tools=_with_tool(view.tools, event))
    if isinstance(event, SpoilerAsked):
        return replace(view, spoiler=event.text)
    if isinstance(event, SpoilerAnswered):
        return replace(view, spoiler="", choice=event.choice)
    return _grown(view, event)


def _grown(view: TurnView, event: TurnStarted | Lead | TextAdded | Cited | Card | TurnUsage) -> TurnView:
    if isinstance(event, TurnStarted):
        return replace(view, question=event.question, model=event.model)
    if isinstance(event, Lead):
        return replace(view, lead=event.text)
    if isinstance(event, TextAdded):
        return replace(view, state=TurnState.STREAMING, text=view.text + event.text)
    if isinstance(event, Cited):
        known = {each.number for each in event.citations}
        return replace(view, citations=(*(c for c in view.citations if c.number not in known), *event.citations))
    if isinstance(event, Card):
        return replace(view, cards=(*view.cards, event))
    return replace(view, usage=event.usage)


def _ended(view: TurnView, event: AnswerReady | TurnFailed | TurnStopped) -> TurnView:
    view = replace(view, spoiler="")
    if isinstance(event, AnswerReady):
        return replace(view, state=TurnState.COMPLETED, text=event.text, citations=event.citations)
    if isinstance(event, TurnFailed):
        return replace(view, state=TurnState.FAILED, failure=event.message)
    return replace(view, state=TurnState.STOPPED, failure=event.reason)


def _with_tool(
    tools: tuple[ToolBegun | ToolEnded, ...], event: ToolBegun | ToolEnded
) -> tuple[ToolBegun | ToolEnded, ...]:
    if any(each.call == event.call for each in tools):
        return tuple(event if each.call == event.call else each for each in tools)
    return (*tools, event)
