"""Making a call again: when, after how long, and when never."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from engine.domain.models import Capabilities, ModelRole
from engine.errors.models import (
    AccountEmptyError,
    ContextOverflowError,
    KeyRefusedError,
    ModelBusyError,
    ModelCancelledError,
    ModelCutError,
    ModelError,
    ModelTroubleError,
)
from engine.providers.protocols import (
    Cancel,
    Finished,
    ModelCall,
    ModelEvent,
    ModelReply,
    TextDelta,
    UserMessage,
    Waiting,
)
from engine.providers.retry import Retrying, RetryPolicy
from tests.fakes import ScriptedModel

_CALL = ModelCall(ModelRole.READER, "", (UserMessage("?"),))
_BUSY = ModelBusyError("m")


@dataclass
class _Clock:
    pauses: list[float] = field(default_factory=list)
    gives_up_in: int = 0

    def __call__(self, cancel: Cancel, seconds: float) -> None:
        self.pauses.append(seconds)
        if len(self.pauses) == self.gives_up_in:
            cancel.set()


def _retrying(script: list[str | ModelError], clock: _Clock) -> tuple[Retrying, ScriptedModel]:
    model = ScriptedModel(script)
    return Retrying(model, sleep=clock, chance=lambda: 0.5), model


def test_a_call_that_failed_in_passing_is_made_again_after_pauses_that_grow() -> None:
    clock = _Clock()
    model, scripted = _retrying([_BUSY, ModelTroubleError("m", 500), _BUSY, "Ilse."], clock)
    assert model.complete(_CALL, Cancel()).text == "Ilse."
    assert clock.pauses == [0.75, 1.5, 3.0]
    assert len(scripted.calls) == 4


def test_after_the_fourth_failure_the_reader_is_told_once() -> None:
    clock = _Clock()
    model, scripted = _retrying([_BUSY] * 4, clock)
    with pytest.raises(ModelBusyError):
        model.complete(_CALL, Cancel())
    assert (len(scripted.calls), len(clock.pauses)) == (4, 3)


def test_the_pause_a_provider_asks_for_is_kept_and_a_little_more() -> None:
    clock = _Clock()
    model, _ = _retrying([ModelBusyError("m", 20.0), "yes"], clock)
    model.complete(_CALL, Cancel())
    assert clock.pauses == [21.0]


def test_a_provider_that_wants_an_hour_is_given_up_for_now() -> None:
    clock = _Clock()
    model, _ = _retrying([ModelBusyError("m", 3600.0)], clock)
    with pytest.raises(ModelBusyError):
        model.complete(_CALL, Cancel())
    assert clock.pauses == []


@pytest.mark.parametrize("error", [KeyRefusedError("m", "k"), ContextOverflowError("m"), AccountEmptyError("m")])
def test_what_will_fail_again_is_not_tried_again(error: ModelError) -> None:
    model, scripted = _retrying([error], _Clock())
    with pytest.raises(type(error)):
        model.complete(_CALL, Cancel())
    assert len(scripted.calls) == 1


def test_a_call_of_which_something_came_is_not_made_again() -> None:
    error = ModelCutError("m")
    error.has_begun = True
    model, scripted = _retrying([error], _Clock())
    with pytest.raises(ModelCutError):
        model.complete(_CALL, Cancel())
    assert len(scripted.calls) == 1


def test_giving_up_ends_a_pause() -> None:
    model, scripted = _retrying([_BUSY, "never"], _Clock(gives_up_in=1))
    with pytest.raises(ModelCancelledError):
        model.complete(_CALL, Cancel())
    assert len(scripted.calls) == 1


def test_a_stream_tells_of_its_pause_before_anything_else() -> None:
    model, _ = _retrying([_BUSY, "Ilse."], _Clock())
    events = list(model.stream(_CALL, Cancel()))
    assert events[0] == Waiting(0.75, _BUSY.message)
    assert events[1] == TextDelta("Ilse.")
    assert isinstance(events[-1], Finished)


@dataclass
class _CutAfterOnePiece:
    """A model whose stream breaks off."""

    name: str = "cut"
    capabilities: Capabilities = field(default_factory=Capabilities)
    calls: int = 0

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        raise NotImplementedError

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        self.calls += 1
        yield TextDelta("Half an ")
        raise ModelCutError(self.name)


def test_a_stream_that_had_begun_is_not_begun_again() -> None:
    model = _CutAfterOnePiece()
    events: list[ModelEvent] = []
    with pytest.raises(ModelCutError):
        events.extend(Retrying(model, sleep=_Clock()).stream(_CALL, Cancel()))
    assert (events, model.calls) == ([TextDelta("Half an ")], 1)


def test_pauses_stay_within_the_longest() -> None:
    policy = replace(RetryPolicy(), longest_s=8.0)
    assert policy.pause_s(10, None, 0.999) <= 8.0
    assert policy.pause_s(1, None, 0.0) == 0.5
