"""Turns that are being answered for this process, and who listens to them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.domain.chat import AnswerReady, Numbered, SpoilerChoice, TurnFailed, TurnId, TurnStopped
from engine.domain.conversations import ConversationKind, Listener
from engine.errors import UnderstoryError
from engine.helper import this_process
from engine.store import conversations, turns
from engine.translate import _

if TYPE_CHECKING:
    from engine.library.conversing import Conversing
    from engine.model_process.client import Talk

_ENDS = (AnswerReady, TurnFailed, TurnStopped)
_LOOK_S = 0.5
"""How often a turn that another process answers is looked at."""


@dataclass(slots=True)
class _Following:
    """Somebody who listens, and what she has heard."""

    turn: TurnId
    listener: Listener
    last: int


class TurnDesk:
    """Begins, stops and tells of turns. Thread-safe."""

    def __init__(self, library: Conversing) -> None:
        self._library = library
        self._store = library._store
        self._lock = threading.RLock()
        self._following: list[_Following] = []
        self._talks: dict[TurnId, Talk] = {}
        self._cancels: dict[TurnId, threading.Event] = {}
        self._is_stopped = threading.Event()
        self._looker: threading.Thread | None = None

    # listening

    def follow(self, turn: TurnId, listener: Listener, after: int) -> Callable[[], None]:
        """Tell a listener of what is there and of what comes; returns what ends that."""
        following = _Following(turn, listener, after)
        with self._lock:
            self._following.append(following)
            self.pump(turn)
            if following in self._following and turn not in self._cancels:
                self._look_for_others()

        def leave() -> None:
            with self._lock, contextlib.suppress(ValueError):
                self._following.remove(following)

        return leave

    def pump(self, turn: TurnId, numbered: Numbered | None = None) -> None:
        """Tell all who listen to a turn what they have not heard.

        Args:
            turn: Which.
            numbered: An event that has just been kept; what is missing before it is read from the library.
        """
        with self._lock:
            for following in [each for each in self._following if each.turn == turn]:
                if numbered is not None and numbered.number == following.last + 1:
                    events: tuple[Numbered, ...] = (numbered,)
                elif numbered is not None and numbered.number <= following.last:
                    continue
                else:
                    with self._store.read() as r:
                        events = conversations.events_of(r, turn, following.last)
                for event in events:
                    following.last = event.number
                    following.listener(event)
                if events and isinstance(events[-1].event, _ENDS) and following in self._following:
                    self._following.remove(following)

    def _look_for_others(self) -> None:
        if self._looker is None or not self._looker.is_alive():
            self._looker = threading.Thread(target=self._look, name="turns of others", daemon=True)
            self._looker.start()

    def _look(self) -> None:
        """Look at turns that another process answers, as long as somebody listens to one."""
        while not self._is_stopped.wait(_LOOK_S):
            with self._lock, contextlib.suppress(UnderstoryError):  # a library that is busy is looked at again
                watched = {each.turn for each in self._following} - set(self._cancels)
                with self._store.read() as r:
                    rows = {turn: turns.row_of(r, turn) for turn in watched}
                for turn in watched:
                    self.pump(turn)
                ended = {turn for turn, row in rows.items() if row is None or row.state not in turns.OPEN}
                self._following = [each for each in self._following if each.turn not in ended]
                if not watched - ended:
                    self._looker = None
                    return

    # answering

    def begin(self, turn: TurnId, choice: SpoilerChoice | None = None) -> None:
        """Have a turn answered in the background."""
        with self._store.read() as r:
            row = turns.row_of(r, turn)
        if row is None or self._is_stopped.is_set():
            return
        cancel = threading.Event()
        with self._lock:
            self._cancels[turn] = cancel
        work = self._ask_models if row.model else self._quote
        threading.Thread(target=self._run, args=(work, turn, choice, cancel), name="turn", daemon=True).start()

    def _run(
        self,
        work: Callable[[TurnId, SpoilerChoice | None, threading.Event], None],
        turn: TurnId,
        choice: SpoilerChoice | None,
        cancel: threading.Event,
    ) -> None:
        try:
            work(turn, choice, cancel)
        except UnderstoryError as error:
            self._fail(turn, error.title, error.message)
        except Exception as error:  # the outermost line of a thread: the reader is told, the next turn is not harmed
            message = _("The companion failed ({error}). Ask again.").format(error=type(error).__name__)
            self._fail(turn, _("Not answered"), message)
        finally:
            with self._lock:
                self._talks.pop(turn, None)
                self._cancels.pop(turn, None)

    def _ask_models(self, turn: TurnId, choice: SpoilerChoice | None, cancel: threading.Event) -> None:
        from engine.domain.chat_records import event_from

        talk = self._library.talk_to_models("ask", turn=turn, choice=str(choice or ""))
        with self._lock:
            self._talks[turn] = talk
        if cancel.is_set():
            talk.cancel()
        for record in talk.events():
            numbered = event_from(record)
            if numbered is not None:
                self.pump(turn, numbered)

    def _quote(self, turn: TurnId, choice: SpoilerChoice | None, cancel: threading.Event) -> None:
        from engine.library.answering import quote_turn

        quote_turn(self._library, turn, choice, cancel.is_set, lambda numbered: self.pump(turn, numbered))

    def _fail(self, turn: TurnId, title: str, message: str) -> None:
        with contextlib.suppress(UnderstoryError):  # the library cannot be written: the next start fails the turn
            with self._store.write() as w:
                turns.add_event(w, turn, TurnFailed(title, message), None)
            self.pump(turn)

    def answer_spoiler(self, turn: TurnId, choice: SpoilerChoice) -> bool:
        """Go on with a turn that waits; False when it does not."""
        with self._store.write() as w:
            if not turns.take(w, turn, this_process(), from_=None):
                return False
        self.begin(turn, choice)
        with self._lock:
            is_followed = any(each.turn == turn for each in self._following)
        if is_followed:
            self.pump(turn)
        return True

    def cancel(self, turn: TurnId) -> None:
        """End a turn now, whoever answers it; what came is kept."""
        with self._store.write() as w:
            turns.add_event(w, turn, TurnStopped(_("stopped")), None)
        self.pump(turn)
        with self._lock:
            cancel, talk = self._cancels.get(turn), self._talks.get(turn)
        if cancel is not None:
            cancel.set()
        if talk is not None:
            talk.cancel()

    def cancel_explaining(self) -> None:
        """End the explanations this process waits for."""
        with self._lock:
            under_way = tuple(self._cancels)
        for turn in under_way:
            with self._store.read() as r:
                row = turns.row_of(r, turn)
            if row is not None and row.request.get("kind") == ConversationKind.EXPLAIN:
                self.cancel(turn)

    def stop(self) -> None:
        """Tell nobody any more; what is under way ends with its process and is failed at the next start."""
        self._is_stopped.set()
        with self._lock:
            self._following.clear()
            cancels = list(self._cancels.values())
        for cancel in cancels:
            cancel.set()
