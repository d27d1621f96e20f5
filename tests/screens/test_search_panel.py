"""Searching everything: beside the text and over the whole screen, by keys and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.config import Settings, SpoilerMode
from engine.library import Library
from tests.builders import make_epub
from tests.hidden_words import Planted
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tests.shelving import wait_until_indexed
from tui.app import UnderstoryApp
from tui.commands import run_command
from tui.render.search_list import Group
from tui.screens.search_full import SearchScreen

_ALL = Settings(spoilers=SpoilerMode.OFF)
_STRICT = Settings(spoilers=SpoilerMode.STRICT)
_WIDE = (120, 36)
_PASSAGES = {"en": 4, "zh": 4, "ja": 5}
"""That hold the planted word; in Japanese the two of chapter 2 are of two."""


def _read_to(library: Library, chapter: int) -> None:
    """Count everything before a chapter as read."""
    work = library.works()[0].id
    first = library.outline(work).volumes[0].chapters[chapter - 1]
    library.set_frontier(work, first.document, first.offset)


def _panel(app: UnderstoryApp) -> str:
    """Return the rows of the sidebar."""
    return "\n".join(line.rpartition("▎")[2] for line in lines_of(app) if "▎" in line)


async def _ask(app: UnderstoryApp, pilot: Pilot[None], keys: str) -> None:
    """Type, and wait as long as a search waits for the next key."""
    await type_ahead(app, pilot, keys)
    await pilot.pause(0.2)
    await settle(app, pilot)


async def test_everything_is_listed_by_chapter_in_story_order(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, f"g/{planted.typed}\r")
        panel = _panel(app).splitlines()
        count = _PASSAGES[planted.language]
        assert f"text {count} · wiki 0 · chapters 0 · notes 0" in _panel(app)
        headings = [line.split() for line in panel if f" {planted.language} " in line]
        assert [(words[1], words[-1]) for words in headings] == [
            ("1", "1"),
            ("2", str(count - 3)),
            ("4", "1"),
            ("7", "1"),
        ]
        assert sum(planted.word in line for line in panel) == count


async def test_what_is_typed_is_found_without_enter(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await _ask(app, pilot, "g/lampz")
        assert "text 0" in _panel(app)
        await _ask(app, pilot, "\blighter")
        assert "text 4" in _panel(app)


async def test_a_hit_is_jumped_to_and_the_same_list_and_hit_wait(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "g/lamplighter\rjj\r")
        assert "en 4" in lines_of(app)[0]
        assert "4 of 5" in shown_by(app)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here
        await type_ahead(app, pilot, "g/")
        assert "text 4" in _panel(app)
        assert page_of(app).sidebar.search.typing.item == page_of(app).sidebar.search.typing.chosen
        await type_ahead(app, pilot, "\r\r")
        assert "en 4" in lines_of(app)[0]
        assert shown_by(app).count("›") == 1


async def test_the_first_character_typed_replaces_the_words_of_a_list(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r\x1bg/nobody\r")
        assert page_of(app).sidebar.search.words == "nobody"
        await type_ahead(app, pilot, "/\b")
        assert page_of(app).sidebar.search.words == ""


async def test_n_goes_on_from_hit_to_hit(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r\r")
        assert "1 of 5" in shown_by(app)
        await type_ahead(app, pilot, "4n")
        assert "5 of 5" in shown_by(app)
        assert "en 7" in lines_of(app)[0]
        await type_ahead(app, pilot, "N")
        assert "en 4" in lines_of(app)[0]


async def test_a_hit_is_jumped_to_by_the_mouse(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        row = next(y for y, line in enumerate(lines_of(app)) if "en 4" in line) + 1
        await pilot.click(offset=(90, row))
        await settle(app, pilot)
        assert "en 4" in lines_of(app)[0]


async def test_a_group_is_folded_by_key_and_by_mouse(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\rz")
        assert "▸ Text" in _panel(app)
        assert "en 4" not in _panel(app)
        row = next(y for y, line in enumerate(lines_of(app)) if "▸ Text" in line)
        await pilot.click(offset=(90, row))
        await settle(app, pilot)
        assert "en 4" in _panel(app)


async def test_chapters_and_notes_are_found_beside_the_text(english: Library) -> None:
    work = english.works()[0].id
    english.add_jotting(work, "who is the lamplighter?")
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r4")
        assert "notes 1" in _panel(app)
        assert "who is the lamplighter?" in _panel(app)
        await type_ahead(app, pilot, "/en 3\r")
        assert "chapters 1" in _panel(app)
        await type_ahead(app, pilot, "3\r")
        assert "en 3" in lines_of(app)[0]


async def test_the_list_ends_at_what_was_read_and_says_so(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english, size=_WIDE) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "text 2 " in shown_by(app)
        assert "there is more beyond chapter 2" in shown_by(app)


async def test_strict_is_silent_about_what_lies_ahead(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english, size=_WIDE, settings=_STRICT) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "text 2 " in shown_by(app)
        assert "more beyond" not in shown_by(app)


async def test_what_was_read_since_is_found_when_the_list_is_opened_again(english: Library) -> None:
    _read_to(english, 3)
    async with reading(english, size=_WIDE) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r\x1b")
        session = page_of(app).session
        fifth = session.index.chapters[4]
        session.set_frontier(fifth.pos, (fifth.document, fifth.offset))
        await type_ahead(app, pilot, "g/")
        assert "text 3 " in shown_by(app)


async def test_the_words_around_a_hit_end_at_what_was_read(planted_library: Library, planted: Planted) -> None:
    work = planted_library.works()[0].id
    chapter = planted_library.outline(work).volumes[0].chapters[6]
    text = planted_library.text_of(chapter.document, 0, 1 << 30)
    planted_library.set_frontier(work, chapter.document, text.index(planted.word) + len(planted.word))
    async with reading(planted_library, size=_WIDE) as (app, pilot):
        await type_ahead(app, pilot, f"g/{planted.typed}\r")
        assert f"text {_PASSAGES[planted.language]} " in shown_by(app)
        assert planted.secret not in shown_by(app)
        await type_ahead(app, pilot, f"/{planted.secret}\r")
        assert "text 0 " in shown_by(app)


async def test_a_long_list_is_whole_after_enter_and_scrolls(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await _ask(app, pilot, "g/nobody")
        typed = page_of(app).sidebar.search.listed
        await type_ahead(app, pilot, "\r")
        whole = page_of(app).sidebar.search.listed
        assert typed is not None
        assert whole is not None
        count = whole.count(Group.TEXT)
        assert (typed.size(Group.TEXT), typed.count(Group.TEXT), whole.size(Group.TEXT)) == (100, count, count)
        assert f"text {count} " in _panel(app)
        await type_ahead(app, pilot, "G")
        assert sum("Nobody" in line for line in _panel(app).splitlines()) > 10


async def test_a_pattern_is_looked_for_on_enter(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await _ask(app, pilot, "g//lamp[a-z]+er/")
        assert "Lamplighter" not in _panel(app)
        await type_ahead(app, pilot, "\r")
        assert "text 5 " in _panel(app)
        assert "▸as it stands" in _panel(app)
        await type_ahead(app, pilot, "//lamp(\r")
        assert "is no pattern" in _panel(app)


async def test_a_text_that_is_not_indexed_is_looked_through_and_the_list_says_so(english: Library) -> None:
    with english._store.write() as w:
        w.execute("UPDATE book SET index_rev = 0")
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "text 5 " in _panel(app)
        assert "▸as it stands" in _panel(app)
        assert "Not indexed yet" in _panel(app)
        assert sum("Lamplighter" in line for line in _panel(app).splitlines()) == 5
        await type_ahead(app, pilot, "jjj\r")
        assert "4 of 5" in shown_by(app)


async def test_over_a_narrow_page_the_list_makes_way_for_the_hit(english: Library) -> None:
    async with reading(english, size=(80, 24), settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "text 4 " in shown_by(app)
        await type_ahead(app, pilot, "\r")
        assert "text 4 " not in shown_by(app)
        assert "Lamplighter" in shown_by(app)


async def test_the_command_line_searches_everything(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, _pilot):
        run_command(page_of(app), "search lamplighter")
        await settle(app, _pilot)
        await settle(app, _pilot)
        assert "text 4 " in shown_by(app)


# by what and where


async def test_one_key_leads_through_the_modes_and_says_what_cannot_be(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "▸words" in _panel(app)
        await type_ahead(app, pilot, "m")
        assert "▸words" in _panel(app)
        assert "no vectors yet" in _panel(app)


async def test_one_key_leads_from_volume_to_work_to_library(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        assert "this work" in _panel(app)
        await type_ahead(app, pilot, "w")
        assert "all works" in _panel(app)
        assert "text 4 " in _panel(app)
        await type_ahead(app, pilot, "w")
        assert "this volume" in _panel(app)
        assert "text 4 " in _panel(app)


@pytest.mark.parametrize(("words", "shown"), [("meaning", "no vectors yet"), ("this work", "all works")])
async def test_by_what_and_where_is_clicked(english: Library, words: str, shown: str) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r")
        row, line = next((y, line) for y, line in enumerate(lines_of(app)) if "▸words" in line)
        await pilot.click(offset=(line.index(words), row))
        await settle(app, pilot)
        assert shown in _panel(app)


async def test_a_hit_in_another_work_opens_it_and_the_list_waits(english: Library, tmp_path: Path) -> None:
    other = make_epub(
        tmp_path / "other.epub", title="Other", chapters=[("o 1", "<p>Snow.</p>" * 30 + "<p>A zeppelin.</p>")]
    )
    assert not english.import_now(other).error
    wait_until_indexed(english)
    first = next(each.title for each in english.works() if each.title != "Other")
    async with reading(english, first, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/zeppelin\r")
        assert "text 0 " in _panel(app)
        await type_ahead(app, pilot, "\x12")
        assert "text 1 " in _panel(app)
        assert "Other" in _panel(app)
        await type_ahead(app, pilot, "\r\r")
        await settle(app, pilot)
        assert lines_of(app)[0].strip().startswith("Other")
        assert "A zeppelin." in shown_by(app)
        await type_ahead(app, pilot, "g/")
        assert "text 1 " in _panel(app)


# over the whole screen


async def test_the_list_goes_over_the_whole_screen_and_back(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\rjjf")
        assert isinstance(app.screen, SearchScreen)
        assert "text 4 " in shown_by(app)
        assert app.screen.panel.typing.item is not None
        assert app.screen.panel.typing.item[1] == 2
        await type_ahead(app, pilot, "\rf")
        assert "text 4 " in _panel(app)
        assert page_of(app).sidebar.search.typing.item is not None


async def test_a_hit_of_the_whole_screen_leads_to_the_page_and_the_list_waits(english: Library) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "gflamplighter\rjj\r")
        assert "en 4" in lines_of(app)[0]
        assert "4 of 5" in shown_by(app)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here
        await type_ahead(app, pilot, "gf")
        assert "text 4 " in shown_by(app)
        await type_ahead(app, pilot, "\r\r")
        assert "en 4" in lines_of(app)[0]


@pytest.mark.parametrize("keys", ["\x1b", "\r\x1b", "\rq"])
async def test_escape_leads_back_to_the_text(english: Library, keys: str) -> None:
    async with reading(english, settings=_ALL) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "gflamplighter" + keys)
        assert page_of(app).here == here


async def test_the_keys_are_told(english: Library) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, "g/lamplighter\r?")
        assert "by words, by meaning, by both" in shown_by(app)


@pytest.mark.parametrize("search", ["g/", "gf"])
async def test_a_hit_goes_beside_a_question(english: Library, search: str) -> None:
    async with reading(english, size=_WIDE, settings=_ALL) as (app, pilot):
        await type_ahead(app, pilot, f"{search}lamplighter\r1ja")
        await settle(app, pilot)
        [chip] = page_of(app).sidebar.chat.chips
        assert chip.startswith("on “")
        await type_ahead(app, pilot, "who is this?\r")
        await settle(app, pilot)
        [conversation] = english.conversations(english.works()[0].id)
        [turn] = english.conversation_turns(conversation.id)
        [attached] = turn.scene.attachments
        assert attached.locator is not None
        words = english.text_of(attached.locator.document, attached.locator.start, attached.locator.end)
        assert "lamplighter" in words.casefold()
