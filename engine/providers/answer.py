"""One answer put together from what came, and judged: is it whole, what did it cost, which tools does it call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.domain.models import Json, Usage
from engine.errors.models import ModelCutError, ModelGarbledError, ReplyEndlessError
from engine.providers.protocols import (
    AssistantMessage,
    FinishReason,
    ModelCall,
    ModelEvent,
    ModelReply,
    ReasoningDelta,
    TextDelta,
    ToolCall,
)
from engine.text.sanitize import sanitize_in_place, sanitize_line
from engine.text.tokens import estimate_tokens
from engine.translate import _

MOST_CHARS = 1_000_000
"""Of one answer, reasoning included: four times what the longest window of a work gives."""

_PART_TOKENS = 4
"""What goes around each part of a call."""

_FINISHES = {
    FinishReason.STOP: ("stop", "end_turn", "stop_sequence", "completed", "eos", "complete", "end"),
    FinishReason.TOOL_CALLS: ("tool_calls", "tool_use", "function_call", "tool_call"),
    FinishReason.LENGTH: ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"),
    FinishReason.FILTERED: ("content_filter", "safety", "refusal", "prohibited_content", "recitation", "blocklist"),
}
_FINISH_BY_WORD = {word: reason for reason, words in _FINISHES.items() for word in words}
_FINISH_KEYS = ("finish_reason", "stop_reason", "done_reason", "finishReason", "finish", "status")


@dataclass(slots=True)
class _CallParts:
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class Answer:
    """What has come so far of one answer."""

    def __init__(self, name: str, call: ModelCall) -> None:
        """Take the model's name, for sentences, and what it was asked."""
        self._name = name
        self._call = call
        self._text: list[str] = []
        self._chars = self._reasoning_chars = 0
        self._calls: dict[object, _CallParts] = {}

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    @property
    def has_begun(self) -> bool:
        """Whether anything came."""
        return bool(self._chars or self._calls)

    def take(self, event: Any) -> Iterator[ModelEvent]:
        """Add one event of `llm`; yield what of it is for the one who asked.

        Raises:
            ReplyEndlessError: more came than any answer needs.
        """
        chunk = sanitize_in_place(event.chunk or "")
        self._chars += len(chunk)
        if self._chars > MOST_CHARS:
            raise ReplyEndlessError(self._name, self._chars)
        if event.type == "text" and chunk:
            self._text.append(chunk)
            yield TextDelta(chunk)
        elif event.type == "reasoning" and chunk:
            self._reasoning_chars += len(chunk)
            yield ReasoningDelta(chunk)
        elif event.type in ("tool_call_name", "tool_call_args") and not event.server_executed:
            parts = self._calls.setdefault(event.part_index, _CallParts(event.tool_call_id or ""))
            if event.type == "tool_call_name":
                parts.name += chunk
            else:
                parts.arguments.append(event.chunk)

    def reply(self, response: Any, *, tells_its_end: bool) -> ModelReply:
        """Return the whole answer.

        Args:
            response: The drained response of `llm`.
            tells_its_end: Whether this kind of model always says why it stopped, so that silence means a cut.

        Raises:
            ModelCutError: it broke off.
            ModelGarbledError: there is nothing in it.
        """
        calls = self._tool_calls(response)
        finish = self._finish(response.response_json, tells_its_end=tells_its_end)
        if finish in (FinishReason.STOP, FinishReason.TOOL_CALLS):
            finish = FinishReason.TOOL_CALLS if calls else FinishReason.STOP
            if not calls and not self.text.strip():
                raise ModelGarbledError(self._name, _("an empty answer"))
        said = response.response_json if isinstance(response.response_json, Mapping) else {}
        model = said.get("model") if isinstance(said.get("model"), str) else response.resolved_model
        return ModelReply(self.text, calls, finish, self.usage(response), sanitize_line(str(model or self._name)))

    def _finish(self, said: object, *, tells_its_end: bool) -> FinishReason:
        word = _finish_word(said)
        if word is None:
            if tells_its_end:
                raise (ModelCutError(self._name) if self.has_begun else ModelGarbledError(self._name, _("nothing")))
            return FinishReason.STOP
        reason = _FINISH_BY_WORD.get(word.lower())
        if reason is None:  # such as "error", "abort", "insufficient_system_resource"
            raise ModelCutError(self._name)
        return reason

    def _tool_calls(self, response: Any) -> tuple[ToolCall, ...]:
        made = [_tool_call(p.id, p.name, "".join(p.arguments)) for p in self._calls.values()]
        if not made:  # a plugin that does not tell of its calls while they come
            made = [
                ToolCall(str(each.tool_call_id or ""), each.name, _clean_object(each.arguments))
                for each in response.tool_calls()
            ]
        seen: set[str] = set()
        unique = []
        for number, call in enumerate(made, 1):
            id_ = call.id if call.id and call.id not in seen else f"{call.id or 'call'}_{number}"
            seen.add(id_)
            unique.append(ToolCall(id_, call.name, call.arguments, call.fault))
        return tuple(unique)

    def usage(self, response: Any) -> Usage:
        """Return what the provider counted, else what the characters make probable."""
        said = response.response_json.get("usage") if isinstance(response.response_json, Mapping) else None
        found = _usage_of(said) if isinstance(said, Mapping) else None
        if found is None and response.input_tokens is not None:
            details = response.token_details if isinstance(response.token_details, Mapping) else {}
            counted = {"prompt_tokens": response.input_tokens, "completion_tokens": response.output_tokens or 0}
            found = _usage_of({**details, **counted})
        return found or self.estimate()

    def estimate(self) -> Usage:
        """Return the probable usage of what was sent and of what came so far."""
        came = estimate_tokens(self.text) + self._reasoning_chars // 3
        return Usage(estimate_call(self._call), 0, came, self._reasoning_chars // 3, is_estimate=True)


def estimate_call(call: ModelCall) -> int:
    """Return about how many tokens a call sends."""
    parts = [call.system, *(f"{t.name} {t.description} {json.dumps(t.parameters)}" for t in call.tools)]
    if call.reply_schema is not None:
        parts.append(json.dumps(call.reply_schema))
    for message in call.messages:
        parts.append(message.text)
        if isinstance(message, AssistantMessage):
            parts += [f"{each.name} {json.dumps(each.arguments)}" for each in message.tool_calls]
    return sum(estimate_tokens(part) + _PART_TOKENS for part in parts if part)


def _finish_word(said: object) -> str | None:
    """Find why an answer ended in the raw answers of the providers we know of."""
    if not isinstance(said, Mapping):
        return None
    if isinstance(details := said.get("incomplete_details"), Mapping) and details.get("reason"):
        return str(details["reason"])
    for key in _FINISH_KEYS:
        if isinstance(word := said.get(key), str) and word:
            return word
    for key in ("choices", "candidates"):
        choices = said.get(key)
        if isinstance(choices, list) and choices and (word := _finish_word(choices[0])) is not None:
            return word
    return None


def _usage_of(said: Mapping[str, Any]) -> Usage | None:
    """Read the counts of OpenAI (both APIs), DeepSeek and Anthropic; None when there are none."""
    prompt = _count(said, "prompt_tokens", "input_tokens")
    completion = _count(said, "completion_tokens", "output_tokens")
    if not prompt and not completion:
        return None
    sent = _part(said, "prompt_tokens_details", "input_tokens_details")
    came = _part(said, "completion_tokens_details", "output_tokens_details")
    cached = _count(sent, "cached_tokens") or _count(said, "prompt_cache_hit_tokens", "cached_tokens")
    read = _count(said, "cache_read_input_tokens")
    if read and not cached:  # Anthropic counts what it had cached beside the rest
        cached, prompt = read, prompt + read + _count(said, "cache_creation_input_tokens")
    return Usage(prompt, min(cached, prompt), completion, min(_count(came, "reasoning_tokens"), completion))


def _part(said: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    return next((said[key] for key in keys if isinstance(said.get(key), Mapping)), {})


def _count(said: Mapping[str, Any], *keys: str) -> int:
    found = next((said[key] for key in keys if isinstance(said.get(key), int | float)), 0)
    return max(0, int(found))


def _tool_call(id_: str, name: str, arguments: str) -> ToolCall:
    name = sanitize_line(name)
    if not arguments.strip():
        return ToolCall(id_, name, {})
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return ToolCall(
            id_, name, {}, fault="The arguments are not valid JSON. Call the tool again with a JSON object."
        )
    if not isinstance(value, dict):
        return ToolCall(id_, name, {}, fault="The arguments must be a JSON object.")
    return ToolCall(id_, name, _clean_object(value))


def _clean_object(value: Mapping[str, Any]) -> dict[str, Json]:
    return {sanitize_in_place(str(key)): clean_json(each) for key, each in value.items()}


def clean_json(value: Any) -> Json:  # Any: whatever a JSON parser returned
    """Return parsed JSON with every text in it safe to show and to store."""
    if isinstance(value, str):
        return sanitize_in_place(value)
    if isinstance(value, Mapping):
        return _clean_object(value)
    if isinstance(value, list | tuple):
        return [clean_json(each) for each in value]
    return value if isinstance(value, int | float | bool) else None
