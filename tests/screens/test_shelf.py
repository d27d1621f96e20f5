"""The shelf in the real program: import, order, filter, grouping, removal and undo."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from engine.domain.book import WorkId
from engine.errors import LibraryUnavailableError
from engine.library import Library
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, lines_of, reading, settle, until_shown
from tui.screens.shelf import ShelfScreen


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    """Three small books in three languages."""
    return [
        make_epub(
            tmp_path / f"{language}.epub",
            title=title,
            author=author,
            chapters=chapters_of(language, chapters=2, paragraphs=4),
            language=language,
        )
        for language, title, author in (("en", "Low Water", "Zed"), ("zh", "听雨", "阿甲"), ("ja", "雨の駅", "Ann"))
    ]


@pytest.fixture
def library(books: list[Path]) -> Iterator[Library]:
    """A library that holds them."""
    library = library_with(*books)
    yield library
    library.close()


def _works_left(library: Library, wanted: int) -> int:
    """Wait for the removals made while leaving; return the works that are left."""
    for _each in range(2400):
        if len(library.works()) == wanted:
            break
        time.sleep(0.05)
    return len(library.works())


async def test_an_empty_shelf_says_what_fills_it() -> None:
    library = library_with()
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "bring in books")
    library.close()


@pytest.mark.parametrize("has_books", [False, True])
async def test_escape_does_not_end_the_program_where_nothing_is_open(books: list[Path], has_books: bool) -> None:
    library = library_with(*(books if has_books else []))
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Shelf")
        await pilot.press("escape", "escape")
        await until_shown(app, pilot, "q quits")
        assert isinstance(app.screen, ShelfScreen)
        has_ended = [app._exit]
        await pilot.press("q")
        assert [*has_ended, app._exit] == [False, True]
    library.close()


async def test_what_was_met_while_starting_is_said_on_the_shelf_too() -> None:
    library = library_with()
    library.notices = ("The library was damaged.", "The library was damaged.")
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "The library was damaged.")
        assert "\n".join(lines_of(app)).count("damaged") == 1
    library.close()


async def test_a_work_that_cannot_be_opened_leads_back_to_the_shelf_with_the_reason(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_work: WorkId) -> NoReturn:
        raise LibraryUnavailableError(Path("library.db"), "it is gone")

    async with reading(library, "") as (app, pilot):
        monkeypatch.setattr(library, "reading", refuse)
        app.session = None
        while len(app.screen_stack) > 1:
            await app.pop_screen()
        app.show_shelf()
        await until_shown(app, pilot, "Low Water")
        await pilot.press("enter")
        await until_shown(app, pilot, "it is gone")
        assert isinstance(app.screen, ShelfScreen)
    library.close()


async def test_books_are_imported_from_a_folder(books: list[Path]) -> None:
    library = library_with()
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "bring in books")
        await pilot.press("i")
        await pilot.pause()
        await pilot.press(*str(books[0].parent), "enter")
        shown = await until_shown(app, pilot, "3 books opened")
        assert "Low Water" in shown
    library.close()


async def test_a_file_that_is_not_there_is_told(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("i")
        await pilot.pause()
        await pilot.press(*"gone.epub", "enter")
        await until_shown(app, pilot, "No such file: gone.epub")


async def test_a_filter_leaves_what_fits(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("/", *"雨")
        shown = await until_shown(app, pilot, "filter: 雨")
        assert "Low Water" not in shown
        assert "听雨" in shown


async def test_the_order_can_be_changed(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("o", "o")
        shown = await until_shown(app, pilot, "by author")
        assert shown.index("雨の駅") < shown.index("Low Water") < shown.index("听雨")


async def test_enter_opens_the_work(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("/", *"Low", "enter", "enter")
        await until_shown(app, pilot, "en 1")
        assert not isinstance(app.screen, ShelfScreen)


async def test_a_removed_work_comes_back(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("d")
        await until_shown(app, pilot, "is off the shelf")
        assert len([line for line in lines_of(app) if "1 volume" in line]) == 2
        await pilot.press("u")
        await settle(app, pilot)
        assert len([line for line in lines_of(app) if "1 volume" in line]) == 3
    assert len(library.works()) == 3


async def test_a_removal_is_real_when_the_shelf_is_left(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("d", "q")
        await settle(app, pilot)
    assert _works_left(library, 2) == 2


async def test_marked_works_become_one_and_a_volume_leaves_again(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("m", "s")
        await until_shown(app, pilot, "2 volumes")
        assert len(library.works()) == 2
        await pilot.press("/", *"volu", "escape", "g")
        while "▾" not in "\n".join(lines_of(app)):
            await pilot.press("l", "j")
            await settle(app, pilot)
        await pilot.press("s")
        await settle(app, pilot)
        await pilot.pause(0.2)
    assert len(library.works()) >= 2


async def test_the_keys_are_told(library: Library) -> None:
    async with reading(library, "") as (app, pilot):
        await until_shown(app, pilot, "Low Water")
        await pilot.press("?")
        await until_shown(app, pilot, "import files or folders")


async def test_a_title_kept_before_it_was_cleaned_drives_no_terminal(library: Library) -> None:
    with library._store.write() as w:
        w.execute("UPDATE work SET title = ? WHERE title = 'Low Water'", ("Low \x1b]0;x\x07 \u202e Water",))
    async with reading(library, "") as (app, pilot):
        shown = await until_shown(app, pilot, "Water")
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
