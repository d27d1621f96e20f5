"""The chat beside the text in the real program, without a model: asked, quoted, previewed, jumped to, kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.domain.book import WorkId
from engine.domain.chat import TurnId, TurnState
from engine.library import Library
from tests.builders import make_epub
from tests.chatting import answered, asked, beside, chat_of, recapped
from tests.pace import allowance
from tests.piloted import chapters_of, library_with, lines_of, page_of, reading, settle, shown_by, type_ahead
from tests.told import Told
from tui.app.program import UnderstoryApp
from tui.render.layers import Layer
from tui.widgets.chat_view import ChatView
from tui.widgets.chat_wishes import Ask, Stop


async def test_a_question_is_answered_from_the_book(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await asked(app, pilot, told.person)
        assert beside(app).count(told.person) >= 2
        assert told.secret[-8:] not in shown_by(app)


async def test_the_question_and_a_first_line_stand_there_before_anything_has_come(
    told_english: tuple[Library, WorkId],
) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        begun = time.thread_time()
        chat_of(app).write("Who?")
        chat_of(app).take_key("enter", None)
        page_of(app).on_chat_view_wanted(ChatView.Wanted(chat_of(app), Ask(TurnId("t"), "Who?")))
        spent = time.thread_time() - begun
        assert [turn.view.lead for turn in chat_of(app).transcript.turns] == ["Looking."]
        assert spent <= 0.05 * allowance()


async def test_what_is_selected_goes_with_the_question_and_can_be_taken_away(
    told_english: tuple[Library, WorkId],
) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "va")
        assert "[on “Moth”" in beside(app)
        await type_ahead(app, pilot, "\b")
        assert "[on" not in beside(app)
        page_of(app).give_keys(page_of(app).text)
        await type_ahead(app, pilot, "va")
        await type_ahead(app, pilot, "who is this?\r")
        await answered(app, pilot)
        assert "on “Moth”" in beside(app)
        turns = told_english[0].conversation_turns(told_english[0].conversations(told_english[1])[0].id)
        assert turns[0].scene.selection is not None


async def test_an_entry_that_is_looked_at_goes_with_the_question(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "w1")
        await type_ahead(app, pilot, "a")
        assert "[Ilse Marrow ×]" in beside(app)


async def test_a_passage_is_previewed_by_its_number_and_closed_by_the_same_key(
    told_english: tuple[Library, WorkId],
) -> None:
    async with reading(told_english[0], size=(120, 40)) as (app, pilot):
        await recapped(app, pilot)
        before = beside(app)
        await type_ahead(app, pilot, "1")
        await settle(app, pilot)
        assert beside(app) != before
        await type_ahead(app, pilot, "1")
        assert beside(app) == before


async def test_a_jump_leads_to_the_passage_marked_and_back(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        here = page_of(app).here
        await recapped(app, pilot)
        await type_ahead(app, pilot, "n" * 2 + "o")
        await settle(app, pilot)
        assert page_of(app).here != here
        assert page_of(app).text.has_layer(Layer.LANDING)
        await pilot.press("ctrl+o")
        await settle(app, pilot)
        assert page_of(app).here == here


async def test_the_page_stays_where_it_is_while_it_is_asked(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        here = page_of(app).here
        await asked(app, pilot, told.person)
        assert page_of(app).here == here


async def test_a_question_of_two_lines_and_the_one_before_it(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await pilot.press(*"one", "ctrl+j", *"two")
        await settle(app, pilot)
        assert chat_of(app).line.text == "one\ntwo"
        await pilot.press("enter")
        await answered(app, pilot)
        await type_ahead(app, pilot, "a")
        await pilot.press("up")
        await settle(app, pilot)
        assert chat_of(app).line.text == "one\ntwo"
        await pilot.press("down", "down")
        assert chat_of(app).line.text == ""


async def test_the_chat_over_the_whole_screen_is_the_same_conversation(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(80, 24)) as (app, pilot):
        await asked(app, pilot, "Corrow")
        await type_ahead(app, pilot, "A")
        await settle(app, pilot)
        assert "You        Corrow" in shown_by(app)
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, "Oren Vale\r")
        for _time in range(100):
            await settle(app, pilot)
            await pilot.pause(0.02)
        assert "You        Oren Vale" in shown_by(app)
        await type_ahead(app, pilot, "\x1b")
        await settle(app, pilot)
        assert "Oren Vale" in beside(app)


async def test_any_size_is_survived(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await asked(app, pilot, told.person)
        for width, height in ((40, 15), (1, 1), (20, 5), (300, 100), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settle(app, pilot)
            assert {len(line) <= width for line in lines_of(app)} == {True}


@pytest.fixture
def far(home: Path, tmp_path: Path) -> Iterator[Library]:
    """A book whose last chapter alone tells of a heron."""
    chapters = chapters_of("en", chapters=3, paragraphs=6)
    title, body = chapters[2]
    chapters[2] = title, body + "<p>A grey heron stood on the lamp and would not be moved.</p>"
    library = library_with(make_epub(tmp_path / "far.epub", title="Far", chapters=chapters, language="en"))
    yield library
    library.close()


async def _gate(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    for _time in range(200):
        await settle(app, pilot)
        if chat_of(app).waiting is not None:
            break
        await pilot.pause(0.02)


async def test_what_lies_ahead_is_asked_about_in_the_chat_and_answered_by_a_number(far: Library) -> None:
    async with reading(far, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, "the grey heron\r")
        await _gate(app, pilot)
        assert "1  answer in full" in beside(app)
        assert "would not be moved" not in shown_by(app)
        await type_ahead(app, pilot, "1")
        await answered(app, pilot)
        assert "answer in full" not in beside(app)
        assert "would not be moved" in " ".join(beside(app).split())


async def test_what_is_asked_about_spoilers_outlives_the_program(far: Library) -> None:
    async with reading(far, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, "the grey heron\r")
        await _gate(app, pilot)
    async with reading(far, size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await _gate(app, pilot)
        assert "2  answer as far as I have read" in beside(app)
        await type_ahead(app, pilot, "2")
        await answered(app, pilot)
        assert chat_of(app).transcript.turns[-1].view.state is TurnState.COMPLETED
        assert "would not be moved" not in shown_by(app)


async def test_an_entry_over_the_whole_screen_is_asked_about(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "W1")
        await settle(app, pilot)
        await type_ahead(app, pilot, "a")
        await settle(app, pilot)
        assert "[Ilse Marrow ×]" in beside(app)


async def test_nothing_of_a_question_or_an_answer_is_read_as_markup(told_english: tuple[Library, WorkId]) -> None:
    words = "[/b] [red]x[/] [@click=app.quit()]y[/]"
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        chat_of(app).write(words)
        await pilot.press("enter")
        await answered(app, pilot)
        assert words in beside(app)
        await type_ahead(app, pilot, "C")
        await settle(app, pilot)
        assert words in shown_by(app)


@pytest.mark.parametrize("size", [(100, 30), (40, 9)])
async def test_a_question_that_is_not_taken_stands_in_the_line_with_the_reason(
    told_english: tuple[Library, WorkId], size: tuple[int, int]
) -> None:
    async with reading(told_english[0], size=size) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, "Who?")
        chat_of(app).give_back(TurnId("none"), "Who?")
        chat_of(app).say("Not now.")
        await settle(app, pilot)
        assert "Not now." in beside(app)
        assert "Who?" in beside(app)
        await type_ahead(app, pilot, "x")
        assert "Not now." not in beside(app)


@pytest.mark.parametrize("typed", ["", "Who?"])
async def test_a_long_reason_is_read_whole_in_a_narrow_window(told_english: tuple[Library, WorkId], typed: str) -> None:
    reason = "library.db: the disk is full. Check the folder's rights and free space."
    async with reading(told_english[0], size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        await type_ahead(app, pilot, typed)
        for is_writing in (True, False):
            chat_of(app).is_writing = is_writing
            chat_of(app).say(reason)
            await settle(app, pilot)
            assert reason in " ".join(beside(app).split())


async def test_what_is_asked_while_the_book_is_imported_is_answered_when_it_is_there(
    home: Path, tmp_path: Path
) -> None:
    book = make_epub(tmp_path / "en.epub", title="book en", chapters=chapters_of("en", chapters=30), language="en")
    library = library_with()
    async with reading(library, str(book), size=(120, 36)) as (app, pilot):
        page_of(app).open_chat()
        page_of(app).on_chat_view_wanted(ChatView.Wanted(chat_of(app), Ask(TurnId("t"), "Who boarded the 6.40?")))
        assert page_of(app).session.index.outline.is_preview
        assert [turn.view.lead for turn in chat_of(app).transcript.turns] == [
            "Waiting until the book is in the library."
        ]
        for _each in range(600):
            if not page_of(app).session.index.outline.is_preview and chat_of(app).running is None:
                break
            await pilot.pause(0.1)
        await settle(app, pilot)
        work = library.works()[0].id
        [conversation] = library.conversations(work)
        [turn] = library.conversation_turns(conversation.id)
        assert (turn.view.question, turn.view.state) == ("Who boarded the 6.40?", TurnState.COMPLETED)
        assert turn.scene.place is not None
        assert turn.scene.place.document > 0
    library.close()


async def test_a_question_that_waits_for_the_import_goes_back_into_the_line(home: Path, tmp_path: Path) -> None:
    book = make_epub(tmp_path / "en.epub", title="book en", chapters=chapters_of("en", chapters=200), language="en")
    library = library_with()
    async with reading(library, str(book), size=(120, 36)) as (app, pilot):
        page_of(app).open_chat()
        page_of(app).on_chat_view_wanted(ChatView.Wanted(chat_of(app), Ask(TurnId("t"), "Who boarded the 6.40?")))
        page_of(app).on_chat_view_wanted(ChatView.Wanted(chat_of(app), Stop(TurnId("t"))))
        assert chat_of(app).line.text == "Who boarded the 6.40?"
        assert not chat_of(app).transcript.turns
        await settle(app, pilot)
    library.close()
