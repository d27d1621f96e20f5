"""How background work makes room for the page."""

from __future__ import annotations

import contextlib
import os

_NICENESS, _MOST = 10, 19


def be_nice() -> None:
    """Let everything else come first, from the beginning of a background process on."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def step_back() -> None:
    """Make still more room, for work that takes hours and mostly waits.

    Eight calls to a model at a time wake up for each piece of an answer, and each wake-up may take the processor
    from the page: on a busy machine a page took 18 ms in the middle, with this 8 (tests/quality/beside_calls.py).
    Holds for this thread and those it starts.
    """
    with contextlib.suppress(OSError):
        if hasattr(os, "nice"):
            os.nice(_MOST - os.nice(0))
        if hasattr(os, "SCHED_BATCH"):  # Linux: a thread that has waited does not interrupt whoever runs
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
