"""What the rest of the engine asks of a language model, and what it gets back.

A model is given a `ModelCall` and answers with one `ModelReply`, or with events that end in
`Finished`. An answer that is not whole never looks like one: whatever cuts it short is raised
as a `ModelError`, whose `partial_text` holds what had come. Reasoning text comes only as
events, for a line that says "thinking"; it is in no reply.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias

from engine.domain.models import Capabilities, Json, ModelRole, Usage
from engine.errors.models import ModelCancelledError

JsonSchema: TypeAlias = Mapping[str, Json]
"""A JSON schema; which words of it are checked, see engine/providers/schemas.py."""


# What is sent


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool the model may call."""

    name: str
    """Letters, digits and underscores."""
    description: str
    parameters: JsonSchema
    """Schema of the arguments, an object."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model made, whether or not it makes sense."""

    id: str
    """Unique in its reply; made by us where the model gave none."""
    name: str
    arguments: Mapping[str, Json]
    """Empty where they could not be read."""
    fault: str = ""
    """Why the arguments could not be read, to be sent back as the tool's result; empty when they could."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the model is asked or shown. Text of a book stands only here and in tool results."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said before."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """What a tool returned; one for each call of the message before."""

    call_id: str
    name: str
    text: str


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request, whole: models remember nothing."""

    role: ModelRole
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    reply_schema: JsonSchema | None = None
    """The answer is to be JSON that fits this; see `engine.providers.typed` for reading and repairing it."""
    max_tokens: int | None = None
    """Of the answer; None leaves it to the model."""
    temperature: float | None = None
    stage: str = ""
    """What the call is for, as the usage page names it: "read", "judge", "chat" ..."""
    work: int | None = None
    """Id of the work it is for, for the same page."""
    job: int | None = None
    """Id of the job it belongs to, whose spending limit holds."""


# What comes back


class FinishReason(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    """It had said everything."""
    TOOL_CALLS = "tool_calls"
    """It waits for tools."""
    LENGTH = "length"
    """`max_tokens` or its context was used up: the answer is not whole."""
    FILTERED = "filtered"
    """The provider held the rest back: the answer is not whole."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An answer that has ended."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    finish: FinishReason
    usage: Usage
    model: str
    """The name of the model that answered, as the provider gives it."""

    @property
    def is_whole(self) -> bool:
        """Whether the model came to its end by itself."""
        return self.finish in (FinishReason.STOP, FinishReason.TOOL_CALLS)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The next piece of the model's reasoning: to be counted, never shown, stored or parsed."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool call, complete."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class UsageSeen:
    """What the provider counted so far."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing has come yet and the call will be made again after a pause; only before the first piece."""

    seconds: float
    reason: str
    """One sentence for the reader."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of a stream that reached its end."""

    reply: ModelReply


ModelEvent: TypeAlias = TextDelta | ReasoningDelta | ToolCalled | UsageSeen | Waiting | Finished


# Who answers


@dataclass(slots=True)
class Cancel:
    """Tells a call, from any thread, that nobody waits for it any more."""

    _event: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _callbacks: list[Callable[[], None]] = field(default_factory=list)

    @property
    def is_set(self) -> bool:
        """Whether the call is given up."""
        return self._event.is_set()

    def set(self) -> None:
        """Give the call up; what it waits for is closed before this returns."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def wait(self, timeout_s: float) -> bool:
        """Wait at most so long; True when the call was given up."""
        return self._event.wait(timeout_s)

    def check(self) -> None:
        """Go on, unless the call was given up.

        Raises:
            ModelCancelledError: it was.
        """
        if self._event.is_set():
            raise ModelCancelledError

    def on_set(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have a function called, from the thread that cancels, when the call is given up; at once if it was.

        Returns:
            A function that takes `callback` away again.
        """
        with self._lock:
            is_set = self._event.is_set()
            if not is_set:
                self._callbacks.append(callback)
        if is_set:
            callback()

        def forget() -> None:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return forget


class Model(Protocol):
    """A language model. Thread-safe: several calls may run at once."""

    @property
    def name(self) -> str:
        """The name it has in the reader's configuration."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer in one piece.

        Raises:
            ModelCancelledError: `cancel` was set; at most 200 ms after it was.
            ModelError: there is no whole answer; the class says why, its sentence what to do.
        """
        ...

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer piece by piece; the last event is `Finished`, or an error is raised.

        Closing the iterator gives the call up.

        Raises:
            ModelCancelledError: `cancel` was set.
            ModelError: there is no whole answer. After the first piece the call is never made again.
        """
        ...
