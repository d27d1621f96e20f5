"""Events of turns on their way from the library's threads to the screen, at most ten times a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.message import Message
from textual.screen import Screen

from engine.domain.chat import Numbered

REPAINT_S = 0.1
"""Nobody reads faster, and each time the rows that changed are drawn."""


@dataclass
class TurnsTold(Message):
    """Something has come of a turn."""

    inbox: TurnInbox


@dataclass
class Done(Message):
    """What was asked of the library is done; the rest is the screen's."""

    go_on: Callable[[], None]


class TurnInbox:
    """Gathers events until the screen takes them."""

    def __init__(self, screen: Screen[Any], take: Callable[[list[Numbered]], None]) -> None:
        """Take who is told.

        Args:
            screen: Gets `TurnsTold`; it must live as long as anything is told.
            take: Called in its thread with what has come.
        """
        self._screen = screen
        self._take = take
        self._lock = threading.Lock()
        self._events: list[Numbered] = []
        self._is_told = False
        self._taken_at = 0.0

    def hear(self, event: Numbered) -> None:
        """Keep an event; from any thread."""
        with self._lock:
            self._events.append(event)
            is_first, self._is_told = not self._is_told, True
        if is_first:
            self._screen.post_message(TurnsTold(self))

    def deliver(self) -> None:
        """Hand over what has come, or wait until that may be drawn."""
        waits = self._taken_at + REPAINT_S - time.monotonic()
        if waits > 0:
            self._screen.set_timer(waits, self._hand_over)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        with self._lock:
            events, self._events = self._events, []
            self._is_told = False
        self._taken_at = time.monotonic()
        self._take(events)
