"""Somebody who answers the test server by hand: the rules of the scripted reader, over a real line."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from engine.analysis.asking import load_prompt
from engine.domain.models import ModelRole
from engine.providers.protocols import AssistantMessage, Message, ModelCall, ToolMessage, UserMessage
from tests.scripted_reader import scripted_reply

_STAGES = {"read": "read", "volume": "volume", "plan": "plan", "write": "write", "home": "write", "judge": "judge",
           "teaser": "judge", "repair": "repair"}  # fmt: skip


class Answering:
    """Looks into the folder of `--hand` for requests and answers them, until it is told to stop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._answer_all, daemon=True)
        self.requests = 0

    def __enter__(self) -> Answering:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _answer_all(self) -> None:
        while not self._is_over.wait(0.02):
            for request in sorted(self._folder.glob("*.request.json")):
                reply = request.with_name(request.name.replace("request", "reply"))
                if not reply.exists():
                    self.requests += 1
                    self._answer(json.loads(request.read_text("utf-8")), reply)

    def _answer(self, body: dict[str, Any], reply: Path) -> None:
        text, calls = scripted_reply(_call_from(body))
        said = {"content": text, "tool_calls": [{"name": c.name, "arguments": dict(c.arguments)} for c in calls]}
        unfinished = reply.with_suffix(".part")
        unfinished.write_text(json.dumps(said, ensure_ascii=False), "utf-8")
        unfinished.rename(reply)


def _call_from(body: dict[str, Any]) -> ModelCall:
    system = next(m["content"] for m in body["messages"] if m["role"] == "system")
    stage = next(stage for name, stage in _STAGES.items() if load_prompt(name).text in system)
    messages = tuple(_message(m) for m in body["messages"] if m["role"] != "system")
    return ModelCall(ModelRole.READER, system, messages, stage=stage)


def _message(message: dict[str, Any]) -> Message:
    if message["role"] == "user":
        return UserMessage(message["content"])
    if message["role"] == "tool":
        return ToolMessage(message["tool_call_id"], "", message["content"])
    return AssistantMessage(message.get("content") or "")
