"""Answer a kept turn: each event on disk before it is told, whoever answers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from engine.domain.chat import (
    AnswerReady,
    Card,
    ChatEvent,
    Numbered,
    SpoilerAsked,
    SpoilerChoice,
    TurnFailed,
    TurnId,
    TurnStopped,
)
from engine.domain.conversation_records import record_of_layers
from engine.domain.conversations import ConversationKind, Facet
from engine.helper import this_process
from engine.library.turn_starting import Request, request_from
from engine.store import conversations, turns
from engine.store.store import Store
from engine.store.turns import TurnRow

if TYPE_CHECKING:
    from engine.agent.access import FoundPassage
    from engine.agent.toolkit import Offer
    from engine.domain.conversations import Layer
    from engine.library.asking import Asking
    from engine.library.book_view import BookView
    from engine.providers.protocols import Cancel
    from engine.store.connection import Connection

_MOST_OPENINGS, _OPENING_CHARS = 12, 280


class Speaker(Protocol):
    """Who answers a turn with a model, and what of it is kept beside the events."""

    held: str
    offers: dict[str, Offer]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What was sent, layer by layer."""
        ...


Told = Callable[[Numbered], None]


class TurnOverError(Exception):
    """The turn was ended by the reader, or somebody else answers it; nothing is left to do."""


class TurnWriter:
    """Numbers and keeps what happens to one turn, then tells it."""

    def __init__(self, store: Store, turn: TurnId, tell: Told) -> None:
        """Take the turn; it is this process's.

        Args:
            store: Where it is kept.
            turn: Which.
            tell: Called with each event once it is on disk.
        """
        self._store = store
        self._turn = turn
        self._tell = tell
        self._owner = this_process()

    def put(self, event: ChatEvent, speaker: Speaker | None = None) -> None:
        """Keep an event and tell it.

        Args:
            event: What happened.
            speaker: Who answers; what it has sent, offers or holds is kept with the event.

        Raises:
            TurnOverError: the turn is not this process's any more.
        """
        # What the next start needs is on the disk before it is told; a lost sentence is asked for again.
        with self._store.write(bulk=not isinstance(event, AnswerReady | SpoilerAsked)) as w:
            if isinstance(event, AnswerReady):
                locators = [citation.locator for citation in event.citations]
                conversations.add_anchors(w, self._turn, conversations.anchors_of(w, locators))
            numbered = turns.add_event(w, self._turn, event, self._owner)
            if numbered is not None and speaker is not None:
                self._keep(w, event, speaker)
        if numbered is None:
            raise TurnOverError
        self._tell(numbered)

    def _keep(self, w: Connection, event: ChatEvent, speaker: Speaker) -> None:
        if isinstance(event, Card) and (offer := speaker.offers.get(event.target)) is not None:
            turns.offer(w, self._turn, event.target, offer.kind, offer.payload)
        if isinstance(event, SpoilerAsked):
            turns.hold(w, self._turn, speaker.held)
        if isinstance(event, SpoilerAsked | AnswerReady | TurnFailed | TurnStopped):
            turns.set_sent(w, self._turn, json.dumps(record_of_layers(speaker.layers)))

    def put_all(
        self, events: Iterator[ChatEvent], is_cancelled: Callable[[], bool], speaker: Speaker | None = None
    ) -> None:
        """Keep and tell events as they come, until the turn is over or given up."""
        with contextlib.suppress(TurnOverError), contextlib.closing(events):  # type: ignore[type-var]  # generators
            for event in events:
                if is_cancelled():
                    return
                self.put(event, speaker)


def taken_turn(store: Store, turn: TurnId) -> tuple[TurnRow, Request] | None:
    """Become the owner of a turn that this process, or the one that started it, has; None when that is too late."""
    with store.write() as w:
        row = turns.row_of(w, turn)
        if row is None or not turns.take(w, turn, this_process(), from_=row.owner):
            return None
    return row, request_from(row.request)


def quote_turn(
    library: Asking, turn: TurnId, choice: SpoilerChoice | None, is_cancelled: Callable[[], bool], tell: Told
) -> None:
    """Answer a turn by quoting the book.

    Args:
        library: Where the book is.
        turn: Which.
        choice: What the reader says to the spoiler; None when she was not asked.
        is_cancelled: Looked at between two events.
        tell: Called with each event once it is on disk.
    """
    taken = taken_turn(library._store, turn)
    if taken is not None:
        writer = TurnWriter(library._store, turn, tell)
        writer.put_all(_quoted(library, *taken, choice), is_cancelled)


def answer_turn(library: Asking, turn: TurnId, choice: SpoilerChoice | None, cancel: Cancel, tell: Told) -> None:
    """Answer a turn with a model. Imports `llm`: not for the reading process.

    Args:
        library: Where the book is.
        turn: Which.
        choice: What the reader says to the spoiler; None when she was not asked.
        cancel: Gives the turn up.
        tell: Called with each event once it is on disk.

    Raises:
        ModelError: the turn's model is not there any more.
    """
    taken = taken_turn(library._store, turn)
    if taken is None:
        return
    from engine.library.book_view import BookView
    from engine.library.scenes import question_of
    from engine.library.telling import told_events

    row, asked = taken
    book = BookView(library, row.work, asked.upto, asked.scene.mode or library.mode_of(row.work))
    speaker: Speaker
    if asked.kind is ConversationKind.CHAT:
        companion = library.companion(book, row.work, row.model)
        question = question_of(library, row, asked, book)
        speaker = companion
        events = companion.ask(question, cancel)
        if choice is not None:
            events = companion.resume(question, row.held, choice, cancel)
    else:
        speaker = teller = library.teller(book, row.work, row.model)
        events = told_events(library, row, asked, book, teller, cancel)
    TurnWriter(library._store, turn, tell).put_all(events, lambda: cancel.is_set, speaker)


def _quoted(library: Asking, row: TurnRow, asked: Request, choice: SpoilerChoice | None) -> Iterator[ChatEvent]:
    from engine.agent import quoting, quoting_more
    from engine.library.book_view import BookView
    from engine.library.elsewhere import elsewhere

    book = BookView(library, row.work, asked.upto, asked.scene.mode or library.mode_of(row.work))
    selection = asked.scene.selection
    if asked.kind is ConversationKind.EXPLAIN and selection is not None:
        words = library.text_of(selection.document, selection.start, selection.end)
        found = elsewhere(library, row.work, words) if Facet.ELSEWHERE in asked.facets else ()
        return quoting_more.quote_explanation(book, selection, words, found)
    if asked.kind is ConversationKind.RECAP:
        return quoting_more.quote_recap(_openings(library, book, asked))
    return quoting.quote(book, row.question, choice)


def _openings(library: Asking, book: BookView, asked: Request) -> list[FoundPassage]:
    """Return the beginning of each chapter of a stretch."""
    from engine.library.recapping import stretch_of

    stretch = stretch_of(library, asked.scene, asked.span)
    if stretch is None:
        return []
    numbers = book.numbers_within(stretch)[-_MOST_OPENINGS:]
    return [passage for number in numbers for passage in book.chapter_text(number, _OPENING_CHARS)]
