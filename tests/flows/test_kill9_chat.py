"""Conversations whose process, or whose models' process, is killed at any moment: no question is lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.chat import TurnId, TurnState
from engine.domain.conversations import Turn
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.store import conversations
from tests.commands import CHECKOUT
from tests.conversing import SECOND, told_in
from tests.knowledge import place_of
from tests.pace import PATIENCE_S
from tests.serving import start_model_server
from tests.shelving import paths_in


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = start_model_server()
    yield server.url
    server.shutdown()


def _home(folder: Path, url: str) -> WorkId:
    library, work = told_in(paths_in(folder))
    document, start = place_of(library, work, SECOND)
    library.set_frontier(work, document, start + len(SECOND))
    library.add_model(ModelAddress("tester", url=url, model="echo"))
    library.use_model(ModelRole.COMPANION, "tester")
    library.close()
    return work


def _run(folder: Path, work: WorkId, kill_after_ms: int, who: str) -> int:
    command = [sys.executable, "-m", "tests.chat_victim", str(folder), str(work), str(kill_after_ms), who]
    return subprocess.run(command, cwd=CHECKOUT, timeout=120, check=False).returncode


def _check(folder: Path, work: WorkId) -> list[Turn]:
    """Return every turn there is, having looked that none that was taken is missing and none is left under way."""
    library = Library(paths_in(folder))
    asked = [TurnId(line) for line in (folder / "asked").read_text().split()] if (folder / "asked").exists() else []
    kept = _settled(library, work)
    assert set(asked) <= {turn.id for turn in kept}
    assert len(asked) == len(set(asked))
    assert all(turn.view.question for turn in kept)
    assert all(turn.view.has_ended or turn.view.is_waiting for turn in kept)
    with library._store.read() as r:
        numbers = [[each.number for each in conversations.events_of(r, turn.id)] for turn in kept]
    assert numbers == [list(range(1, len(each) + 1)) for each in numbers]
    library.close()
    return kept


def _settled(library: Library, work: WorkId) -> list[Turn]:
    """Return every turn once the processes of models have noticed that nobody listens any more."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        kept = [turn for each in library.conversations(work) for turn in library.conversation_turns(each.id)]
        if all(turn.view.has_ended or turn.view.is_waiting for turn in kept) or time.monotonic() > deadline:
            return kept
        time.sleep(0.05)


def _killed(folder: Path, url: str, kills: int, seed: int) -> list[Turn]:
    rng = random.Random(seed)
    folder.mkdir(exist_ok=True)
    work = _home(folder, url)
    for _n in range(kills):
        # A process of models is there after some two seconds; half of the deaths come before its first answer.
        assert _run(folder, work, rng.randint(50, 6_000), "self") == -signal.SIGKILL
        _check(folder, work)
    assert _run(folder, work, 0, "self") == 0
    return _check(folder, work)


def test_no_question_is_lost_by_five_deaths_and_the_next_is_answered(tmp_path: Path, url: str) -> None:
    kept = _killed(tmp_path / "home", url, 5, seed=1)
    last = max(kept, key=lambda turn: (turn.asked_at, turn.conversation))
    assert last.view.state is TurnState.COMPLETED
    assert not any(turn.view.is_waiting for turn in kept)


def test_when_the_models_die_the_turn_fails_in_words_and_the_next_is_answered(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    work = _home(folder, url)
    assert _run(folder, work, 2_500, "models") == 0
    assert _run(folder, work, 0, "self") == 0
    kept = _check(folder, work)
    assert all(turn.view.failure for turn in kept if turn.view.state is TurnState.FAILED)
    assert kept[0].view.state is TurnState.COMPLETED, "the newest conversation comes first"


@pytest.mark.gate
def test_no_question_is_lost_by_a_hundred_deaths(tmp_path: Path, url: str) -> None:
    kept = _killed(tmp_path / "home", url, 100, seed=2)
    assert len(kept) > 30
