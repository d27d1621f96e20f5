"""An answer told to the page token by token, as a turn's process tells it: from a thread of its own."""

from __future__ import annotations

import threading
import time

from engine.domain.book import DocumentId, WorkId
from engine.domain.chat import ChatEvent, Citation, Cited, Lead, Numbered, TextAdded, TurnId, TurnStarted
from engine.domain.conversations import Scene
from engine.domain.locator import Locator
from tui.screens.chat_control import ChatControl

TOKENS = 80
SENTENCES = {
    "en": "Nobody ever boarded the 6.40, and **still** it stood there with its doors open [1]. ",
    "zh": "灯塔里的火从来没有熄过，可是**谁**也说不清[1]，第三次添油的人究竟是谁。",
}
_TURN = TurnId("t1")
_TOKEN_CHARS, _PER_S = 3, 100
_CITATION = Citation(1, Locator(DocumentId(1), 0, 30), "ch 1", "Moth counted the lamps")


class Telling:
    """One answer that grows in a page's chat."""

    def __init__(self, control: ChatControl, work: WorkId, language: str, before: int) -> None:
        """Begin an answer that already has `before` characters."""
        self._sentence = SENTENCES[language]
        control.view.read()
        control.view.add(control.state.begin(_TURN, "Who?", Scene(work), None, "Looking."))
        self._inbox = control._inbox
        self._number = 0
        self._tell(TurnStarted("Who?", "local"), Lead("Looking."), Cited((_CITATION,)))
        self._tell(TextAdded((self._sentence * (before // len(self._sentence) + 1))[:before]))

    @property
    def told(self) -> str:
        """What `tell_tokens` tells each time."""
        return (self._sentence * TOKENS)[: _TOKEN_CHARS * TOKENS]

    def tell_tokens(self) -> None:
        """Tell `TOKENS` tokens at the pace of a quick model; return when they are told."""
        thread = threading.Thread(target=self._run)
        thread.start()
        thread.join()

    def _run(self) -> None:
        for start in range(0, len(self.told), _TOKEN_CHARS):
            self._tell(TextAdded(self.told[start : start + _TOKEN_CHARS]))
            time.sleep(1 / _PER_S)

    def _tell(self, *events: ChatEvent) -> None:
        for event in events:
            self._number += 1
            self._inbox.hear(Numbered(_TURN, self._number, event))
