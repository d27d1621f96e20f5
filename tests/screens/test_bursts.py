"""Keys in bursts, as a slow line delivers them: what closes a dialog twice, or is typed before or behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual import events
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget

from engine.library import Library
from tests.piloted import lines_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp
from tui.screens.reading import ReadingScreen
from tui.screens.shelf import ShelfScreen
from tui.widgets.keys_in_turn import KeysInTurn

_ESC = "\x1b"


class _Taker(Widget, can_focus=True):
    """Keeps what it is given; a key "s" takes long, and leads to the next widget."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = ""

    async def on_key(self, event: events.Key) -> None:
        self.taken += event.key
        if event.key == "s":
            await asyncio.sleep(0.7)
            self.screen.focus_next()


class _TwoTakers(KeysInTurn):
    def __init__(self) -> None:
        super().__init__(driver_class=None, ansi_color=None)
        self.takers = (_Taker(), _Taker())

    def compose(self) -> ComposeResult:
        yield from self.takers


async def _all_given(app: KeysInTurn, pilot: Pilot[None]) -> None:
    await pilot.pause()
    while app.has_keys_to_give:
        await pilot.pause()
    await pilot.pause()


async def test_a_key_waits_for_a_slow_one_before_it() -> None:
    app = _TwoTakers()
    async with app.run_test() as pilot:
        app.takers[0].focus()
        await pilot.pause()
        app.post_message(events.Key("s", "s"))
        app.post_message(events.Key("j", "j"))
        await _all_given(app, pilot)
        assert [taker.taken for taker in app.takers] == ["s", "j"]


async def _until(app: UnderstoryApp, pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    for _each in range(60):
        if is_so():
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{app.screen_stack}:\n{shown_by(app)}")


def _reads(app: UnderstoryApp, words: str = "") -> Callable[[], bool]:
    return lambda: isinstance(app.screen, ReadingScreen) and words in lines_of(app)[0]


@pytest.mark.parametrize("opens", ["?", "L", "W", "L?", "Lr", "Li", "W?", ":"])
async def test_a_dialog_closed_twice_leaves_the_page(english: Library, opens: str) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, opens)
        await type_ahead(app, pilot, _ESC * 4)
        await _until(app, pilot, _reads(app))


@pytest.mark.parametrize("opens", ["?", "L", "W", "L?", "Li", "W?", ":"])
async def test_a_dialog_opened_and_closed_twice_in_one_burst_leaves_the_page(english: Library, opens: str) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, opens + _ESC * 4)
        await type_ahead(app, pilot, "]")
        await _until(app, pilot, _reads(app, "en 2"))


@pytest.mark.parametrize("keys", [f"?{_ESC}]]", f"W{_ESC}]]", f"L{_ESC}]]", ":chapter 2\r]", f":{_ESC}]]"])
async def test_keys_typed_behind_the_one_that_closes_a_dialog_act_on_the_page(english: Library, keys: str) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, keys)
        await _until(app, pilot, _reads(app, "en 3"))


async def test_a_card_over_the_shelf_closes_alone(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, f"L?{_ESC}")
        await _until(app, pilot, lambda: isinstance(app.screen, ShelfScreen))


async def test_the_palette_called_twice_at_once_chooses_an_action(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await pilot.press("ctrl+p", "ctrl+p", "ctrl+p")
        assert app.is_running


@pytest.mark.parametrize("opens", [":", "Li"])
async def test_what_is_pasted_into_a_line_is_shown_without_what_drives_a_terminal(english: Library, opens: str) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, opens)
        app.post_message(events.Paste("a\u202eb\x1b]0;x\x07c\u2066.epub"))
        await settle(app, pilot)
        assert "a\ufffdb\ufffd]0;x\ufffdc\ufffd.epub" in shown_by(app)
