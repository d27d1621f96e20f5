"""The half of the helper that its parent uses: start it, keep it alive, end it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

from engine.errors import LibraryUnavailableError
from engine.errors.machine import HelperFailedError, told_end
from engine.helper.child import end_process, start_process
from engine.paths import Paths

if TYPE_CHECKING:
    import subprocess

_MODULE = "engine.helper"
_MOST_EARLY_ENDS = 3
"""A helper that ends this often right after its start is not started again."""
_EARLY_S = 2.0
_POLL_S = 0.03
_MOST_WORDS_BYTES = 1 << 14


class HelperClient:
    """Starts the helper, keeps it alive by holding a pipe to it, and ends it. Thread-safe."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._early_ends = 0
        self._is_stopped = False

    @property
    def is_running(self) -> bool:
        """Whether our helper lives at this moment."""
        process = self._process
        return process is not None and process.poll() is None

    def ensure(self) -> None:
        """Start the helper unless it runs, and tell it that there may be work.

        Raises:
            HelperUnavailableError: it cannot be started, or has ended at once several times.
        """
        with self._lock:
            if self._is_stopped:
                return
            if self._process is not None and self._process.poll() is not None:
                self._clear_away()
            if self._process is None:
                self._process = self._start()
                self._started_at = time.monotonic()
            pipe = self._process.stdin
            try:
                if pipe is not None:
                    pipe.write(b"\n")
            except OSError:  # it has just ended; the next call sees that
                return

    def _clear_away(self) -> None:
        process = self._process
        self._process = None
        if process is None:
            return
        words = _last_words(process)
        if words and process.returncode == LibraryUnavailableError.exit_code:
            raise HelperFailedError(words)  # another would meet the same
        is_early = process.returncode != 0 and time.monotonic() - self._started_at < _EARLY_S
        self._early_ends = self._early_ends + 1 if is_early else 0
        if self._early_ends >= _MOST_EARLY_ENDS:
            self._early_ends = 0
            raise HelperFailedError(words or told_end(process.returncode, self._paths.log_file))

    def _start(self) -> subprocess.Popen[bytes]:
        import subprocess  # 12 ms to import, and most starts need no helper

        return start_process(self._paths, _MODULE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def stop(self, timeout_s: float = 0.4) -> None:
        """Close the pipe, wait for the helper to put its work down, and end it if it does not."""
        with self._lock:
            self._is_stopped = True
            process, self._process = self._process, None
        if process is not None:
            end_process(process, timeout_s)
            if process.stdout is not None:
                process.stdout.close()


def _last_words(process: subprocess.Popen[bytes]) -> str:
    """Close the pipes of a process that has ended; return what it said at its end, "" for nothing."""
    words = b""
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None and pipe is process.stdout:
                os.set_blocking(pipe.fileno(), False)  # a child of its own may hold the other end still
                words = pipe.read(_MOST_WORDS_BYTES) or b""
            if pipe is not None:
                pipe.close()
    return words.decode(errors="replace")


def start_alone(paths: Paths) -> int:
    """Start a helper that nobody holds: it works on when its parent is gone, and ends when all is done.

    Returns:
        Its process id.

    Raises:
        HelperUnavailableError: it cannot be started.
    """
    import subprocess  # as above

    return start_process(paths, _MODULE, "--alone", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid


def ask_estimate(paths: Paths, request: str, stops: threading.Event) -> str:
    """Have a process of its own reckon what a reading will cost; it takes seconds for a long work.

    Args:
        paths: Of the library.
        request: As `engine.store.estimates.request_json` writes it.
        stops: Set from another thread to give it up.

    Returns:
        What `engine.store.estimates.estimate_from_json` reads; empty when it was given up.

    Raises:
        HelperUnavailableError: it cannot be started, or failed.
    """
    import subprocess  # as above

    process = start_process(paths, _MODULE, "--estimate", request, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        while not stops.is_set():
            with contextlib.suppress(subprocess.TimeoutExpired):
                told, _none = process.communicate(timeout=_POLL_S)
                words = told.decode(errors="replace")
                if process.returncode != 0:
                    raise HelperFailedError(words or told_end(process.returncode, paths.log_file))
                return words
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return ""
