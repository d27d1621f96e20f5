"""Conversations in a test: a shelved story, questions to it, and waiting for what becomes of them."""

from __future__ import annotations

import threading
from pathlib import Path

from engine.domain.book import WorkId
from engine.domain.chat import AnswerReady, ChatEvent, Numbered, SpoilerAsked, TurnFailed, TurnId, TurnStopped
from engine.domain.conversations import Scene
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.retrieval.indexing import index_book
from engine.store import vectors
from tests.knowledge import know, named, shelve_story
from tests.pace import PATIENCE_S

FIRST = "Ilse Marrow came to Ashfall with the last train of the thaw."
SECOND = "Tobias Marrow kept the lamp and counted the oil in spoonfuls."
LAST = "In the cinder yard Hask told Ilse Marrow that Anna Vale was her mother."


class Heard:
    """A listener that keeps what it hears and can be waited for."""

    def __init__(self) -> None:
        self.numbered: list[Numbered] = []
        self._changed = threading.Condition()

    def __call__(self, numbered: Numbered) -> None:
        with self._changed:
            self.numbered.append(numbered)
            self._changed.notify_all()

    @property
    def events(self) -> list[ChatEvent]:
        return [each.event for each in self.numbered]

    def wait_for(self, *kinds: type[ChatEvent], patience_s: float = PATIENCE_S) -> ChatEvent:
        """Wait for an event of one of some kinds, and return the last such."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(isinstance(event, kinds) for event in self.events), patience_s), (
                f"heard only {self.events}"
            )
        return next(event for event in reversed(self.events) if isinstance(event, kinds))

    def wait(self) -> ChatEvent:
        """Wait until the turn ends or asks, and return what it ended with."""
        return self.wait_for(AnswerReady, TurnFailed, TurnStopped, SpoilerAsked)


def told_library(folder: Path) -> tuple[Library, WorkId]:
    """Return a library with a story of three chapters, its names known and its passages cut."""
    return told_in(paths_under(folder))


def told_in(paths: Paths) -> tuple[Library, WorkId]:
    """Return the same in folders that are there."""
    library = Library(paths)
    work = shelve_story(library, [FIRST], [SECOND], [LAST])
    know(library, work, named("Ilse Marrow", "Ilse"), named("Tobias Marrow"), named("Hask"), named("Anna Vale"))
    index_all(library, work)
    return library, work


def index_all(library: Library, work: WorkId) -> None:
    """Cut the passages of a work's books."""
    with library._store.read() as r:
        books = [book for book, _name in vectors.books_of(r, work)]
    for book in books:
        index_book(library._store, book, lambda _done, _all: None)


def ask(library: Library, work: WorkId, question: str, **more: object) -> tuple[TurnId, Heard]:
    """Ask in a conversation of its own and wait until the turn ends or asks."""
    heard = Heard()
    turn = library.start_turn(None, question, Scene(work), listener=heard, **more)  # type: ignore[arg-type]  # as it takes them
    heard.wait()
    return turn, heard
