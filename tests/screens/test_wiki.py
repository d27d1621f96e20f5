"""The wiki in the real program: beside the text and over the whole screen, by keys and by mouse."""

from __future__ import annotations

import time

from engine.config import Settings, SpoilerMode
from engine.domain.book import WorkId
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import PageKind
from engine.library import Library
from tests.knowledge import know, named, place_of, point_called, shelve_story, write_statement
from tests.pace import PATIENCE_S
from tests.piloted import library_with, lines_of, page_of, reading, settle, shown_by, until_shown
from tests.told import READ, TOLD, Told, told_chapters, type_and_wait, wiki_title
from tui.app.program import UnderstoryApp
from tui.screens.reading import ReadingScreen
from tui.screens.wiki import WikiScreen


def _beside(app: UnderstoryApp) -> str:
    """Return what stands in the sidebar, its rows joined."""
    region = page_of(app).sidebar.wiki.region
    rows = app.screen._compositor.render_strips()[region.y : region.bottom]
    return "\n".join(row.crop(region.x + 1).text.rstrip() for row in rows)


def _full(app: UnderstoryApp) -> WikiScreen:
    screen = app.screen
    assert isinstance(screen, WikiScreen)
    return screen


async def test_the_wiki_opens_beside_the_text_and_an_entry_by_its_number(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w")
        assert f"1 {told.person}" in _beside(app)
        await type_and_wait(app, pilot, "1")
        shown = _beside(app)
        assert told.introduction[:12] in shown
        assert f"also {told.other}" in shown
        assert told.secret[-6:] not in shown


async def test_the_page_does_not_move_when_the_wiki_opens(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        here = page_of(app).here
        await type_and_wait(app, pilot, "w1")
        assert page_of(app).here == here


async def test_links_lead_on_and_backspace_leads_back_to_the_same_row(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 24)) as (app, pilot):
        await type_and_wait(app, pilot, "w1G")
        place = page_of(app).sidebar.wiki.place
        bottom = place.top
        assert bottom > 0
        digit = next(d for d in range(1, 10) if place.link_numbered(d) >= 0)
        await type_and_wait(app, pilot, str(digit))
        assert wiki_title(app) == "Oren Vale"
        await type_and_wait(app, pilot, "\b")
        assert (wiki_title(app), place.top) == ("Ilse Marrow", bottom)
        await type_and_wait(app, pilot, "go")
        assert wiki_title(app) == "Oren Vale"


async def test_where_one_has_been_is_listed(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        await type_and_wait(app, pilot, "gw")
        await type_and_wait(app, pilot, "gn")
        await type_and_wait(app, pilot, "gh")
        rows = [line.strip() for line in _beside(app).splitlines() if line.strip()]
        assert rows[0] == "Seen before"
        assert [row.split("  ")[0] for row in rows[1:4]] == ["1 All names", "2 A Book", "3 Ilse Marrow"]
        await type_and_wait(app, pilot, "3")
        assert wiki_title(app) == "Ilse Marrow"


async def test_a_passage_is_gone_to_and_the_way_back_leads_here(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        here = page_of(app).here
        await type_and_wait(app, pilot, "w1n\r")
        await settle(app, pilot)
        document, at = place_of(library, work, "Her name was Ilse Marrow")
        assert page_of(app).text.shows(document, at)
        await type_and_wait(app, pilot, "\b")
        assert page_of(app).here == here


async def test_tab_goes_through_the_links_and_out_behind_the_last(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 50)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        view = page_of(app).sidebar.wiki
        for _link in range(len(view.place.links)):
            await pilot.press("tab")
        assert page_of(app).focused is view
        await pilot.press("tab")
        await settle(app, pilot)
        assert page_of(app).focused is page_of(app).text


async def test_the_open_entry_marks_its_chapters_on_the_progress_bar(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        assert "▲" not in lines_of(app)[-1]
        await type_and_wait(app, pilot, "w1")
        await settle(app, pilot)
        assert lines_of(app)[-1].count("▲") == READ - 1  # the first lies under the place
        await type_and_wait(app, pilot, "gw")
        await settle(app, pilot)
        assert "▲" not in lines_of(app)[-1]


async def test_what_is_read_meanwhile_comes_into_the_open_page(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        before = _beside(app)
        page_of(app).session.frontier = library.outline(work).volumes[0].length
        library.set_frontier(work, library.outline(work).volumes[0].documents[-1].id, 10)
        await type_and_wait(app, pilot, "\x1b")
        await type_and_wait(app, pilot, "j")
        await pilot.pause(1.2)
        await settle(app, pilot)
        assert "37 so far" in before
        assert "63 so far" in _beside(app)


async def test_the_whole_screen_is_opened_by_w_and_left_by_escape(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "W")
        assert f"1 {told.person}" in shown_by(app)
        await type_and_wait(app, pilot, "1")
        assert "In the text" in shown_by(app)
        assert "Names" in lines_of(app)[2][80:]
        await type_and_wait(app, pilot, "\x1b")
        assert page_of(app).focused is page_of(app).text


async def test_a_passage_chosen_on_the_whole_screen_is_gone_to(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "W1n\r")
        for _time in range(100):  # the page that the keys wait for is made by a thread
            await settle(app, pilot)
            if isinstance(app.screen, ReadingScreen):
                break
            await pilot.pause(0.05)
        document, at = place_of(library, work, "Her name was Ilse Marrow")
        assert page_of(app).text.shows(document, at)


async def test_the_page_of_the_sidebar_opens_on_the_whole_screen(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w1W")
        assert lines_of(app)[0].strip() == "Wiki · Ilse Marrow"


async def test_a_list_is_filtered_as_one_types(library: Library, told: Told) -> None:
    async with reading(library, size=(80, 24)) as (app, pilot):
        await type_and_wait(app, pilot, "Wgn/")
        await until_shown(app, pilot, told.place)
        for char in told.friend[:4]:
            await pilot.press(char)
        deadline = time.monotonic() + PATIENCE_S
        while told.place in (shown := shown_by(app)):
            assert time.monotonic() < deadline, shown
            await pilot.pause(0.05)
        assert told.friend in shown
        await pilot.press("enter")
        await settle(app, pilot)
        page = _full(app).view.page
        assert page is not None
        assert page.title == told.friend


async def test_the_track_opens_to_a_line_a_chapter(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(80, 50)) as (app, pilot):
        await type_and_wait(app, pilot, "W1")
        assert "times" not in shown_by(app)
        await type_and_wait(app, pilot, "t")
        assert [line.split()[1:3] for line in lines_of(app) if "times" in line] == [
            ["ch", "1"],
            ["ch", "2"],
            ["ch", "3"],
        ]


def _write(library: Library, work: WorkId) -> None:
    document, at = place_of(library, work, "Ilse Marrow had hidden the letter")
    hero = point_called(library, work, "Ilse Marrow").id
    quote = Quote(document, at, "Ilse Marrow had hidden the letter")
    write_statement(
        library, work, NewStatement("Ilse hid the letter.", Role.NOTE, hero, quotes=(quote,), verdict=Verdict.SUPPORT)
    )


async def test_a_veil_is_lifted_by_one_key(told_english: tuple[Library, WorkId]) -> None:
    _write(*told_english)
    async with reading(told_english[0], size=(120, 50)) as (app, pilot):
        await type_and_wait(app, pilot, "w1")
        assert "unlocks in chapter 5" in _beside(app).replace("\u00a0", " ")
        assert "letter" not in shown_by(app)
        await type_and_wait(app, pilot, "x")
        await settle(app, pilot)
        assert "Ilse hid the letter." in _beside(app)


async def test_strict_asks_for_a_yes(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    _write(library, work)
    library.spoilers = SpoilerMode.STRICT
    async with reading(library, size=(120, 50), settings=Settings(spoilers=SpoilerMode.STRICT)) as (app, pilot):
        await type_and_wait(app, pilot, "w1x")
        assert "y yes" in _beside(app)
        assert "unlocks" not in _beside(app)
        await type_and_wait(app, pilot, "\x1b")
        assert "y yes" not in _beside(app)
        await type_and_wait(app, pilot, "xy")
        await settle(app, pilot)
        assert "Ilse hid the letter." in _beside(app)


async def test_a_link_is_opened_by_the_mouse(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "w")
        row = next(y for y, line in enumerate(lines_of(app)) if "2 Oren Vale" in line)
        await pilot.click(offset=(lines_of(app)[row].index("Oren Vale") + 2, row))
        await settle(app, pilot)
        assert wiki_title(app) == "Oren Vale"


async def test_any_size_is_survived(library: Library) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "W1")
        for width, height in ((40, 15), (1, 1), (20, 5), (300, 100), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settle(app, pilot)
            assert {len(line) <= width for line in lines_of(app)} == {True}
        assert _full(app).view.page is not None


async def test_names_still_being_gathered_come_by_themselves(home: object) -> None:
    told = TOLD["en"]
    library = library_with()
    work = shelve_story(library, *told_chapters(told), language="en")
    try:
        async with reading(library, size=(120, 36)) as (app, pilot):
            await type_and_wait(app, pilot, "w")
            assert "being gathered" in _beside(app)
            know(library, work, named(told.other))
            library.set_frontier(work, library.outline(work).volumes[0].documents[2].id, 0)
            await pilot.pause(2.2)
            await settle(app, pilot)
            assert told.other in _beside(app)
            page = page_of(app).sidebar.wiki.page
            assert page is not None
            assert page.key.kind is PageKind.HOME
    finally:
        library.close()
