"""A turn that waits for the reader's word, as text: everything that is needed to go on, whenever that is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.agent.citations import Place
from engine.domain.chat import Citation
from engine.domain.locator import Locator, Pos, locator_from_text
from engine.domain.models import ModelRole, Usage
from engine.providers.protocols import AssistantMessage, Message, ModelCall, ToolCall, ToolMessage, UserMessage
from engine.providers.rounds import Held

_VERSION = 1


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """What a waiting turn has gathered."""

    prompt: str
    """Revision of the rules it was asked under; they are in `rounds` as they were."""
    model: str
    boundary: Pos
    """When it was asked."""
    rounds: Held | None
    """None when the question was not sent yet: then all begins anew."""
    places: tuple[Place, ...] = ()
    citations: tuple[Citation, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    looked_up: tuple[tuple[str, int, int], ...] = ()
    """(tool, tokens, cut) of each result so far."""


def text_of_held(turn: HeldTurn) -> str:
    """Write a waiting turn."""
    rounds = turn.rounds
    record: dict[str, Any] = {
        "v": _VERSION,
        "prompt": turn.prompt,
        "model": turn.model,
        "boundary": turn.boundary,
        "calls": turn.calls,
        "usage": asdict(turn.usage),
        "places": [
            [str(p.locator), p.pos, p.pos_end, p.where, p.quote, p.is_elsewhere] for p in turn.places
        ],
        "citations": [[c.number, str(c.locator), c.where, c.quote] for c in turn.citations],
        "looked_up": turn.looked_up,
        "rounds": None if rounds is None else {
            "system": rounds.call.system,
            "messages": [_message(each) for each in rounds.call.messages],
            "tools": [each.name for each in rounds.call.tools],
            "made": _call(rounds.made),
            "left": rounds.left,
        },
    }  # fmt: skip
    return json.dumps(record, ensure_ascii=False)


def held_from(text: str) -> HeldTurn | None:
    """Read a waiting turn; its tools are to be given back by name. None for one this release cannot read."""
    try:
        record = json.loads(text)
        if record["v"] != _VERSION:
            return None
        rounds = record["rounds"]
        return HeldTurn(
            str(record["prompt"]),
            str(record["model"]),
            int(record["boundary"]),
            None if rounds is None else _rounds(rounds),
            tuple(Place(_locator(at), *more) for at, *more in record["places"]),
            tuple(Citation(n, _locator(at), where, words) for n, at, where, words in record["citations"]),
            Usage(**record["usage"]),
            int(record["calls"]),
            tuple((str(tool), int(tokens), int(cut)) for tool, tokens, cut in record["looked_up"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def tools_of_held(text: str) -> tuple[str, ...]:
    """Return the names of the tools a waiting turn was sent with."""
    rounds = json.loads(text)["rounds"]
    return tuple(rounds["tools"]) if rounds is not None else ()


def _rounds(record: Mapping[str, Any]) -> Held:
    messages = tuple(_message_from(each) for each in record["messages"])
    call = ModelCall(ModelRole.COMPANION, record["system"], messages, stage="chat")
    return Held(call, _call_from(record["made"]), int(record["left"]))


def _message(message: Message) -> dict[str, Any]:
    if isinstance(message, UserMessage):
        return {"user": message.text}
    if isinstance(message, AssistantMessage):
        return {"assistant": message.text, "calls": [_call(each) for each in message.tool_calls]}
    return {"tool": message.text, "id": message.call_id, "name": message.name}


def _message_from(record: Mapping[str, Any]) -> Message:
    if "user" in record:
        return UserMessage(record["user"])
    if "assistant" in record:
        return AssistantMessage(record["assistant"], tuple(_call_from(each) for each in record["calls"]))
    return ToolMessage(record["id"], record["name"], record["tool"])


def _call(call: ToolCall) -> list[Any]:
    return [call.id, call.name, dict(call.arguments), call.fault]


def _call_from(record: Sequence[Any]) -> ToolCall:
    id_, name, arguments, fault = record
    return ToolCall(str(id_), str(name), dict(arguments), str(fault))


def _locator(text: object) -> Locator:
    found = locator_from_text(str(text))
    if found is None:
        raise ValueError("no locator")
    return found
