"""The models' own process with the companion in it: `python -m engine.library.serving CONFIG DATA STATE`.

The process that draws starts it over `ModelProcess` and never imports `llm` itself.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Mapping
from typing import Any

from engine.config import read_settings
from engine.domain.chat import Numbered, SpoilerChoice, TurnId
from engine.domain.chat_records import record_of
from engine.domain.models import Json, ModelRole
from engine.errors.models import ModelError
from engine.library.answering import answer_turn
from engine.library.asking import Asking
from engine.model_process.__main__ import main
from engine.model_process.server import HANDLERS, Tell
from engine.paths import Paths
from engine.providers.protocols import Cancel
from engine.store.store import Store

_WANTED = (
    "engine.agent.companion", "engine.agent.telling", "engine.library.scenes", "engine.providers.chat",
    "ahocorasick_rs", "engine.library.ahead", "engine.retrieval.search", "engine.retrieval.resolve",
    "engine.retrieval.segments", "engine.wiki.outline",
)  # fmt: skip
"""The pages of the wiki come with the patterns of three languages: a fifth of a second."""


class Answerer(Asking):
    """A library that looks things up for the companion; it draws nothing and starts no work in the background."""

    def __init__(self, paths: Paths, store: Store) -> None:
        settings = read_settings(paths.config_file)[0]
        super().__init__(paths, store, settings.spoilers)
        self._helper_lock = threading.Lock()
        self.use_settings(settings)


def _ask(paths: Paths, store: Store, given: Mapping[str, Any], cancel: Cancel, tell: Tell) -> Json:
    """Answer a turn, or go on with one the reader was asked in."""
    library = Answerer(paths, store)
    choice = SpoilerChoice(given["choice"]) if given.get("choice") else None

    def told(numbered: Numbered) -> None:
        tell(record_of(numbered))

    answer_turn(library, TurnId(str(given["turn"])), choice, cancel, told)
    return None


def _warm(paths: Paths, store: Store, _given: Mapping[str, Any], _cancel: Cancel, _tell: Tell) -> Json:
    """Import what the first question and its first look into the wiki need: `llm` alone takes half a second."""
    from engine.models.desk import open_registry

    registry = open_registry(paths, store)
    with contextlib.suppress(ModelError):  # the question itself will tell
        registry.for_role(ModelRole.COMPANION)
    for module in _WANTED:
        importlib.import_module(module)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], {**HANDLERS, "ask": _ask, "warm": _warm}))
