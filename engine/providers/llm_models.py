"""Models of the `llm` library as `Model`: a thread for each call, so that whoever waits can always leave.

`llm` is imported by the first call (half a second, 40 MB): nothing here may run in the process that draws.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.domain.models import Capabilities, Json
from engine.errors.models import ModelCancelledError, ModelError, ModelSlowError
from engine.providers.answer import Answer
from engine.providers.failures import failure_from
from engine.providers.line import Line, TimeLimits, keep_silent
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    Message,
    ModelCall,
    ModelEvent,
    ModelReply,
    ToolCalled,
    ToolMessage,
    UsageSeen,
    UserMessage,
)

_WAKE = object()
_MADE = object()
"""Comes first: from here on the model is waited for, before it the import of `llm` was."""
_LENGTH_OPTIONS = ("max_tokens", "max_output_tokens", "num_predict")


@dataclass(frozen=True, slots=True)
class _End:
    response: Any


@dataclass(frozen=True, slots=True)
class ModelMaker:
    """How to come by a model of `llm`, and what is known of it beforehand."""

    name: str
    """As the reader calls it."""
    make: Callable[[], Any]
    """Returns the model of `llm`; called once, in a thread of its own."""
    place: str
    """Host, or name of the plugin, its calls go to."""
    key_name: str = ""
    without_reasoning: Json = None
    """Added to the request where tools are given, for an address that takes no tools while its model reasons."""


class LlmModel:
    """A model `llm` can reach."""

    def __init__(self, maker: ModelMaker, capabilities: Capabilities, limits: TimeLimits) -> None:
        self._maker = maker
        self._limits = limits
        self._lock = threading.Lock()
        self._made: Any = None
        self.name = maker.name
        self.capabilities = capabilities

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer in one piece; it is asked for piece by piece all the same, so that a slow one is no dead one."""
        for event in self.stream(call, cancel):
            if isinstance(event, Finished):
                return event.reply
        raise AssertionError("a stream ends with Finished or raises")

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer piece by piece."""
        cancel.check()
        answer = Answer(self.name, call)
        line = Line(self._limits)
        came: queue.SimpleQueue[object] = queue.SimpleQueue()
        threading.Thread(target=self._work, args=(call, line, came.put), name="model", daemon=True).start()
        forget = cancel.on_set(lambda: came.put(_WAKE))
        try:
            yield from self._events(answer, line, came, cancel)
        except ModelError as error:
            error.partial_text = answer.text
            # A provider that says nothing may be at work all the same, and wants to be paid for it.
            is_at_work = isinstance(error, ModelSlowError) or (line.has_answered and not self.capabilities.streaming)
            error.has_begun = answer.has_begun or is_at_work
            raise
        finally:
            forget()
            line.cut()

    def _events(
        self, answer: Answer, line: Line, came: queue.SimpleQueue[object], cancel: Cancel
    ) -> Iterator[ModelEvent]:
        item = came.get()
        deadline = time.monotonic() + self._limits.total_s
        while True:
            if cancel.is_set:
                raise ModelCancelledError
            if isinstance(item, _End):
                reply = answer.reply(item.response, tells_its_end=self._tells_its_end)
                yield from (ToolCalled(each) for each in reply.tool_calls)
                yield UsageSeen(reply.usage)
                yield Finished(reply)
                return
            if isinstance(item, BaseException):
                # Without its cause: the provider's words may quote the key or the book.
                raise failure_from(
                    item, name=self.name, host=self._maker.place, key_name=self._maker.key_name,
                    limits=self._limits, has_answered=line.has_answered,
                ) from None  # fmt: skip
            if item is not _MADE:
                yield from answer.take(item)
            item = self._next(came, deadline)

    def _next(self, came: queue.SimpleQueue[object], deadline: float) -> object:
        # A line of ours measures by itself how long nothing came, signs of life between the pieces included.
        left = deadline - time.monotonic()
        is_last = self._is_on_our_line or left <= self._limits.idle_s
        try:
            return came.get(timeout=max(0.0, left if is_last else self._limits.idle_s))
        except queue.Empty:
            seconds = self._limits.total_s if is_last else self._limits.idle_s
            raise ModelSlowError(self.name, seconds, is_total=is_last) from None

    @property
    def _is_on_our_line(self) -> bool:
        return getattr(self._made, "api_base", self) is not self

    @property
    def _tells_its_end(self) -> bool:
        return self._is_on_our_line

    def _work(self, call: ModelCall, line: Line, put: Callable[[object], None]) -> None:
        """Make the call; by a thread of its own."""
        try:
            model = self._llm_model()
            put(_MADE)
            response = self._prompt(model, call, line)
            for event in response.stream_events():
                put(event)
            put(_End(response))
        except BaseException as error:  # handed to the thread that waits
            put(error)
        finally:
            line.close()

    def _llm_model(self) -> Any:
        with self._lock:
            if self._made is None:
                keep_silent()
                self._made = self._maker.make()
            return self._made

    def _prompt(self, model: Any, call: ModelCall, line: Line) -> Any:
        import llm

        from engine.providers.chat import on_our_line

        extra = self._maker.without_reasoning if call.tools else None
        ours = on_our_line(model, line, dict(extra) if isinstance(extra, dict) else None)
        tools = [llm.Tool(name=t.name, description=t.description, input_schema=dict(t.parameters)) for t in call.tools]
        asked: dict[str, Any] = {
            "system": call.system or None,
            "stream": self.capabilities.streaming and bool(ours.can_stream),
            "options": _options(ours, call),
        }
        if tools:
            asked["tools"] = tools
        if call.reply_schema is not None and self.capabilities.schemas:
            asked["schema"] = dict(call.reply_schema)
        if len(call.messages) == 1 and isinstance(call.messages[0], UserMessage):
            # The way older plugins understand as well.
            return ours.prompt(call.messages[0].text, **asked)
        return ours.prompt(messages=[*_system(call.system), *map(_llm_message, call.messages)], **asked)


def _options(model: Any, call: ModelCall) -> dict[str, Any]:
    """Return the options of a call under the names the model has for them; what it has no name for is left out."""
    names = getattr(model.Options, "model_fields", {})
    options: dict[str, Any] = {}
    length = next((name for name in _LENGTH_OPTIONS if name in names), None)
    if call.max_tokens is not None and length is not None:
        options[length] = call.max_tokens
    if call.temperature is not None and "temperature" in names:
        options["temperature"] = call.temperature
    return options


def _system(text: str) -> list[Any]:
    from llm.parts import Message, TextPart

    return [Message(role="system", parts=[TextPart(text=text)])] if text else []


def _llm_message(message: Message) -> Any:
    from llm import parts

    if isinstance(message, UserMessage):
        return parts.Message(role="user", parts=[parts.TextPart(text=message.text)])
    if isinstance(message, ToolMessage):
        result = parts.ToolResultPart(name=message.name, output=message.text, tool_call_id=message.call_id)
        return parts.Message(role="tool", parts=[result])
    assert isinstance(message, AssistantMessage)
    said: list[Any] = [parts.TextPart(text=message.text)] if message.text else []
    said += [
        parts.ToolCallPart(name=each.name, arguments=dict(each.arguments), tool_call_id=each.id)
        for each in message.tool_calls
    ]
    return parts.Message(role="assistant", parts=said)
