"""Tools and schemas by words, for models that have neither."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from engine.domain.models import Capabilities, ModelRole, Usage
from engine.providers.fenced import Fenced
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    FinishReason,
    ModelCall,
    ModelEvent,
    ModelReply,
    TextDelta,
    ToolCall,
    ToolCalled,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from tests.fakes import ScriptedModel

_POOR = Capabilities(tools=False, schemas=False)
_SEARCH = ToolSpec(
    "search", "Look in the text.", {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
)
_CALL = ModelCall(ModelRole.COMPANION, "Look first.", (UserMessage("Who keeps the lamp?"),), (_SEARCH,))
_BLOCK = '```tool\n{"name": "search", "arguments": {"q": "lamp"}}\n```'


def _fenced(*lines: str) -> tuple[Fenced, ScriptedModel]:
    model = ScriptedModel(list(lines), capabilities=_POOR)
    return Fenced(model), model


def test_a_model_without_tools_is_told_of_them_in_words() -> None:
    fenced, model = _fenced("Ilse.")
    reply = fenced.complete(_CALL, Cancel())
    assert (reply.text, reply.tool_calls) == ("Ilse.", ())
    assert model.calls[0].tools == ()
    assert "Look in the text." in model.calls[0].system
    assert model.calls[0].system.startswith("Look first.")


def test_a_fenced_block_is_a_tool_call() -> None:
    fenced, _ = _fenced(f"Let me look.\n{_BLOCK}")
    reply = fenced.complete(_CALL, Cancel())
    assert reply.tool_calls == (ToolCall("call_1", "search", {"q": "lamp"}),)
    assert (reply.text, reply.finish) == ("Let me look.\n", FinishReason.TOOL_CALLS)


def test_several_blocks_are_several_calls() -> None:
    fenced, _ = _fenced(f"{_BLOCK}\n{_BLOCK}")
    assert [call.id for call in fenced.complete(_CALL, Cancel()).tool_calls] == ["call_1", "call_2"]


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ("```tool\nsearch the lamp\n```", "cannot be read"),
        ('```tool\n{"name": "fly", "arguments": {}}\n```', "no tool fly"),
        ('```tool\n{"name": "search", "arguments": {}}\n```', "lacks 'q'"),
        ('```tool\n{"name": "search", "arguments": "lamp"}\n```', "must be a JSON object"),
    ],
)
def test_a_block_that_cannot_be_used_is_asked_for_once_more_with_its_fault(block: str, fault: str) -> None:
    fenced, model = _fenced(block, _BLOCK)
    (call,) = fenced.complete(_CALL, Cancel()).tool_calls
    assert call.arguments == {"q": "lamp"}
    assert fault in model.calls[1].messages[-1].text


def test_a_block_that_stays_unusable_is_a_call_with_its_fault() -> None:
    fenced, model = _fenced("```tool\n???\n```", "```tool\n???\n```")
    (call,) = fenced.complete(_CALL, Cancel()).tool_calls
    assert call.fault
    assert len(model.calls) == 2


def test_results_go_back_as_words_and_turns_alternate() -> None:
    fenced, model = _fenced("Ilse.")
    calls = (ToolCall("call_1", "search", {"q": "lamp"}), ToolCall("call_2", "search", {"q": "oil"}))
    results = (ToolMessage("call_1", "search", "six winters"), ToolMessage("call_2", "search", "none"))
    fenced.complete(replace(_CALL, messages=(*_CALL.messages, AssistantMessage("", calls), *results)), Cancel())
    _asked, said, shown = model.calls[0].messages
    assert isinstance(said, AssistantMessage)
    assert said.text.count("```tool") == 2
    assert isinstance(shown, UserMessage)
    assert "six winters" in shown.text
    assert "none" in shown.text


def test_a_schema_is_told_in_words_and_an_answer_that_misses_it_is_mended_once() -> None:
    schema = {"type": "object", "required": ["id"]}
    fenced, model = _fenced("Hm.", '{"id": 1}')
    reply = fenced.complete(replace(_CALL, tools=(), reply_schema=schema), Cancel())
    assert json.loads(reply.text) == {"id": 1}
    assert '"required"' in model.calls[0].system
    assert model.calls[0].reply_schema is None


def test_both_answers_are_counted() -> None:
    fenced, model = _fenced("Hm.", '{"id": 1}')
    reply = fenced.complete(replace(_CALL, tools=(), reply_schema={"type": "object"}), Cancel())
    assert reply.usage.completion == len("Hm.") + len('{"id": 1}')
    assert len(model.calls) == 2


@dataclass
class _PieceByPiece:
    """A poor model whose text comes in pieces of a few characters."""

    text: str
    size: int
    name: str = "poor"
    capabilities: Capabilities = _POOR

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        return ModelReply(self.text, (), FinishReason.STOP, Usage(), self.name)

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        for start in range(0, len(self.text), self.size):
            yield TextDelta(self.text[start : start + self.size])
        yield Finished(self.complete(call, cancel))


@pytest.mark.parametrize("size", [1, 3, 7, 200])
def test_of_a_stream_the_words_come_and_the_block_becomes_a_call(size: int) -> None:
    events = list(Fenced(_PieceByPiece(f"I look. ``` \n{_BLOCK}", size)).stream(_CALL, Cancel()))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "I look. ``` \n"
    assert [event.call.name for event in events if isinstance(event, ToolCalled)] == ["search"]


@pytest.mark.parametrize("size", [1, 5])
def test_of_a_stream_without_a_block_all_words_come(size: int) -> None:
    events = list(Fenced(_PieceByPiece("Ilse keeps ``` the lamp ``", size)).stream(_CALL, Cancel()))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Ilse keeps ``` the lamp ``"
