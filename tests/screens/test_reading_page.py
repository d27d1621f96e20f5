"""The page in the real program: it opens, turns, jumps, keeps the place, and survives any size."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from engine.library import Library
from tests.builders import make_epub
from tests.piloted import chapters_of, home_with_book, library_with, lines_of, page_of, reading, settle, type_ahead


@pytest.fixture(params=["en", "zh", "ja"])
def language(request: pytest.FixtureRequest) -> str:
    """Each of the three languages."""
    return str(request.param)


@pytest.fixture
def book(tmp_path: Path, language: str) -> Path:
    """A book of six numbered chapters."""
    return make_epub(
        tmp_path / f"{language}.epub", title=f"book {language}", chapters=chapters_of(language), language=language
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a maker of homes whose library holds the book of a language, imported once."""
    return cache(partial(home_with_book, tmp_path_factory.mktemp("imported")))


@pytest.fixture
def library(imported: Callable[[str], Path], language: str, home: Path) -> Iterator[Library]:
    """A library of the test's own that holds the book."""
    shutil.copytree(imported(language), home)
    library = library_with()
    yield library
    library.close()


async def test_the_first_page_shows_the_first_chapter(library: Library, language: str) -> None:
    async with reading(library) as (app, _pilot):
        assert f"{language} 1" in "\n".join(lines_of(app))


async def test_a_turned_page_shows_other_words(library: Library) -> None:
    async with reading(library) as (app, pilot):
        before = lines_of(app)[2:-3]
        await pilot.press("space")
        await settle(app, pilot)
        assert lines_of(app)[2:-3] != before


async def test_the_place_is_found_again(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("space", "space", "j")
        await settle(app, pilot)
        left = page_of(app).here
    async with reading(library) as (app, _pilot):
        assert page_of(app).here == left


async def test_a_percentage_leads_into_the_text_and_back(library: Library) -> None:
    async with reading(library) as (app, pilot):
        start = page_of(app).here
        await pilot.press("5", "0", "%")
        await settle(app, pilot)
        assert page_of(app).session.index.work_share(page_of(app).pos) == pytest.approx(0.5, abs=0.02)
        await pilot.press("ctrl+o")
        await settle(app, pilot)
        assert page_of(app).here == start


async def test_at_the_end_the_last_row_stands_at_the_end_of_a_full_page(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "100%")
        rows = lines_of(app)[2:-3]
        assert all(rows[-1:])
        assert len([row for row in rows if row]) > len(rows) // 2
        assert lines_of(app)[0].split()[-2:] == ["100", "%"]


async def test_chapters_are_gone_through_by_bracket(library: Library, language: str) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("3", "]")
        await settle(app, pilot)
        assert f"{language} 4" in lines_of(app)[0]


async def test_the_contents_lead_to_a_chapter(library: Library, language: str) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await pilot.press("t", "j", "j", "enter")
        await settle(app, pilot)
        assert f"{language} 3" in lines_of(app)[0]


async def test_sizes_of_all_kinds_keep_the_first_character(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("4", "0", "%")
        await settle(app, pilot)
        here = page_of(app).here
        for width, height in ((40, 15), (200, 50), (1, 1), (20, 5), (500, 200), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settle(app, pilot)
        assert page_of(app).here == here


async def test_the_frontier_follows_reading_but_not_a_jump(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("space", "space")
        await settle(app, pilot)
        read_to = page_of(app).session.frontier
        await pilot.press("8", "0", "%", "space")
        await settle(app, pilot)
        assert 0 < page_of(app).session.frontier == read_to


async def test_the_frontier_is_kept(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("space", "space")
        await settle(app, pilot)
        read_to = page_of(app).session.frontier
    work = library.works()[0].id
    assert library.frontier(work) == read_to


async def test_a_file_is_read_while_it_is_imported_and_the_page_stays(book: Path, language: str) -> None:
    library = library_with()
    async with reading(library, str(book)) as (app, pilot):
        assert page_of(app).session.index.outline.is_preview
        await pilot.press("space")
        await settle(app, pilot)
        before = lines_of(app)[2:-3]
        for _each in range(100):
            if not page_of(app).session.index.outline.is_preview:
                break
            await pilot.pause(0.1)
        await settle(app, pilot)
        assert not page_of(app).session.index.outline.is_preview
        assert lines_of(app)[2:-3] == before
    library.close()


async def test_an_unknown_command_is_told(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press(":", "f", "l", "y", "enter")
        await settle(app, pilot)
        assert "fly" in "\n".join(lines_of(app))


async def test_the_command_line_leads_to_a_chapter(library: Library, language: str) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press(":", *"chapter", "space", "5", "enter")
        await settle(app, pilot)
        assert f"{language} 5" in lines_of(app)[0]


async def test_help_lists_the_keys(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("?")
        await pilot.pause()
        assert any("one page on" in line for line in lines_of(app))
