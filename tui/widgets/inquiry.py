"""What a search panel has asked for, and what waits for the answer."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from tui.widgets.keys_ahead import KeysAhead
from tui.widgets.search_typing import Wanted

_DEBOUNCE_S = 0.12
"""Between the last key and the search: who types fast searches once."""


class Inquiry:
    """Asks for each thing once, and not before who types has paused."""

    def __init__(self, panel: Widget, post: Callable[[Wanted], object]) -> None:
        """Take the panel whose clock is used, and what asks."""
        self._panel = panel
        self._post = post
        self._soon: Timer | None = None
        self.asked: Wanted | None = None
        """What was asked last."""
        self.is_pending = False
        """It is not answered yet."""
        self.ahead = KeysAhead()
        """Keys typed before the answer has come, meant for its list."""

    def ask(self, wanted: Wanted) -> None:
        """Ask, unless that was what was asked last."""
        self.stop()
        if self.asked != wanted:
            self.asked = wanted
            self.ask_again()

    def ask_again(self) -> None:
        """Ask for the same once more: it was not ready, or more was read since."""
        if self.asked is not None:
            self.is_pending = True
            self._post(self.asked)

    def ask_soon(self, ask: Callable[[], None]) -> None:
        """Ask in a moment, and not for what was to be asked before."""
        self.stop()
        self._soon = self._panel.set_timer(_DEBOUNCE_S, ask)

    def stop(self) -> None:
        """Ask nothing in a moment."""
        if self._soon is not None:
            self._soon.stop()
            self._soon = None

    def forget(self) -> None:
        """Be as if nothing had been asked."""
        self.asked, self.is_pending = None, False
        self.ahead.end()
