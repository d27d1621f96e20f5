"""Where rows of a screen are cut: where another widget begins to be seen, and nowhere else."""

from __future__ import annotations

import pytest

from tui.screens.compositor import _row_cuts

_SCREEN = (0, 80)


@pytest.mark.parametrize(
    ("spans", "cuts", "covered"),
    [
        ([], [0, 80], set()),
        ([_SCREEN], [0, 80], set()),
        ([(4, 76), _SCREEN], [0, 4, 76, 80], set()),
        ([(32, 80), (4, 76), _SCREEN], [0, 4, 32, 80], {76}),
        ([(0, 72), (4, 76), _SCREEN], [0, 72, 76, 80], {4}),
        ([(0, 80), (4, 76), _SCREEN], [0, 80], {4, 76}),
        ([(20, 40), (4, 76), _SCREEN], [0, 4, 20, 40, 76, 80], set()),
        ([(0, 40), (40, 80), (20, 60), _SCREEN], [0, 40, 80], {20, 60}),
    ],
)
def test_a_row_is_cut_where_another_widget_is_seen(
    spans: list[tuple[int, int]], cuts: list[int], covered: set[int]
) -> None:
    assert _row_cuts(tuple(spans), 80) == (cuts, frozenset(covered))
