"""The Models page in the real program: choose, add, test, agree, prices and limits, by keys alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.domain.models import ModelAddress, ModelRole, Price
from engine.library import Library
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, reading, settle, shown_by, type_ahead, type_line, until_shown
from tests.serving import ServedModels
from tui.app import UnderstoryApp
from tui.screens.models import ModelsScreen


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    chapters = chapters_of("en", chapters=2, paragraphs=4)
    opened = library_with(make_epub(tmp_path / "book.epub", title="Low Water", chapters=chapters, language="en"))
    yield opened
    opened.close()


@asynccontextmanager
async def _page(library: Library, size: tuple[int, int] = (80, 30)) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None]]]:
    async with reading(library, size=size) as (app, pilot):
        await pilot.press("g", "m")
        await until_shown(app, pilot, "Companion")
        yield app, pilot


async def test_a_new_page_says_what_to_do_and_where_keys_are(library: Library) -> None:
    async with _page(library) as (app, _pilot):
        shown = shown_by(app)
        assert shown.count("(none)") == 5
        assert "Enter chooses" in shown
        assert "Keys are kept by llm, not by this program." in shown


async def test_a_model_is_named_tested_and_given_a_role_by_keys_alone(
    library: Library, model_server: ServedModels
) -> None:
    async with _page(library) as (app, pilot):
        await pilot.press("n")
        await type_line(app, pilot, model_server.url)
        await type_line(app, pilot, "echo")
        await type_line(app, pilot, "")
        await until_shown(app, pilot, "echo is named")
        await pilot.press("j", "j", "j", "j", "j", "t")
        assert "text ✓ tools ✓ schema ✓ streaming ✓" in await until_shown(app, pilot, "streaming ✓")
        await pilot.press("escape", "g", "enter")
        await until_shown(app, pilot, "gpt-4o-mini")
        await type_line(app, pilot, "echo")
        assert "text ✓ tools ✓ schema ✓" in await until_shown(app, pilot, "Reader      echo")
    assert library.model_settings().roles == {ModelRole.READER: "echo"}


async def test_what_a_model_cannot_do_is_said(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("mute", model_server.url, "fault-500"))
    library.use_model(ModelRole.READER, "mute")
    async with _page(library) as (app, pilot):
        await pilot.press("t")
        assert "answered with error 500" in await until_shown(app, pilot, "text –")


async def test_a_test_can_be_given_up_while_nothing_comes(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("slow", model_server.url, "fault-hang"))
    library.use_model(ModelRole.READER, "slow")
    async with _page(library) as (app, pilot):
        await pilot.press("t")
        await until_shown(app, pilot, "Esc gives it up")
        await pilot.press("escape")
        await until_shown(app, pilot, "The test was given up.")
        await pilot.press("escape")
        await settle(app, pilot)
        assert not isinstance(app.screen, ModelsScreen)


async def test_another_machine_is_named_before_anything_is_sent(library: Library) -> None:
    library.add_model(ModelAddress("far", "https://models.example/v1"))
    library.use_model(ModelRole.READER, "far")
    async with _page(library) as (app, pilot):
        await pilot.press("t")
        await until_shown(app, pilot, "text of your books goes to models.example")
        await type_line(app, pilot, "nothing")
        await until_shown(app, pilot, "Nothing was sent.")
    assert library.allowed_places() == frozenset()


async def test_a_limit_and_a_price_are_set(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("local", model_server.url, "echo"))
    library.use_model(ModelRole.READER, "local")
    async with _page(library) as (app, pilot):
        await pilot.press("p")
        await type_line(app, pilot, "0.5 2 0.1")
        await until_shown(app, pilot, "0.5 / 2")
        await pilot.press("G", "enter")
        await type_line(app, pilot, "x")
        await until_shown(app, pilot, "0x is no number.")
        await pilot.press("enter", "backspace")
        await type_line(app, pilot, "5000")
        await until_shown(app, pilot, "5000")
    settings = library.model_settings()
    assert settings.prices == {"local": Price(0.5, 0.1, 2.0)}
    assert settings.limits.month_tokens == 5000


async def test_a_model_is_taken_from_its_role_and_its_address_forgotten(library: Library) -> None:
    library.add_model(ModelAddress("local", "http://127.0.0.1:9/v1"))
    library.use_model(ModelRole.READER, "local")
    library.use_model(ModelRole.JUDGE, "local")
    async with _page(library) as (app, pilot):
        await pilot.press("d")
        await until_shown(app, pilot, "Reader      (none)")
        await pilot.press("j", "j", "j", "j", "j", "d")
        await until_shown(app, pilot, "Judge       (none)")
    assert library.model_settings().addresses == ()


async def test_hostile_names_drive_no_terminal(library: Library) -> None:
    text = '[models]\nreader = "[/b] x"\n[models.address."[@click=app.quit()]a"]\nurl = "http://127.0.0.1:9/v1"\n'
    library.paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    library.paths.config_file.write_text(text, "utf-8")
    async with _page(library) as (app, _pilot):
        assert "[/b] x" in shown_by(app)
        assert "[@click=app.quit" in shown_by(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_the_page_fits_small_terminals(library: Library, size: tuple[int, int]) -> None:
    library.use_model(ModelRole.READER, "a-model-with-a-name-that-is-far-too-long-for-any-row-of-forty-cells")
    async with _page(library, size) as (app, pilot):
        assert "Reader" in shown_by(app)
        await pilot.press("G")
        await until_shown(app, pilot, "tokens a month")


async def test_the_palette_and_a_selection_lead_to_the_page(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("v", "a")
        await until_shown(app, pilot, "Esc, then gm, names one.")
        await pilot.press("escape", ":")
        await settle(app, pilot)
        await type_line(app, pilot, "models")
        await until_shown(app, pilot, "Companion")


async def test_the_settings_lead_to_the_page_and_are_kept(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await pilot.press("S")
        await until_shown(app, pilot, "m models")
        await pilot.press("m")
        await until_shown(app, pilot, "Companion")
        await pilot.press("escape")
        await settle(app, pilot)
        assert not isinstance(app.screen, ModelsScreen)


async def test_what_was_used_is_told_by_work_stage_and_model(library: Library, model_server: ServedModels) -> None:
    library.add_model(ModelAddress("local", model_server.url, "echo"))
    async with _page(library) as (app, pilot):
        await pilot.press("u")
        await until_shown(app, pilot, "Nothing was used yet.")
        await pilot.press("x")
        library.try_model("local")
        await pilot.press("u")
        assert "tokens in all" in await until_shown(app, pilot, "test · local")


async def test_whoever_chooses_a_model_elsewhere_is_asked_once(library: Library) -> None:
    library.add_model(ModelAddress("far", "https://models.example/v1"))
    async with _page(library) as (app, pilot):
        await pilot.press("enter")
        await until_shown(app, pilot, "gpt-4o-mini")
        await type_line(app, pilot, "far")
        await until_shown(app, pilot, "text of your books goes to models.example")
        await type_line(app, pilot, "agree")
        await pilot.press("j", "enter")
        await until_shown(app, pilot, "gpt-4o-mini")
        await type_line(app, pilot, "far")
        await until_shown(app, pilot, "same")
        await settle(app, pilot)
        assert "text of your books goes" not in shown_by(app)
    assert library.allowed_places() == {"models.example"}


async def test_keys_typed_before_the_page_was_read_are_acted_on(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "gmj\r")
        await until_shown(app, pilot, "gpt-4o-mini")
        await type_line(app, pilot, "none")
        await pilot.press("escape")
