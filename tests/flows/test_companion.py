"""The companion over the real pipe: its own process, the real `llm`, the test server; killed, stopped, out of order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.config import read_settings
from engine.domain.book import WorkId
from engine.domain.chat import (
    AnswerReady,
    Card,
    SpoilerAsked,
    SpoilerChoice,
    TextAdded,
    ToolEnded,
    TurnFailed,
    TurnId,
    TurnState,
    TurnStopped,
)
from engine.domain.conversations import Scene
from engine.domain.locator import Locator
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from engine.store import turns
from tests.conversing import SECOND, Heard, ask, told_library
from tests.knowledge import place_of, upto_words
from tests.pace import PATIENCE_S, allowance
from tests.serving import start_model_server


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:  # Any: a script's own class
    server = start_model_server()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def url(server: Any) -> str:
    return str(server.url)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, WorkId]]:
    """One library, and so one process of models, for all: it reads the configuration at each question."""
    library, work = told_library(tmp_path_factory.mktemp("told") / "home")
    yield library, work
    library.close()


def _use(library: Library, url: str, model: str, **more: object) -> None:
    library.add_model(ModelAddress("tester", url=url, model=model, **more))  # type: ignore[arg-type]  # as it takes them
    library.use_model(ModelRole.COMPANION, "tester")


def test_a_model_answers_from_its_own_process_and_this_one_stays_light(told: tuple[Library, WorkId], url: str) -> None:
    library, work = told
    _use(library, url, "echo")
    turn, heard = ask(library, work, '[tool:search_original_text {"query": "lamp oil"}] Who?', upto=WHOLE)
    assert isinstance(heard.events[-1], AnswerReady)
    assert [event.tool for event in heard.events if isinstance(event, ToolEnded)] == ["search_original_text"]
    assert [each.number for each in heard.numbered] == list(range(1, len(heard.numbered) + 1))
    assert library.turn(turn).view.state is TurnState.COMPLETED
    assert {layer.name for layer in library.turn_sent(turn) if layer.tokens} >= {"must", "tools", "looked up"}


def test_what_the_model_asks_waits_over_a_restart_and_goes_on(tmp_path: Path, url: str) -> None:
    library, work = told_library(tmp_path / "home")
    _use(library, url, "echo")
    turn, heard = ask(library, work, "cinder yard [say It was in the yard.]", upto=upto_words(library, work, SECOND))
    assert isinstance(heard.events[-1], SpoilerAsked)
    library.close()
    library = Library(paths_under(tmp_path / "home"))
    heard = Heard()
    library.follow_turn(turn, heard)
    assert library.answer_spoiler(turn, SpoilerChoice.FULL)
    ready = heard.wait_for(AnswerReady)
    assert isinstance(ready, AnswerReady)
    assert ready.text == "It was in the yard."
    library.close()


def test_a_stop_ends_the_turn_at_once_and_keeps_what_came(told: tuple[Library, WorkId], url: str) -> None:
    library, work = told
    _use(library, url, "fault-hang")
    heard = Heard()
    turn = library.start_turn(None, "Who?", Scene(work), upto=WHOLE, listener=heard)
    _wait(lambda: library._turn_desk._talks.get(turn) is not None and _is_streaming(library, turn))
    begun = time.thread_time()
    library.cancel_turn(turn)
    assert isinstance(heard.events[-1], TurnStopped), "it has ended when the call returns"
    assert time.thread_time() - begun < 0.05 * allowance()
    _wait(lambda: turn not in library._turn_desk._cancels)
    assert library.turn(turn).view.state is TurnState.STOPPED
    assert len(heard.numbered) == heard.numbered[-1].number, "nothing comes after it"


def _is_streaming(library: Library, turn: TurnId) -> bool:
    with library._store.read() as r:
        row = turns.row_of(r, turn)
    return row is not None and row.state == "streaming"


def _wait(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


_STREAM_FAULTS = ("cut", "rst", "errmid", "badjson")
_FAULTS = ["429", "500", "401", "context", "html", "length", *_STREAM_FAULTS]


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_stream_that_goes_wrong_is_never_shown_as_finished(
    told: tuple[Library, WorkId], url: str, fault: str
) -> None:
    library, work = told
    _use(library, url, f"fault-{fault}")
    turn, heard = ask(library, work, "Who?", upto=WHOLE)
    assert isinstance(heard.events[-1], TurnFailed)
    view = library.turn(turn).view
    assert (view.state, bool(view.failure)) == (TurnState.FAILED, True)
    assert view.text == "".join(event.text for event in heard.events if isinstance(event, TextAdded))


@pytest.mark.parametrize("fault", [each for each in _FAULTS if each not in _STREAM_FAULTS])
def test_an_answer_in_one_piece_that_goes_wrong_is_not_shown_as_finished_either(
    told: tuple[Library, WorkId], url: str, fault: str
) -> None:
    library, work = told
    _use(library, url, f"fault-{fault}", streaming=False)
    _turn, heard = ask(library, work, "Who?", upto=WHOLE)
    assert isinstance(heard.events[-1], TurnFailed)


@pytest.mark.parametrize("fault", _STREAM_FAULTS)
def test_what_has_begun_is_not_sent_twice(told: tuple[Library, WorkId], server: Any, url: str, fault: str) -> None:
    library, work = told
    _use(library, url, f"fault-{fault}")
    before = server.count
    ask(library, work, "Who?", upto=WHOLE)
    assert server.count == before + 1


def test_a_refusal_at_first_is_waited_out_in_sight(told: tuple[Library, WorkId], url: str) -> None:
    library, work = told
    _use(library, url, "fault-once-429")
    _turn, heard = ask(library, work, "Who?", upto=WHOLE)
    assert isinstance(heard.events[-1], AnswerReady)


@pytest.mark.parametrize("fault", ["badargs", "emptyargs"])
def test_a_call_that_cannot_be_read_is_answered_and_the_turn_goes_on_or_fails_in_words(
    told: tuple[Library, WorkId], url: str, fault: str
) -> None:
    library, work = told
    _use(library, url, f"fault-{fault}")
    turn, _heard = ask(library, work, "Who?", upto=WHOLE)
    assert library.turn(turn).view.has_ended


@pytest.mark.parametrize("model", ["echo", "fault-500"])
def test_no_log_holds_a_question_a_key_or_a_line_of_the_book(
    tmp_path: Path, url: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMP_KEY", "sk-MARKEDKEY")
    library, work = told_library(tmp_path / "home")
    _use(library, url, model, key_name="LAMP_KEY")
    turn, heard = ask(library, work, '[tool:search_original_text {"query": "oil"}] MARKEDQUESTION', upto=WHOLE)
    assert isinstance(heard.events[-1], AnswerReady if model == "echo" else TurnFailed)
    logs = [path.read_text("utf-8", "replace") for path in library.paths.state_dir.rglob("*") if path.is_file()]
    assert [each for each in ("MARKEDQUESTION", "MARKEDKEY", "oil in spoonfuls") if each in "".join(logs)] == []
    with library._store.read() as r:
        kept = repr(r.execute("SELECT request, held, sent, model FROM chat_turn WHERE id = ?", (turn,)).fetchall())
    assert "MARKEDKEY" not in kept + repr(heard.events)
    library.close()


def test_the_limit_of_a_day_holds_for_questions_explanations_and_recaps(told: tuple[Library, WorkId], url: str) -> None:
    library, work = told
    _use(library, url, "echo")
    ask(library, work, "Who? [say Nobody I know.]", upto=WHOLE)
    library.set_model_number("day_tokens", 1)
    document, start = place_of(library, work, SECOND)
    library.set_frontier(work, document, start + len(SECOND))
    heard = [Heard(), Heard(), Heard()]
    library.start_turn(None, "Who? [say Nobody I know.]", Scene(work), upto=WHOLE, listener=heard[0])
    library.explain(Locator(document, start, start + 20), Scene(work), listener=heard[1])
    library.recap(Scene(work), listener=heard[2])
    ended = [each.wait_for(TurnFailed, AnswerReady) for each in heard]
    library.set_model_number("day_tokens", 0)
    assert [type(event) for event in ended] == [TurnFailed] * 3


def test_a_setting_changes_only_when_she_agrees_and_goes_back(told: tuple[Library, WorkId], url: str) -> None:
    library, work = told
    _use(library, url, "echo")
    order = '[tool:update_reading_settings {"name": "column_width", "value": "60"}]'
    turn, heard = ask(library, work, order, upto=WHOLE)
    [card] = [event for event in heard.events if isinstance(event, Card)]
    assert (_width(library), library.act_state(turn, card.target)) == (68, "offered")
    assert library.agree(turn, card.target)
    assert not library.agree(turn, card.target)
    assert (_width(library), library.act_state(turn, card.target)) == (60, "done")
    assert library.undo(turn, card.target)
    assert not library.undo(turn, card.target)
    assert (_width(library), library.act_state(turn, card.target)) == (68, "undone")


def _width(library: Library) -> int:
    return read_settings(library.paths.config_file)[0].column_width
