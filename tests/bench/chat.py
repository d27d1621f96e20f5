"""Print what a piece of an answer costs, from the model's stream to the view the page draws, and whether it stays flat.

`python tests/bench/chat.py`. CPU time of one process, the best of some runs, for an answer of 30 000 characters in
pieces of a token each: what the models' process does to it (sentences, judging), and what the process that
draws does (a line of JSON read, one more event in the view). The exit status tells whether the budgets held.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.agent.citations import Judge, Place
from engine.agent.names import NamesOfWork
from engine.agent.speech import Speech
from engine.config import SpoilerMode
from engine.domain.book import DocumentId
from engine.domain.chat import ChatEvent, Numbered, TextAdded, TurnId, TurnView, after
from engine.domain.chat_records import event_from, record_of
from engine.domain.locator import Locator
from tests.bench.library import Line
from tests.pace import allowance

_CHARS = 30_000
_RUNS = 5
_TOKEN_MS = 0.5
_FLAT = 4.0
"""How much dearer the last tenth may be than the first: what is held back of a text without ends is copied, a
hundredth of the budget; anything that reads the answer again grows tenfold."""
_NAMES = 20_000
_TEXTS = {
    "en": "Ilse Marrow counted the oil in spoonfuls and wrote it down [f1-100-200]. ",
    "zh": "伊尔莎·马罗一勺一勺地数着灯油，并且记了下来[f1-100-200]。",
    "ja": "イルゼ・マローは油を一さじずつ数えて書きとめた[f1-100-200]。",
    "no end": "oil and lamp and oil and lamp and 6.40 ",
    "a table": "| oil | lamp | six winters | the line | ",
}
_TOKEN_CHARS = {"zh": 2, "ja": 2}


def measure() -> list[Line]:
    """Return each figure with its budget."""
    room = allowance()
    lines = []
    for name, sentence in _TEXTS.items():
        pieces = _pieces(sentence, _TOKEN_CHARS.get(name, 4))
        for part, run in (("judged", _judged), ("shown", _shown)):
            tenths = min((_tenths(run(pieces), len(pieces)) for _n in range(_RUNS)), key=sum)
            mean_ms = sum(tenths) / len(pieces) * 1_000
            lines.append(Line(f"{part} {name}, a token", mean_ms, _TOKEN_MS, "ms", room))
            growth = tenths[-1] / max(1e-9, min(tenths[:3]))
            lines.append(Line(f"{part} {name}, last tenth by first", growth, _FLAT, "x", room))
    return lines


def _pieces(sentence: str, size: int) -> list[str]:
    text = (sentence * (_CHARS // len(sentence) + 1))[:_CHARS]
    return [text[at : at + size] for at in range(0, len(text), size)]


def _tenths(steps: Iterator[None], count: int) -> list[float]:
    """Return the CPU seconds of each tenth of some steps."""
    found = []
    for _tenth in range(10):
        begun = time.process_time()
        for _step in range(count // 10):
            next(steps, None)
        found.append(time.process_time() - begun)
    return found


def _judge() -> Judge:
    names = NamesOfWork([*((f"Name{n} of{n}", n) for n in range(_NAMES)), ("Ilse Marrow", 1), ("伊尔莎·马罗", 1)])
    judge = Judge(SpoilerMode.AUTO, 1 << 50, names.is_about, lambda words: names.is_hidden(words, 1 << 50))
    judge.allow(Place(Locator(DocumentId(1), 100, 200), 100, 200, "ch 1", "She came"))
    return judge


def _judged(pieces: Sequence[str]) -> Iterator[None]:
    """Do to each piece what the models' process does."""
    speech = Speech(_judge())
    turn = TurnId("t")
    number = 0
    yield
    for piece in pieces:
        for event in speech.feed(piece):
            number += 1
            json.dumps(record_of(Numbered(turn, number, event)))
        yield


def _shown(pieces: Sequence[str]) -> Iterator[None]:
    """Do to each piece what the process that draws does, were every piece an event of its own."""
    turn = TurnId("t")
    view = TurnView(turn)
    events: list[ChatEvent] = [TextAdded(piece) for piece in pieces]
    lines = [json.dumps(record_of(Numbered(turn, number, event))) for number, event in enumerate(events, 1)]
    read: Callable[[str], Numbered | None] = lambda line: event_from(json.loads(line))  # noqa: E731
    yield
    for line in lines:
        numbered = read(line)
        assert numbered is not None
        view = after(view, numbered)
        yield


def main() -> int:
    """Print each figure with its budget; return the exit code."""
    lines = measure()
    for line in lines:
        mark = "" if line.is_kept else "  TOO MUCH"
        sys.stdout.write(f"{line.name:40} {line.value:8.3f} {line.unit:3} of {line.budget:4.1f}{mark}\n")
    return 0 if all(line.is_kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
