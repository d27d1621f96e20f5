"""A scripted language model: says what the test wrote down, remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.domain.models import Capabilities, Usage
from engine.errors.models import ModelError
from engine.providers.protocols import (
    Cancel,
    Finished,
    FinishReason,
    ModelCall,
    ModelEvent,
    ModelReply,
    TextDelta,
    ToolCall,
    ToolCalled,
    UsageSeen,
)

Line: TypeAlias = "str | ToolCall | Sequence[ToolCall] | ModelReply | ModelError"
"""What the model does: says a text, calls tools, gives a reply as it stands, or fails."""
Script: TypeAlias = "Sequence[Line] | Callable[[ModelCall], Line]"


@dataclass
class ScriptedModel:
    """A `Model` that answers its calls line by line, or by a function of the call. Thread-safe.

    Attributes:
        script: Lines in order; a call beyond them fails the test. Or what makes a line from a call.
        calls: What it was asked, in the order it was.
    """

    script: Script
    name: str = "scripted"
    capabilities: Capabilities = field(default_factory=Capabilities)
    calls: list[ModelCall] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        cancel.check()
        with self._lock:
            number = len(self.calls)
            self.calls.append(call)
        if callable(self.script):
            line = self.script(call)
        else:
            assert number < len(self.script), f"call {number + 1} of a script of {len(self.script)} lines"
            line = self.script[number]
        if isinstance(line, ModelError):
            raise line
        return self._reply(line, call)

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        reply = self.complete(call, cancel)
        for word in reply.text.splitlines(keepends=True):
            cancel.check()
            yield TextDelta(word)
        for tool_call in reply.tool_calls:
            yield ToolCalled(tool_call)
        yield UsageSeen(reply.usage)
        yield Finished(reply)

    def _reply(self, line: str | ToolCall | Sequence[ToolCall] | ModelReply, call: ModelCall) -> ModelReply:
        if isinstance(line, ModelReply):
            return line
        sent = len(call.system) + sum(len(message.text) for message in call.messages)
        if isinstance(line, str):
            return ModelReply(line, (), FinishReason.STOP, Usage(sent, 0, len(line)), self.name)
        made = (line,) if isinstance(line, ToolCall) else tuple(line)
        return ModelReply("", made, FinishReason.TOOL_CALLS, Usage(sent, 0, 10 * len(made)), self.name)
