"""The shared test server for language models, and models of `llm` that talk to it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from engine.domain.models import Capabilities, ModelRole
from engine.providers.line import TimeLimits
from engine.providers.llm_models import LlmModel, ModelMaker
from engine.providers.protocols import ModelCall, ToolSpec, UserMessage

SEARCH = ToolSpec("search", "Look something up.", {"type": "object", "properties": {"q": {"type": "string"}}})
QUICK = TimeLimits(connect_s=2.0, idle_s=5.0, total_s=20.0)


def model_server_script() -> Path:
    """Return where `model_server.py` of the shared tools is; skip where it is not there."""
    named = os.environ.get("UNDERSTORY_CORPORA", "")
    script = Path(named).resolve().parent / "tools" / "model_server.py"
    if not named or not script.is_file():
        pytest.skip("UNDERSTORY_CORPORA is not set, or has no model_server.py in the folder `tools` beside it")
    return script


def start_model_server(hand: Path | None = None, log: Path | None = None) -> Any:  # Any: a script's own class
    """Start `model_server.py` of the shared tools in a thread; skip where it is not there."""
    spec = importlib.util.spec_from_file_location("model_server", model_server_script())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.serve(hand=hand, log=log)


class ServedModels:
    """The test server as one test sees it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._before = server.count
        self.url: str = server.url

    @property
    def count(self) -> int:
        """Requests since the test began."""
        return int(self._server.count - self._before)


def served_model(url: str, model: str, limits: TimeLimits = QUICK, **can: Any) -> LlmModel:
    """Return a model of the test server; `can` as in `Capabilities`."""
    capabilities = Capabilities(**can)

    def make() -> object:
        from engine.providers.chat import chat_at

        return chat_at(
            model, url=url, model=model, key_name="", tools=True, schemas=True, streaming=capabilities.streaming
        )

    return LlmModel(ModelMaker(model, make, place=url.split("/")[2]), capabilities, limits)


def asked(text: str, *tools: ToolSpec, **more: Any) -> ModelCall:
    """Return a call with one message."""
    return ModelCall(ModelRole.COMPANION, "Be brief.", (UserMessage(text),), tools, **more)
