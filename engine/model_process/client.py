"""The half that asks: starts the process, sends requests, hands out what comes back."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.domain.models import Json
from engine.errors import HelperUnavailableError, UnderstoryError
from engine.errors.machine import HelperFailedError, told_end
from engine.errors.models import ConsentMissingError, ModelCancelledError, ModelError, ToldModelError
from engine.helper import end_process, start_process
from engine.model_process.lines import line_of
from engine.paths import Paths
from engine.translate import _

if TYPE_CHECKING:
    import subprocess


_POLL_S = 0.05


class Talk:
    """One request under way: events as they come, then a result."""

    def __init__(self, process: ModelProcess, id_: int) -> None:
        self._process = process
        self.id = id_
        self.inbox: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
        self.is_taken = False
        self.result: Json = None
        """Set when the events have ended."""

    def events(self, stops: threading.Event | None = None) -> Iterator[Mapping[str, Json]]:
        """Yield events until there is a result; leaving earlier gives the request up.

        Args:
            stops: Set from another thread to give it up.

        Raises:
            ConsentMissingError: text would go to a host the reader has not agreed to.
            ModelCancelledError: it was given up.
            ToldModelError: it failed there.
            HelperUnavailableError: the process ended.
        """
        has_ended = False
        try:
            while True:
                line = self._next(stops)
                if "event" in line:
                    yield line["event"]
                    continue
                has_ended = True
                if "error" in line:
                    raise _error_from(line["error"])
                self.result = line.get("result")
                return
        finally:
            if not has_ended:
                self.cancel()

    def _next(self, stops: threading.Event | None) -> Mapping[str, Any]:
        while stops is not None and not stops.is_set():
            with contextlib.suppress(queue.Empty):
                return self.inbox.get(timeout=_POLL_S)
        if stops is not None:
            raise ModelCancelledError
        return self.inbox.get()

    def wait(self) -> Json:
        """Return the result, events let go by. Raises like `events`."""
        for _event in self.events():
            pass
        return self.result

    def cancel(self) -> None:
        """Give the request up; its events end with ModelCancelledError."""
        self._process.send({"cancel": self.id})


class ModelProcess:
    """Starts the process when something is asked, and ends it. Thread-safe."""

    def __init__(self, paths: Paths, module: str = "engine.model_process") -> None:
        """Take the folders, and the module that is run with the handlers of whoever stands above this room."""
        self._paths = paths
        self._module = module
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._talks: dict[int, tuple[Talk, Mapping[str, Json]]] = {}
        self._last_id = 0
        self._is_stopped = False
        self._last_words = ""
        """What the process said when it could not go on."""

    def ask(self, do: str, **given: Json) -> Talk:
        """Send a request.

        Args:
            do: One of the kinds this module knows.
            given: What the kind wants.

        Raises:
            HelperUnavailableError: the process cannot be started.
        """
        with self._lock:
            self._last_id += 1
            talk = Talk(self, self._last_id)
            request: Mapping[str, Json] = {"id": talk.id, "do": do, "with": given}
            self._talks[talk.id] = (talk, request)
            self._ensure()
            self.send(request)
        return talk

    def send(self, line: Mapping[str, Json]) -> None:
        """Write a line; a process that has just ended is met by whoever reads from it."""
        with self._lock:
            pipe = self._process.stdin if self._process is not None else None
            if pipe is not None:
                with contextlib.suppress(OSError, ValueError):
                    pipe.write(line_of(line))

    def _ensure(self) -> None:
        if self._is_stopped:
            raise HelperUnavailableError(_("the program is being left"))
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
            threading.Thread(target=self._listen, args=(self._process,), name="models", daemon=True).start()

    def _start(self) -> subprocess.Popen[bytes]:
        import subprocess  # 12 ms, and most starts ask no model

        return start_process(self._paths, self._module, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Hand each line to its talk, until the process ends; by a thread of its own."""
        assert process.stdout is not None
        with process.stdout as lines:
            for line in iter(lines.readline, b""):
                with contextlib.suppress(ValueError):
                    told = json.loads(line)
                    self._last_words = str(told.get("ended", ""))
                    self._deliver(told)
        status = process.wait()
        with self._lock:
            if self._process is not process:
                return
            self._process = None
            waiting = list(self._talks.values())
            for talk, request in waiting:
                # One it had not looked at is asked again: the process had just gone to sleep.
                if not talk.is_taken and status == 0 and not self._is_stopped:
                    self._ensure()
                    self.send(request)
                else:
                    self._deliver({"id": talk.id, "error": self._ended(status)})

    def _ended(self, status: int) -> dict[str, Json]:
        words = self._last_words or told_end(status, self._paths.log_file)
        return {"kind": "HelperUnavailableError", "title": "", "message": words}

    def _deliver(self, line: Mapping[str, Any]) -> None:
        with self._lock:
            talk = self._talks.get(line.get("id", 0), (None, None))[0]
            if talk is None:
                return
            if "taken" in line:
                talk.is_taken = True
                return
            if "event" not in line:
                del self._talks[talk.id]
        talk.inbox.put(line)

    def stop(self, timeout_s: float = 0.4) -> None:
        """End the process; what is under way is given up."""
        with self._lock:
            self._is_stopped = True
            process = self._process
        if process is not None:
            end_process(process, timeout_s)


def _error_from(told: Mapping[str, Any]) -> UnderstoryError:
    kind, message = str(told.get("kind", "")), str(told.get("message", ""))
    if kind == "HelperUnavailableError":
        return HelperFailedError(message)
    error: ModelError
    if kind == "ConsentMissingError":
        error = ConsentMissingError(str(told.get("model", "")), str(told.get("host", "")))
    elif kind == "ModelCancelledError":
        error = ModelCancelledError()
    else:
        error = ToldModelError(kind, str(told.get("title", "")), message)
    error.partial_text = str(told.get("partial", ""))
    return error
