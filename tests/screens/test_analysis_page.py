"""The Analysis page in the real program: what it costs, consent, start, meter, pause, cancel, leaving it, failures."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.domain.analysis import AnalysisProgress, AnalysisState
from engine.domain.book import WorkId
from engine.domain.models import ModelAddress, ModelRole, Price
from engine.library import Library
from tests.answering import Answering
from tests.builders import make_epub, make_story
from tests.pace import AT_ONCE_S, PATIENCE_S
from tests.piloted import library_with, reading, settle, shown_by, until_shown
from tests.reading_works import CREW
from tests.serving import ServedModels, start_model_server
from tui.app import UnderstoryApp
from tui.screens.analysis import AnalysisScreen

_FRAMES = (
    "{} came down to the quay before it was light and asked {other} about the tide.",
    "It was {} who counted the ropes twice by the lamp, and then {other} counted them again.",
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    chapters = [(f"Watch {n}", "".join(f"<p>{p}</p>" for p in make_story(CREW, _FRAMES))) for n in (1, 2)]
    opened = library_with(make_epub(tmp_path / "quay.epub", title="The Quay", chapters=chapters))
    while opened.jobs():
        time.sleep(0.02)
    yield opened
    opened.close()


@pytest.fixture
def by_hand(tmp_path: Path, library: Library) -> Path:
    """Give every role to a model that waits for somebody to answer; return the folder it waits on."""
    folder = tmp_path / "hand"
    folder.mkdir()
    server = start_model_server(hand=folder)
    library.add_model(ModelAddress("hand", server.url, "hand"))
    library.use_model(ModelRole.READER, "hand")
    return folder


@asynccontextmanager
async def _page(library: Library, size: tuple[int, int] = (80, 30)) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None]]]:
    async with reading(library, size=size) as (app, pilot):
        await pilot.press("g", "a")
        await until_shown(app, pilot, "Read the whole work")
        yield app, pilot


def _state(library: Library) -> AnalysisProgress | None:
    return library.analysis(WorkId(1))


async def test_without_a_model_one_key_leads_to_the_models_page(library: Library) -> None:
    async with _page(library) as (app, pilot):
        await until_shown(app, pilot, "Enter leads to the Models page")
        await pilot.press("enter")
        await until_shown(app, pilot, "Companion")


async def test_what_it_costs_stands_before_the_first_call(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("echo", model_server.url))
    library.use_model(ModelRole.READER, "echo")
    library.set_price("echo", Price(1.0, None, 2.0))
    async with _page(library) as (app, pilot):
        shown = await until_shown(app, pilot, "at your prices")
        assert "1 volume" in shown
        assert "tokens" in shown
        assert " min" in shown
        assert "no cap" in shown
        await pilot.press("m")
        await until_shown(app, pilot, "▸ fast")
        await until_shown(app, pilot, "at your prices")
        await pilot.press("c")
        await settle(app, pilot)
        await pilot.press(*"3.5m", "enter")
        await until_shown(app, pilot, "stop at 3.5 M")
    assert model_server.count == 0
    assert _state(library) is None


async def test_it_is_read_to_its_end_and_the_page_says_so(library: Library, by_hand: Path) -> None:
    with Answering(by_hand):
        async with _page(library) as (app, pilot):
            await until_shown(app, pilot, "Enter starts it.")
            await pilot.press("enter")
            await until_shown(app, pilot, "evidence found 100 %")
            shown = await until_shown(app, pilot, "Read to its end.")
            assert "everything has been read in this mode" in shown
            await pilot.press("u")
            used = await until_shown(app, pilot, "tokens in all")
            assert "quotations found" in used
            await pilot.press("escape", "d")
            await until_shown(app, pilot, "may tell what lies ahead")


async def test_it_goes_on_when_the_page_is_left(library: Library, by_hand: Path) -> None:
    with Answering(by_hand):
        async with _page(library) as (app, pilot):
            await until_shown(app, pilot, "Enter starts it.")
            await pilot.press("enter")
            await until_shown(app, pilot, "p pause")
            await pilot.press("escape")
            assert not isinstance(app.screen, AnalysisScreen)
            end = time.monotonic() + PATIENCE_S
            while (state := _state(library)) is not None and state.state is AnalysisState.RUNNING:
                assert time.monotonic() < end
                await pilot.pause(0.05)
            assert state is not None
            assert state.state is AnalysisState.DONE


async def test_a_pause_stops_the_call_under_way_at_once_and_enter_goes_on(library: Library, by_hand: Path) -> None:
    async with _page(library) as (app, pilot):
        await until_shown(app, pilot, "Enter starts it.")
        await pilot.press("enter")
        await until_shown(app, pilot, "p pause")
        while not _calls_under_way(library):
            await pilot.pause(0.02)
        await pilot.pause(0.3)
        began = time.monotonic()
        await pilot.press("p")
        while (state := _state(library)) is None or state.state is AnalysisState.RUNNING:
            await pilot.pause(0.005)
        said_s = time.monotonic() - began
        while _calls_under_way(library):
            await pilot.pause(0.005)
        ended_s = time.monotonic() - began
        print(f"pause: said after {said_s * 1000:.0f} ms, the call was given up after {ended_s * 1000:.0f} ms")
        assert ended_s < AT_ONCE_S
        shown = await until_shown(app, pilot, "Enter goes on.")
        assert "Answers kept and not paid for again" in " ".join(shown.split())
        with Answering(by_hand):
            await pilot.press("enter")
            await until_shown(app, pilot, "Read to its end.")


async def test_cancelled_it_is_back_at_the_choice(library: Library, by_hand: Path) -> None:
    async with _page(library) as (app, pilot):
        await until_shown(app, pilot, "Enter starts it.")
        await pilot.press("enter")
        await until_shown(app, pilot, "p pause")
        await pilot.press("x")
        await until_shown(app, pilot, "Cancelled. What was answered is kept.")
        await pilot.press("m")
        await until_shown(app, pilot, "▸ fast")


async def test_a_host_is_named_and_agreed_to_once(library: Library) -> None:
    library.add_model(ModelAddress("far", "https://models.example/v1"))
    library.use_model(ModelRole.READER, "far")
    async with _page(library, (120, 30)) as (app, pilot):
        await until_shown(app, pilot, "Enter starts it.")
        await pilot.press("enter")
        shown = await until_shown(app, pilot, "the text goes to models.example: The Quay")
        assert "characters" in shown
        await pilot.press("escape")
        await until_shown(app, pilot, "Nothing was sent.")
    assert _state(library) is None
    assert not library.allowed_places()


async def test_a_failure_is_told_in_plain_words(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("mute", model_server.url, "fault-401"))
    library.use_model(ModelRole.READER, "mute")
    async with _page(library) as (app, pilot):
        await until_shown(app, pilot, "Enter starts it.")
        await pilot.press("enter")
        shown = await until_shown(app, pilot, "It could not go on.")
        assert "Enter tries again." in shown
        assert "Error" not in shown


async def test_a_limit_pauses_it_and_the_page_says_which(library: Library, by_hand: Path) -> None:
    library.set_model_number("day_tokens", 1500)
    with Answering(by_hand):
        async with _page(library) as (app, pilot):
            await until_shown(app, pilot, "Enter starts it.")
            await pilot.press("enter")
            shown = await until_shown(app, pilot, "Paused.")
            assert "Models page" in " ".join(shown.split())


async def test_keys_typed_ahead_reach_the_page(library: Library, by_hand: Path) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("g", "a", "m", "?")
        await until_shown(app, pilot, "what was written and did not stand")
        await pilot.press("escape")
        await until_shown(app, pilot, "▸ fast")


async def test_the_shelf_leads_there_too(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("L")
        await until_shown(app, pilot, "The Quay")
        await settle(app, pilot)
        await pilot.press("a")
        await until_shown(app, pilot, "Read the whole work")
        await pilot.press("escape")
        await settle(app, pilot)
        assert "Read the whole work" not in shown_by(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50), (40, 15)])
async def test_it_fits_every_size(library: Library, by_hand: Path, size: tuple[int, int]) -> None:
    library.set_price("hand", Price(1.0, None, 2.0))
    async with _page(library, size) as (app, pilot):
        shown = await until_shown(app, pilot, "Enter starts it.")
        assert "…" not in shown.partition("\n")[2]


def _calls_under_way(library: Library) -> int:
    with library._store.read() as r:
        return int(r.execute("SELECT count(*) FROM model_call WHERE state = 'sent'").get or 0)
