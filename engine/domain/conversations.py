"""Conversations with the companion: where each question was asked from, and how the questions hang together.

A conversation belongs to one work. Its turns form a tree: each has a parent, and asking again or
asking otherwise makes a sibling, so nothing that was said is ever overwritten. What is shown is
one path through the tree, from a root to a leaf.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType, TypeAlias

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.chat import Numbered, TurnId, TurnView
from engine.domain.locator import Locator
from engine.domain.wiki import PointId

ConversationId = NewType("ConversationId", int)

MOST_QUESTION_CHARS = 20_000
MOST_SELECTION_CHARS = 1_000
"""What of a selection is explained or sent beside a question."""

Listener: TypeAlias = Callable[[Numbered], None]
"""Called with each event of a turn, in order, from a thread of the library; it must return soon and never raise."""


class ConversationKind(StrEnum):
    """What a conversation was begun for."""

    CHAT = "chat"
    EXPLAIN = "explain"
    """One selection, and other angles on it."""
    RECAP = "recap"


class AttachmentKind(StrEnum):
    """What the reader puts beside a question."""

    PASSAGE = "passage"
    ENTRY = "entry"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A removable chip beside the question; of this work or of another."""

    kind: AttachmentKind
    work: WorkId
    label: str
    """What the chip says; one line."""
    locator: Locator | None = None
    """Of a passage, and of a note that stands in the text."""
    point: PointId | None = None
    """Of an entry."""
    note_uid: str = ""
    """Of a note."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the reader was when she asked; reopening a conversation leads back there."""

    work: WorkId
    place: Locator | None = None
    """The first character of her page, as an empty range."""
    selection: Locator | None = None
    point: PointId | None = None
    """The entry she had open."""
    attachments: tuple[Attachment, ...] = ()
    mode: SpoilerMode | None = None
    """None for her setting."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation, as a list of them shows it."""

    id: ConversationId
    kind: ConversationKind
    work: WorkId
    title: str
    """Her name for it, else the beginning of its first question; one line."""
    model: str
    """That answered last; empty when the book was only quoted."""
    created: str
    """ISO 8601 in UTC."""
    changed: str
    version: int
    """Grows with each turn and each renaming; a renaming names the version it was made from."""
    turns: int
    is_waiting: bool = False
    """A turn of it waits for the reader to say whether she wants to be told."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what has become of it."""

    view: TurnView
    conversation: ConversationId
    parent: TurnId | None
    """The turn it follows; None for a root."""
    scene: Scene
    asked_at: str
    """ISO 8601 in UTC."""

    @property
    def id(self) -> TurnId:
        """Of the question."""
        return self.view.turn


def new_turn_id() -> TurnId:
    """Return a name no other turn has. Made once for what stands in the input line, so that two presses send once."""
    return TurnId(os.urandom(8).hex())


def path_to(turns: Sequence[Turn], leaf: TurnId | None = None) -> tuple[Turn, ...]:
    """Return the turns from a root to a leaf.

    Args:
        turns: Of one conversation, in the order they were asked.
        leaf: The last one; None for the one asked last. One that is not there gives nothing.
    """
    by_id = {turn.id: turn for turn in turns}
    at = leaf if leaf is not None or not turns else turns[-1].id
    path: list[Turn] = []
    while at is not None and at in by_id and len(path) < len(turns):
        path.append(by_id[at])
        at = by_id[at].parent
    return tuple(reversed(path))


def siblings_of(turns: Sequence[Turn], turn: TurnId) -> tuple[Turn, ...]:
    """Return the turns that follow the same one, itself included, in the order they were asked."""
    parent = next((each.parent for each in turns if each.id == turn), None)
    return tuple(each for each in turns if each.parent == parent)


def last_below(turns: Sequence[Turn], turn: TurnId) -> TurnId:
    """Return the leaf that was asked last below a turn; the turn itself when nothing follows it."""
    below = {turn}
    last = turn
    for each in turns:
        if each.parent in below:
            below.add(each.id)
            last = each.id
    return last


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of what was sent to a model."""

    name: str
    """ "must", "tools", "important" or "nice"; the results of tools are "looked up"."""
    budget_tokens: int
    tokens: int
    """About; counted by us."""
    parts: tuple[LayerPart, ...] = ()


@dataclass(frozen=True, slots=True)
class LayerPart:
    """One thing in a layer."""

    name: str
    """In words, such as "selection" or "chapter titles"."""
    tokens: int
    cut_tokens: int = 0
    """What was left out of it, or all of it."""


class RecapKind(StrEnum):
    """What a recap tells of."""

    VOLUME = "volume"
    """The volume the reader is in, as far as she has read."""
    LAST_TIME = "last time"
    """What she read in her last sitting."""
    SINCE = "since"
    """From a chapter on."""


@dataclass(frozen=True, slots=True)
class RecapSpan:
    """What a recap tells of; never further than the reader has read."""

    kind: RecapKind = RecapKind.VOLUME
    since: Locator | None = None
    """For SINCE: the start of the chapter."""


class Facet(StrEnum):
    """A side from which a selection is explained; each may be switched off."""

    TERM = "term"
    """Who or what is named: the wiki and the text."""
    BACKGROUND = "background"
    """What stands outside the book; labelled as such, off unless asked for."""
    SUBTEXT = "subtext"
    """What the scene around it lets one understand."""
    ELSEWHERE = "elsewhere"
    """The same words in this work, in others, and in the reader's notes."""


USUAL_FACETS = frozenset({Facet.TERM, Facet.SUBTEXT, Facet.ELSEWHERE})
