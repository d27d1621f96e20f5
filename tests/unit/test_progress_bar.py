from __future__ import annotations

import pytest

from tui.render.cells import cell_width
from tui.widgets.progress_bar import Progress, ProgressBar


@pytest.mark.parametrize(
    ("label", "begins", "ends"),
    [
        ("The Thaw  1 / 3", "The Thaw", "  1 / 3"),
        ("The Long Saga Vol. 13  13 / 24", "The Long Saga", "…  13 / 24"),
        ("第二十三卷　迟来的钟声与无人之字的故事  23 / 24", "第二十三卷", "…  23 / 24"),
        ("The very long title of a single book", "The very long title", "…"),
    ],
)
def test_the_number_of_a_volume_is_not_cut_off(label: str, begins: str, ends: str) -> None:
    lower = ProgressBar()._composed(Progress(0.5, 0.5, (), label, ("work", "volume")), 80)[1]
    assert f"   {begins}" in lower
    assert lower.rstrip().endswith(ends)
    assert cell_width(lower) == 80
