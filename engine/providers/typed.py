"""JSON out of what a model wrote, however it is wrapped, and the call that asks once more where it does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from engine.domain.models import Json
from engine.errors.models import ReplyInvalidError
from engine.providers.answer import clean_json
from engine.providers.protocols import AssistantMessage, JsonSchema, ModelCall, ModelReply, UserMessage
from engine.providers.schemas import faults_in

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_START = re.compile(r"""[{\[]\s*["{\[\]}\d-]""")
_CLOSERS = {"{": "}", "[": "]"}
_LENIENT = json.JSONDecoder(strict=False)
"""Takes a newline inside a string, which small models write."""
_MOST_DEPTH = 60
_REPAIR = (
    "This does not have the form that was asked for: {fault}. Write the whole answer once more, with that mended and "
    "nothing else changed. Only the JSON."
)


def json_in(text: str) -> Json:
    """Return the JSON in a text: bare, in a fence, with words around it, with a comma or a last bracket amiss.

    Raises:
        ValueError: there is none; its words say what is wrong.
    """
    fault = "there is no JSON in it"
    for candidate in _candidates(text):
        for attempt in (candidate, _TRAILING_COMMA.sub(r"\1", candidate), _closed(candidate)):
            try:
                value, _end = _LENIENT.raw_decode(attempt)
            except (ValueError, RecursionError) as error:
                fault = f"it is no valid JSON ({error})" if isinstance(error, ValueError) else "it is nested too deeply"
                continue
            # What follows, such as a bracket too many or a last remark, is left out.
            return clean_json(value)
    raise ValueError(fault)


def _candidates(text: str) -> Iterator[str]:
    """Yield the stretches in which the JSON may be, likeliest first."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")):
        yield stripped
    for match in _FENCE.finditer(text):
        if match[1].strip().startswith(("{", "[")):
            yield match[1].strip()
    if (start := _START.search(text)) is not None:
        yield text[start.start() :]


def _closed(text: str) -> str:
    """Close what a text has left open, unless it stops within a string, so that nothing is taken for whole."""
    open_: list[str] = []
    is_string = is_escaped = False
    for char in text:
        if is_string:
            is_string = is_escaped or char != '"'
            is_escaped = char == "\\" and not is_escaped
        elif char == '"':
            is_string = True
        elif char in _CLOSERS:
            open_.append(_CLOSERS[char])
        elif open_ and char == open_[-1]:
            open_.pop()
        if len(open_) > _MOST_DEPTH:
            return text
    if is_string or len(open_) > 1:
        # One bracket forgotten is a slip; more of them, or half a sentence, is an answer that broke off.
        return text
    return _TRAILING_COMMA.sub(r"\1", text.rstrip().rstrip(",") + "".join(reversed(open_)))


def read_reply(reply: ModelReply, schema: JsonSchema) -> Json:
    """Return the JSON of a reply.

    Raises:
        ReplyInvalidError: it is not whole, holds no JSON, or JSON that does not fit.
    """
    if not reply.is_whole:
        raise ReplyInvalidError(reply.model, "it broke off before its end; write less")
    try:
        value = json_in(reply.text)
    except ValueError as error:
        raise ReplyInvalidError(reply.model, str(error)) from None
    faults = faults_in(value, schema)
    if faults:
        raise ReplyInvalidError(reply.model, "; ".join(faults))
    return value


def repair_call(call: ModelCall, reply: ModelReply, fault: str) -> ModelCall:
    """Return the call that asks for the same once more and names the fault."""
    said = (AssistantMessage(reply.text or "-"), UserMessage(_REPAIR.format(fault=fault)))
    return replace(call, messages=(*call.messages, *said))
