"""A work as a line of the shelf."""

from __future__ import annotations

import pytest

from engine.domain.book import WorkId
from engine.domain.reading import WorkSummary
from tui.render.cells import cell_width
from tui.render.shelf_rows import work_line


def _work(title: str, *, last_read: str, read_share: float) -> WorkSummary:
    return WorkSummary(
        id=WorkId(1),
        title=title,
        authors=("Ann Author",),
        language="en",
        volumes=1,
        chapters=1,
        characters=1000,
        read_share=read_share,
        last_read=last_read,
    )


@pytest.mark.parametrize("title", ["The Thaw", "听墨录", "あずかり雨の店"])
def test_only_a_work_that_was_begun_has_a_bar(title: str) -> None:
    new = work_line(_work(title, last_read="", read_share=0.0), 80, sign="  ", is_ascii=True)
    begun = work_line(_work(title, last_read="2024-05-01", read_share=0.5), 80, sign="  ", is_ascii=True)
    assert "-" * 6 not in new[1]
    assert "######------" in begun[1]
    assert [cell_width(left + right) for left, right in (new, begun)] == [80, 80]
