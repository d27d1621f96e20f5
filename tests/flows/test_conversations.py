"""Conversations are kept whole: branches, windows, a spoiler asked before the program was closed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.chat import AnswerReady, Card, Lead, SpoilerAsked, SpoilerChoice, TurnFailed, TurnStarted, TurnState
from engine.domain.conversations import ConversationKind, Scene, new_turn_id, path_to, siblings_of
from engine.domain.locator import Locator
from engine.errors.chat import ConversationChangedError, ConversationGoneError, QuestionRefusedError
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from engine.store import turns
from engine.store.jobs import Owner
from tests.conversing import FIRST, LAST, SECOND, Heard, ask, told_library
from tests.knowledge import place_of, upto_words


@pytest.fixture
def told(tmp_path: Path) -> Iterator[tuple[Library, WorkId]]:
    library, work = told_library(tmp_path / "home")
    yield library, work
    library.close()


def test_a_question_is_kept_with_its_first_line_before_anybody_is_asked(told: tuple[Library, WorkId]) -> None:
    library, work = told
    heard = Heard()
    turn = library.start_turn(None, "Who kept the lamp?", Scene(work), listener=heard)
    assert [type(event) for event in heard.events[:2]] == [TurnStarted, Lead]
    assert library.turn(turn).view.question == "Who kept the lamp?"


def test_without_a_model_the_book_is_quoted_and_kept(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, heard = ask(library, work, "Who kept the lamp?", upto=upto_words(library, work, SECOND))
    assert isinstance(heard.events[-1], AnswerReady)
    view = library.turn(turn).view
    assert view.state is TurnState.COMPLETED
    assert SECOND in view.text
    assert [each.number for each in heard.numbered] == list(range(1, len(heard.numbered) + 1))
    assert library._turn_desk._following == [], "nobody listens to a turn that has ended"


def test_the_same_press_twice_asks_once(told: tuple[Library, WorkId]) -> None:
    library, work = told
    name = new_turn_id()
    first = library.start_turn(None, "Who kept the lamp?", Scene(work), turn=name)
    second = library.start_turn(None, "Who kept the lamp?", Scene(work), turn=name)
    assert first == second == name
    assert len(library.conversations(work)) == 1


def test_asking_again_makes_a_branch_and_both_answers_stay(told: tuple[Library, WorkId]) -> None:
    library, work = told
    first, _heard = ask(library, work, "Who kept the lamp?")
    [conversation] = library.conversations(work)
    heard = Heard()
    second = library.start_turn(conversation.id, "And the oil?", Scene(work), listener=heard)
    heard.wait()
    again = Heard()
    third = library.ask_again(second, "And the train?", again)
    again.wait()
    kept = library.conversation_turns(conversation.id)
    assert [turn.parent for turn in kept] == [None, first, first]
    assert [turn.id for turn in path_to(kept)] == [first, third]
    assert [turn.id for turn in path_to(kept, second)] == [first, second]
    assert [turn.id for turn in siblings_of(kept, third)] == [second, third]


def test_a_spoiler_waits_until_another_session_answers_it(tmp_path: Path) -> None:
    library, work = told_library(tmp_path / "home")
    upto = upto_words(library, work, SECOND)
    turn, heard = ask(library, work, "cinder yard", upto=upto)
    assert isinstance(heard.events[-1], SpoilerAsked)
    library.close()
    library = Library(paths_under(tmp_path / "home"))
    [conversation] = library.conversations(work)
    assert conversation.is_waiting
    [kept] = library.conversation_turns(conversation.id)
    assert kept.view.is_waiting
    heard = Heard()
    library.follow_turn(turn, heard)
    assert library.answer_spoiler(turn, SpoilerChoice.FULL)
    assert not library.answer_spoiler(turn, SpoilerChoice.FULL)
    ready = heard.wait_for(AnswerReady)
    assert "cinder yard" in repr(ready)
    library.close()


def test_a_question_whose_process_died_is_failed_and_not_lost(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, _heard = ask(library, work, "Who kept the lamp?")
    gone = subprocess.Popen(["true"])
    gone.wait()
    with library._store.write() as w:
        w.execute("DELETE FROM chat_event WHERE turn_id = ? AND number > 2", (turn,))
        w.execute("UPDATE chat_turn SET state = 'pending', pid = ?, boot = '' WHERE id = ?", (gone.pid, turn))
    [conversation] = library.conversations(work)
    [kept] = library.conversation_turns(conversation.id)
    assert (kept.view.state, kept.view.question) == (TurnState.FAILED, "Who kept the lamp?")


def test_who_dies_before_going_on_leaves_the_turn_waiting(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, _heard = ask(library, work, "cinder yard", upto=upto_words(library, work, SECOND))
    gone = subprocess.Popen(["true"])
    gone.wait()
    with library._store.write() as w:
        assert turns.take(w, turn, Owner(gone.pid, "", ""), from_=None)
    [conversation] = library.conversations(work)
    assert conversation.is_waiting
    assert library.answer_spoiler(turn, SpoilerChoice.READ)


def test_what_another_process_answers_is_left_alone_and_followed(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, _heard = ask(library, work, "Who kept the lamp?")
    other = Owner(os.getppid(), *_life_of(os.getppid()))
    with library._store.write() as w:
        w.execute("DELETE FROM chat_event WHERE turn_id = ? AND number > 2", (turn,))
        w.execute(
            "UPDATE chat_turn SET state = 'streaming', pid = ?, process_start = ?, boot = ? WHERE id = ?",
            (other.pid, other.process_start, other.boot, turn),
        )
    heard = Heard()
    library.follow_turn(turn, heard)
    [conversation] = library.conversations(work)
    assert not library.conversation_turns(conversation.id)[0].view.has_ended
    with library._store.write() as w:
        turns.add_event(w, turn, TurnFailed("No", "It failed."), other)
    heard.wait_for(TurnFailed)


def _life_of(pid: int) -> tuple[str, str]:
    from engine.helper.owner import _boot_id, _process_start

    return _process_start(pid), _boot_id()


def test_a_turn_that_was_stopped_takes_nothing_more(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, heard = ask(library, work, "cinder yard", upto=upto_words(library, work, SECOND))
    library.cancel_turn(turn)
    assert library.turn(turn).view.state is TurnState.STOPPED
    assert not library.answer_spoiler(turn, SpoilerChoice.FULL)
    assert heard.numbered[-1].number == len(heard.numbered)


def test_two_windows_do_not_rename_over_each_other(told: tuple[Library, WorkId]) -> None:
    library, work = told
    ask(library, work, "Who kept the lamp?")
    [seen] = library.conversations(work)
    library.rename_conversation(seen.id, "The lamp", seen.version)
    with pytest.raises(ConversationChangedError):
        library.rename_conversation(seen.id, "The oil", seen.version)
    assert library.conversation(seen.id).title == "The lamp"


def test_two_windows_answer_a_spoiler_once_and_see_the_same(tmp_path: Path) -> None:
    library, work = told_library(tmp_path / "home")
    other = Library(paths_under(tmp_path / "home"))
    turn, _heard = ask(library, work, "cinder yard", upto=upto_words(library, work, SECOND))
    elsewhere = Heard()
    other.follow_turn(turn, elsewhere)
    assert [library.answer_spoiler(turn, SpoilerChoice.READ), other.answer_spoiler(turn, SpoilerChoice.FULL)] == [
        True,
        False,
    ]
    assert isinstance(elsewhere.wait_for(AnswerReady), AnswerReady)
    assert "cinder yard" not in other.turn(turn).view.text
    assert other.turn(turn).view == library.turn(turn).view
    other.close()
    library.close()


def test_two_windows_ask_at_once_and_both_questions_stay(tmp_path: Path) -> None:
    library, work = told_library(tmp_path / "home")
    other = Library(paths_under(tmp_path / "home"))
    first, _heard = ask(library, work, "Who kept the lamp?", upto=WHOLE)
    [conversation] = library.conversations(work)
    mine, theirs = Heard(), Heard()
    second = library.start_turn(conversation.id, "And the oil?", Scene(work), parent=first, listener=mine)
    mine.wait()
    third = other.start_turn(conversation.id, "And the train?", Scene(work), parent=first, listener=theirs)
    theirs.wait()
    kept = library.conversation_turns(conversation.id)
    assert [(turn.id, turn.parent) for turn in kept] == [(first, None), (second, first), (third, first)]
    other.close()
    library.close()


def test_conversations_are_found_by_what_was_said(told: tuple[Library, WorkId]) -> None:
    library, work = told
    ask(library, work, "Who kept the lamp?", upto=WHOLE)
    assert library.conversations(work, "SPOONFULS")
    assert library.conversations(work, "kept the")
    assert not library.conversations(work, "100%")


def test_a_selection_is_explained_by_what_the_wiki_and_the_text_have(told: tuple[Library, WorkId]) -> None:
    library, work = told
    library.set_frontier(work, place_of(library, work, LAST)[0], len(LAST))
    document, start = place_of(library, work, "Ilse Marrow")
    heard, again = Heard(), Heard()
    selection = Locator(document, start, start + len("Ilse Marrow"))
    turn = library.explain(selection, Scene(work), listener=heard)
    heard.wait()
    assert [event.title for event in heard.events if isinstance(event, Card)] == ["Ilse Marrow"]
    assert library.explain(selection, Scene(work), listener=again) == turn
    assert again.events == heard.events
    assert not library.conversations(work)
    assert library.conversations(work, kinds=[ConversationKind.EXPLAIN])


def test_the_story_so_far_ends_where_she_has_read(told: tuple[Library, WorkId]) -> None:
    library, work = told
    with pytest.raises(QuestionRefusedError):
        library.recap(Scene(work))
    document, _start = place_of(library, work, LAST)
    library.set_frontier(work, document, 0)
    heard = Heard()
    library.recap(Scene(work), listener=heard)
    ready = heard.wait()
    assert isinstance(ready, AnswerReady)
    assert (FIRST in ready.text, SECOND in ready.text, "Hask" in ready.text) == (True, True, False)


def test_a_deleted_conversation_is_gone(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, _heard = ask(library, work, "Who kept the lamp?")
    [conversation] = library.conversations(work)
    library.delete_conversation(conversation.id)
    with pytest.raises(ConversationGoneError):
        library.turn(turn)


def test_a_question_without_words_is_refused(told: tuple[Library, WorkId]) -> None:
    library, work = told
    with pytest.raises(QuestionRefusedError):
        library.start_turn(None, " \n ", Scene(work))


def test_a_conversation_is_exported_with_links_that_outlive_the_library(told: tuple[Library, WorkId]) -> None:
    library, work = told
    ask(library, work, "Who kept the lamp?", upto=WHOLE)
    [conversation] = library.conversations(work)
    text = library.export_conversation(conversation.id)
    assert text.startswith("# Who kept the lamp?")
    assert "(understory://aaaaaaaaaaaaaaaa/1/0-" in text


def test_an_exported_answer_makes_nobody_fetch_anything(told: tuple[Library, WorkId]) -> None:
    library, work = told
    turn, _heard = ask(library, work, "Who kept the lamp?", upto=WHOLE)
    said = 'Here ![x](http://192.0.2.7/x.png) <img src="http://192.0.2.7/y.png"> end.'
    with library._store.write() as w:
        w.execute(
            "UPDATE chat_event SET record = json_set(record, '$.text', ?)"
            " WHERE turn_id = ? AND json_extract(record, '$.event') = 'answer_ready'",
            (said, turn),
        )
    [conversation] = library.conversations(work)
    text = library.export_conversation(conversation.id)
    assert "![x]" not in text
    assert "<img" not in text
    assert "192.0.2.7" in text
