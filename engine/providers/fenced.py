"""Tools and schemas for models that have neither: asked for in words, answered in fenced blocks, read with care."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.domain.models import Capabilities
from engine.errors.models import ReplyInvalidError
from engine.providers.answer import clean_json
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    FinishReason,
    Message,
    Model,
    ModelCall,
    ModelEvent,
    ModelReply,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolCalled,
    ToolMessage,
    ToolSpec,
    UsageSeen,
    UserMessage,
    Waiting,
)
from engine.providers.schemas import faults_in
from engine.providers.typed import json_in, read_reply, repair_call
from engine.text.sanitize import sanitize_line

_MARK = "```tool"
_TOOLS_RULE = """
You can call tools. To call one, write a block like this and nothing after it:

```tool
{{"name": "NAME", "arguments": {{...}}}}
```

You may write several such blocks one after the other. The results come in the next message. When you need no tool,
answer without such a block. The tools:

{tools}"""
_SCHEMA_RULE = """
Answer with one JSON value and nothing else, no words around it. It must fit this JSON schema:

{schema}"""
_RESULT = "Result of {name} ({id}):\n{text}"


@dataclass(frozen=True, slots=True)
class Fenced:
    """A model without tools or schemas as one that has them."""

    model: Model

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    @property
    def capabilities(self) -> Capabilities:
        """What it can do this way."""
        return replace(self.model.capabilities, tools=True, schemas=True)

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer in one piece; a block that cannot be read is asked for once more with its fault named."""
        told = self._told(call)
        reply = self.model.complete(told, cancel)
        fault = self._fault(call, reply)
        if fault:
            first = reply.usage
            reply = self.model.complete(repair_call(told, reply, fault), cancel)
            reply = replace(reply, usage=first + reply.usage)
        return self._read(call, reply)

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer piece by piece; from where a tool's block begins nothing is passed on but the call.

        What a reader may have seen is not asked for again: a call that cannot be read comes with its `fault`.
        """
        gate = _TextGate(is_open=not (call.reply_schema is not None and not self.model.capabilities.schemas))
        for event in self.model.stream(self._told(call), cancel):
            if isinstance(event, TextDelta):
                if passed := gate.passed(event.text):
                    yield TextDelta(passed)
            elif isinstance(event, ReasoningDelta | Waiting):
                yield event
            elif isinstance(event, Finished):
                reply = self._read(call, event.reply)
                if rest := gate.rest(reply.text):
                    yield TextDelta(rest)
                yield from (ToolCalled(each) for each in reply.tool_calls)
                yield UsageSeen(reply.usage)
                yield Finished(reply)

    def _told(self, call: ModelCall) -> ModelCall:
        """Put what the model cannot be given into words."""
        can = self.model.capabilities
        system, told = call.system, call
        if call.tools and not can.tools:
            system += "\n" + _TOOLS_RULE.format(tools="\n".join(map(_described, call.tools)))
            told = replace(told, tools=())
        if not can.tools:
            told = replace(told, messages=tuple(_plain(message) for message in call.messages))
        if call.reply_schema is not None and not can.schemas:
            system += "\n" + _SCHEMA_RULE.format(schema=json.dumps(call.reply_schema, ensure_ascii=False))
            told = replace(told, reply_schema=None)
        return replace(told, system=system.lstrip("\n"), messages=_merged(told.messages))

    def _fault(self, call: ModelCall, reply: ModelReply) -> str:
        if not reply.is_whole:
            return ""
        read = self._read(call, reply)
        if faulty := next((each.fault for each in read.tool_calls if each.fault), ""):
            return faulty
        if call.reply_schema is None or self.model.capabilities.schemas or read.tool_calls:
            return ""
        try:
            read_reply(read, call.reply_schema)
        except ReplyInvalidError as error:
            return error.fault
        return ""

    def _read(self, call: ModelCall, reply: ModelReply) -> ModelReply:
        if self.model.capabilities.tools or not call.tools:
            return reply
        text, blocks = _split(reply.text)
        if not blocks:
            return reply
        calls = tuple(_tool_call(block, number, call.tools) for number, block in enumerate(blocks, 1))
        finish = FinishReason.TOOL_CALLS if reply.is_whole else reply.finish
        return replace(reply, text=text, tool_calls=calls, finish=finish)


class _TextGate:
    """Lets an answer's text through up to where a tool's block begins, or may be about to."""

    def __init__(self, *, is_open: bool) -> None:
        self._text = ""
        self._given = 0
        self._is_open = is_open

    def passed(self, piece: str) -> str:
        self._text += piece
        if not self._is_open:
            return ""
        mark = self._text.find(_MARK, max(0, self._given - len(_MARK)))
        end = mark if mark >= 0 else len(self._text) - _beginning_of_mark(self._text)
        passed = self._text[self._given : end]
        self._given = max(self._given, end)
        return passed

    def rest(self, whole: str) -> str:
        return whole[self._given :]


def _beginning_of_mark(text: str) -> int:
    """Return how many of the last characters may be the beginning of a block."""
    return next((n for n in range(len(_MARK) - 1, 0, -1) if text.endswith(_MARK[:n])), 0)


def _split(text: str) -> tuple[str, list[str]]:
    """Return the text before the first block, and the blocks."""
    before, *rest = text.split(_MARK)
    return before, [block.partition("```")[0] for block in rest]


def _tool_call(block: str, number: int, tools: tuple[ToolSpec, ...]) -> ToolCall:
    id_ = f"call_{number}"
    try:
        value = json_in(block)
    except ValueError as error:
        return ToolCall(id_, "", {}, fault=f"The block cannot be read: {error}.")
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        return ToolCall(id_, "", {}, fault='The block must be {"name": ..., "arguments": {...}}.')
    name, arguments = sanitize_line(str(value["name"])), value.get("arguments", {})
    spec = next((each for each in tools if each.name == name), None)
    if spec is None:
        return ToolCall(id_, name, {}, fault=f"There is no tool {name}.")
    if not isinstance(arguments, Mapping):
        return ToolCall(id_, name, {}, fault="The arguments must be a JSON object.")
    faults = faults_in(arguments, spec.parameters)
    return ToolCall(id_, name, {key: clean_json(each) for key, each in arguments.items()}, fault="; ".join(faults))


def _described(tool: ToolSpec) -> str:
    return f"- {tool.name}: {tool.description} Arguments: {json.dumps(tool.parameters, ensure_ascii=False)}"


def _plain(message: Message) -> Message:
    """Return a message as one of words."""
    if isinstance(message, ToolMessage):
        return UserMessage(_RESULT.format(name=message.name, id=message.call_id, text=message.text))
    if isinstance(message, AssistantMessage) and message.tool_calls:
        blocks = [
            f"{_MARK}\n{json.dumps({'name': each.name, 'arguments': dict(each.arguments)}, ensure_ascii=False)}\n```"
            for each in message.tool_calls
        ]
        return AssistantMessage("\n".join([message.text, *blocks]).strip())
    return message


def _merged(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Join messages of the reader's side that follow each other: small models take turns strictly."""
    merged: list[Message] = []
    for message in messages:
        if merged and isinstance(message, UserMessage) and isinstance(last := merged[-1], UserMessage):
            merged[-1] = UserMessage(f"{last.text}\n\n{message.text}")
        else:
            merged.append(message)
    return tuple(merged)


def takes_tools_itself(model: Model) -> bool:
    """Say whether a model is made to take tools, and does not only read of them in words."""
    inner = model.model if isinstance(model, Fenced) else model
    return inner.capabilities.tools
