"""What every model keeps to: giving up, and a scripted model that behaves like one."""

from __future__ import annotations

import pytest

from engine.domain.models import ModelRole, Usage
from engine.errors.models import ModelBusyError, ModelCancelledError
from engine.providers.protocols import (
    Cancel,
    Finished,
    FinishReason,
    ModelCall,
    ModelReply,
    TextDelta,
    ToolCall,
    UserMessage,
)
from tests.fakes import ScriptedModel

_CALL = ModelCall(ModelRole.READER, "Be brief.", (UserMessage("Who keeps the lamp?"),))


def test_giving_up_calls_whoever_holds_a_connection() -> None:
    closed: list[str] = []
    cancel = Cancel()
    cancel.on_set(lambda: closed.append("first"))
    forget = cancel.on_set(lambda: closed.append("second"))
    forget()
    cancel.set()
    cancel.set()
    assert closed == ["first"]


def test_whoever_comes_after_a_call_was_given_up_is_told_at_once() -> None:
    closed: list[str] = []
    cancel = Cancel()
    cancel.set()
    cancel.on_set(lambda: closed.append("late"))
    assert closed == ["late"]
    with pytest.raises(ModelCancelledError):
        cancel.check()


def test_a_scripted_model_says_its_lines_and_remembers_its_calls() -> None:
    model = ScriptedModel(["Ilse.", ToolCall("c1", "search", {"q": "lamp"}), ModelBusyError("scripted", 1.0)])
    assert model.complete(_CALL, Cancel()).text == "Ilse."
    assert model.complete(_CALL, Cancel()).finish is FinishReason.TOOL_CALLS
    with pytest.raises(ModelBusyError):
        model.complete(_CALL, Cancel())
    assert model.calls == [_CALL, _CALL, _CALL]


def test_a_scripted_model_streams_its_text_and_ends_with_the_whole_reply() -> None:
    events = list(ScriptedModel(["Ilse.\nThe keeper.\n"]).stream(_CALL, Cancel()))
    assert events[:2] == [TextDelta("Ilse.\n"), TextDelta("The keeper.\n")]
    assert isinstance(events[-1], Finished)
    assert events[-1].reply.text == "Ilse.\nThe keeper.\n"


def test_a_reply_cut_by_its_length_is_not_whole() -> None:
    assert not ModelReply("Half an", (), FinishReason.LENGTH, Usage(), "m").is_whole


def test_tokens_of_two_calls_add_up_and_an_estimate_stays_one() -> None:
    assert Usage(10, 4, 3, 1) + Usage(1, 0, 1, 0, is_estimate=True) == Usage(11, 4, 4, 1, is_estimate=True)
