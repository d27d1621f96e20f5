"""Waiting for what is done in the background, with a passing sentence for whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from engine.cli.context import Context
from engine.domain.reading import JobProgress

_LOOK_S = 0.1


def wait_while(context: Context, said: Callable[[], str]) -> None:
    """Show what is said as long as something is."""
    while words := said():
        context.out.progress(words)
        time.sleep(_LOOK_S)
    context.out.end_progress()


def wait_for_jobs(
    context: Context, ids: Sequence[int], said: Callable[[Sequence[JobProgress]], str]
) -> Sequence[JobProgress]:
    """Wait until some jobs have ended, and return how they did; `said` tells how they stand, in a few words."""
    library = context.library()
    while True:
        states = library.jobs(ids) if ids else ()
        if all(state.state.is_over for state in states):
            context.out.end_progress()
            return states
        context.out.progress(said(states))
        time.sleep(_LOOK_S)
