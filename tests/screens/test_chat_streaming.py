"""An answer that comes token by token: what it costs, how often it is drawn, and that the page is left alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from engine.domain.book import DocumentId, WorkId
from engine.domain.chat import ChatEvent, Citation, Cited, Lead, Numbered, TextAdded, TurnId, TurnStarted
from engine.domain.conversations import Scene
from engine.domain.locator import Locator
from engine.library import Library
from tests.pace import allowance
from tests.piloted import page_of, reading, settle, type_ahead
from tests.told import TOLD, told_library
from tui.screens.chat_control import ChatControl
from tui.widgets.chat_view import ChatView
from tui.widgets.text_view import TextView

_TURN = TurnId("t1")
_CITATION = Citation(1, Locator(DocumentId(1), 0, 30), "ch 1", "Moth counted the lamps")
_TOKENS, _PER_S, _ROUNDS = 80, 100, 4
_SENTENCES = {
    "en": "Nobody ever boarded the 6.40, and **still** it stood there with its doors open [1]. ",
    "zh": "灯塔里的火从来没有熄过，可是**谁**也说不清[1]，第三次添油的人究竟是谁。",
}


@pytest.fixture
def shelved(home: object) -> Iterator[tuple[Library, WorkId]]:
    library, work = told_library(TOLD["en"])
    yield library, work
    library.close()


class _Telling:
    """A turn told from a thread of its own."""

    def __init__(self, control: ChatControl, work: WorkId) -> None:
        control.view.read()
        control.view.add(control.state.begin(_TURN, "Who?", Scene(work), None, "Looking."))
        self._inbox = control._inbox
        self._number = 0
        self.tell(TurnStarted("Who?", "local"), Lead("Looking."), Cited((_CITATION,)))

    def tell(self, *events: ChatEvent) -> None:
        for event in events:
            self._number += 1
            self._inbox.hear(Numbered(_TURN, self._number, event))

    def tell_tokens(self, text: str) -> threading.Thread:
        def run() -> None:
            for start in range(0, 3 * _TOKENS, 3):
                self.tell(TextAdded(text[start : start + 3]))
                time.sleep(1 / _PER_S)

        thread = threading.Thread(target=run)
        thread.start()
        return thread


@pytest.mark.parametrize("before", [0, 30_000])
@pytest.mark.parametrize("language", sorted(_SENTENCES))
async def test_a_token_is_cheap_drawn_rarely_and_moves_nothing(
    shelved: tuple[Library, WorkId], monkeypatch: pytest.MonkeyPatch, language: str, before: int
) -> None:
    drawn: dict[type, int] = {ChatView: 0, TextView: 0}

    def counted(kind: type, name: str) -> None:
        own = getattr(kind, name)

        def render(self: object, *args: object) -> object:
            drawn[kind] += 1
            return own(self, *args)

        monkeypatch.setattr(kind, name, render)

    async with reading(shelved[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        control = page_of(app)._chat
        assert control is not None
        telling = _Telling(control, shelved[1])
        sentence = _SENTENCES[language]
        telling.tell(TextAdded((sentence * (before // len(sentence) + 1))[:before]))
        await settle(app, pilot)
        await asyncio.sleep(0.3)
        here = page_of(app).here
        counted(ChatView, "render_lines")
        counted(TextView, "render_lines")
        begun, costs = time.monotonic(), []
        for _round in range(_ROUNDS):  # the best of some: beside others that take the cache a token costs twice as much
            spent = time.process_time()
            await asyncio.to_thread(telling.tell_tokens(sentence * 20).join)
            await asyncio.sleep(0.15)
            costs.append(time.process_time() - spent)
        lasted = time.monotonic() - begun
        await settle(app, pilot)
        assert min(costs) / _TOKENS <= 0.0005 * allowance()
        assert drawn[ChatView] <= 10 * lasted + 2
        assert drawn[TextView] <= 2  # names that were found meanwhile are underlined
        assert page_of(app).here == here
        assert control.view.transcript.turns[-1].view.text.endswith((sentence * 20)[: 3 * _TOKENS])
