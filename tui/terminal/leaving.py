"""Leaving, whatever happens: by a key, a signal or a line that is down, and in the end by force."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable

PATIENCE_S = 1.4
"""From the wish to leave until it is done by force."""
_LAST_S = 0.4
"""For what must be done even then."""
_SIGNALS = ("SIGHUP", "SIGTERM", "SIGINT")


class Leaving:
    """Sees to it that the program ends within two seconds of the wish."""

    def __init__(self, last: Callable[[], object]) -> None:
        """Prepare.

        Args:
            last: What must be done even when the program does not end by itself: the place saved, the
                terminal given back. Called in another thread.
        """
        self._last = last
        self._is_begun = False

    def on_signals(self, leave: Callable[[int], None]) -> None:
        """Leave when the system says so; from the main thread.

        Args:
            leave: Asks the program to end with an exit code; called between any two steps of the main thread.
        """

        def told(number: int, _frame: object) -> None:
            self.begin(128 + number)
            leave(128 + number)

        for name in _SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), told)

    def begin(self, code: int) -> None:
        """Count the time from now on; when it is up, end with this exit code. Only the first call counts."""
        if not self._is_begun:
            self._is_begun = True
            threading.Thread(target=self._insist, args=(code,), name="leaving", daemon=True).start()

    def _insist(self, code: int) -> None:
        threading.Event().wait(PATIENCE_S)
        last = threading.Thread(target=self._do_last, daemon=True)
        last.start()
        last.join(_LAST_S)
        os._exit(code)

    def _do_last(self) -> None:
        with contextlib.suppress(Exception):  # whatever stands in the way, the program ends now
            self._last()
