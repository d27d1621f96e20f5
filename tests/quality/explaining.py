"""Twenty-four fixed passages in three languages, and what is wrong with what is said of each.

    python tests/quality/explaining.py [--said] [NAME ...]
    python tests/quality/explaining.py --url http://127.0.0.1:11434/v1 --model NAME [--key-name NAME] [--at-once 4]

Without an address the replies a capable model gave once (`tests/cases/explain_replies.jsonl`) are judged and shown by
the program as it is now. With one the passages are put to that model, over the real line. The exit status tells
whether at most one in eight has a fault.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.agent.speech import VEIL
from engine.agent.telling import Teller
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.chat import AnswerReady, ChatEvent, TurnFailed, TurnId, TurnStopped
from engine.domain.conversations import ConversationId, Scene
from engine.domain.locator import Locator
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.library.book_view import BookView
from engine.library.telling import told_events
from engine.library.turn_starting import explain_start, request_from, request_record
from engine.paths import Paths
from engine.providers.line import host_of
from engine.providers.protocols import Cancel
from engine.spoilers.policy import FRONTIER
from engine.store.turns import NOBODY, TurnRow
from tests.commands import CHECKOUT
from tests.conversing import Heard
from tests.explaining import Case, cases, faults, shelve_case
from tests.fakes import ScriptedModel
from tests.shelving import paths_in

_REPLIES = CHECKOUT / "tests" / "cases" / "explain_replies.jsonl"
_MOST_FAULTY = 1 / 8


@dataclass(frozen=True)
class Outcome:
    """What became of a passage."""

    case: Case
    said: str
    """As it is shown; empty when nothing was."""
    faults: tuple[str, ...]

    @property
    def is_veiled(self) -> bool:
        """Whether something of it is not shown."""
        return VEIL in self.said


def replayed(chosen: Sequence[Case]) -> list[Outcome]:
    """Return what becomes of the replies that are kept."""
    kept = {each["name"]: each["replies"] for each in map(json.loads, _REPLIES.read_text("utf-8").splitlines())}
    with tempfile.TemporaryDirectory() as folder:
        return [
            _outcome(case, replay(paths_in(Path(folder) / str(number)), case, ScriptedModel(kept[case.name])))
            for number, case in enumerate(chosen)
        ]


def replay(paths: Paths, case: Case, model: ScriptedModel) -> ChatEvent:
    """Have a model of the test explain a passage, in a library of its own; return the last event."""
    library = Library(paths)
    work, selection = shelve_case(library, case)
    start = explain_start(library, None, selection, _scene(work, selection), "", None)
    asked = request_from(request_record(start))
    book = BookView(library, work, FRONTIER, SpoilerMode.AUTO)
    row = TurnRow(TurnId("t"), ConversationId(1), work, None, start.question, {}, "m", "pending", "", NOBODY)
    *_before, last = told_events(library, row, asked, book, Teller(model, book, secret=b"kept"), Cancel())
    library.close()
    return last


def _scene(work: WorkId, selection: Locator) -> Scene:
    return Scene(work, Locator(selection.document, 0, 0))


def _asked(chosen: Sequence[Case], address: ModelAddress, at_once: int) -> list[Outcome]:
    """Return what a model says, each passage in a library of its own."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(at_once) as pool:
        numbered = enumerate(chosen)
        return list(pool.map(lambda each: _ask(Path(folder) / str(each[0]), each[1], address), numbered))


def _ask(folder: Path, case: Case, address: ModelAddress) -> Outcome:
    library = Library(paths_in(folder))
    library.add_model(address)
    library.use_model(ModelRole.COMPANION, address.name)
    library.allow_place(host_of(address.url))
    library.set_model_number("idle_s", 900)
    work, selection = shelve_case(library, case)
    heard = Heard()
    library.explain(selection, _scene(work, selection), listener=heard)
    event = heard.wait_for(AnswerReady, TurnFailed, TurnStopped, patience_s=900)
    library.close()
    return _outcome(case, event)


def _outcome(case: Case, event: ChatEvent) -> Outcome:
    ready = event if isinstance(event, AnswerReady) else AnswerReady("", ())
    found = faults(case, ready.text, [each.where for each in ready.citations])
    return Outcome(case, ready.text, tuple(found if ready.text else [f"nothing is said: {event}", *found]))


def summary(found: Sequence[Outcome]) -> list[str]:
    """Return the figures, a line each."""
    return [
        f"{sum(bool(each.faults) for each in found)} of {len(found)} have a fault",
        f"something is veiled in {sum(each.is_veiled for each in found)}",
        *(f"{each.case.name}: {'; '.join(each.faults)}" for each in found if each.faults),
    ]


def is_good(found: Sequence[Outcome]) -> bool:
    """Say whether at most one in eight has a fault."""
    return sum(bool(each.faults) for each in found) <= len(found) * _MOST_FAULTY


def main() -> int:
    """Explain all and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="NAME", help='such as "en" or "en idiom"')
    parser.add_argument("--said", action="store_true", help="print what is said of each")
    parser.add_argument("--url", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--key-name", default="")
    parser.add_argument("--at-once", type=int, default=1)
    given = parser.parse_args()
    chosen = [case for case in cases() if not given.only or {case.name, case.language} & set(given.only)]
    if given.url and given.model:
        address = ModelAddress("asked", url=given.url, model=given.model, key_name=given.key_name)
        found = _asked(chosen, address, given.at_once)
    else:
        found = replayed(chosen)
    for each in found if given.said else ():
        sys.stdout.write(f"{each.case.name}: {'; '.join(each.faults) or 'well'}\n  {' '.join(each.said.split())}\n")
    sys.stdout.write("\n".join(summary(found)) + "\n")
    return 0 if is_good(found) else 1


if __name__ == "__main__":
    sys.exit(main())
