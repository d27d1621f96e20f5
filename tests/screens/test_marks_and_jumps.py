"""Marks, bookmarks and the way back: set, listed, gone to, brought back, there again at the next start."""

from __future__ import annotations

from engine.library import Library
from tests.hidden_words import Planted
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp


async def test_a_letter_leads_back_to_the_line_it_was_set_at(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "30%jjmq")
        assert "Marked q." in shown_by(app)
        here, before = page_of(app).here, lines_of(app)[2:-3]
        await type_ahead(app, pilot, "80%")
        await type_ahead(app, pilot, "'q")
        assert (page_of(app).here, lines_of(app)[2:-4]) == (here, before[:-1])


async def test_a_letter_that_marks_nothing_is_told(planted_library: Library) -> None:
    async with reading(planted_library) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "'z")
        assert "Nothing is marked z." in shown_by(app)
        assert page_of(app).here == here


async def test_a_key_that_is_no_letter_ends_the_waiting_and_does_nothing(english: Library) -> None:
    async with reading(english) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "m]")
        assert page_of(app).here == here
        await type_ahead(app, pilot, "]")
        assert page_of(app).here != here


async def test_two_apostrophes_lead_back_to_before_the_jump(english: Library) -> None:
    async with reading(english) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "50%''")
        assert page_of(app).here == here


async def test_marks_are_there_at_the_next_start(planted_library: Library) -> None:
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "40%jma")
        await type_ahead(app, pilot, "M")
        here = page_of(app).here
        await type_ahead(app, pilot, "5%")
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "'a")
        assert page_of(app).here == here
        await type_ahead(app, pilot, "5%B")
        await type_ahead(app, pilot, "G\r")
        assert page_of(app).here == here


async def test_the_list_shows_the_words_of_the_line_and_its_chapter(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "]]M")
        assert "Bookmark set" in shown_by(app)
        await type_ahead(app, pilot, "B")
        assert any("· en 3" in line for line in lines_of(app))


async def test_a_bookmark_set_twice_is_taken_away(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "M")
        await type_ahead(app, pilot, "M")
        assert "Bookmark taken away." in shown_by(app)
        await type_ahead(app, pilot, "B")
        assert "Nothing marked yet" in shown_by(app)


async def test_a_mark_holds_the_words_of_its_line_from_the_start_of_the_row(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "33%M")
        row = lines_of(app)[2].split()
        await type_ahead(app, pilot, "M")
        assert "Bookmark taken away." in shown_by(app)
        await type_ahead(app, pilot, "MB")
        assert any(line.split()[1:4] == ["·", *row[:2]] for line in lines_of(app))


async def test_a_deleted_mark_is_brought_back_by_u(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "]ma")
        await type_ahead(app, pilot, "]mb")
        await type_ahead(app, pilot, "B")
        await type_ahead(app, pilot, "d")
        assert _letters(app) == ["b"]
        await type_ahead(app, pilot, "u")
        assert _letters(app) == ["a", "b"]
        await type_ahead(app, pilot, "u")
        assert "Nothing to bring back." in shown_by(app)


def _letters(app: UnderstoryApp) -> list[str]:
    """Return the letters of the list of marks."""
    rows = [line[2:].split() for line in lines_of(app) if line.startswith("▎")]
    return [words[0] for words in rows if words and len(words[0]) == 1]


async def test_enter_and_the_mouse_go_to_a_listed_mark(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "50%jM")
        here = page_of(app).here
        await type_ahead(app, pilot, "5%B")
        await type_ahead(app, pilot, "\r")
        assert page_of(app).here == here
        await type_ahead(app, pilot, "5%B")
        await pilot.click(offset=(10, 4))
        await settle(app, pilot)
        assert page_of(app).here == here


async def test_jumps_are_walked_back_and_forward(english: Library) -> None:
    async with reading(english) as (app, pilot):
        stops = [page_of(app).here]
        for keys in ("20%", "60%", "]"):
            await type_ahead(app, pilot, keys)
            stops.append(page_of(app).here)
        seen = []
        for keys in ("\b", "\b", "\b", "go", "go", "go"):
            await type_ahead(app, pilot, keys)
            seen.append(page_of(app).here)
        assert seen == [stops[2], stops[1], stops[0], stops[1], stops[2], stops[3]]
        await type_ahead(app, pilot, "go")
        assert "No jump to go forward to." in shown_by(app)


async def test_the_way_back_is_there_at_the_next_start(planted_library: Library) -> None:
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "20%")
        first = page_of(app).here
        await type_ahead(app, pilot, "70%")
        second = page_of(app).here
        await type_ahead(app, pilot, "\b")
    async with reading(planted_library) as (app, pilot):
        await settle(app, pilot)
        page_of(app).session._keeper.flush(2.0)
        assert page_of(app).here == first
        await type_ahead(app, pilot, "go")
        assert page_of(app).here == second
        await type_ahead(app, pilot, "2\b")
        assert page_of(app).session.index.work_share(page_of(app).pos) == 0


async def test_a_jump_from_the_contents_marks_its_first_row_until_the_next_key(english: Library) -> None:
    async with reading(english, size=(120, 36)) as (app, pilot):
        text = page_of(app).text
        plain = text.render_line(0)
        await type_ahead(app, pilot, "tjjj\r")
        landed = text.render_line(0)
        await type_ahead(app, pilot, "m")
        after = text.render_line(0)
        assert "en 4" in landed.text
        assert landed != after
        assert landed.text == after.text != plain.text
