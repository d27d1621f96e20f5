"""The short form of `tests/quality/kill9.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.kill9 import run


def test_ten_kills_lose_no_place_and_leave_no_half_of_a_book(tmp_path: Path) -> None:
    figures = run(tmp_path, 10)
    assert figures.kills == 10
    assert figures.acknowledged > 100
    assert figures.is_kept, figures.notes


@pytest.mark.gate
def test_two_hundred_kills_lose_no_place_and_leave_no_half_of_a_book(tmp_path: Path) -> None:
    figures = run(tmp_path, 200, seed=11)
    assert figures.imports > 10
    assert figures.is_kept, figures.notes
