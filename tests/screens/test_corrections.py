"""What the reader sets right from an entry, by keys, beside the text and over the whole screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from engine.domain.book import WorkId
from engine.domain.wiki import PageKind
from engine.library import Library
from engine.spoilers.policy import WHOLE
from tests.piloted import page_of, reading, shown_by
from tests.told import type_and_wait, wiki_title
from tui.app.program import UnderstoryApp
from tui.modals.correction import CorrectionDialog
from tui.screens.wiki import WikiScreen

_PATIENCE = 5000


def _known(library: Library, work: WorkId) -> dict[str, tuple[str, frozenset[str]]]:
    return {
        point.name: (point.kind, frozenset(alias.form for alias in point.aliases))
        for point in library.entities(work, WHOLE)
    }


_ILSE, _OREN = frozenset({"Ilse Marrow", "Moth"}), frozenset({"Oren Vale"})
_PLACE = {"Corrow": ("place", frozenset({"Corrow"}))}


async def _until(pilot: Pilot[None], is_done: Callable[[], bool]) -> bool:
    """Wait for what comes by several steps behind the screen."""
    for _time in range(_PATIENCE):
        if is_done():
            return True
        await pilot.pause(0.02)
    return is_done()


async def _ask(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    await type_and_wait(app, pilot, "e")
    assert await _until(pilot, lambda: isinstance(app.screen, CorrectionDialog))


@pytest.mark.parametrize(
    ("keys", "known"),
    [
        ("moren\r", {"Ilse Marrow": ("person", _ILSE | _OREN)}),
        ("ioren\r", {"Ilse Marrow": ("person", _ILSE | _OREN)}),
        ("smoth\r", {"Ilse Marrow": ("person", {"Ilse Marrow"}), "Moth": ("person", {"Moth"})}),
        ("rZora\r", {"Zora": ("person", _ILSE | {"Zora"})}),
        ("aThe Girl\r", {"Ilse Marrow": ("person", _ILSE | {"The Girl"})}),
        ("kpla\r", {"Ilse Marrow": ("place", _ILSE)}),
        ("hy", {}),
    ],
)
async def test_each_correction_is_made_by_keys_and_taken_back(
    told_english: tuple[Library, WorkId], keys: str, known: dict[str, tuple[str, frozenset[str]]]
) -> None:
    library, work = told_english
    before = _known(library, work)
    is_joined = keys[0] in "mi"
    others = _PLACE if is_joined else {**_PLACE, "Oren Vale": ("person", _OREN)}
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, keys)
        assert await _until(pilot, lambda: _known(library, work) == known | others)
        await type_and_wait(app, pilot, "gw1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, "u")
        assert await _until(pilot, lambda: _known(library, work) == before)


async def test_two_are_one_from_the_page_on_where_that_was_said(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, "ioren\r")
        assert await _until(pilot, lambda: "Oren Vale" not in [point.name for point in library.entities(work)])
        assert wiki_title(app) == "Ilse Marrow"
        first = library.outline(work).volumes[0].documents[0].id
        library.set_frontier(work, first, 20)
        assert [point.name for point in library.entities(work)] == ["Moth"]


async def test_an_entry_that_was_hidden_gives_way_to_the_first_page(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, "hy")
        assert await _until(pilot, lambda: wiki_title(app) == "A Book")
        assert "Ilse Marrow is hidden." in shown_by(app)


async def test_escape_leads_back_step_by_step_and_changes_nothing(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, "r")
        assert "Call it: _" in shown_by(app)
        await type_and_wait(app, pilot, "\x1b")
        assert "Set right: Ilse Marrow" in shown_by(app)
        await type_and_wait(app, pilot, "\x1b")
        assert wiki_title(app) == "Ilse Marrow"
        assert library.corrections(work) == ()


def _full_title(app: UnderstoryApp) -> str:
    screen = app.screen
    page = screen.view.page if isinstance(screen, WikiScreen) else None
    return "" if page is None else page.title


async def test_corrections_are_made_over_the_whole_screen_too(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "W1")
        await _ask(app, pilot)
        await type_and_wait(app, pilot, "rZora\r")
        assert await _until(pilot, lambda: _full_title(app) == "Zora")


async def test_the_inspector_shows_names_and_notes_and_leads_back(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1i")
        page = page_of(app).sidebar.wiki.page
        assert page is not None
        assert page.key.kind is PageKind.INSPECTOR
        assert "nickname" in shown_by(app)
        assert "Nothing has been written yet." in shown_by(app)
        await type_and_wait(app, pilot, "i")
        page = page_of(app).sidebar.wiki.page
        assert page is not None
        assert page.key.kind is PageKind.ENTRY
