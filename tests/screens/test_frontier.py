"""Far jumps ask once; only y moves the frontier; by hand it goes both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.library import Library
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.commands import run_command
from tui.widgets.notice_line import NoticeLine

_QUESTION = "You have read to chapter 1. Count chapters 2-5 as read?"


async def test_landing_far_beyond_asks_and_other_keys_act_on_the_page(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        frontier = page_of(app).session.frontier
        await type_ahead(app, pilot, "4]")
        assert f"{_QUESTION}   y yes  n no  Esc later" in shown_by(app)
        here = page_of(app).here
        await type_ahead(app, pilot, " j")
        assert page_of(app).here != here
        assert _QUESTION in shown_by(app)
        assert page_of(app).session.frontier == frontier


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (44, 30), (40, 15)])
@pytest.mark.parametrize("keys", ["", "z"])
async def test_the_question_lies_over_no_text(english: Library, size: tuple[int, int], keys: str) -> None:
    async with reading(english, size=size) as (app, pilot):
        await type_ahead(app, pilot, keys)
        await type_ahead(app, pilot, "4]")
        await settle(app, pilot)
        notice, text = page_of(app).query_one(NoticeLine), page_of(app).text
        assert (notice.display, notice.region.overlaps(text.region)) == (True, False)
        here = page_of(app).here
        await type_ahead(app, pilot, "y")
        await type_ahead(app, pilot, "j")
        await type_ahead(app, pilot, "k")
        assert page_of(app).here == here


async def test_in_zen_no_notice_lies_over_text(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "z")
        page_of(app).notice("Read up to here.")
        await settle(app, pilot)
        assert not page_of(app).query_one(NoticeLine).region.overlaps(page_of(app).text.region)


async def test_y_counts_everything_before_as_read(english: Library) -> None:
    work = english.works()[0].id
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        await type_ahead(app, pilot, "y")
        assert _QUESTION not in shown_by(app)
        fifth = page_of(app).session.index.chapters[4]
        assert page_of(app).session.frontier > fifth.pos
    assert english.frontier(work) > fifth.pos


async def test_the_question_is_answered_by_the_command_too(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        run_command(page_of(app), "frontier here")
        await pilot.pause()
        page_of(app).notice("")
        await pilot.pause()
        assert "Count" not in shown_by(app)


async def test_reading_goes_on_from_what_was_counted(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        await type_ahead(app, pilot, "y")
        before = page_of(app).session.frontier
        await type_ahead(app, pilot, " ")
        assert page_of(app).session.frontier > before


async def test_n_is_not_asked_again_and_escape_is_asked_at_the_next_landing(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        await type_ahead(app, pilot, "\x1b")
        assert "Count" not in shown_by(app)
        await type_ahead(app, pilot, "70%")
        assert "Count chapters 2-6 as read?" in shown_by(app)
        await type_ahead(app, pilot, "n")
        await type_ahead(app, pilot, "80%")
        assert "Count" not in shown_by(app)


async def test_the_question_goes_when_the_page_is_back_where_reading_was(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        await type_ahead(app, pilot, "\b")
        assert "Count" not in shown_by(app)


@pytest.mark.parametrize(
    ("columns", "question"),
    [
        (80, ["  Count chapters 2-5 as read?   y yes  n no  Esc later"]),
        (40, ["  Count chapters 2-5 as read?", "  y yes  n no  Esc later"]),
    ],
)
@pytest.mark.parametrize("rows", [15, 24])
async def test_a_narrow_line_asks_in_short_and_keeps_question_and_answers(
    english: Library, columns: int, rows: int, question: list[str]
) -> None:
    async with reading(english, size=(columns, rows)) as (app, pilot):
        await type_ahead(app, pilot, "4]")
        lines = lines_of(app)
        at = lines.index(question[0])
        assert lines[at : at + len(question)] == question


async def test_a_look_at_the_next_chapter_asks_nothing_until_she_reads_on(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "]]]")
        assert "Count" not in shown_by(app)
        await type_ahead(app, pilot, " ")
        assert "Count chapters 2-4 as read?" in shown_by(app)


async def test_a_short_jump_does_not_ask(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "}}")
        assert "Count" not in shown_by(app)


async def test_the_frontier_is_set_by_hand_also_backwards(english: Library) -> None:
    work = english.works()[0].id
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "80%")
        await type_ahead(app, pilot, ":frontier here\r")
        await settle(app, pilot)
        far = page_of(app).session.frontier
        await type_ahead(app, pilot, "10%")
        await type_ahead(app, pilot, ":frontier here\r")
        await settle(app, pilot)
        near = page_of(app).session.frontier
        assert "Read up to here." in shown_by(app)
        assert near < far
    assert english.frontier(work) == near


async def test_title_pages_passed_over_do_not_stop_the_frontier(tmp_path: Path) -> None:
    pages = [("Copyright", "<p>All rights reserved. </p>" * 60), ("Dedication", "<p>To the reader.</p>" * 60)]
    book = make_epub(tmp_path / "b.epub", title="Front", chapters=[*pages, *chapters_of("en", chapters=2)])
    library = library_with(book)
    async with reading(library) as (app, pilot):
        chapters = page_of(app).session.index.chapters
        assert [chapter.kind.value for chapter in chapters] == ["front", "front", "body", "body"]
        await type_ahead(app, pilot, "2]")
        assert "Count" not in shown_by(app)
        assert page_of(app).session.frontier > chapters[2].pos
    library.close()


async def test_while_places_are_marked_n_leads_on_and_is_no_answer(english: Library) -> None:
    async with reading(english, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "/nobody\r")
        await type_ahead(app, pilot, "4]")
        assert "y yes  Esc later" in shown_by(app)
        await type_ahead(app, pilot, "n")
        assert "Count" in shown_by(app) or "no more" in shown_by(app)
