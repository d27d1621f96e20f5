"""Conversations in the real program: listed, named, branched, opened where they were asked, written down, retold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.conversations import AttachmentKind
from engine.domain.locator import deep_link_from_text
from engine.library import Library
from tests.builders import make_epub
from tests.chatting import answered, asked, beside, chat_of, recapped
from tests.piloted import chapters_of, library_with, page_of, reading, settle, shown_by, type_ahead
from tests.told import Told
from tui.screens.chat import ChatScreen


@pytest.fixture
def far(home: Path, tmp_path: Path) -> Iterator[Library]:
    """A book whose last chapter alone tells of a heron."""
    chapters = chapters_of("en", chapters=3, paragraphs=6)
    title, body = chapters[2]
    chapters[2] = title, body + "<p>A grey heron stood on the lamp and would not be moved.</p>"
    library = library_with(make_epub(tmp_path / "far.epub", title="Far", chapters=chapters, language="en"))
    yield library
    library.close()


async def test_asking_again_and_otherwise_keeps_both_answers(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await asked(app, pilot, "Corrow")
        await type_ahead(app, pilot, "e")
        assert chat_of(app).line.text == "Corrow"
        await pilot.press(*" lamps", "enter")
        await answered(app, pilot)
        assert "answer 2 of 2" in beside(app)
        assert "Corrow lamps" in beside(app)
        await type_ahead(app, pilot, "(")
        assert "answer 1 of 2" in beside(app)
        assert "Corrow lamps" not in beside(app)


async def test_conversations_are_listed_named_found_and_deleted(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await asked(app, pilot, "Corrow")
        await pilot.press("ctrl+n")
        await pilot.press(*"Oren Vale", "enter")
        await answered(app, pilot)
        await type_ahead(app, pilot, "C")
        await settle(app, pilot)
        assert "Oren Vale" in shown_by(app)
        await type_ahead(app, pilot, "j")
        await type_ahead(app, pilot, "R")
        await pilot.press("ctrl+u", *"Where is Corrow", "enter")
        await settle(app, pilot)
        assert "Where is Corrow" in shown_by(app)
        await type_ahead(app, pilot, "/where is\r")
        await settle(app, pilot)
        assert "Where is Corrow" in shown_by(app)
        assert "Oren Vale" not in shown_by(app)
        await type_ahead(app, pilot, "\x1b")
        await type_ahead(app, pilot, "dy")
        await settle(app, pilot)
        assert len(told_english[0].conversations(told_english[1])) == 1


async def test_a_conversation_is_opened_at_its_scene(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await asked(app, pilot, "Corrow")
        here = page_of(app).here
        page_of(app).give_keys(page_of(app).text)
        await type_ahead(app, pilot, "  ")
        assert page_of(app).here != here
        await pilot.press("tab")
        await type_ahead(app, pilot, "C")
        await settle(app, pilot)
        await type_ahead(app, pilot, "\r")
        await settle(app, pilot)
        assert page_of(app).here == here
        assert "Corrow" in beside(app)


async def test_the_conversation_of_today_is_there_at_the_next_start(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await asked(app, pilot, "Corrow")
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await settle(app, pilot)
        assert "Corrow" in beside(app)


async def test_what_was_sent_can_be_looked_at(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await asked(app, pilot, "Corrow")
        await type_ahead(app, pilot, "c")
        await settle(app, pilot)
        assert "Nothing was sent" in shown_by(app)


def _only_text(folder: Path) -> str:
    (file,) = folder.glob("*.md")
    return file.read_text("utf-8")


async def test_a_conversation_is_written_as_markdown(
    told_english: tuple[Library, WorkId], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await recapped(app, pilot)
        await type_ahead(app, pilot, "E")
        await settle(app, pilot)
        text = _only_text(tmp_path)
        links = [deep_link_from_text(link) for link in re.findall(r"understory://[^)>\s]+", text)]
        places = [told_english[0].place_of_link(link) for link in links if link is not None]
        cited = chat_of(app).transcript.turns[-1].view.citations
        assert places == [(told_english[1], citation.locator) for citation in cited]
        assert "Exported to" in beside(app)


async def test_a_story_left_long_ago_is_offered_to_be_told(
    told_english: tuple[Library, WorkId], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Library, "is_recap_due", lambda *_library_and_work: True)
    async with reading(told_english[0]) as (app, pilot):
        for _time in range(50):
            await settle(app, pilot)
            await pilot.pause(0.02)
        assert "gR tells the story so far" in shown_by(app)
        await type_ahead(app, pilot, " ")
        assert "gR tells" not in shown_by(app)


async def test_the_story_so_far_is_told_with_its_passages(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await recapped(app, pilot)
        assert "¹" in beside(app)
        assert told.secret[-8:] not in shown_by(app)


async def test_the_story_is_told_since_a_chapter_by_command(far: Library) -> None:
    async with reading(far, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, " ")
        await type_ahead(app, pilot, ":recap since 1\r")
        await settle(app, pilot)
        await answered(app, pilot)
        assert "What happened since then" in beside(app)


async def test_a_note_goes_beside_the_question_from_the_list(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "vwh")
        await settle(app, pilot)
        await type_ahead(app, pilot, "\x1bgN")
        await settle(app, pilot)
        await type_ahead(app, pilot, "a")
        await settle(app, pilot)
        assert "[on “Moth" in beside(app)
        await type_ahead(app, pilot, "why?\r")
        await answered(app, pilot)
        (turn,) = told_english[0].conversation_turns(told_english[0].conversations(told_english[1])[0].id)
        assert [each.kind for each in turn.scene.attachments] == [AttachmentKind.NOTE]


async def test_an_answer_is_copied(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await recapped(app, pilot)
        await type_ahead(app, pilot, "Y")
        await settle(app, pilot)
        assert "Copied" in beside(app)


async def test_where_there_is_room_the_conversations_stand_beside_the_chat(
    told_english: tuple[Library, WorkId],
) -> None:
    async with reading(told_english[0], size=(160, 40)) as (app, pilot):
        await asked(app, pilot, "Who is Ilse Marrow?")
        await type_ahead(app, pilot, "\x1b\x1bA")
        await settle(app, pilot)
        assert "1 question" in shown_by(app)
        await type_ahead(app, pilot, "Cn")
        await settle(app, pilot)
        assert isinstance(app.screen, ChatScreen)
        assert not app.screen.view.transcript.turns
        app.screen.view.read()
        await type_ahead(app, pilot, "C\r")
        await settle(app, pilot)
        assert isinstance(app.screen, ChatScreen)
        assert [turn.view.question for turn in app.screen.view.transcript.turns] == ["Who is Ilse Marrow?"]
        await pilot.resize_terminal(100, 40)
        await settle(app, pilot)
        assert "1 question" not in shown_by(app)
