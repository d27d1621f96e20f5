"""What the companion offers is done once, whichever of two windows agrees."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.config import Value, read_settings, write_settings
from engine.domain.chat import TurnId
from engine.errors.models import ModelMissingError
from engine.library import Library, acting
from engine.paths import paths_under
from engine.store import turns
from tests.conversing import ask, told_library

_CALL = "c1"
_PATIENCE_S = 0.5
"""How long the first window is held in what it does; the second has come as far by then, or never does."""


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[tuple[Library, Library, TurnId]]:
    """Two windows over one library, and a turn in it."""
    one, work = told_library(tmp_path / "home")
    two = Library(paths_under(tmp_path / "home"))
    turn, _heard = ask(one, work, "Who kept the lamp?")
    yield one, two, turn
    two.close()
    one.close()


def _offer(library: Library, turn: TurnId, kind: str, payload: dict[str, object]) -> None:
    with library._store.write() as w:
        turns.offer(w, turn, _CALL, kind, payload)


def test_of_two_windows_that_agree_at_once_one_does_it(
    windows: tuple[Library, Library, TurnId], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, turn = windows
    _offer(one, turn, "setting", {"name": "column_width", "value": 60})
    both = threading.Barrier(2)

    def slowly(path: Path, values: dict[str, Value]) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(_PATIENCE_S)
        write_settings(path, values)

    monkeypatch.setattr(acting, "write_settings", slowly)
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda each: each.agree(turn, _CALL), (one, two)))
    assert sorted(done) == [False, True]
    assert two.undo(turn, _CALL)
    assert read_settings(one.paths.config_file)[0].column_width == 68


def test_a_job_that_cannot_begin_stays_offered(windows: tuple[Library, Library, TurnId]) -> None:
    one, two, turn = windows
    _offer(one, turn, "page", {})
    with pytest.raises(ModelMissingError):
        one.agree(turn, _CALL)
    assert two.act_state(turn, _CALL) == "offered"
