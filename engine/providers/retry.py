"""Making a call again: after a pause that grows, as long as the provider asks, never once something has come."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from engine.domain.models import Capabilities
from engine.errors.models import ModelError
from engine.providers.protocols import Cancel, Finished, Model, ModelCall, ModelEvent, ModelReply, Waiting

Sleep = Callable[[Cancel, float], None]
"""Waits so many seconds unless the call is given up."""


def sleep(cancel: Cancel, seconds: float) -> None:
    """Wait, and leave at once when the call is given up."""
    cancel.wait(seconds)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how long."""

    most_calls: int = 4
    """In all, the first included."""
    first_s: float = 1.0
    """Most seconds of the first pause; each further one may be twice as long."""
    longest_s: float = 60.0
    """A provider that asks for a longer pause than this is given up for now."""

    def pause_s(self, made: int, asked_s: float | None, chance: float) -> float:
        """Return how long to wait before the next call.

        Args:
            made: Calls so far, from 1.
            asked_s: What the provider asks for; that, and up to a tenth more, so that many do not return at once.
            chance: In [0, 1).
        """
        if asked_s is not None:
            return asked_s * (1 + chance / 10)
        return min(self.longest_s, self.first_s * float(2 ** (made - 1))) * (0.5 + chance / 2)


@dataclass(frozen=True, slots=True)
class Retrying:
    """A model whose calls are made again when they failed in passing."""

    model: Model
    policy: RetryPolicy = RetryPolicy()
    on_wait: Callable[[Waiting], None] = lambda _waiting: None
    """Told of each pause of a call made by `complete`, from its thread."""
    sleep: Sleep = sleep
    chance: Callable[[], float] = field(default=random.random)

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    @property
    def capabilities(self) -> Capabilities:
        """The model's own."""
        return self.model.capabilities

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer in one piece."""
        for made in range(1, self.policy.most_calls + 1):
            try:
                return self.model.complete(call, cancel)
            except ModelError as error:
                waiting = self._waiting(error, made)
                if waiting is None:
                    raise
            self.on_wait(waiting)
            self._pause(cancel, waiting)
        raise AssertionError("the last call returns or raises")

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer piece by piece; a pause is an event too."""
        for made in range(1, self.policy.most_calls + 1):
            has_begun = False
            try:
                for event in self.model.stream(call, cancel):
                    has_begun = True
                    yield event
                    if isinstance(event, Finished):
                        return
            except ModelError as error:
                waiting = None if has_begun else self._waiting(error, made)
                if waiting is None:
                    raise
            else:
                raise AssertionError("a stream ends with Finished or raises")
            yield waiting
            self._pause(cancel, waiting)

    def _waiting(self, error: ModelError, made: int) -> Waiting | None:
        """Return the pause before the next call, None when there is to be none."""
        if error.has_begun or not error.is_temporary or made >= self.policy.most_calls:
            return None
        pause = self.policy.pause_s(made, error.retry_after_s, self.chance())
        return None if pause > self.policy.longest_s * 1.1 else Waiting(pause, error.message)

    def _pause(self, cancel: Cancel, waiting: Waiting) -> None:
        self.sleep(cancel, waiting.seconds)
        cancel.check()
