"""A little of each hardship; `python tests/quality/hardship.py 500` is the whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.quality import hardship


@pytest.mark.parametrize(
    ("part", "size"),
    [
        (hardship.kills, 2),
        (hardship.drops, 5),
        (hardship.leavings, 1),
        (hardship.resizes, 1),
        (hardship.torn_keys, 14),
        (hardship.random_bytes, 200),
    ],
)
@pytest.mark.slow
def test_nothing_is_lost(
    part: Callable[[hardship.Trial, int], list[hardship.Figure]], size: int, tmp_path: Path
) -> None:
    assert [figure for figure in part(hardship.Trial(tmp_path), size) if figure.is_over] == []


@pytest.mark.gate
def test_nothing_is_lost_in_the_long_run(tmp_path: Path) -> None:
    trial = hardship.Trial(tmp_path)
    figures = hardship.kills(trial, 500) + hardship.drops(trial, 200) + hardship.resizes(trial, 10)
    figures += hardship.torn_keys(trial, 500) + hardship.random_bytes(trial, 10_000)
    assert [figure for figure in figures if figure.is_over] == []
