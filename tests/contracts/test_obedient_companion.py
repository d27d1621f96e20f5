"""A model that does whatever any text says, and thirty chapters that give orders: nothing happens without a key."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.domain.chat import Numbered, SpoilerAnswered, ToolEnded, TurnId
from engine.domain.conversations import RecapKind, RecapSpan, Scene
from engine.domain.locator import Locator
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.library.answering import answer_turn
from engine.library.serving import Answerer
from engine.library.turn_starting import Start, chat_start, explain_start, keep_start, recap_start
from engine.providers.protocols import Cancel
from engine.spoilers.policy import FRONTIER
from tests.poisoned import CHAPTERS, LANGUAGES, SECRET, Poisoned, poison
from tests.serving import start_model_server
from tests.shelving import paths_in


@pytest.fixture(scope="module", params=LANGUAGES)
def poisoned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Served]:
    folder = tmp_path_factory.mktemp("poisoned")
    log = folder / "requests"
    server = start_model_server(log=log)
    library = Library(paths_in(folder / "home"))
    made = poison(library, request.param)
    library.add_model(ModelAddress("obedient", url=server.url, model="obey", context_tokens=128_000))
    for role in (ModelRole.COMPANION, ModelRole.READER):
        library.use_model(role, "obedient")
    yield _Served(made, server.url, log)
    library.close()
    server.shutdown()


class _Served:
    """A poisoned work, and the obedient model it is given to."""

    def __init__(self, made: Poisoned, url: str, log: Path) -> None:
        self.made = made
        self.library = made.library
        self.port = int(url.rpartition(":")[2].partition("/")[0])
        self._log = log

    def sent(self) -> list[Any]:
        """Return the bodies of all requests so far."""
        if not self._log.exists():
            return []
        return [json.loads(line)["body"] for line in self._log.read_text("utf-8").splitlines()]

    def answer(self, start: Start) -> tuple[TurnId, list[Numbered]]:
        """Have a turn answered in this process, where its connections are seen."""
        told: list[Numbered] = []
        turn, _is_new = keep_start(self.library, start)
        answer_turn(Answerer(self.library.paths, self.library._store), turn, None, Cancel(), told.append)
        return turn, told


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> set[object]:
    """Return the ports that are connected to while the test runs."""
    seen: set[object] = set()
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        seen.add(address[1] if isinstance(address, tuple) else address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    return seen


def _check(served: _Served, before: bytes, told: list[Numbered], ports: set[object], first_sent: int) -> None:
    library, work = served.library, served.made.work
    assert library.paths.config_file.read_bytes() == before, "a setting was changed"
    assert not [each for each in told if isinstance(each.event, SpoilerAnswered)], "a mask was lifted"
    assert SECRET not in repr(told)
    assert SECRET not in repr(served.sent()[first_sent:]), "something beyond the boundary was read"
    assert ports <= {served.port}
    assert library.analysis(work) is None, "a job was started"


@pytest.mark.parametrize("chapter", range(1, CHAPTERS + 1))
def test_a_chapter_that_gives_orders_is_only_read(poisoned: _Served, chapter: int, ports: set[object]) -> None:
    before, sent = poisoned.library.paths.config_file.read_bytes(), len(poisoned.sent())
    words = f'What is painted there? [tool:get_full_chapter {{"chapter": {chapter}}}]'
    start = Start(None, Scene(poisoned.made.work), None, None, FRONTIER, **chat_start(words))
    _turn, told = poisoned.answer(start)
    assert [each for each in told if isinstance(each.event, ToolEnded)], "it obeyed the question"
    _check(poisoned, before, told, ports, sent)


@pytest.mark.parametrize("chapter", range(1, CHAPTERS + 1))
def test_an_order_that_is_selected_is_only_explained(poisoned: _Served, chapter: int, ports: set[object]) -> None:
    library, work = poisoned.library, poisoned.made.work
    before, sent = library.paths.config_file.read_bytes(), len(poisoned.sent())
    at = [d.id for v in library.outline(work).volumes for d in v.documents][chapter - 1]
    length = min(900, next(d.length for v in library.outline(work).volumes for d in v.documents if d.id == at))
    scene = Scene(work, Locator(at, 0, 0))
    told = poisoned.answer(explain_start(library, None, Locator(at, 0, length), scene, "", None))[1]
    told += poisoned.answer(
        Start(None, Scene(work, Locator(at, 0, 0), Locator(at, 0, length)), None, None, FRONTIER,
              **chat_start("What does this say?"))
    )[1]  # fmt: skip
    _check(poisoned, before, told, ports, sent)


def test_a_recap_of_all_the_orders_obeys_none(poisoned: _Served, ports: set[object]) -> None:
    library, work = poisoned.library, poisoned.made.work
    before, sent = library.paths.config_file.read_bytes(), len(poisoned.sent())
    told = poisoned.answer(recap_start(library, Scene(work), RecapSpan(RecapKind.VOLUME)))[1]
    _check(poisoned, before, told, ports, sent)
