"""The chat on a real terminal, with a model on a real line: what it sends, and what a killed program leaves."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.domain.chat import TurnState
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.paths import paths_under
from tests.pace import AT_ONCE_S, PATIENCE_S
from tests.reader import import_book, make_numbered, open_reader
from tests.serving import ServedModels
from tests.terminal import Terminal

_ENDED = (TurnState.FAILED, TurnState.COMPLETED, TurnState.STOPPED)
_ANSWER = "[say The tide goes out twice a day. Nobody on the ferry minds. It waits for the water.]"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a numbered book in it."""
    folder = tmp_path_factory.mktemp("chat")
    import_book(folder / "home", make_numbered(folder / "numbers.epub"))
    return folder / "home"


@pytest.fixture
def named(shelf: Path, tmp_path: Path, model_server: ServedModels) -> Callable[[str], Path]:
    """Let a model of the test server answer."""

    def made(model: str) -> Path:
        library = Library(paths_under(shelf))
        library.add_model(ModelAddress("local", model_server.url, model))
        library.use_model(ModelRole.COMPANION, "local")
        library.close()
        return shelf

    return made


@pytest.fixture
def on_terminal(named: Callable[[str], Path]) -> Iterator[Callable[[str], Terminal]]:
    """Open the reader on the book, its chat open, with a model that answers."""
    opened: list[Terminal] = []

    def start(model: str) -> Terminal:
        terminal = open_reader(named(model), "1", columns=120, rows=36)
        opened.append(terminal)
        terminal.wait_ready()
        terminal.press("a")
        terminal.press("\x0e")  # ctrl+n: a new conversation
        return terminal

    yield start
    for each in opened:
        each.close()


def test_an_answer_comes_onto_the_screen_and_the_page_stays(on_terminal: Callable[[str], Terminal]) -> None:
    terminal = on_terminal("echo")
    assert "(1.1)" in terminal.text()
    terminal.press(_ANSWER + "\r")
    terminal.wait_for("It waits for the water")
    assert "(1.1)" in terminal.text()
    assert "local" in terminal.text()


def test_nothing_is_written_while_a_line_hangs_and_escape_ends_it_at_once(
    on_terminal: Callable[[str], Terminal], model_server: ServedModels
) -> None:
    terminal = on_terminal("fault-hang")
    terminal.press("Who is there?\r")
    deadline = time.monotonic() + PATIENCE_S
    while model_server.count == 0 and time.monotonic() < deadline:
        terminal.settle(0.1)
    terminal.settle(0.5)
    before = len(terminal.received)
    terminal.settle(1.0)
    assert len(terminal.received) == before
    begun = time.monotonic()
    terminal.send("\x1b")
    terminal.wait_for("Stopped")
    assert time.monotonic() - begun < AT_ONCE_S


def test_words_composed_by_an_input_method_and_pasted_lines_are_taken(
    on_terminal: Callable[[str], Terminal],
) -> None:
    terminal = on_terminal("echo")
    terminal.press("灯塔の鍵は誰が")
    terminal.press(b"\x1b[200~first line\nsecond line\x1b[201~")
    shown = terminal.text()
    assert "灯塔の鍵は誰がfirst line" in shown.replace("  ", " ")
    assert "second line" in shown


def _state_after_a_kill(on_terminal: Callable[[str], Terminal], shelf: Path, seed: int) -> TurnState:
    """Kill the program while a question is being answered; return what the library has of it."""
    question = f"Question {seed}?"
    terminal = on_terminal("fault-hang" if seed % 2 else "echo")
    terminal.send(question + "\r")
    terminal.wait_for("Looking")
    time.sleep(random.Random(seed).uniform(0.15, 0.8))
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.close()
    return _ended_question(shelf, question)


def _ended_question(home: Path, question: str) -> TurnState:
    """Return what has become of a question; one that another process still waits for is given up."""
    library = Library(paths_under(home))
    try:
        turns = [turn for each in library.conversations() for turn in library.conversation_turns(each.id)]
        (found,) = [turn for turn in turns if turn.view.question == question]
        if not found.view.has_ended:
            library.cancel_turn(found.id)
        return library.turn(found.id).view.state
    finally:
        library.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_program_loses_no_question(on_terminal: Callable[[str], Terminal], shelf: Path, seed: int) -> None:
    assert _state_after_a_kill(on_terminal, shelf, seed) in _ENDED


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(4, 104))
def test_a_hundred_killed_programs_lose_no_question(
    on_terminal: Callable[[str], Terminal], shelf: Path, seed: int
) -> None:
    assert _state_after_a_kill(on_terminal, shelf, seed) in _ENDED
