"""A question that may need tools: ask, run what the model calls, ask again; never without end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.errors.models import ToolLoopError
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    Model,
    ModelCall,
    ModelEvent,
    ModelReply,
    ToolCall,
    ToolMessage,
)
from engine.providers.schemas import faults_in

_NO_MORE = "No more tool calls are possible for this question. Answer now with what you have."

RunTool: TypeAlias = Callable[[ToolCall, Cancel], "str | None"]
"""Does what a call asks for and returns the result; None when somebody else has to say it, which holds the rounds.
The arguments fit the schema; what it raises ends the rounds."""


@dataclass(frozen=True, slots=True)
class ToolDue:
    """A call is about to be answered."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolRan:
    """A call was answered; in the order they were made."""

    call: ToolCall
    text: str
    """What the model is told."""
    was_run: bool
    """False for a call that could not be read, named no tool, or did not fit."""


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The model has called tools, and they are run now; what it said before is no answer yet."""

    reply: ModelReply


@dataclass(frozen=True, slots=True)
class Held:
    """The rounds wait until somebody says what a call returns; all other calls of its reply are answered."""

    call: ModelCall
    """What to go on with, without that result."""
    made: ToolCall
    left: int
    """Tool calls that may still be made."""

    def resumed(self, text: str) -> ModelCall:
        """Return the call to go on with, now that the result is known."""
        result = ToolMessage(self.made.id, self.made.name, text)
        return replace(self.call, messages=(*self.call.messages, result))


RoundEvent: TypeAlias = ModelEvent | ToolDue | ToolRan | RoundOver | Held


def ask_with_tools(
    model: Model, call: ModelCall, run: RunTool, cancel: Cancel, *, most_calls: int = 12
) -> Iterator[RoundEvent]:
    """Yield what happens until the model answers without calling a tool; the last event is its `Finished`, or `Held`.

    A faulty call is answered with its fault and costs one of the calls. When they are used up the
    model is told to answer; a model that goes on calling is stopped. Of a reply that makes more calls
    than are left, those that are too many are forgotten.

    Args:
        model: Who is asked.
        call: The question; its tools are those that may be called.
        run: Runs a tool.
        cancel: To give everything up.
        most_calls: Tool calls in all.

    Raises:
        ToolLoopError: it was told to answer and called a tool again.
        ModelError: there is no whole answer.
    """
    left = most_calls
    while True:
        reply = None
        for event in model.stream(call, cancel):
            if isinstance(event, Finished):
                reply = event.reply
            else:
                yield event
        assert reply is not None, "a stream ends with Finished or raises"
        if not reply.tool_calls or not reply.is_whole:
            yield Finished(reply)
            return
        if left <= 0:
            raise _looped(model.name, reply)
        yield RoundOver(reply)
        made = reply.tool_calls[:left]
        held, results = None, []
        for each in made:
            cancel.check()
            yield ToolDue(each)
            ran = _answered(each, call, run, cancel)
            if ran is None:
                held = each
                continue
            results.append(ToolMessage(each.id, each.name, ran.text))
            yield ran
        left -= len(made)
        if left <= 0 and results:
            results[-1] = replace(results[-1], text=f"{results[-1].text}\n\n{_NO_MORE}")
        call = replace(call, messages=(*call.messages, AssistantMessage(reply.text, made), *results))
        if held is not None:
            yield Held(call, held, left)
            return


def _answered(made: ToolCall, call: ModelCall, run: RunTool, cancel: Cancel) -> ToolRan | None:
    spec = next((each for each in call.tools if each.name == made.name), None)
    if made.fault:
        fault = made.fault
    elif spec is None:
        fault = f"There is no tool {made.name}. There are: {', '.join(each.name for each in call.tools)}."
    else:
        fault = "; ".join(faults_in(made.arguments, spec.parameters))
    if fault:
        return ToolRan(made, fault, was_run=False)
    text = run(made, cancel)
    return None if text is None else ToolRan(made, text, was_run=True)


def _looped(name: str, reply: ModelReply) -> ToolLoopError:
    error = ToolLoopError(name)
    error.partial_text, error.has_begun = reply.text, True
    return error
