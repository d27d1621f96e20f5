"""Selecting by keys and by mouse in the real program: what is lit is what is copied, and nothing else is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import product

import pytest
from textual.pilot import Pilot

from engine.config import Settings
from engine.library import Library
from engine.paths import default_paths
from tests.builders import make_epub
from tests.knowledge import know, named, shelve_story
from tests.piloted import library_with, page_of, reading, settle, shown_by, type_ahead
from tui.app.program import UnderstoryApp
from tui.screens.reading import ReadingScreen
from tui.widgets.selectable_text import SelectableText

_TEXTS = {
    "en": "Nobody boarded the 6.40. It stood there, [/b] doors open. ",
    "zh": "灯塔里的火从来没有熄过。谁也说不清，“最后”一次是谁。",
    "ja": "俺は男子でも、列車は扉を開けたまま。雪の中に立っていた。",
}
_CLOSED = Settings(names=False)
_STEPS = ("v", "w", "jj", "l", ")", "W", "}", "b", "k", "$", "^")


def _story(language: str) -> list[list[str]]:
    return [[f"{c}.{p} {_TEXTS[language] * 3}" for p in range(20)] for c in range(1, 4)]


@pytest.fixture(params=sorted(_TEXTS))
def language(request: pytest.FixtureRequest) -> str:
    """Each of the three languages."""
    return str(request.param)


@pytest.fixture
def library(language: str, home: object) -> Iterator[Library]:
    """A library with a work of three chapters."""
    library = library_with()
    shelve_story(library, *_story(language), language=language)
    yield library
    library.close()


@pytest.fixture
def english(home: object) -> Iterator[Library]:
    """The same in English, where the language does not matter."""
    library = library_with()
    shelve_story(library, *_story("en"))
    yield library
    library.close()


@asynccontextmanager
async def _page(
    library: Library, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None], SelectableText]]:
    async with reading(library, size=size, settings=_CLOSED) as (app, pilot):
        yield app, pilot, page_of(app).page


async def _copied(app: UnderstoryApp, pilot: Pilot[None]) -> str:
    """Copy what is selected and return it."""
    default_paths().clipboard_file.unlink(missing_ok=True)
    await type_ahead(app, pilot, "y")
    await settle(app, pilot)
    return default_paths().clipboard_file.read_text("utf-8")


def _lit(page: SelectableText) -> str:
    """Return the characters that are drawn as selected, row after row."""
    style = page._page_style
    assert style is not None
    looks = (style.selection, style.focus)
    return "".join(
        segment.text
        for y in range(page.size.height)
        for segment in page.render_line(y)
        if segment.style is not None and any(segment.style == style.ink + look for look in looks)
    )


def _squeezed(text: str) -> str:
    return "".join(text.split())


async def _unlike(
    app: UnderstoryApp, pilot: Pilot[None], steps: Sequence[Callable[[], Awaitable[None]]]
) -> list[tuple[str, str]]:
    """Take steps; return what was lit and what was copied after each where the two differ."""
    found = []
    for step in steps:
        await step()
        lit, copied = _squeezed(_lit(page_of(app).page)), _squeezed(await _copied(app, pilot))
        found += [(lit, copied)] if lit != copied or not lit else []
    return found


# by keys


async def test_v_selects_the_first_word_and_words_are_added(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        await type_ahead(app, pilot, "vw")
        assert await _copied(app, pilot) == "1.0 Nobody"
        assert "Copied 10 characters · sent to the terminal, kept in" in shown_by(app)


_UNITS = {
    "en": {
        "vw": "1.0 Nobody",
        "v2w": "1.0 Nobody boarded",
        "v2wb": "1.0 Nobody",
        "v)": "1.0 Nobody boarded the 6.40.",
        "v}(": "1.0 " + (_TEXTS["en"] * 3)[: -len("It stood there, [/b] doors open. ") - 1],
        "v2wvb": "Nobody boarded",
        "v2wvbw": "boarded",
        "v2wvb2w": "boarded the",
        "v}": "1.0 " + (_TEXTS["en"] * 3).strip(),
    },
    "zh": {"v)": "1.0 灯塔里的火从来没有熄过。", "v2)": f"1.0 {_TEXTS['zh']}", "v2)(": "1.0 灯塔里的火从来没有熄过。"},
    "ja": {"vw": "1.0 俺", "v3w": "1.0 俺は男子", "v3wb": "1.0 俺は", "v)": "1.0 俺は男子でも、列車は扉を開けたまま。"},
}
"""By language what keys select: whole words, sentences and paragraphs, nothing of the next one."""


@pytest.mark.parametrize(
    ("language", "keys", "selected"),
    [(language, keys, words) for language, cases in _UNITS.items() for keys, words in cases.items()],
)
async def test_units_are_selected_whole(library: Library, keys: str, selected: str) -> None:
    async with _page(library) as (app, pilot, _text):
        await type_ahead(app, pilot, keys)
        assert await _copied(app, pilot) == selected


async def test_what_is_lit_is_what_is_copied(library: Library) -> None:
    async with _page(library) as (app, pilot, _text):
        assert await _unlike(app, pilot, [partial(type_ahead, app, pilot, keys) for keys in _STEPS]) == []


async def test_one_word_of_japanese_is_selected_by_keys(home: object) -> None:
    library = library_with()
    shelve_story(library, ["俺は男子でも走る。"], language="ja")
    async with _page(library) as (app, pilot, text):
        await type_ahead(app, pilot, "vwwv")
        assert (await _copied(app, pilot), _lit(text)) == ("男子", "男子")
        await type_ahead(app, pilot, "l")
        assert (await _copied(app, pilot), _lit(text)) == ("男子で", "男子で")
    library.close()


async def test_a_known_name_is_one_word_to_the_caret(home: object) -> None:
    library = library_with()
    work = shelve_story(library, ["却说刘备字玄德。刘备走了。"], language="zh")
    know(library, work, named("刘备"))
    library.set_frontier(work, library.outline(work).volumes[0].documents[0].id, 13)
    async with reading(library) as (app, pilot):
        await pilot.pause(0.8)
        await settle(app, pilot)
        await type_ahead(app, pilot, "vwwv")
        assert await _copied(app, pilot) == "刘备"
    library.close()


async def test_the_other_end_moves_after_o(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        await type_ahead(app, pilot, "v3wvwob")
        assert await _copied(app, pilot) == "boarded the 6.40"


async def test_the_page_follows_the_caret_and_nothing_is_lost(library: Library) -> None:
    async with _page(library) as (app, pilot, text):
        await type_ahead(app, pilot, "v")
        await type_ahead(app, pilot, "40j")
        rows = text.selecting.selected_rows()
        assert rows is not None
        assert rows[1] < text.size.height
        copied = await _copied(app, pilot)
        assert copied.startswith("1.0")
        assert copied.count("\n") >= 5
        await type_ahead(app, pilot, "80k")
        assert text.selection is not None
        assert text.selection.caret.first.offset < 10


async def test_a_selection_goes_on_into_the_next_chapter(library: Library, language: str) -> None:
    async with _page(library) as (app, pilot, _text):
        await type_ahead(app, pilot, "]")
        await type_ahead(app, pilot, "3kv")
        await type_ahead(app, pilot, "}}w")
        end, first, second = (await _copied(app, pilot)).split("\n")
        before, after = _story(language)[:2]
        assert before[-1].strip().endswith(end.strip())
        assert (first.strip(), second) == (after[0].strip(), "2.1")


async def test_a_selection_outlives_another_width(library: Library) -> None:
    async with _page(library) as (app, pilot, text):
        await type_ahead(app, pilot, "v)))")
        before = await _copied(app, pilot)
        await pilot.resize_terminal(50, 20)
        await settle(app, pilot)
        assert await _copied(app, pilot) == before
        assert _squeezed(_lit(text)) == _squeezed(before)


async def test_the_page_can_be_turned_and_the_caret_brings_it_back(english: Library) -> None:
    async with _page(english) as (app, pilot, text):
        here = page_of(app).here
        await type_ahead(app, pilot, "v")
        await type_ahead(app, pilot, " ")
        assert (page_of(app).here == here, text.selecting.selected_rows()) == (False, None)
        await type_ahead(app, pilot, "l")
        assert text.selecting.selected_rows() is not None


async def test_escape_selects_nothing_and_keys_turn_the_page_again(english: Library) -> None:
    async with _page(english) as (app, pilot, text):
        await type_ahead(app, pilot, "vw\x1b")
        assert (text.selection, _lit(text)) == (None, "")
        await type_ahead(app, pilot, "j")
        assert text.selection is None


async def test_v_selects_the_match_the_search_is_at(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        await type_ahead(app, pilot, "/doors\r")
        await type_ahead(app, pilot, "v")
        assert await _copied(app, pilot) == "doors"


# by mouse


async def _drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int], over: str = "#text") -> None:
    await pilot.mouse_down("#text", offset=start)
    await pilot.hover(over, offset=end)
    await pilot.mouse_up(over, offset=end)
    await pilot.pause()


def _words_at(app: UnderstoryApp, word: str) -> tuple[int, int]:
    """Return where a word stands in the text view."""
    page = page_of(app).page
    rows = ["".join(segment.text for segment in page.render_line(y)) for y in range(page.size.height)]
    y = next(y for y, row in enumerate(rows) if word in row)
    before = rows[y].partition(word)[0]
    return sum(2 if ord(char) > 0x2E80 else 1 for char in before), y


async def test_what_the_pointer_passes_over_is_selected(library: Library) -> None:
    async with _page(library) as (app, pilot, _text):
        drags = product([(4, 0), (20, 2), (0, 1)], [(30, 0), (10, 4), (71, 3), (2, 12)])
        assert await _unlike(app, pilot, [partial(_drag, pilot, start, end) for start, end in drags]) == []


async def test_a_word_is_selected_by_passing_over_it(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        x, y = _words_at(app, "boarded")
        await _drag(pilot, (x, y), (x + 6, y))
        assert await _copied(app, pilot) == "boarded"
        await _drag(pilot, (x + 6, y), (x, y))
        assert await _copied(app, pilot) == "boarded"


@pytest.mark.parametrize("over", ["#progress", "#top", "#sidebar", "#contents"])
async def test_a_pointer_that_leaves_the_text_takes_nothing_from_elsewhere(english: Library, over: str) -> None:
    async with _page(english, size=(160, 24)) as (app, pilot, text):
        await type_ahead(app, pilot, "st")
        await settle(app, pilot)
        await pilot.mouse_down("#text", offset=(20, 6))
        await pilot.hover(over, offset=(5, 0))
        before = text.selection
        await pilot.mouse_up(over, offset=(5, 0))
        assert before is not None
        document = before.reach.first.document  # the page may have scrolled meanwhile, its text is the document's
        assert _squeezed(await _copied(app, pilot)) in _squeezed(english.text_of(document, 0, 1_000_000))


async def test_held_beyond_the_edge_the_page_scrolls_and_goes_on_selecting(english: Library) -> None:
    async with _page(english) as (app, pilot, text):
        start = page_of(app).here
        await pilot.mouse_down("#text", offset=(4, 2))
        await pilot.hover("#progress", offset=(10, 1))
        await pilot.pause(0.5)
        await pilot.mouse_up("#progress", offset=(10, 1))
        assert page_of(app).here != start
        stood = page_of(app).here
        await pilot.pause(0.3)
        assert page_of(app).here == stood
        copied = await _copied(app, pilot)
        assert len(copied) > 1200
        assert _squeezed(_lit(text)) in _squeezed(copied)


async def test_two_clicks_take_a_word_three_a_sentence_four_a_paragraph(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        x, y = _words_at(app, "boarded")
        await pilot.click("#text", offset=(x + 2, y), times=2)
        assert await _copied(app, pilot) == "boarded"
        await pilot.click("#text", offset=(x + 2, y), times=3)
        assert await _copied(app, pilot) == "1.0 Nobody boarded the 6.40."
        await pilot.click("#text", offset=(x + 2, y), times=4)
        assert (await _copied(app, pilot)).count("Nobody") == 3


async def test_a_click_that_does_not_move_lets_go(english: Library) -> None:
    async with _page(english) as (_app, pilot, text):
        await _drag(pilot, (4, 2), (20, 4))
        assert text.selection is not None
        await pilot.click("#text", offset=(10, 6))
        assert text.selection is None


async def test_the_end_of_a_selection_opens_no_link(home: object) -> None:
    body = "<p>see <a href='c2.xhtml'>the next one over there</a> now</p>"
    library = library_with(
        make_epub(default_paths().data_dir.parent / "l.epub", title="l", chapters=[("a", body), ("b", "<p>two</p>")])
    )
    async with _page(library) as (app, pilot, _text):
        here = page_of(app).here
        x, y = _words_at(app, "the next")
        await _drag(pilot, (x, y), (x + 7, y))
        await settle(app, pilot)
        assert (page_of(app).here, await _copied(app, pilot)) == (here, "the next")
        await type_ahead(app, pilot, "\x1bfv")
        assert await _copied(app, pilot) == "the next one over there"
    library.close()


async def test_textual_selects_nothing_beside_it(english: Library) -> None:
    async with _page(english) as (app, pilot, _text):
        await _drag(pilot, (4, 2), (20, 4))
        screen = app.screen
        assert isinstance(screen, ReadingScreen)
        assert (dict(screen.selections), screen.allow_select) == ({}, False)
