"""Counting calls, and holding them back: limits, turns, consent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from engine.domain.models import Capabilities, ModelRole, ModelSettings, Price, SpendingLimits, Spent, Usage
from engine.errors.models import (
    ConsentMissingError,
    ModelBusyError,
    ModelCancelledError,
    ModelCutError,
    SpendingStoppedError,
)
from engine.models.desk import StoreLedger, today
from engine.providers.meter import Meter, Metered
from engine.providers.protocols import (
    Cancel,
    Finished,
    FinishReason,
    ModelCall,
    ModelEvent,
    ModelReply,
    TextDelta,
    UserMessage,
)
from engine.store import model_use
from engine.store.store import Store
from tests.fakes import ScriptedModel

_CALL = ModelCall(ModelRole.READER, "", (UserMessage("?"),), stage="read", work=3, job=7, max_tokens=100)
_REPLY = ModelReply("yes", (), FinishReason.STOP, Usage(1000, 400, 200, 50), "m")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "library.db", tmp_path / "backups")
    yield opened
    opened.close()


def _metered(
    store: Store, *script: ModelReply | ModelBusyError | ModelCutError, place: str = "127.0.0.1", **more: object
) -> Metered:
    settings = replace(ModelSettings(prices={"scripted": Price(1.0, 0.1, 4.0)}), **more)  # type: ignore[arg-type]
    return Metered(ScriptedModel(list(script)), Meter(settings, StoreLedger(store)), place)


def test_usage_is_kept_by_work_stage_and_model_with_its_price(store: Store) -> None:
    model = _metered(store, _REPLY, _REPLY)
    model.complete(_CALL, Cancel())
    model.complete(_CALL, Cancel())
    with store.read() as r:
        (row,) = model_use.usage_rows(r)
    assert (row.work, row.stage, row.model, row.calls, row.failed) == (3, "read", "scripted", 2, 0)
    assert row.usage == Usage(2000, 800, 400, 100)
    assert row.money == pytest.approx(2 * (600 + 40 + 800) / 1e6)


def test_a_failed_call_is_counted_and_costs_what_came(store: Store) -> None:
    cut = ModelCutError("m")
    cut.partial_text, cut.has_begun = "Half an answer", True
    model = _metered(store, ModelBusyError("m"), cut)
    with pytest.raises(ModelBusyError):
        model.complete(_CALL, Cancel())
    with pytest.raises(ModelCutError):
        model.complete(_CALL, Cancel())
    with store.read() as r:
        (row,) = model_use.usage_rows(r)
    assert (row.calls, row.failed, row.usage.is_estimate) == (2, 2, True)
    assert row.usage.completion > 0


def test_usage_is_found_by_day_and_by_month(store: Store) -> None:
    _metered(store, _REPLY).complete(_CALL, Cancel())
    with store.read() as r:
        assert len(model_use.usage_rows(r, today())) == 1
        assert len(model_use.usage_rows(r, today()[:7])) == 1
        assert model_use.usage_rows(r, "1999") == ()


@pytest.mark.parametrize(
    "limits",
    [
        SpendingLimits(job_tokens=1300),
        SpendingLimits(day_tokens=1300),
        SpendingLimits(month_tokens=1300),
        SpendingLimits(job_money=0.0015),
        SpendingLimits(day_money=0.0015),
        SpendingLimits(month_money=0.0015),
    ],
)
def test_a_call_that_could_go_beyond_a_limit_is_not_made(store: Store, limits: SpendingLimits) -> None:
    model = _metered(store, _REPLY, _REPLY, limits=limits)
    model.complete(_CALL, Cancel())
    with pytest.raises(SpendingStoppedError):
        model.complete(_CALL, Cancel())
    assert isinstance(model.model, ScriptedModel)
    assert len(model.model.calls) == 1


def test_a_limit_of_one_job_does_not_hold_for_another(store: Store) -> None:
    model = _metered(store, _REPLY, _REPLY, limits=SpendingLimits(job_tokens=1300))
    model.complete(_CALL, Cancel())
    assert model.complete(replace(_CALL, job=8), Cancel()).text == "yes"


@dataclass
class _Waits:
    """A model that answers when it is let go."""

    go: threading.Event = field(default_factory=threading.Event)
    most: int = 0
    now: int = 0
    name: str = "waits"
    capabilities: Capabilities = field(default_factory=Capabilities)
    lock: threading.Lock = field(default_factory=threading.Lock)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.arrived.release()
        self.go.wait(30)
        with self.lock:
            self.now -= 1
        return _REPLY

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        yield TextDelta("Half an ")
        yield Finished(self.complete(call, cancel))


def _start(model: Metered, count: int) -> list[threading.Thread]:
    threads = [threading.Thread(target=model.complete, args=(_CALL, Cancel())) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_no_more_calls_are_under_way_than_allowed(store: Store) -> None:
    waits = _Waits()
    model = Metered(waits, Meter(ModelSettings(parallel=2), StoreLedger(store)), "127.0.0.1")
    threads = _start(model, 5)
    waits.arrived.acquire(timeout=30)
    waits.arrived.acquire(timeout=30)
    waits.go.set()
    for thread in threads:
        thread.join(30)
    assert waits.most == 2


def test_what_is_set_aside_for_calls_under_way_counts(store: Store) -> None:
    waits = _Waits()
    settings = ModelSettings(parallel=2, limits=SpendingLimits(job_tokens=150))
    model = Metered(waits, Meter(settings, StoreLedger(store)), "127.0.0.1")
    (thread,) = _start(model, 1)
    waits.arrived.acquire(timeout=30)
    with pytest.raises(SpendingStoppedError):
        model.complete(_CALL, Cancel())
    waits.go.set()
    thread.join(30)


def test_whoever_waits_for_a_turn_can_give_up(store: Store) -> None:
    waits = _Waits()
    model = Metered(waits, Meter(ModelSettings(parallel=1), StoreLedger(store)), "127.0.0.1")
    (thread,) = _start(model, 1)
    waits.arrived.acquire(timeout=30)
    cancel = Cancel()
    cancel.set()
    with pytest.raises(ModelCancelledError):
        model.complete(_CALL, cancel)
    waits.go.set()
    thread.join(30)


def test_calls_beyond_the_rate_wait_for_the_next_minute(store: Store) -> None:
    now = [0.0]
    meter = Meter(ModelSettings(per_minute=1), StoreLedger(store), clock=lambda: now[0])
    model = Metered(ScriptedModel([_REPLY, _REPLY]), meter, "127.0.0.1")
    model.complete(_CALL, Cancel())
    cancel = Cancel()
    cancel.set()
    with pytest.raises(ModelCancelledError):
        model.complete(_CALL, cancel)
    now[0] = 61.0
    assert model.complete(_CALL, Cancel()).text == "yes"


def test_a_stream_left_before_its_end_is_counted_by_what_came(store: Store) -> None:
    model = Metered(_Waits(), Meter(ModelSettings(), StoreLedger(store)), "127.0.0.1")
    stream = model.stream(_CALL, Cancel())
    assert next(stream) == TextDelta("Half an ")
    stream.close()  # type: ignore[attr-defined]  # an iterator that is a generator
    with store.read() as r:
        (row,) = model_use.usage_rows(r)
    assert (row.calls, row.failed, row.usage.is_estimate) == (1, 1, True)


@pytest.mark.parametrize("place", ["127.0.0.1:8080", "localhost:11434", "[::1]:80", "127.9.9.9"])
def test_a_model_on_this_machine_needs_no_consent(store: Store, place: str) -> None:
    assert _metered(store, _REPLY, place=place).complete(_CALL, Cancel()).text == "yes"


@pytest.mark.parametrize("place", ["api.example.com", "192.168.1.9:80", "llm_plugin", "127.0.0.1.example.com"])
def test_nothing_is_sent_to_another_host_before_the_reader_agrees_and_then_it_is(store: Store, place: str) -> None:
    model = _metered(store, _REPLY, place=place)
    with pytest.raises(ConsentMissingError) as raised:
        model.complete(_CALL, Cancel())
    assert place in raised.value.message
    with store.write() as w:
        model_use.allow(w, place)
    assert model.complete(_CALL, Cancel()).text == "yes"
    with store.write() as w:
        model_use.withdraw(w, place)
    with pytest.raises(ConsentMissingError):
        list(model.stream(_CALL, Cancel()))


def test_spending_of_nobody_is_nothing(store: Store) -> None:
    assert StoreLedger(store).spent(None) == (Spent(), Spent(), Spent())
