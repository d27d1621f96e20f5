"""Trying a model for real: a text, a tool call, an answer by schema, a stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.domain.models import Json, ModelRole, Trial
from engine.errors import UnderstoryError
from engine.errors.models import ModelCancelledError, ModelError
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    Message,
    Model,
    ModelCall,
    TextDelta,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from engine.providers.typed import read_reply
from engine.translate import _

_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"colour": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["colour", "count"],
    "additionalProperties": False,
}
_TOOL = ToolSpec(
    "look_up",
    "Looks up a word and returns a number.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
_NUMBER = "4711"
# The marks in brackets are for servers that play a model in tests; a real one takes them for quotations.
_SAY = "Answer with the single word lamp. [say lamp]"
_CALL_TOOL = 'Call the tool look_up with the word "lamp" and then tell me the number. [tool:look_up {"word": "lamp"}]'
_FILL = 'Answer in JSON: the colour is "red", the count is 3. [json {"colour": "red", "count": 3}]'
_TOKENS = 400
"""Enough for a model that reasons a little first."""


def try_model(model: Model, place: str, cancel: Cancel, tell: Callable[[str], None] = lambda _step: None) -> Trial:
    """Make the round trips and say what came of them; what fails is a note, not an error.

    Args:
        model: Without repair around it, so that what it cannot do shows.
        place: Where its calls go.
        cancel: To give the trial up.
        tell: Told of each step before it is made: "text", "tools", "schema", "streaming".

    Raises:
        ModelCancelledError: it was given up.
    """
    notes: list[str] = []
    done: dict[str, bool] = {}
    for step, attempt in _STEPS.items():
        tell(step)
        if step != "text" and not done["text"]:
            done[step] = False
            continue
        try:
            fault = attempt(model, cancel)
        except ModelCancelledError:
            raise
        except ModelError as error:
            fault = error.message
        except UnderstoryError as error:
            fault = error.message
        done[step] = not fault
        if fault:
            notes.append(f"{_NAMES[step]()}: {fault}")
    return Trial(model.name, place, "", done["text"], done["tools"], done["schema"], done["streaming"], tuple(notes))


def _call(text: str) -> ModelCall:
    return ModelCall(ModelRole.COMPANION, "", (UserMessage(text),), max_tokens=_TOKENS, stage="test")


def _try_text(model: Model, cancel: Cancel) -> str:
    reply = model.complete(_call(_SAY), cancel)
    return "" if reply.text.strip() else _("it answered nothing")


def _try_tools(model: Model, cancel: Cancel) -> str:
    if not model.capabilities.tools:
        return _("it takes none")
    call = replace(_call(_CALL_TOOL), tools=(_TOOL,))
    reply = model.complete(call, cancel)
    if not reply.tool_calls:
        return _("it did not call the tool")
    made = reply.tool_calls[0]
    if made.fault or made.name != _TOOL.name:
        return _("it called the tool in a form that cannot be read")
    results = tuple(ToolMessage(each.id, each.name, _NUMBER) for each in reply.tool_calls)
    turns: tuple[Message, ...] = (AssistantMessage(reply.text, reply.tool_calls), *results)
    told = model.complete(replace(call, messages=(*call.messages, *turns)), cancel)
    return "" if _NUMBER in told.text else _("it did not use what the tool returned")


def _try_schema(model: Model, cancel: Cancel) -> str:
    if not model.capabilities.schemas:
        return _("it takes none")
    reply = model.complete(replace(_call(_FILL), reply_schema=_SCHEMA), cancel)
    try:
        json.loads(reply.text)
        read_reply(reply, _SCHEMA)
    except (ValueError, ModelError):
        return _("its answer did not fit")
    return ""


def _try_stream(model: Model, cancel: Cancel) -> str:
    if not model.capabilities.streaming:
        return _("it answers in one piece")
    has_come = has_ended = False
    for event in _events(model, cancel):
        has_come = has_come or event is TextDelta
        has_ended = event is Finished
    return "" if has_come and has_ended else _("its answer did not come to an end")


def _events(model: Model, cancel: Cancel) -> Iterator[type]:
    return (type(event) for event in model.stream(_call(_SAY), cancel))


_STEPS: dict[str, Callable[[Model, Cancel], str]] = {
    "text": _try_text,
    "tools": _try_tools,
    "schema": _try_schema,
    "streaming": _try_stream,
}
_NAMES: dict[str, Callable[[], str]] = {
    "text": lambda: _("text"),
    "tools": lambda: _("tools"),
    "schema": lambda: _("schema"),
    "streaming": lambda: _("streaming"),
}
