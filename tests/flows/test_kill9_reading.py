"""A reading whose process is killed at any moment: each call is paid once, and the result is that of one left alone."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from engine.analysis.asking import MOST_PARALLEL
from engine.library import Library
from tests.commands import CHECKOUT
from tests.reading_works import read_work, shelve_two_volumes, written
from tests.scripted_reader import ScriptedReader
from tests.shelving import paths_in


def _left_alone(folder: Path) -> tuple[list[tuple[object, ...]], int]:
    """Return what stands in a library whose reading nobody disturbed, and how many calls that took."""
    library = Library(paths_in(folder))
    model = ScriptedReader()
    work = shelve_two_volumes(library)
    read_work(library, work, model)
    found = written(library, work)
    library.close()
    return found, len(model.calls)


def _run(folder: Path, work: int, kill_at: int, kill_after_ms: int) -> int:
    done = subprocess.run(
        [sys.executable, "-m", "tests.reading_victim", str(folder), str(work), str(kill_at), str(kill_after_ms)],
        cwd=CHECKOUT, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode


def _killed(folder: Path, deaths: Iterable[tuple[int, int]]) -> tuple[list[tuple[object, ...]], int, int]:
    """Return what stands in the end, how many calls were kept, and how often the process was killed.

    Args:
        folder: Of the library.
        deaths: For each process the call and the milliseconds it does not survive, 0 for none of these.
    """
    library = Library(paths_in(folder))
    work = shelve_two_volumes(library)
    library.close()
    kills = 0
    for kill_at, kill_after_ms in deaths:
        code = _run(folder, work, kill_at, kill_after_ms)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        kills += 1
    assert _run(folder, work, 0, 0) == 0
    library = Library(paths_in(folder))
    found = written(library, work)
    with library._store.read() as r:
        kept = r.execute("SELECT count(*) FROM model_call WHERE state = 'done'").get
    library.close()
    return found, int(str(kept)), kills


def _check(folder: Path, whole: tuple[list[tuple[object, ...]], int], deaths: Iterable[tuple[int, int]]) -> int:
    """Kill a reading, compare it with one that nobody disturbed, and return how often it was killed."""
    found, kept, kills = _killed(folder, deaths)
    assert found == whole[0]
    assert kept == whole[1]
    asked = (folder / "asked").stat().st_size
    assert whole[1] <= asked <= whole[1] + kills * MOST_PARALLEL
    return kills


def _at_random(rng: random.Random, most: int) -> Iterator[tuple[int, int]]:
    for _n in range(most):
        by_call = rng.random() < 0.7
        yield rng.randint(2, 4) if by_call else 0, 0 if by_call else rng.randint(300, 2_500)


def _check_until(folder: Path, kills: int, seed: int) -> Iterator[int]:
    """Yield how often each of several readings was killed, until there were so many deaths in all."""
    rng, whole = random.Random(seed), _left_alone(folder / "alone")
    total = number = 0
    while total < kills:
        number += 1
        killed = _check(folder / str(number), whole, _at_random(rng, 12))
        total += killed
        yield killed


def test_a_reading_killed_three_times_comes_to_the_same(tmp_path: Path) -> None:
    whole = _left_alone(tmp_path / "alone")
    assert _check(tmp_path / "killed", whole, [(2, 0), (3, 0), (2, 0)]) == 3


@pytest.mark.gate
def test_readings_killed_two_hundred_times_come_to_the_same(tmp_path: Path) -> None:
    assert sum(_check_until(tmp_path, 200, seed=7)) >= 200
