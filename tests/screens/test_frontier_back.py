"""What the screen shows goes away when the frontier is set back; titles ahead are veiled; names come by themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from engine.config import Settings, SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.outline import VEILED_TITLE
from engine.library import Library
from tests.knowledge import know, named, shelve_story
from tests.piloted import library_with as empty_library
from tests.piloted import lines_of, page_of, reading, settle
from tests.told import type_and_wait, wiki_title
from tui.app.program import UnderstoryApp

_PATIENCE = 5000


def _set_back(app: UnderstoryApp, pos: Pos = 0) -> None:
    screen = page_of(app)
    place = screen.session.index.place_of(pos)
    assert place is not None
    screen.session.set_frontier(pos, place)
    screen.frontier_moved()


async def test_the_pages_seen_are_forgotten_when_the_frontier_is_set_back(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        assert wiki_title(app) == "Ilse Marrow"
        assert page_of(app).appearances
        _set_back(app)
        await settle(app, pilot)
        await settle(app, pilot)
        assert wiki_title(app) == "A Book"
        assert not page_of(app).appearances
        await type_and_wait(app, pilot, "gh")
        assert "Ilse Marrow" not in "\n".join(lines_of(app)[1:-2])


async def _until(pilot: Pilot[None], is_done: Callable[[], bool]) -> None:
    for _time in range(_PATIENCE):
        if is_done():
            return
        await pilot.pause(0.02)


@pytest.mark.parametrize(
    ("settings", "is_veiled"),
    [
        (Settings(spoilers=SpoilerMode.STRICT), True),
        (Settings(veil_titles=True), True),
        (Settings(), False),
        (Settings(spoilers=SpoilerMode.OFF, veil_titles=True), False),
    ],
)
async def test_the_top_line_veils_the_chapter_she_has_jumped_to(
    told_english: tuple[Library, WorkId], settings: Settings, is_veiled: bool
) -> None:
    async with reading(told_english[0], size=(120, 36), settings=settings) as (app, pilot):
        _set_back(app)
        last = page_of(app).session.index.chapters[-1]
        page_of(app).text.go_to(last.document, last.offset)
        await settle(app, pilot)
        assert (VEILED_TITLE in lines_of(app)[0], last.title in lines_of(app)[0]) == (is_veiled, not is_veiled)


async def test_names_are_underlined_when_they_have_been_found_though_the_page_stands(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.screens.page_names._COMING_S", 0.05)
    library = empty_library()
    work = shelve_story(library, ["Ilse Marrow came to Corrow."], ["Ilse Marrow left."])
    async with reading(library) as (app, pilot):
        known: list[bool] = []
        page_of(app).with_names(lambda: known.append(page_of(app).are_names_ready))
        await settle(app, pilot)
        assert not page_of(app).page.selecting.names_shown()
        know(library, work, named("Ilse Marrow"))
        await _until(pilot, lambda: bool(page_of(app).page.selecting.names_shown()))
        assert page_of(app).page.selecting.names_shown()
    library.close()
