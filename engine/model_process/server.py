"""The half that answers: each request in a thread of its own, what happens as lines."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from engine.domain.models import Json
from engine.errors import UnderstoryError
from engine.helper import log_failure
from engine.model_process.lines import line_of
from engine.paths import Paths
from engine.translate import _

if TYPE_CHECKING:
    from engine.providers.protocols import Cancel
    from engine.store.store import Store

_IDLE_S = 120.0
_POLL_S = 1.0

Tell: TypeAlias = "Callable[[Mapping[str, Json]], None]"
"""Sends an event to whoever asked."""
Handler: TypeAlias = "Callable[[Paths, Any, Mapping[str, Any], Any, Tell], Json]"
"""Takes the folders, the store, what was given, a way to be given up and a way to tell; returns the result."""


class Server:
    """Takes requests, each in a thread of its own."""

    def __init__(self, paths: Paths, store: Store, out: IO[bytes], handlers: Mapping[str, Handler]) -> None:
        self._paths = paths
        self._store = store
        self._out = out
        self._handlers = handlers
        self._out_lock = threading.Lock()
        self._lock = threading.Lock()
        self._under_way: dict[int, Cancel] = {}
        self._last_at = time.monotonic()

    def take(self, line: bytes) -> None:
        """Begin a request, or give one up."""
        from engine.providers.protocols import Cancel

        try:
            request = json.loads(line)
            given_up = request.get("cancel")
            if given_up is not None:
                with self._lock:
                    cancel = self._under_way.get(given_up)
                if cancel is not None:
                    cancel.set()
                return
            id_, do, given = int(request["id"]), str(request["do"]), dict(request["with"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return
        cancel = Cancel()
        with self._lock:
            self._under_way[id_] = cancel
        self._say({"id": id_, "taken": True})
        threading.Thread(target=self._answer, args=(id_, do, given, cancel), daemon=True).start()

    def _answer(self, id_: int, do: str, given: Mapping[str, Any], cancel: Cancel) -> None:
        try:
            handler = self._handlers[do]
            result = handler(
                self._paths, self._store, given, cancel, lambda event: self._say({"id": id_, "event": event})
            )
            self._say({"id": id_, "result": result})
        except UnderstoryError as error:
            self._say({"id": id_, "error": _told(error, given)})
        except Exception as error:  # the outermost line of a request: it must not end the others
            log_failure(error)
            title = _("The models' process failed")
            self._say({"id": id_, "error": {"kind": type(error).__name__, "title": title, "message": title}})
        finally:
            with self._lock:
                self._under_way.pop(id_, None)
                self._last_at = time.monotonic()

    def _say(self, record: Mapping[str, Json]) -> None:
        with self._out_lock, contextlib.suppress(OSError, ValueError):
            self._out.write(line_of(record))
            self._out.flush()

    def sleep_when_idle(self) -> None:
        """End the process when nobody has asked anything for a while."""
        while True:
            time.sleep(_POLL_S)
            with self._lock:
                if not self._under_way and time.monotonic() - self._last_at > _IDLE_S:
                    self._store.close()
                    os._exit(0)


def _told(error: UnderstoryError, given: Mapping[str, Any]) -> dict[str, Json]:
    return {
        "kind": type(error).__name__,
        "title": error.title,
        "message": error.message,
        "model": str(given.get("model", "")),
        "host": getattr(error, "host", ""),
        "partial": getattr(error, "partial_text", ""),
    }


def _installed(_paths: Paths, _store: Store, _given: Mapping[str, Any], _cancel: Cancel, _tell: Tell) -> Json:
    """Return [name, place] of each model `llm` knows."""
    from engine.providers.line import keep_silent

    keep_silent()
    from engine.providers.chat import known_models

    return [[name, place] for name, place in known_models()]


def _embedders(_paths: Paths, _store: Store, _given: Mapping[str, Any], _cancel: Cancel, _tell: Tell) -> Json:
    """Return [name, place] of each embedding model `llm` knows."""
    from engine.providers.llm_embedder import known_embedders

    return [[name, place] for name, place in known_embedders()]


def _test(paths: Paths, store: Store, given: Mapping[str, Any], cancel: Cancel, tell: Tell) -> Json:
    """Try a model, keep what was seen, and return it."""
    from engine.domain.trial_records import record_of_trial
    from engine.models.desk import open_registry
    from engine.models.trying import try_and_keep

    trial = try_and_keep(
        open_registry(paths, store), store, str(given["model"]), cancel, lambda step: tell({"step": step})
    )
    return record_of_trial(trial)


HANDLERS: Mapping[str, Handler] = {
    "installed": _installed,
    "embedders": _embedders,
    "test": _test,
}
"""What may be asked of this room; whoever stands above it enters more."""
