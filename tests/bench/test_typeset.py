"""Laying out a slice stays within its budget, measured against a loop timed in between."""

from __future__ import annotations

from functools import partial

import pytest

from tests.bench.bench_typeset import measure, samples
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

_FIXED_LOOPS = {"Chinese": 2.0, "Japanese": 2.0, "English": 1.5, "Chinese with emoji": 25.0, "Thai": 20.0}
"""More than twice what was measured when these were written (0.7, 0.7, 0.4, 9, 6.3)."""


@pytest.mark.parametrize("name", _FIXED_LOOPS)
def test_a_slice_is_laid_out_in_time(name: str) -> None:
    piece = samples()[name]
    cost = measure(name, partial(typeset, piece, TypeOptions(76)), len(piece.text))
    assert cost.ratio < _FIXED_LOOPS[name]
