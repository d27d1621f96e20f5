"""Panels around the text: what stands where at which width, what has the keys, what is remembered."""

from __future__ import annotations

import pytest
from textual.geometry import Region

from engine.config import PanelMemory, Settings, SpoilerMode
from engine.domain.outline import VEILED_TITLE
from engine.library import Library
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.screens.reading import ReadingScreen


def _panels(screen: ReadingScreen) -> tuple[bool, bool]:
    """Say whether the contents and the sidebar are seen."""
    sidebar = screen.query("#sidebar")
    return bool(screen.query_one("#contents").display), bool(sidebar) and bool(sidebar.first().display)


async def test_a_new_reader_sees_the_text_alone(english: Library) -> None:
    async with reading(english, size=(200, 50)) as (app, _pilot):
        assert _panels(page_of(app)) == (False, False)


@pytest.mark.parametrize(
    ("columns", "after_contents", "after_sidebar"),
    [(80, (True, False), (False, True)), (120, (True, False), (False, True)), (160, (True, False), (True, True))],
)
async def test_what_stands_beside_the_text_follows_the_width(
    english: Library, columns: int, after_contents: tuple[bool, bool], after_sidebar: tuple[bool, bool]
) -> None:
    async with reading(english, size=(columns, 36)) as (app, pilot):
        await type_ahead(app, pilot, "t")
        assert _panels(page_of(app)) == after_contents
        await type_ahead(app, pilot, "gs")
        assert _panels(page_of(app)) == after_sidebar


@pytest.mark.parametrize("columns", [80, 100, 120, 160, 200])
@pytest.mark.parametrize("keys", ["t", "s", "g/", "w", "a", "B"])
async def test_a_panel_that_opens_and_closes_does_not_move_the_line_being_read(
    english: Library, columns: int, keys: str
) -> None:
    async with reading(english, size=(columns, 30)) as (app, pilot):
        await type_ahead(app, pilot, "30%jj")
        here, top = page_of(app).here, page_of(app).text.render_line(0).text.split()
        await type_ahead(app, pilot, keys)
        opened = page_of(app).here, page_of(app).text.render_line(0).text.split()[:4]
        await type_ahead(app, pilot, "\x1b")
        assert opened == (here, top[:4])
        assert page_of(app).here == here


@pytest.mark.parametrize(
    ("columns", "keys"), [(145, "t"), (160, "t"), (160, "ts"), (160, "s"), (200, "ts"), (153, "ts")]
)
async def test_a_panel_beside_the_text_does_not_shift_the_column_where_there_is_room(
    english: Library, columns: int, keys: str
) -> None:
    async with reading(english, size=(columns, 30)) as (app, pilot):
        before = page_of(app).text.region
        await type_ahead(app, pilot, keys)
        assert page_of(app).text.region == before


@pytest.mark.parametrize("columns", [80, 90])
async def test_over_a_narrow_page_a_panel_leaves_the_text_as_wide_as_it_was(english: Library, columns: int) -> None:
    async with reading(english, size=(columns, 30)) as (app, pilot):
        width = page_of(app).text.size.width
        await type_ahead(app, pilot, "s")
        assert page_of(app).text.size.width == width
        await type_ahead(app, pilot, "\x1b")
        assert _panels(page_of(app)) == (False, False)


async def test_a_click_on_the_text_closes_the_panel_that_lies_over_it(english: Library) -> None:
    async with reading(english, size=(80, 24)) as (app, pilot):
        await type_ahead(app, pilot, "s")
        await pilot.click(offset=(10, 8))
        await settle(app, pilot)
        assert _panels(page_of(app)) == (False, False)
        assert page_of(app).focused is page_of(app).text


async def test_tab_goes_through_what_is_seen_and_the_bar_shows_where_the_keys_go(english: Library) -> None:
    async with reading(english, size=(160, 36)) as (app, pilot):
        await type_ahead(app, pilot, "ts")
        screen = page_of(app)
        seen = []
        for _each in range(4):
            await pilot.press("tab")
            await settle(app, pilot)
            rows = lines_of(app)[2:-3]
            seen.append((screen.focused.id if screen.focused else "", rows[0][:1], "▎ Glance" in rows[0]))
        assert seen == [
            ("glance", " ", True),
            ("text", " ", False),
            ("contents", "▎", False),
            ("glance", " ", True),
        ]
        await pilot.press("shift+tab")
        await settle(app, pilot)
        assert screen.focused is not None
        assert screen.focused.id == "contents"


async def test_open_panels_are_there_at_the_next_start(english: Library) -> None:
    async with reading(english, size=(160, 36)) as (app, pilot):
        await type_ahead(app, pilot, "ta")
        await settle(app, pilot)
    async with reading(english, size=(160, 36)) as (app, pilot):
        await settle(app, pilot)
        assert _panels(page_of(app)) == (True, True)
        assert "Ask about what you are reading" in shown_by(app)
        assert page_of(app).focused is page_of(app).text


async def test_contents_that_stood_open_are_there_again_with_their_entries(english: Library) -> None:
    async with reading(english, size=(200, 50)) as (app, pilot):
        await type_ahead(app, pilot, "t")
        before = app.screen.query_one("#contents").render_lines(Region(0, 0, 40, 12))
    async with reading(english, size=(200, 50)) as (app, pilot):
        await settle(app, pilot)
        again = app.screen.query_one("#contents").render_lines(Region(0, 0, 40, 12))
        assert [strip.text[2:] for strip in again] == [strip.text[2:] for strip in before]


async def test_closed_panels_and_a_setting_keep_them_closed(english: Library) -> None:
    async with reading(english, size=(160, 36)) as (app, pilot):
        await type_ahead(app, pilot, "ts")
        await type_ahead(app, pilot, "\x1b")
        await settle(app, pilot)
    async with reading(english, size=(160, 36)) as (app, _pilot):
        assert _panels(page_of(app)) == (False, True)
    closed = Settings(panels=PanelMemory.CLOSED)
    async with reading(english, size=(160, 36), settings=closed) as (app, _pilot):
        assert _panels(page_of(app)) == (False, False)


async def test_remembered_panels_do_not_cover_a_narrow_page(english: Library) -> None:
    async with reading(english, size=(160, 36)) as (app, pilot):
        await type_ahead(app, pilot, "ts")
        await settle(app, pilot)
    async with reading(english, size=(80, 24)) as (app, pilot):
        assert _panels(page_of(app)) == (False, False)
        await pilot.resize_terminal(160, 36)
        await settle(app, pilot)
        assert _panels(page_of(app)) == (True, True)


async def test_a_chat_without_a_question_says_what_it_is_for_and_how_to_name_a_model(english: Library) -> None:
    async with reading(english, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        assert "Ask about what you are reading" in shown_by(app)
        assert "gm" in shown_by(app)


async def test_the_glance_names_the_chapter_and_its_length_and_follows_the_page(english: Library) -> None:
    async with reading(english, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "s")
        assert "chapter 1 · 8 min" in shown_by(app)
        await type_ahead(app, pilot, "2]")
        assert "chapter 3 · 8 min" in shown_by(app)


async def test_a_tab_is_opened_by_the_mouse(english: Library) -> None:
    async with reading(english, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "s")
        row = next(y for y, line in enumerate(lines_of(app)) if "Glance" in line)
        await pilot.click(offset=(lines_of(app)[row].index("Search") + 1, row))
        await settle(app, pilot)
        assert "words, or /pattern/" in shown_by(app)


async def test_at_forty_by_fifteen_there_is_text_and_one_line_of_progress(english: Library) -> None:
    async with reading(english, size=(40, 15)) as (app, pilot):
        rows = lines_of(app)
        assert sum("boarded" in row or "Nobody" in row for row in rows) >= 3
        assert [row.split()[0] for row in rows if "░" in row] == ["work"]
        for keys in ("t", "s", "g/", "B"):
            await type_ahead(app, pilot, keys)
            await type_ahead(app, pilot, "\x1b")
        assert lines_of(app) == rows


async def test_zen_hides_every_panel(english: Library) -> None:
    async with reading(english, size=(160, 36)) as (app, pilot):
        await type_ahead(app, pilot, "ts")
        await pilot.press("tab", "tab")
        await type_ahead(app, pilot, "z")
        assert _panels(page_of(app)) == (False, False)
        assert "Glance" not in shown_by(app)


# the contents


async def test_contents_tell_what_is_read_and_how_long_the_rest_takes(english: Library) -> None:
    work = english.works()[0].id
    third = english.outline(work).volumes[0].chapters[2]
    english.set_frontier(work, third.document, third.offset)
    async with reading(english, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "2]t")
        beside = {line[1:35].split()[1]: line[1:35].split()[2:] for line in lines_of(app)[2:-3] if " en " in line[:35]}
        assert beside["2"] == ["read"]
        assert beside["3"] == ["here"]
        assert beside["4"] == ["8", "min"]


async def test_strict_veils_the_titles_ahead_and_a_filter_does_not_find_them(english: Library) -> None:
    strict = Settings(spoilers=SpoilerMode.STRICT)
    async with reading(english, size=(120, 36), settings=strict) as (app, pilot):
        await type_ahead(app, pilot, "t")
        assert sum(VEILED_TITLE in line[:35] for line in lines_of(app)[2:-3]) == 7
        await type_ahead(app, pilot, "/en 4")
        assert not any("en 4" in line[:35] for line in lines_of(app)[3:])


async def test_a_filter_leads_to_the_only_entry_left(english: Library) -> None:
    async with reading(english, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "t/EN 6\r")
        assert "en 6" in lines_of(app)[0]


async def test_a_filter_stays_when_the_same_work_is_read_anew(english: Library) -> None:
    async with reading(english, size=(80, 24)) as (app, pilot):
        await type_ahead(app, pilot, "t/lamp")
        page_of(app).show_outline()
        await type_ahead(app, pilot, "s")
        await settle(app, pilot)
        assert "filter: lamps" in shown_by(app)
