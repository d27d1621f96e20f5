"""The two scales of progress."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.render.meter import share_at, volume_row, work_row

shares = st.floats(allow_nan=True, allow_infinity=True) | st.floats(0, 1)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, "░░░░░░░░"),
        (0.001, "▏░░░░░░░"),
        (0.25, "██░░░░░░"),
        (0.30, "██▍░░░░░"),
        (0.999, "███████▉"),
        (1.0, "████████"),
        (7.0, "████████"),
        (-1.0, "░░░░░░░░"),
        (float("nan"), "░░░░░░░░"),
    ],
)
def test_the_work_fills_in_eighths_of_a_cell(share: float, expected: str) -> None:
    assert work_row(share, 8) == expected


def test_only_a_finished_work_is_full() -> None:
    assert work_row(0.999999, 8) != work_row(1.0, 8)


@pytest.mark.parametrize(
    ("share", "expected"), [(0, "--------"), (0.3, "##------"), (0.5, "####----"), (1, "########")]
)
def test_the_work_can_be_drawn_in_ascii(share: float, expected: str) -> None:
    assert work_row(share, 8, is_ascii=True) == expected


def test_the_volume_shows_chapters_marks_and_the_place() -> None:
    assert volume_row(0.5, [0.0, 0.25, 0.5, 0.8], 12, marks=[0.95]) == "┬┄┄┬┄┄●┄┄┬┄▲"


def test_the_volume_can_be_drawn_in_ascii() -> None:
    assert volume_row(0.5, [0.0, 0.25, 0.8], 12, marks=[0.95], is_ascii=True) == "|--|--@--|-^"


def test_the_end_of_a_volume_is_its_last_cell() -> None:
    assert volume_row(1.0, [], 6) == "┄┄┄┄┄●"


@pytest.mark.parametrize(("chapters", "ticks"), [(19, 19), (26, 6), (60, 12), (400, 20), (100_000, 0)])
def test_of_very_many_chapters_some_keep_their_ticks(chapters: int, ticks: int) -> None:
    row = volume_row(1.0, [n / chapters for n in range(chapters)], 40, is_ascii=True)
    assert row.count("|") == ticks


def test_ticks_that_would_touch_are_left_out() -> None:
    assert volume_row(0.0, [number / 4000 for number in range(4000)], 12) == "●" + "┄" * 11


@pytest.mark.parametrize("cells", [-1, 0])
def test_no_room_is_no_bar(cells: int) -> None:
    assert (work_row(0.5, cells), volume_row(0.5, [0.1], cells)) == ("", "")


@given(shares, st.lists(shares, max_size=9), st.integers(0, 200), st.booleans())
def test_bars_are_exactly_as_wide_as_asked(share: float, ticks: list[float], cells: int, is_ascii: bool) -> None:
    assert cell_len(work_row(share, cells, is_ascii=is_ascii)) == cells
    assert cell_len(volume_row(share, ticks, cells, marks=ticks, is_ascii=is_ascii)) == cells


@given(st.integers(1, 200), st.data())
def test_a_click_on_a_cell_leads_to_a_place_drawn_there(cells: int, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, cells - 1))
    assert volume_row(share_at(column, cells), [], cells).index("●") == column


def test_a_click_where_there_is_no_bar_leads_to_the_start() -> None:
    assert share_at(5, 0) == 0.0
