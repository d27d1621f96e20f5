"""A line being typed: what of it is seen."""

from __future__ import annotations

import time

import pytest

from tests.pace import allowance
from tui.render.line_edit import LineEdit
from tui.render.text_edit import TextEdit


@pytest.mark.parametrize(
    ("text", "cursor", "cells", "seen"),
    [
        ("lamp", 4, 10, ("lamp", 4)),
        ("lamp oil", 8, 5, (" oil", 4)),
        ("lamp oil", 0, 5, ("lamp ", 0)),
        ("lamp oil", 4, 5, ("lamp ", 4)),
        ("灯塔看守", 4, 5, ("看守", 4)),
        ("灯塔看守", 0, 5, ("灯塔", 0)),
        ("", 0, 4, ("", 0)),
        ("lamp", 4, 0, ("", 0)),
    ],
)
def test_the_part_around_the_cursor_is_seen(text: str, cursor: int, cells: int, seen: tuple[str, int]) -> None:
    line = LineEdit(text)
    line.cursor = cursor
    assert line.window(cells) == seen


def test_a_long_paste_does_not_hold_the_screen_up() -> None:
    line = TextEdit("word " * 4_000)
    begun = time.thread_time()
    for _ in range(5):
        assert len(line.window(40)[0]) == 39
    assert time.thread_time() - begun < 0.5 * allowance()
