"""Searching on the page: while typing, and from place to place."""

from __future__ import annotations

import pytest

from engine.config import Settings, SpoilerMode
from engine.library import Library
from tests.hidden_words import Planted
from tests.piloted import lines_of, page_of, reading, shown_by, type_ahead
from tui.app import UnderstoryApp
from tui.screens.reading import ReadingScreen

_ALL = Settings(spoilers=SpoilerMode.OFF)
_STRICT = Settings(spoilers=SpoilerMode.STRICT)


def _read_to(library: Library, chapter: int) -> None:
    """Count everything before a chapter as read."""
    work = library.works()[0].id
    first = library.outline(work).volumes[0].chapters[chapter - 1]
    library.set_frontier(work, first.document, first.offset)


def _words_of(app: UnderstoryApp) -> str:
    """Return the page's rows as one string, words that run on over a line's end whole."""
    return "".join(line.strip() for line in lines_of(app)[2:-3])


async def test_what_is_typed_is_found_and_counted(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, f"/{planted.typed}")
        assert planted.word in _words_of(app)
        assert "1 of 5" in shown_by(app)
        assert "1 in this chapter" in shown_by(app)


async def test_escape_leads_back_to_where_the_search_began(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library, settings=_ALL) as (app, pilot):
        before, here = lines_of(app), page_of(app).here
        await type_ahead(app, pilot, f"/{planted.typed}")
        assert page_of(app).here != here
        await type_ahead(app, pilot, "\x1b")
        assert (page_of(app).here, lines_of(app)) == (here, before)


async def test_enter_stays_and_backspace_leads_back(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library, settings=_ALL) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, f"/{planted.typed}\r")
        assert planted.word in _words_of(app)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here


async def test_n_and_capital_n_go_from_place_to_place_and_stop_at_the_ends(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter\r")
        await type_ahead(app, pilot, "n")
        assert "2 of 5 · 2 in this chapter" in shown_by(app)
        await type_ahead(app, pilot, "3n")
        assert "5 of 5" in shown_by(app)
        assert "en 7" in lines_of(app)[0]
        await type_ahead(app, pilot, "n")
        assert "no more places behind this one" in shown_by(app)
        await type_ahead(app, pilot, "4N")
        assert "1 of 5" in shown_by(app)
        assert "en 1" in lines_of(app)[0]


async def test_a_search_from_the_end_finds_the_place_before_it(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "99%")
        await type_ahead(app, pilot, "/lamplighter\r")
        assert "5 of 5" in shown_by(app)


async def test_after_turning_pages_n_goes_on_from_the_page(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter\r")
        await type_ahead(app, pilot, "60%")
        await type_ahead(app, pilot, "n")
        assert "5 of 5" in shown_by(app)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).session.index.work_share(page_of(app).pos) == pytest.approx(0.6, abs=0.02)


async def test_words_that_are_nowhere_leave_the_page_alone(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "/lampz")
        assert page_of(app).here == here
        assert "not found" in shown_by(app)


async def test_a_pattern_is_searched_on_enter(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "//lamp[a-z]+er/\r")
        assert "1 of 5" in shown_by(app)
        await type_ahead(app, pilot, "//lamp(\r")
        assert "is no pattern" in shown_by(app)


async def test_escape_on_the_page_takes_the_marks_away_and_n_brings_them_back(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter\r")
        await type_ahead(app, pilot, "\x1b")
        assert not _is_marked(page_of(app), "Lamplighter")
        await type_ahead(app, pilot, "N")
        await type_ahead(app, pilot, "n")
        assert _is_marked(page_of(app), "Lamplighter")


def _is_marked(screen: ReadingScreen, word: str) -> bool:
    """Say whether a word of the page is drawn apart from what stands beside it."""
    text = screen.text
    return any(segment.text == word for y in range(text.size.height) for segment in text.render_line(y))


async def test_nothing_unread_is_found_on_the_page_and_auto_says_that_there_is_more(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter")
        assert "1 of 3" in shown_by(app)
        assert "there is more beyond chapter 2" in shown_by(app)


async def test_strict_is_silent_about_what_lies_ahead(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english, settings=_STRICT) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter")
        assert "1 of 3" in shown_by(app)
        assert "more" not in shown_by(app)


async def test_what_is_read_after_the_search_is_found_by_n(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "/lamplighter\r2n")
        assert "3 of 3" in shown_by(app)
        session = page_of(app).session
        fifth = session.index.chapters[4]
        session.set_frontier(fifth.pos, (fifth.document, fifth.offset))
        session._keeper.flush(2.0)
        await type_ahead(app, pilot, "n")
        assert "4 of 4" in shown_by(app)
