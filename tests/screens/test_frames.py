"""What a frame costs: rows are asked for where they are drawn, and the bars come with the page."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.library import Library
from tests.piloted import page_of, reading, settle
from tui.screens.reading import ReadingScreen
from tui.widgets.compositor import WholeCharacterCompositor
from tui.widgets.text_view import TextView


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """First row and number of rows of each time the text is asked for some."""
    asked: list[tuple[int, int]] = []
    made = TextView.render_lines

    def told(self: TextView, crop: Region) -> list[Strip]:
        asked.append((crop.y, crop.height))
        return made(self, crop)

    monkeypatch.setattr(TextView, "render_lines", told)
    return asked


def _redraw(screen: ReadingScreen, *rows: int) -> None:
    """Draw some rows of the screen anew."""
    compositor = screen._compositor
    assert isinstance(compositor, WholeCharacterCompositor)
    compositor._dirty_regions = {Region(0, y, screen.size.width, 1) for y in rows}
    assert compositor.render_partial_update() is not None


async def test_a_row_above_and_bars_below_do_not_have_the_text_made_anew(
    english: Library, asked: list[tuple[int, int]]
) -> None:
    async with reading(english) as (app, pilot):
        await settle(app, pilot)
        asked.clear()
        _redraw(page_of(app), 0, page_of(app).size.height - 1)
        assert asked == []


async def test_only_the_rows_that_changed_are_made(english: Library, asked: list[tuple[int, int]]) -> None:
    async with reading(english) as (app, pilot):
        await settle(app, pilot)
        asked.clear()
        top = page_of(app).text.region.y
        _redraw(page_of(app), 0, top + 3, top + 5, top + 6)
        assert asked == [(3, 1), (5, 2)]


async def test_the_screen_is_told_of_a_turned_page_at_once(english: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    async with reading(english) as (app, pilot):
        await settle(app, pilot)
        told: list[Message] = []
        with monkeypatch.context() as patched:
            patched.setattr(page_of(app), "post_message", told.append)
            page_of(app).text.page_on(1)
        assert any(isinstance(message, TextView.PageMoved) for message in told)
