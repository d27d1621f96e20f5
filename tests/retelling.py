"""The replies of a series given once more to questions that are put in other words, after a prompt has changed.

A reply is found again by what it answers: a window, a volume, an entry by its unit; a verdict by the words of the
statement it is about, for a batch holds other statements once one of them has changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.analysis.asking import Answer, Request, cache_key
from engine.domain.analysis import AnalysisMode
from engine.domain.book import WorkId
from engine.domain.models import Usage
from engine.library import Library
from engine.providers.protocols import FinishReason
from engine.store import model_calls
from engine.store.model_calls import CallAbout, KeptReply
from tests.briefing import in_brief
from tests.replaying import REPLAYS, Asked, WatchedCaller, kept_lines, put_seeds, read_again, statements_of

_ENTRY = re.compile(r"^= ([kt]\d+)$.*?(?=^= |\Z)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^s(\d+) (.+)$", re.MULTILINE)


@dataclass
class Retold:
    """What was answered, found by what was asked."""

    by_unit: dict[tuple[str, str], Any] = field(default_factory=dict)
    """Kept replies by stage and unit."""
    verdicts: dict[tuple[str, str], str] = field(default_factory=dict)
    """What was said of a statement, by stage and its words; the first judgement counts."""
    entries: dict[str, str] = field(default_factory=dict)
    """What was written of each entry, by its key: which are asked for in one call may have changed."""
    unanswered: list[tuple[str, str, str]] = field(default_factory=list)
    """Stage, statement and all that was shown with it."""

    @classmethod
    def of(cls, replies: Iterable[Any], answers: Mapping[str, str]) -> Retold:
        """Return the replies of a series; `answers` tells of a statement, "judge: WORDS", what is to be said now."""
        retold = cls()
        for each in replies:
            retold.by_unit[(each["stage"], each["unit"])] = each
            for entry in _ENTRY.finditer(each["text"]) if each["stage"] == "write" else ():
                retold.entries[entry[1]] = entry[0].strip()
            lines = {int(number): words for number, words in _LINE.findall(each["text"])}
            for number, text in enumerate(each.get("statements", ()), 1):
                if number in lines:
                    retold.verdicts.setdefault((each["stage"], text), lines[number])
        for key, words in answers.items():
            stage, _colon, text = key.partition(": ")
            retold.verdicts[(stage, text)] = words
        return retold

    def reply_to(self, request: Request) -> tuple[str, list[tuple[str, ...]], str]:
        """Return text, calls of tools and finish of a reply to a question.

        Raises:
            AssertionError: nothing of the kind was answered.
        """
        statements = statements_of(request)
        if statements:
            return self._lines(request, statements), [], FinishReason.STOP
        kept = self.by_unit.get((request.stage, request.unit))
        entries = [self.entries.get(key) for key in request.unit.split()[1:]] if kept is None else []
        if entries and all(entries):
            return "\n".join(map(str, entries)), [], FinishReason.STOP
        assert kept is not None, f"nothing was answered to {request.stage} {request.unit}"
        return kept["text"], [tuple(call) for call in kept["calls"]], kept["finish"]

    def _lines(self, request: Request, statements: tuple[str, ...]) -> str:
        lines = []
        for number, text in enumerate(statements, 1):
            words = self.verdicts.get((request.stage, text))
            if words is None:
                self.unanswered.append((request.stage, text, request.messages[0].text))
                words = "support" if request.stage == "judge" else "drop"
            lines.append(f"s{number} {words}")
        return "\n".join(lines)


class RetellingCaller(WatchedCaller):
    """A caller that keeps, for a question nobody answered yet, what was answered to its like."""

    retold: Retold

    def ask(self, request: Request) -> Answer:
        """Answer from what is kept, which is filled as it goes."""
        key = cache_key(request, self._name)
        with self._guard, self._store.write() as w:
            if model_calls.kept_reply(w, key) is None:
                text, calls, finish = self.retold.reply_to(request)
                about = CallAbout(
                    key, self._work, self._analysis, request.stage, request.unit, self._name, request.prompt.revision
                )
                call = model_calls.begin_call(w, about)
                tools = tuple(tuple(map(str, each)) for each in calls)
                reply = KeptReply(call, text, tools, finish)  # type: ignore[arg-type]  # four texts each
                model_calls.keep_reply(w, reply, Usage(), 0)
        return super().ask(request)


def caller_with(retold: Retold) -> Callable[..., RetellingCaller]:
    """Return what makes a caller that answers from some replies."""

    def caller(*told: Any) -> RetellingCaller:
        made = RetellingCaller(*told)
        made.retold = retold
        return made

    return caller


def replay_in_brief(library: Library, work: WorkId, series: str) -> list[Asked]:
    """Read a work in fast from as much of the replies of its series as a brief model may write; return every call."""
    head, *replies = kept_lines(REPLAYS / f"{series}.jsonl")
    put_seeds(library, work, head["seeds"])
    caller_of = caller_with(Retold.of(in_brief(replies), {}))
    return read_again(library, work, head["model"], caller_of, AnalysisMode.FAST)


def answers_of(text: str) -> dict[str, str]:
    """Return the answers of a file: JSON, "judge: STATEMENT" or "repair: STATEMENT" to what is to be said of it."""
    return {str(key): str(words) for key, words in json.loads(text).items()}
