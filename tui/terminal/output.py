"""What goes to the terminal: written by a thread of its own, never for longer than the line holds."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_MOST_BACKLOG_CHARS = 32_768
"""Two pages. Whoever draws faster than the line carries waits, and draws fewer pages."""


class TerminalOutput:
    """A file-like over a descriptor. `write` is for the main thread; a line that is down swallows everything."""

    def __init__(self, descriptor: int, encoding: str, on_down: Callable[[], None]) -> None:
        """Start the thread.

        Args:
            descriptor: Of the terminal.
            encoding: Of its characters; what it cannot hold becomes "?", so that cells stay where they are.
            on_down: Called once, by the thread, when the line turns out to be down.
        """
        self._descriptor = descriptor
        self._encoding = encoding
        self._on_down = on_down
        self._changed = threading.Condition()
        self._pieces: list[str] = []
        self._backlog = 0
        self._is_ending = False
        self._is_hurried = False
        self._is_down = False
        self._thread = threading.Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    @property
    def is_down(self) -> bool:
        """Nothing can be written any more."""
        return self._is_down

    def write(self, text: str) -> None:
        """Hand over text; waits while too much is on its way."""
        with self._changed:
            while self._backlog > _MOST_BACKLOG_CHARS and not self._is_hurried and not self._is_down:
                self._changed.wait()
            self._pieces.append(text)
            self._backlog += len(text)
            self._changed.notify_all()

    def flush(self) -> None:
        """Do nothing: the thread writes as soon as it can."""

    def hurry(self) -> None:
        """Let nobody wait for the line any more."""
        with self._changed:
            self._is_hurried = True
            self._changed.notify_all()

    def drop_waiting(self) -> None:
        """Forget what is not on its way yet: nobody will look at it."""
        with self._changed:
            self._backlog -= sum(map(len, self._pieces))
            self._pieces.clear()
            self._changed.notify_all()

    def give_up(self) -> None:
        """Stop waiting for the line; what is on its way may be lost."""
        with self._changed:
            self._is_down = True
            self._changed.notify_all()

    def close(self, timeout_s: float = 1.0) -> None:
        """Write what is left and end the thread, or leave it when the line stands still."""
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._pieces and not self._is_ending and not self._is_down:
                    self._changed.wait()
                if self._is_down or not self._pieces:
                    return
                text, self._pieces = "".join(self._pieces), []
            try:
                self._write(text.encode(self._encoding, "replace"))
            except OSError:
                self.give_up()
                self._on_down()
                return
            with self._changed:
                self._backlog -= len(text)
                self._changed.notify_all()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)  # a picture has megabytes, of which a line takes few at a time
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
