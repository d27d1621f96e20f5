"""How fast the machine is at this moment, beside the one the budgets were set on.

A budget in CPU time means something only beside a fixed piece of work: another processor, or a
neighbour who takes the cache, makes everything dearer. Programs that print budgets multiply them by
`slowness`, so that a slow machine is no fault of ours and a slow program is one anywhere.
"""

from __future__ import annotations

import time

_REFERENCE_S = 0.0176
"""The fixed work on the machine the budgets were set on, idle (two cores, Python 3.11)."""
_MOST = 2.5
"""A machine slower than this is too busy to measure on."""
_SOURCE = "\n".join(f"def part_{n}(a, b):\n    return [a + {n}, b * {n}, str(a) + 'part {n}']" for n in range(400))


AT_ONCE_S = 10.0
"""A wait no longer than this has not hung. What is at once for a reader is measured in `tests/bench` and
`tests/quality`: a busy machine takes seconds over what takes milliseconds on an idle one."""
PATIENCE_S = 120.0
"""How long a test waits for what must come; ten times what the slowest machine it was seen on took."""
ROOM = 1.25
"""What the same work varies by from one run to the next."""


def allowance() -> float:
    """Return what a budget in CPU time is multiplied by before something counts as too dear."""
    return slowness() * ROOM


def slowness(repeat: int = 9) -> float:
    """Return by how much CPU time is dearer here and now, from 1 to 2.5.

    The best of some repetitions counts, as it does for what is measured.
    """
    return min(_MOST, max(1.0, min(_fixed_work_s() for _each in range(repeat)) / _REFERENCE_S))


def _fixed_work_s() -> float:
    """Do the same each time: arithmetic, names looked up, much memory touched."""
    begun = time.process_time()
    compile(_SOURCE, "fixed", "exec")
    words = {f"word {number}": number for number in range(10_000)}
    total = 0
    for number in range(100_000):
        total += number % 7 + words[f"word {number * 31 % 10_000}"] if number % 5 == 0 else 1
    return time.process_time() - begun
