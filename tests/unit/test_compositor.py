"""Where rows of a screen are cut: where another widget begins to be seen, and nowhere else."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.widgets.compositor import _harmless, _row_cuts

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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;x\x07b", "a]0;xb"),
        ("a\u202eb\u2066c", "abc"),
        ("\x9b31mx", "31mx"),
        ("漢\u200d字\u3000👨\u200d👩\u200d👧 é", "漢\u200d字\u3000👨\u200d👩\u200d👧 é"),
    ],
)
def test_no_row_drives_the_terminal_and_none_is_wider_for_it(text: str, shown: str) -> None:
    before = Strip([Segment("ab", Style(bold=True)), Segment(text)])
    after = _harmless(before)
    assert after.text == "ab" + shown
    assert after.cell_length == before.cell_length


def test_a_row_without_harm_is_the_same_row() -> None:
    strip = Strip([Segment("The lamp burned low. 灯火")])
    assert _harmless(strip) is strip
