"""Look after the reader's own files: settings and themes that change change the page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

_LOOK_S = 1.0
"""A look is one listing of a small folder: 0.05 ms of CPU."""


class FileWatch:
    """Tells when one of some files came, went or changed. A thread of its own, since it reads the disk."""

    def __init__(
        self,
        folder: Path,
        patterns: Sequence[str],
        changed: Callable[[frozenset[str]], None],
        *,
        every_s: float = _LOOK_S,
    ) -> None:
        """Take the folder, what its files are called, such as "themes/*.toml", and who is told their names."""
        self._folder = folder
        self._patterns = tuple(patterns)
        self._changed = changed
        self._every_s = every_s
        self._seen = self._state()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="files", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            state = self._state()
            if state != self._seen:
                before, self._seen = self._seen, state
                self._changed(frozenset(name for name, _time, _size in {*before} ^ {*state}))

    def _state(self) -> tuple[tuple[str, int, int], ...]:
        try:
            files = [(file.name, file.stat()) for name in self._patterns for file in sorted(self._folder.glob(name))]
        except OSError:
            return ()
        return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in files)
