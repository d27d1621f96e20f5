"""What the model says, as it may be shown: whole sentences, judged, with their citations."""

from __future__ import annotations

from collections.abc import Iterator

from engine.agent.citations import Judge, Judged, drawn, renumbered
from engine.agent.sentences import SentenceHolder
from engine.domain.chat import AnswerReady, ChatEvent, Cited, TextAdded
from engine.translate import _

VEIL = "▒"
"""Drawn for each character of a sentence that is not shown."""
_MOST_VEILED = 24


class Speech:
    """The sentences of one answer as they come."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.said: list[str] = []
        """Judged sentences of the answer, their numbers not drawn yet."""
        self._holder = SentenceHolder()
        self._waiting: list[tuple[str, Judged]] = []
        """Sentences without a place that may take over those of the next one."""

    def feed(self, text: str, *, is_given: bool = False) -> Iterator[ChatEvent]:
        """Take the next piece; yield the sentences it completes.

        Args:
            text: What has come.
            is_given: It says again what the reader herself has before her eyes, and needs no citation.
        """
        for sentence in self._holder.feed(text):
            yield from self._pass(sentence, is_given=is_given)

    def rest(self, *, is_given: bool = False) -> Iterator[ChatEvent]:
        """Yield what is left when nothing more comes."""
        for sentence in self._holder.rest():
            yield from self._pass(sentence, is_given=is_given)
        yield from self._say_waiting()

    def start_over(self) -> None:
        """Forget what was said: it was a lead to looking something up, and no answer."""
        self.said.clear()
        self._waiting.clear()

    def _pass(self, sentence: str, *, is_given: bool) -> Iterator[ChatEvent]:
        judged, new = self.judge.judge(sentence, is_given=is_given)
        if self.judge.may_take_over(judged):
            self._waiting.append((sentence, judged))
            return
        if new:
            yield Cited(new)
        yield from self._say_waiting()
        yield self._say(judged)

    def _say_waiting(self) -> Iterator[ChatEvent]:
        waiting, self._waiting = self._waiting, []
        for sentence, judged in waiting:
            shown, has_place = self.judge.taking_over(sentence)
            yield self._say(Judged(shown) if has_place else judged)

    def _say(self, judged: Judged) -> TextAdded:
        self.said.append(_shown(judged))
        return TextAdded(drawn(self.said[-1]))

    def ready(self) -> AnswerReady | None:
        """Return the whole answer, numbered anew; None when nothing was said."""
        text, citations = renumbered("".join(self.said).strip(), self.judge.citations)
        return AnswerReady(text, citations) if text else None


def _shown(judged: Judged) -> str:
    """Return a sentence as it stands in the answer: a veil is drawn, what is not proven is said to be."""
    if judged.veiled_chars:
        return VEIL * min(judged.veiled_chars, _MOST_VEILED) + " "
    return f"{judged.text.rstrip()} {_('(not proven)')} " if judged.is_unproven else judged.text
