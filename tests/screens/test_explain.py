"""Explaining a selection in the real program, without a model: beside what is selected, never over it."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from engine.domain.book import WorkId
from engine.domain.conversations import Facet
from engine.library import Library
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tests.told import Told
from tui.app.program import UnderstoryApp
from tui.screens.explain_control import ExplainControl


def _explained(app: UnderstoryApp) -> ExplainControl:
    control = page_of(app)._made_explain
    assert control is not None
    return control


def _card(app: UnderstoryApp) -> str:
    region = _explained(app).card.region
    return "\n".join(line[region.x : region.right].rstrip() for line in lines_of(app)[region.y : region.bottom])


async def _ended(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    for _time in range(200):
        await settle(app, pilot)
        view = _explained(app).card.view
        if view is not None and view.has_ended:
            break
        await pilot.pause(0.02)
    await settle(app, pilot)


async def _select_name(app: UnderstoryApp, pilot: Pilot[None], told: Told) -> None:
    page = page_of(app)
    for piece in page.session.first_slices:
        at = piece.text.find(told.other)
        if at >= 0:
            page.text.go_to(piece.key.document, piece.start + at)
            await settle(app, pilot)
            reach = page.page.selecting.reach_of(
                piece.key.document, piece.start + at, piece.start + at + len(told.other)
            )
            assert reach is not None
            assert page.page.selecting.select(reach)
            break
    await settle(app, pilot)


async def test_who_is_named_is_told_beside_the_selection(library: Library, told: Told) -> None:
    async with reading(library, size=(80, 24)) as (app, pilot):
        await _select_name(app, pilot, told)
        await type_ahead(app, pilot, "e")
        await _ended(app, pilot)
        assert told.other in _card(app)
        assert told.person in _card(app)
        assert told.secret[-8:] not in shown_by(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (120, 36), (60, 10)])
@pytest.mark.parametrize("motion", ["", "}", ")", "jjjjj"])
async def test_the_card_never_covers_what_is_selected(
    told_english: tuple[Library, WorkId], size: tuple[int, int], motion: str
) -> None:
    async with reading(told_english[0], size=size) as (app, pilot):
        await type_ahead(app, pilot, f"v{motion}e")
        await _ended(app, pilot)
        page = page_of(app).page
        selected, card = page.selecting.selected_rows(), _explained(app).card.region
        assert selected is not None
        rows = range(page.region.y + selected[0], page.region.y + selected[1] + 1)
        free = page.size.height - len(rows)
        assert free < 6 or not set(rows) & set(range(card.y, card.bottom))


async def test_the_page_does_not_move(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0]) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        assert page_of(app).here == here


async def test_escape_closes_the_card_and_then_selects_nothing(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0]) as (app, pilot):
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        await type_ahead(app, pilot, "\x1b")
        assert not _explained(app).is_open
        assert page_of(app).selection is not None
        await type_ahead(app, pilot, "\x1b")
        assert page_of(app).selection is None


async def test_a_side_is_switched_on_and_off_by_its_number(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0]) as (app, pilot):
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        assert "1 ● names" in _card(app)
        assert "2 ○ background" in _card(app)
        await type_ahead(app, pilot, "12")
        await _ended(app, pilot)
        assert "1 ○ names" in _card(app)
        assert "2 ● background" in _card(app)
        assert Facet.BACKGROUND in _explained(app)._facets


async def test_another_angle_is_asked_in_the_card(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0]) as (app, pilot):
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        await type_ahead(app, pilot, "e")
        assert "another angle:" in _card(app)
        await type_ahead(app, pilot, "why so many?")
        assert "why so many?" in _card(app)
        await type_ahead(app, pilot, "\r")
        await _ended(app, pilot)
        assert "why so many?" in _card(app)
        turns = told_english[0].conversation_turns(_explained(app)._conversation or 0)  # type: ignore[arg-type]  # an id
        assert [turn.view.question for turn in turns][-1] == "why so many?"
        assert len(turns) == 2


async def test_another_key_of_the_selection_closes_the_card_and_acts(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0]) as (app, pilot):
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        before = page_of(app).selection
        await type_ahead(app, pilot, "w")
        assert not _explained(app).is_open
        assert page_of(app).selection != before


async def test_any_size_is_survived(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "v}e")
        await _ended(app, pilot)
        for width, height in ((40, 15), (1, 1), (20, 5), (300, 100), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settle(app, pilot)
            assert {len(line) <= width for line in lines_of(app)} == {True}


@pytest.mark.parametrize("keys", ["", "s", "ts", "t"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 50)])
async def test_the_card_stands_under_the_column_of_the_text(
    told_english: tuple[Library, WorkId], size: tuple[int, int], keys: str
) -> None:
    async with reading(told_english[0], size=size) as (app, pilot):
        page = page_of(app)
        await type_ahead(app, pilot, keys)
        page.panel_done()
        await type_ahead(app, pilot, "ve")
        await _ended(app, pilot)
        row = next(line for line in lines_of(app) if "“Moth”" in line)
        assert row.index("“Moth”") == page.text.region.x + 2
        assert _explained(app).card.region.right <= page.query_one("#page").region.right
