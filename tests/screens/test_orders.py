"""An entry written anew, an entry or a topic asked for, from the wiki by keys alone."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.domain.analysis import AnalysisState
from engine.domain.models import ModelAddress, ModelRole
from engine.domain.orders import OrderKind
from engine.library import Library
from engine.paths import default_paths
from engine.store import analyses
from tests.piloted import reading, settle, until_shown
from tests.replaying import replay, shelve_series
from tui.app import UnderstoryApp


@pytest.fixture(scope="module")
def read_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home whose library holds a series that was read to its end."""
    folder = tmp_path_factory.mktemp("read") / "home"
    library, work = shelve_series(folder, "ashfall")
    replay(library, work, "ashfall")
    with library._store.write() as w:
        progress = analyses.latest(w, work)
        assert progress is not None
        analyses.set_state(w, progress.id, AnalysisState.DONE)
    library.close()
    return folder


@pytest.fixture
def library(read_home: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    shutil.copytree(read_home, home)
    library = Library(default_paths())
    library.add_model(ModelAddress("far", "http://127.0.0.1:1/v1"))
    library.use_model(ModelRole.READER, "far")
    monkeypatch.setattr(library, "_wake_helper", lambda: None)
    yield library
    library.close()


async def _open_entry(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    await pilot.press("%", "9", "9", "%")
    await settle(app, pilot)
    await pilot.press("y", "W")
    await until_shown(app, pilot, "Wiki")
    await settle(app, pilot)
    await pilot.press("1")
    await settle(app, pilot)


async def test_an_entry_is_written_anew_after_its_cost_was_seen(library: Library) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await _open_entry(app, pilot)
        await pilot.press("o")
        shown = await until_shown(app, pilot, "written anew")
        assert "tokens" in shown
        assert "a topic" in shown
        assert library.jobs() == ()
        await pilot.press(*"anew", "enter")
        await until_shown(app, pilot, "It is being written")
    assert [job.kind for job in library.jobs()] == ["analysis"]


async def test_a_topic_is_asked_for_by_its_title(library: Library) -> None:
    async with reading(library, size=(80, 24)) as (app, pilot):
        await _open_entry(app, pilot)
        await pilot.press("o")
        await until_shown(app, pilot, "a topic")
        await pilot.press(*"topic", "enter")
        await until_shown(app, pilot, "What the page is to be about")
        await pilot.press(*"the lamp", "enter")
        await until_shown(app, pilot, "It is being written")
    [order] = library.orders(library.works()[0].id)
    assert (order.kind, order.title) == (OrderKind.TOPIC, "the lamp")


async def test_nothing_is_begun_when_she_leaves_it(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await _open_entry(app, pilot)
        await pilot.press("o")
        await until_shown(app, pilot, "written anew")
        await pilot.press("escape")
        await asyncio.sleep(0.2)
        await settle(app, pilot)
    assert library.jobs() == ()
    assert library.orders(library.works()[0].id) == ()
