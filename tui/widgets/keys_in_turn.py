"""Keys of a burst, one after another: each goes to what the key before it left on the screen."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message_pump import MessagePump

_BURST_S = 0.02
"""Nobody types faster, and a held key repeats every 33 ms; what comes closer was kept up on the line."""
_LOOK_S = 0.25
"""After this long it is looked whether what a key does goes on."""
_MOST_LOOKS = 16
"""Then the next key is given all the same."""


class KeysInTurn(App[None]):
    """Gives a key only when the one before it has done what it does.

    Textual hands all keys of a burst at once to whatever has the focus. In ":chapter 3 Enter j"
    the last would go to the dialog the fifth key closes, and be lost with it.
    """

    def __init__(self, *, driver_class: type[Driver] | None, ansi_color: bool | None) -> None:
        super().__init__(driver_class=driver_class, ansi_color=ansi_color)
        self._kept: deque[events.Event] = deque()
        """Typed or pasted, and not given yet."""
        self._given_at = 0.0
        self._takers: tuple[MessagePump, ...] = ()
        """Who had the last key, up to its screen."""
        self._followed: MessagePump | None = None
        """Whose turn among them is awaited."""
        self._waits = 0

    @property
    def has_keys_to_give(self) -> bool:
        """Whether something typed waits for what was typed before it."""
        return bool(self._kept)

    def put_first(self, typed: Iterable[events.Key]) -> None:
        """Give keys once more, before whatever is still kept."""
        was_empty = not self._kept
        self._kept.extendleft(reversed(list(typed)))
        if was_empty and self._kept:
            self._wait()

    async def on_event(self, event: events.Event) -> None:
        """Take an event; keys and pastes wait for each other."""
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            await super().on_event(event)
        elif self.has_keys_to_give or self._is_busy():
            self._kept.append(event)
            if len(self._kept) == 1:
                self._wait()
        else:
            await self._give(event)

    def _is_busy(self) -> bool:
        is_burst = time.monotonic() - self._given_at < _BURST_S
        return is_burst or any(taker.message_queue_size for taker in self._takers)

    async def _give(self, event: events.Event) -> None:
        taker = self.focused or (self.screen_stack[-1] if self.screen_stack else None)
        chain = () if taker is None else taker.ancestors_with_self
        self._takers = tuple(node for node in chain if node is not self)
        self._given_at = time.monotonic()
        await super().on_event(event)

    def _wait(self) -> None:
        """Go behind the last key: up to its screen, and once more, for what it had sent up the same way."""
        self._waits += 1
        asyncio.get_running_loop().call_later(_LOOK_S, self._look, self._waits, _MOST_LOOKS)
        self._follow(iter(self._takers * 2), self._waits)

    def _follow(self, takers: Iterator[MessagePump], wait: int) -> None:
        for taker in takers:
            self._followed = taker
            if taker.call_later(self._follow, takers, wait):
                return
        self._followed = None
        self._go_on(wait)

    def _look(self, wait: int, looks: int) -> None:
        """Go on in place of a taker that went and took its turn along; one that is only slow is waited for."""
        if wait != self._waits:
            return
        if looks > 1 and self._followed is not None and self._followed.is_running:
            asyncio.get_running_loop().call_later(_LOOK_S, self._look, wait, looks - 1)
        else:
            self._go_on(wait)

    def _go_on(self, wait: int) -> None:
        if wait == self._waits and self._kept:
            self._waits += 1
            self.call_later(self._give_next)

    async def _give_next(self) -> None:
        await self._give(self._kept.popleft())
        if self._kept:
            self._wait()


def type_again(app: App[Any], typed: Iterable[events.Key]) -> None:  # Any: what a program returns is of no account here
    """Give keys once more, before those typed since: who had them could not use them yet, or not any more."""
    keys = [events.Key(key.key, key.character) for key in typed]
    if isinstance(app, KeysInTurn):
        app.put_first(keys)
    else:
        for key in keys:
            app.post_message(key)
