"""`llm`'s own OpenAI models, put on our line: our limits, reasoning kept apart, tool arguments left as they came.

Imports `llm`, so it is itself imported only by whoever calls a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

import llm
from llm.default_plugins import openai_models
from llm.parts import StreamEvent

from engine.domain.models import Json
from engine.errors.models import KeyMissingError
from engine.providers.keys import key_named
from engine.providers.line import Line, ProviderSaidError, host_of

LlmModel: TypeAlias = Any  # llm's classes have no types
"""A model of `llm`, of whatever plugin."""
_Llm: TypeAlias = Any  # as above
"""What else `llm` hands to its models, or takes from them: a prompt, a response, a conversation, a client."""
_Chunk: TypeAlias = Any  # outside data: imitations of the API leave out what its own types promise
"""A piece of an answer, and what it is made of."""

_OPENAI_HOST = "api.openai.com"


class _OnOurLine:
    """Goes before a class of `llm`'s OpenAI models; `line` is set for one call."""

    line: Line

    def get_key(self: LlmModel, explicit_key: str | None = None) -> str | None:
        """Return the key, if one is needed.

        Raises:
            KeyMissingError: neither llm's store nor the environment has it.
        """
        if self.needs_key is None:
            return None
        key = self.key or key_named(self.needs_key, host_of(self.api_base) if self.api_base else _OPENAI_HOST)
        if not key:
            raise KeyMissingError(self.model_id, self.needs_key)
        return str(key)

    def get_client(self: LlmModel, key: str | None, *, async_: bool = False) -> _Llm:
        """Return a client with our limits; a plugin's own way to make one is kept."""
        bases = type(self).__mro__
        behind = bases[bases.index(_OnOurLine) + 1 :]
        made_by = next(base for base in behind if "get_client" in vars(base))
        if made_by is not openai_models._Shared:
            return self.line.adopt(super().get_client(key))  # type: ignore[misc]  # the class behind has it
        return self.line.client(
            key=self.get_key(key) or "none",
            base_url=self.api_base or f"https://{_OPENAI_HOST}/v1",
            headers=self.headers,
        )


class OurChat(_OnOurLine, openai_models.Chat):  # type: ignore[misc]  # llm's own bases do not agree
    """Chat completions, read by ourselves."""

    extra_body: Mapping[str, Json] | None = None
    """Added to the request as it is."""

    def execute(
        self,
        prompt: _Llm,
        stream: bool,
        response: _Llm,
        conversation: _Llm = None,
        key: str | None = None,
    ) -> Iterator[StreamEvent]:
        """Yield what comes; leave finish reason, usage and name of the model in `response.response_json`."""
        kwargs = self.build_kwargs(prompt, stream)  # type: ignore[no-untyped-call]  # not typed there
        if self.extra_body:
            kwargs["extra_body"] = self.extra_body
        answer = self.get_client(key).chat.completions.create(
            model=self.model_name or self.model_id,
            messages=self.build_messages(prompt, conversation),
            stream=stream,
            **kwargs,
        )
        reading = _Reading(response)
        for chunk in answer if stream else [answer]:
            yield from reading.events(chunk)


class _Reading:
    """One answer being read, chunk by chunk, whatever an imitation of the API leaves out."""

    def __init__(self, response: _Llm) -> None:
        self._seen: dict[str, object] = {}
        response.response_json = self._seen
        self._ids: dict[object, str] = {}

    def events(self, chunk: _Chunk) -> Iterator[StreamEvent]:
        """Yield the events of one chunk; of a whole answer they are the events of its message.

        Raises:
            ProviderSaidError: it holds an error instead.
        """
        if getattr(chunk, "error", None):
            raise ProviderSaidError(str(chunk.error))
        self._note(chunk)
        for choice in (getattr(chunk, "choices", None) or [])[:1]:
            delta = getattr(choice, "delta", None) or getattr(choice, "message", None)
            if getattr(choice, "finish_reason", None):
                self._seen["finish_reason"] = choice.finish_reason
            reasoning = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
            if isinstance(reasoning, str) and reasoning:
                yield StreamEvent(type="reasoning", chunk=reasoning)
            if isinstance(text := getattr(delta, "content", None), str) and text:
                yield StreamEvent(type="text", chunk=text)
            for number, part in enumerate(getattr(delta, "tool_calls", None) or []):
                yield from self._tool_events(part, number)

    def _note(self, chunk: _Chunk) -> None:
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self._seen["usage"] = usage.model_dump() if hasattr(usage, "model_dump") else usage
        if isinstance(name := getattr(chunk, "model", None), str):
            self._seen["model"] = name

    def _tool_events(self, part: _Chunk, number: int) -> Iterator[StreamEvent]:
        index = getattr(part, "index", None)
        slot: object = index if index is not None else (getattr(part, "id", None) or number)
        function = getattr(part, "function", None)
        if slot not in self._ids:
            id_ = getattr(part, "id", None) or "call"
            # The same id twice would make one call of two.
            is_own = id_ != "call" and id_ not in self._ids.values()
            self._ids[slot] = id_ if is_own else f"{id_}_{len(self._ids) + 1}"
            name = getattr(function, "name", None) or ""
            yield StreamEvent(type="tool_call_name", chunk=name, tool_call_id=self._ids[slot])
        arguments = getattr(function, "arguments", None)
        if isinstance(arguments, str) and arguments:
            yield StreamEvent(type="tool_call_args", chunk=arguments, tool_call_id=self._ids[slot])


def on_our_line(model: LlmModel, line: Line, extra_body: Mapping[str, Json] | None = None) -> LlmModel:
    """Return a copy of a model of `llm` for one call on a line; a model of another kind as it is."""
    if not isinstance(model, openai_models._Shared):
        return model
    kind = type(model)
    ours = OurChat if kind is openai_models.Chat else type(kind.__name__, (_OnOurLine, kind), {})
    copy: LlmModel = object.__new__(ours)
    copy.__dict__.update(model.__dict__)
    copy.line, copy.extra_body = line, extra_body
    return copy


def chat_at(name: str, *, url: str, model: str, key_name: str, tools: bool, schemas: bool, streaming: bool) -> LlmModel:
    """Return a model of `llm` for an address of the reader's."""
    chat: LlmModel = openai_models.Chat(  # type: ignore[no-untyped-call]  # not typed there
        name, model_name=model, api_base=url, can_stream=streaming, supports_schema=schemas, supports_tools=tools
    )
    chat.needs_key = key_name or None
    return chat


def model_named(name: str) -> LlmModel | None:
    """Return a model `llm` knows by name or alias, with all its plugins; None when there is none."""
    return llm.get_model_aliases().get(name)


def known_models() -> list[tuple[str, str]]:
    """Return (name, where it comes from) of every model `llm` knows, in its order."""
    return [(str(each.model_id), _origin(each)) for each in cast("list[LlmModel]", llm.get_models())]


def _origin(model: LlmModel) -> str:
    base = getattr(model, "api_base", None)
    if base:
        return host_of(base)
    if isinstance(model, openai_models._Shared):
        return _OPENAI_HOST
    return type(model).__module__.partition(".")[0]


def place_of(model: LlmModel) -> str:
    """Say where a model's calls go: a host, or the name of the plugin that sends them."""
    return _origin(model)
