"""Between a call and its model: may it be sent, how many at once, within which limits, and what it cost."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from engine.domain.models import Capabilities, ModelSettings, Price, Spent, Usage
from engine.errors.models import ConsentMissingError, ModelError, SpendingStoppedError
from engine.providers.answer import estimate_call
from engine.providers.line import is_this_machine
from engine.providers.protocols import Cancel, Finished, Model, ModelCall, ModelEvent, ModelReply, TextDelta
from engine.text.tokens import estimate_tokens
from engine.translate import _

_POLL_S = 0.05
_MINUTE_S = 60.0
_UNKNOWN_ANSWER_TOKENS = 2_000
"""Set aside for an answer whose length nobody has limited."""


class Ledger(Protocol):
    """Where usage is kept, across processes. Thread-safe."""

    def record(self, call: ModelCall, model: str, usage: Usage, money: float, *, has_failed: bool) -> None:
        """Add one call."""
        ...

    def spent(self, job: int | None) -> tuple[Spent, Spent, Spent]:
        """Return what this job, this day and this month have spent."""
        ...

    def may_send_to(self, place: str) -> bool:
        """Say whether the reader has agreed that text goes to a host or plugin."""
        ...


@dataclass(slots=True)
class Meter:
    """Shared by all models of a process."""

    settings: ModelSettings
    ledger: Ledger
    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _under_way: int = 0
    _begun: deque[float] = field(default_factory=deque)
    _reserved: dict[int, tuple[int | None, Spent]] = field(default_factory=dict)
    _numbers: int = 0

    @contextlib.contextmanager
    def turn(self, call: ModelCall, price: Price, cancel: Cancel) -> Iterator[None]:
        """Wait for a free place, set aside what the call may cost, and hold both to the end of the block.

        Raises:
            SpendingStoppedError: it could go beyond a limit.
            ModelCancelledError: it was given up while it waited.
        """
        while not self._begin():
            cancel.wait(_POLL_S)
            cancel.check()
        number = 0
        try:
            number = self._reserve(call, price)
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                self._reserved.pop(number, None)

    def _begin(self) -> bool:
        now = self.clock()
        with self._lock:
            while self._begun and now - self._begun[0] >= _MINUTE_S:
                self._begun.popleft()
            is_full = self._under_way >= max(1, self.settings.parallel)
            is_fast = 0 < self.settings.per_minute <= len(self._begun)
            if is_full or is_fast:
                return False
            self._under_way += 1
            self._begun.append(now)
            return True

    def _reserve(self, call: ModelCall, price: Price) -> int:
        most = Usage(estimate_call(call), 0, call.max_tokens or _UNKNOWN_ANSWER_TOKENS)
        mine = Spent(price.of(most), most.prompt + most.completion)
        spent = self.ledger.spent(call.job)
        with self._lock:
            for_job = [each for job, each in self._reserved.values() if job == call.job and job is not None]
            everything = [each for _job, each in self._reserved.values()]
            held = (_sum([*for_job, mine]), _sum([*everything, mine]), _sum([*everything, mine]))
            for limit, before, more in zip(self._limits(), spent, held, strict=True):
                limit.check(before, more)
            self._numbers += 1
            self._reserved[self._numbers] = (call.job, mine)
            return self._numbers

    def _limits(self) -> tuple[_Limit, _Limit, _Limit]:
        limits = self.settings.limits
        return (
            _Limit(_("The limit of this job is reached"), limits.job_money, limits.job_tokens),
            _Limit(_("The limit of this day is reached"), limits.day_money, limits.day_tokens),
            _Limit(_("The limit of this month is reached"), limits.month_money, limits.month_tokens),
        )


@dataclass(frozen=True, slots=True)
class _Limit:
    sentence: str
    money: float
    tokens: int

    def check(self, spent: Spent, more: Spent) -> None:
        is_over_money = self.money > 0 and spent.money + more.money > self.money
        is_over_tokens = self.tokens > 0 and spent.tokens + more.tokens > self.tokens
        if is_over_money or is_over_tokens:
            raise SpendingStoppedError(self.sentence)


def _sum(parts: list[Spent]) -> Spent:
    return Spent(sum(each.money for each in parts), sum(each.tokens for each in parts))


@dataclass(frozen=True, slots=True)
class Metered:
    """A model whose calls are allowed, counted and limited."""

    model: Model
    meter: Meter
    place: str
    """Host, or name of the plugin, its calls go to."""

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    @property
    def capabilities(self) -> Capabilities:
        """The model's own."""
        return self.model.capabilities

    @property
    def _price(self) -> Price:
        return self.meter.settings.prices.get(self.name, Price())

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer in one piece."""
        self.check_consent()
        with self.meter.turn(call, self._price, cancel):
            try:
                reply = self.model.complete(call, cancel)
            except ModelError as error:
                self._record_failure(call, error)
                raise
            self._record(call, reply.usage)
            return reply

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer piece by piece; one that is left before its end is counted by what came."""
        self.check_consent()
        with self.meter.turn(call, self._price, cancel):
            came: list[str] = []
            is_counted = False
            try:
                for event in self.model.stream(call, cancel):
                    if isinstance(event, TextDelta):
                        came.append(event.text)
                    elif isinstance(event, Finished):
                        is_counted = True
                        self._record(call, event.reply.usage)
                    yield event
            except ModelError as error:
                is_counted = True
                self._record_failure(call, error)
                raise
            finally:
                if not is_counted:
                    self._record(call, _estimate(call, "".join(came)), has_failed=True)

    def check_consent(self) -> None:
        """Go on, if text may be sent to where the model is.

        Raises:
            ConsentMissingError: it is another machine, and the reader has not agreed.
        """
        if not is_this_machine(self.place) and not self.meter.ledger.may_send_to(self.place):
            raise ConsentMissingError(self.name, self.place)

    def _record_failure(self, call: ModelCall, error: ModelError) -> None:
        used = _estimate(call, error.partial_text) if error.has_begun else Usage()
        self._record(call, used, has_failed=True)

    def _record(self, call: ModelCall, usage: Usage, *, has_failed: bool = False) -> None:
        self.meter.ledger.record(call, self.name, usage, self._price.of(usage), has_failed=has_failed)


def _estimate(call: ModelCall, text: str) -> Usage:
    return Usage(estimate_call(call), 0, estimate_tokens(text), 0, is_estimate=True)
