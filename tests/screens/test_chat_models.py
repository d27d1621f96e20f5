"""The chat with a model on a real line: what comes is kept, what fails says so, and a key stops it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from engine.domain.book import WorkId
from engine.domain.chat import TurnState
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from tests.chatting import beside, chat_of
from tests.pace import AT_ONCE_S
from tests.piloted import page_of, reading, settle, type_ahead
from tests.serving import ServedModels
from tests.told import TOLD, told_library
from tui.app.program import UnderstoryApp

_PATIENCE = 6000


@pytest.fixture
def shelved(home: object) -> Iterator[tuple[Library, WorkId]]:
    library, work = told_library(TOLD["en"])
    yield library, work
    library.close()


def _name_model(library: Library, served: ServedModels, model: str) -> None:
    library.add_model(ModelAddress("local", served.url, model))
    library.use_model(ModelRole.COMPANION, "local")


@asynccontextmanager
async def _asked(
    library: Library, served: ServedModels, model: str, question: str
) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None]]]:
    _name_model(library, served, model)
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, question + "\r")
        yield app, pilot


async def _ended(app: UnderstoryApp, pilot: Pilot[None], library: Library) -> TurnState:
    for _each in range(_PATIENCE):
        await settle(app, pilot)
        if chat_of(app).running is None:
            break
        await pilot.pause(0.05)
    await settle(app, pilot)
    return chat_of(app).transcript.turns[-1].view.state


async def test_what_a_model_says_is_shown(shelved: tuple[Library, WorkId], model_server: ServedModels) -> None:
    async with _asked(shelved[0], model_server, "echo", "[say The tide is out, and nobody minds.]") as (app, pilot):
        assert await _ended(app, pilot, shelved[0]) is TurnState.COMPLETED
        assert "The tide is out, and nobody minds." in " ".join(beside(app).split())


@pytest.mark.parametrize(
    "fault",
    ["cut", "rst", "errmid", "badjson", "length", "html", "500", "401", "429", "context", "badargs"],
)
async def test_an_answer_that_fails_is_marked_and_can_be_asked_again(
    shelved: tuple[Library, WorkId], model_server: ServedModels, fault: str
) -> None:
    async with _asked(shelved[0], model_server, f"fault-{fault}", "Who?") as (app, pilot):
        assert await _ended(app, pilot, shelved[0]) is TurnState.FAILED
        assert "r asks again" in beside(app).replace("\u00a0", " ")
        before = len(chat_of(app).transcript.turns)
        await type_ahead(app, pilot, "r")
        await _ended(app, pilot, shelved[0])
        assert len(chat_of(app).transcript.turns) == before
        assert "answer 2 of 2" in beside(app)


async def test_a_key_stops_a_line_that_hangs_and_keeps_what_came(
    shelved: tuple[Library, WorkId], model_server: ServedModels
) -> None:
    async with _asked(shelved[0], model_server, "fault-hang", "Who?") as (app, pilot):
        for _each in range(_PATIENCE):
            await pilot.pause(0.05)
            if model_server.count:
                break
        begun = time.monotonic()
        await pilot.press("escape")
        assert await _ended(app, pilot, shelved[0]) is TurnState.STOPPED
        assert time.monotonic() - begun < AT_ONCE_S
        assert "Stopped" in beside(app)
        assert page_of(app).focused is chat_of(app)


async def test_a_question_pressed_twice_is_sent_once(
    shelved: tuple[Library, WorkId], model_server: ServedModels
) -> None:
    async with _asked(shelved[0], model_server, "echo", "[say Once.]\r") as (app, pilot):
        await _ended(app, pilot, shelved[0])
        assert model_server.count == 1
        assert len(chat_of(app).transcript.turns) == 1


async def test_the_page_is_turned_while_an_answer_is_awaited(
    shelved: tuple[Library, WorkId], model_server: ServedModels
) -> None:
    async with _asked(shelved[0], model_server, "fault-hang", "Who?") as (app, pilot):
        await pilot.press("shift+tab")
        before = page_of(app).here
        page_of(app).give_keys(page_of(app).text)
        await type_ahead(app, pilot, " ")
        assert page_of(app).here != before
        assert chat_of(app).running is not None
