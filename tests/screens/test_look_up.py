"""Names in the text and the look-up card in the real program; nothing is told that was not read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot

from engine.analysis.rules.clusters import Link
from engine.config import Settings, SpoilerMode
from engine.domain.knowledge import AliasKind, PointKind
from engine.library import Library
from tests.knowledge import know, named, shelve_story
from tests.piloted import library_with, lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.app.program import UnderstoryApp
from tui.screens.reading import ReadingScreen

_NAMES_S = 0.9
"""A page stands a moment before it is asked who is named on it."""


@dataclass(frozen=True)
class Told:
    """Words of a work in a language."""

    language: str
    person: str
    other: str
    place: str
    stranger: str
    """Named on every page, and first met in chapter 3."""
    words: str


_TOLD = {
    "en": Told(
        "en",
        "Ilse Marrow",
        "Miss Marrow",
        "Corrow",
        "Zedekiah",
        "Ilse Marrow went to Corrow, and nobody but Miss Marrow knew why the lamps went out there.",
    ),
    "zh": Told("zh", "沈砚", "阿砚", "灯城", "周无忌", "沈砚去了灯城，除了阿砚自己，谁也不知道那里的灯为什么灭了。"),
    "ja": Told(
        "ja", "沢綾子", "お綾", "灯町", "ゼデキヤ", "沢綾子は灯町へ行った。灯が消えた訳を知る者はお綾のほかにいない。"
    ),
}


def _library(told: Told, read: int) -> Library:
    library = library_with()
    chapters = [[f"{c}.{p} {told.words}" for p in range(12)] for c in range(1, 6)]
    chapters[2].insert(1, told.stranger)
    work = shelve_story(library, *chapters, language=told.language)
    know(
        library,
        work,
        named(told.person, told.other, links=[Link(told.person, told.other)], kinds={told.other: AliasKind.TITLED}),
        named(told.place, kind=PointKind.PLACE),
        named(told.stranger),
    )
    library.set_frontier(work, library.outline(work).volumes[0].documents[read].id, 0)
    return library


@pytest.fixture(params=sorted(_TOLD))
def told(request: pytest.FixtureRequest) -> Told:
    """Each of the three languages."""
    return _TOLD[str(request.param)]


@pytest.fixture
def library(told: Told, home: object) -> Iterator[Library]:
    """A library with a work of which one chapter was read."""
    library = _library(told, 1)
    yield library
    library.close()


@pytest.fixture
def english(home: object) -> Iterator[Library]:
    """The same in English, where the language does not matter."""
    library = _library(_TOLD["en"], 1)
    yield library
    library.close()


@asynccontextmanager
async def _named(
    library: Library, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None], ReadingScreen]]:
    """Open the work and wait for the names on its page."""
    async with reading(library, size=size, settings=settings) as (app, pilot):
        await _wait(app, pilot)
        yield app, pilot, page_of(app)


async def _wait(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    await pilot.pause(_NAMES_S)
    await settle(app, pilot)


def _underlined(app: UnderstoryApp) -> set[str]:
    """Return what is underlined on the page."""
    page = page_of(app).page
    return {
        segment.text
        for y in range(page.size.height)
        for segment in page.render_line(y)
        if segment.style is not None and segment.style.underline
    }


async def _type(app: UnderstoryApp, pilot: Pilot[None], keys: str) -> None:
    await type_ahead(app, pilot, keys)
    await settle(app, pilot)


# underlines


async def test_the_names_she_has_met_are_underlined(library: Library, told: Told) -> None:
    async with _named(library) as (app, _pilot, _screen):
        assert {told.person, told.other, told.place} == _underlined(app)


async def test_who_was_not_met_yet_is_not_underlined_until_the_page_is_read(library: Library, told: Told) -> None:
    async with _named(library) as (app, pilot, screen):
        third = screen.session.index.chapters[2]
        screen.jump(third.document, third.offset)
        await _wait(app, pilot)
        assert told.person in _underlined(app)
        assert told.stranger not in _underlined(app)
        await _type(app, pilot, "y")
        await _wait(app, pilot)
        assert told.stranger in _underlined(app)


async def test_a_frontier_set_back_takes_names_away(english: Library) -> None:
    async with _named(english) as (app, pilot, screen):
        third = screen.session.index.chapters[2]
        screen.jump(third.document, third.offset)
        await _type(app, pilot, "y")
        await _wait(app, pilot)
        assert "Zedekiah" in _underlined(app)
        first = screen.session.index.chapters[0]
        screen.session.set_frontier(first.pos, (first.document, first.offset))
        screen.frontier_moved()
        await _wait(app, pilot)
        assert _underlined(app) == set()


async def test_without_spoilers_all_names_are_underlined(english: Library) -> None:
    settings = Settings(spoilers=SpoilerMode.OFF)
    async with _named(english, settings=settings) as (app, pilot, screen):
        third = screen.session.index.chapters[2]
        screen.jump(third.document, third.offset)
        await _wait(app, pilot)
        assert "Zedekiah" in _underlined(app)


async def test_underlines_can_be_switched_off(english: Library) -> None:
    async with _named(english, settings=Settings(names=False)) as (app, _pilot, _screen):
        assert _underlined(app) == set()


async def test_a_name_can_be_looked_up_before_anything_is_underlined(english: Library) -> None:
    async with reading(english, settings=Settings(names=False)) as (app, pilot):
        await _type(app, pilot, "K")
        await settle(app, pilot)
        assert "● Ilse Marrow" in shown_by(app)
        assert _underlined(app) == set()


async def test_a_turned_page_is_drawn_with_its_names_at_once(english: Library) -> None:
    async with _named(english) as (app, pilot, _screen):
        await pilot.press("space")
        assert "Ilse Marrow" in _underlined(app)


# the card


async def test_the_first_name_is_looked_up_and_the_next_after_it(library: Library, told: Told) -> None:
    async with _named(library) as (app, pilot, _screen):
        await _type(app, pilot, "K")
        assert f"● {told.person}" in shown_by(app)
        assert "person · exact" in shown_by(app)
        await _type(app, pilot, "K")
        assert f"● {told.place}" in shown_by(app)
        assert "place · exact" in shown_by(app)


async def test_a_name_looked_up_by_another_of_its_names_tells_the_proper_one(library: Library, told: Told) -> None:
    async with _named(library) as (app, pilot, _screen):
        await _type(app, pilot, "KKK")
        assert f"● {told.person}" in shown_by(app)
        assert f"“{told.other}”" in shown_by(app)


async def test_each_name_of_the_page_comes_once_and_then_the_first_again(english: Library) -> None:
    async with _named(english) as (app, pilot, screen):
        await _type(app, pilot, "KKKK")
        assert screen.selection is not None
        first = screen.selection.reach
        assert screen.page.selecting.names_shown()[0] == first


async def test_enter_opens_the_entry_beside_the_page_which_stays(library: Library, told: Told) -> None:
    async with _named(library, size=(120, 30)) as (app, pilot, screen):
        here, before = screen.here, [line[:60] for line in lines_of(app)[2:8]]
        await _type(app, pilot, "K\r")
        await settle(app, pilot)
        page = screen.sidebar.wiki.page
        assert page is not None
        assert page.title == told.person
        assert (screen.here, screen.focused) == (here, screen.page)
        assert [line[:60].split()[:1] for line in lines_of(app)[2:8]] == [line.split()[:1] for line in before]


async def test_several_are_offered_and_chosen_by_arrows(home: object) -> None:
    library = library_with()
    work = shelve_story(library, ["Mr. Darcy met Miss Darcy.", "Darcy again, said Mr. Darcy to Miss Darcy."])
    know(library, work, named("Mr. Darcy"), named("Miss Darcy"))
    async with _named(library, size=(120, 30)) as (app, pilot, screen):
        await _type(app, pilot, "v}wvK")
        shown = shown_by(app)
        assert ("● Mr. Darcy" in shown, "○ Miss Darcy" in shown, "↑↓ choose" in shown) == (True, True, True)
        await _type(app, pilot, "j\r")
        await settle(app, pilot)
        page = screen.sidebar.wiki.page
        assert page is not None
        assert page.title == "Miss Darcy"
    library.close()


async def test_who_lies_ahead_is_not_found(english: Library) -> None:
    async with _named(english) as (app, pilot, screen):
        third = screen.session.index.chapters[2]
        screen.jump(third.document, third.offset)
        await settle(app, pilot)
        await _type(app, pilot, "v}wv\r")
        assert "Nothing is known of “Zedekiah” as far as you have read." in shown_by(app)
        await _type(app, pilot, "\r")
        assert "Nothing is known of" in shown_by(app)


async def test_the_card_lists_the_keys_and_escape_closes_it_first(english: Library) -> None:
    async with _named(english) as (app, pilot, screen):
        await _type(app, pilot, "K")
        assert "a ask   e explain   h highlight   c comment   x excerpt   y copy   Esc close" in shown_by(app)
        await _type(app, pilot, "\x1b")
        assert ("Esc close" in shown_by(app), screen.selection is None) == (False, False)
        await _type(app, pilot, "\x1b")
        assert screen.selection is None


@pytest.mark.parametrize("lines", ["", "6j", "11j", "14j", "16j", "17j"])
@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_the_card_never_lies_over_what_is_selected(english: Library, lines: str, size: tuple[int, int]) -> None:
    async with _named(english, size=size) as (app, pilot, screen):
        await _type(app, pilot, f"v{lines}v\r" if lines else "v\r")
        card = screen.query_one("#card")
        rows = screen.page.selecting.selected_rows()
        assert rows is not None
        assert card.display
        seen = range(screen.page.region.y + rows[0], screen.page.region.y + rows[1] + 1)
        assert not set(seen) & set(card.region.line_range)


async def _covered_after(app: UnderstoryApp, pilot: Pilot[None], rows: int) -> set[int]:
    """Move the page; return the rows of the screen that hold something selected and lie under the card."""
    screen = page_of(app)
    screen.page.move_rows(rows)
    await settle(app, pilot)
    first, last = screen.page.selecting.selected_rows() or (-1, -2)
    top = screen.page.region.y
    return set(range(top + first, top + last + 1)) & set(screen.query_one("#card").region.line_range)


async def test_the_card_gives_way_when_the_page_moves_under_it(english: Library) -> None:
    async with _named(english) as (app, pilot, screen):
        await _type(app, pilot, "  v2jv\r")
        assert screen.query_one("#card").region.y > screen.page.region.y
        covered = [await _covered_after(app, pilot, rows) for rows in (-8, -4, -3, -1, 12, 2, -20, 20)]
        assert covered == [set()] * 8


async def test_a_motion_closes_the_card(english: Library) -> None:
    async with _named(english) as (app, pilot, _screen):
        await _type(app, pilot, "Kw")
        assert "Esc close" not in shown_by(app)


async def test_a_match_is_opened_by_the_mouse(english: Library) -> None:
    async with _named(english, size=(120, 30)) as (app, pilot, screen):
        await _type(app, pilot, "K")
        await pilot.click("#card", offset=(6, 1))
        await settle(app, pilot)
        await settle(app, pilot)
        page = screen.sidebar.wiki.page
        assert page is not None
        assert page.title == "Ilse Marrow"


async def test_two_clicks_on_a_name_take_all_of_it(english: Library) -> None:
    async with _named(english) as (app, pilot, _screen):
        row = next(y for y, line in enumerate(lines_of(app)) if "Ilse Marrow" in line)
        x = lines_of(app)[row].index("Marrow")
        await pilot.click(offset=(x, row), times=2)
        await _type(app, pilot, "\r")
        assert "● Ilse Marrow" in shown_by(app)


async def test_a_selection_that_is_no_name_is_said_to_be_too_long(english: Library) -> None:
    async with _named(english) as (app, pilot, _screen):
        await _type(app, pilot, "v4j\r")
        assert "too long for a name" in shown_by(app)


async def test_brackets_in_a_selection_are_shown_as_they_are(home: object) -> None:
    library = library_with()
    shelve_story(library, ["[/b][red] He said [@click=app.quit()]x[/]."])
    async with _named(library) as (app, pilot, _screen):
        await _type(app, pilot, "v$\r")
        assert "Nothing is known of “b][red] He said [@click=app.quit()]x[/].”" in shown_by(app)
    library.close()


async def test_a_page_without_names_says_so(home: object) -> None:
    library = library_with()
    shelve_story(library, ["nobody is named here."])
    async with reading(library) as (app, pilot):
        await _type(app, pilot, "K")
        await settle(app, pilot)
        assert "Names are still being looked for. v selects words." in shown_by(app)
    library.close()


async def test_names_of_another_work_are_forgotten(english: Library) -> None:
    shelve_story(english, ["Ilse Marrow is a name here too."], sha256="b" * 64)
    async with _named(english) as (app, pilot, screen):
        other = next(work.id for work in english.works() if work.chapters < 5)
        app._open_work(other)
        await settle(app, pilot)
        await _wait(app, pilot)
        assert "is a name here too" in shown_by(app)
        assert (_underlined(app), screen.selection) == (set(), None)
