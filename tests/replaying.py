"""A work read once more from replies that were given once: no model, no network, the same result each time.

The replies of a series are kept as JSON, one a line: first how it was read and with which names of the rules, then each
reply under the key of its call, as it came before any marker was put in. `tests/quality/record_replay.py` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from engine.analysis.asking import FENCE, Answer, Caller, Limits, Request, cache_key
from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.models import Capabilities, Usage
from engine.library import Library
from engine.paths import paths_under
from engine.providers.protocols import Cancel, ModelCall, ModelEvent, ModelReply
from engine.store import analyses, model_calls, works
from engine.store.model_calls import CallAbout, KeptReply
from engine.store.store import Store
from engine.wiki.whole_work import WholeWork, open_text
from tests.commands import CHECKOUT
from tests.shelving import wait_for_names

REPLAYS = CHECKOUT / "tests" / "replays"
_ROW = re.compile(r"^s(\d+) \[[^\]]*\] (.+?)(?: \((?:wrong|not named there): .*\))?$", re.MULTILINE)


@dataclass
class SilentModel:
    """A model that is never asked: every reply is kept already."""

    name: str
    capabilities: Capabilities = field(default_factory=Capabilities)

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Fail: this call is not among the replies."""
        raise AssertionError(f"no reply is kept for this call of {call.stage}: {call.messages[0].text[:200]}")

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Fail as well."""
        raise AssertionError(f"no reply is kept for this call of {call.stage}")


@dataclass(frozen=True)
class Asked:
    """A call of a reading, with its reply."""

    key: str
    request: Request
    answer: Answer


class WatchedCaller(Caller):
    """A caller that remembers what it was asked, each question once, in the order in which it was answered first."""

    def __init__(self, store: Store, work: WorkId, analysis: int, model: str) -> None:
        silent = SilentModel(model)
        super().__init__(store, work, analysis, lambda _role: silent, limits=Limits(patience_s=()))
        self._name = model
        self._guard = Lock()
        self.asked: dict[str, Asked] = {}

    def ask(self, request: Request) -> Answer:
        """Answer from what is kept."""
        answer = super().ask(request)
        key = cache_key(request, self._name)
        with self._guard:
            self.asked.setdefault(key, Asked(key, request, answer))
        return answer


def statements_of(request: Request) -> tuple[str, ...]:
    """Return the statements a judge or whoever writes them anew is asked about, in their order; none for teasers."""
    if request.stage not in ("judge", "repair"):
        return ()
    return tuple(text for _number, text in _ROW.findall(request.messages[0].text.split(FENCE)[-2]))


def shelve_series(folder: Path, series: str) -> tuple[Library, WorkId]:
    """Return a library under `folder` with a sample series in it, its names found by the rules."""
    library = Library(paths_under(folder))
    for path in sorted((CHECKOUT / "engine" / "samples").glob(f"{series}-*.epub")):
        library.import_now(path)
    wait_for_names(library)
    [work] = library.works()
    return library, work.id


def replay(library: Library, work: WorkId, series: str) -> list[Asked]:
    """Read a work from the replies kept of its series, and return every call with its reply.

    Raises:
        AssertionError: a call has no reply among them.
    """
    head, *replies = kept_lines(REPLAYS / f"{series}.jsonl")
    put_seeds(library, work, head["seeds"])
    _put_replies(library, work, head["model"], replies)
    return read_again(library, work, head["model"])


def read_again(
    library: Library,
    work: WorkId,
    model: str,
    caller_of: Callable[..., WatchedCaller] = WatchedCaller,
    mode: AnalysisMode = AnalysisMode.QUALITY,
) -> list[Asked]:
    """Read a work all of whose replies are in its library, and return every call with its reply."""
    asked = AnalysisRequest(mode)
    store = library._store
    with store.write() as w:
        analysis = analyses.begin_analysis(w, work, asked, len(works.outline(w, work).volumes))
    caller = caller_of(store, work, analysis, model)
    WholeWork(store, work, analysis, asked, caller).run()
    return sorted(caller.asked.values(), key=lambda each: (each.answer.call, each.key))


def record(library: Library, work: WorkId, model: str) -> Iterator[str]:
    """Yield the lines of a replay of a work that has been read."""
    calls = read_again(library, work, model)
    text = open_text(library._store, work)
    volumes = [volume.ord for volume in text.outline.volumes]
    with library._store.read() as r:
        seeds = [analyses.seed_of(r, work, volume, text.key_upto(index)) for index, volume in enumerate(volumes)]
        yield _json({"model": model, "seeds": [json.loads(seed or "[]") for seed in seeds]})
        for each in calls:
            kept = model_calls.kept_reply(r, each.key)
            assert kept is not None
            yield _json(
                {
                    "key": each.key,
                    "stage": each.request.stage,
                    "unit": each.request.unit,
                    "prompt": each.request.prompt.revision,
                    "statements": statements_of(each.request),
                    "text": kept.text,
                    "calls": kept.tool_calls,
                    "finish": kept.finish,
                }
            )


def kept_lines(path: Path) -> list[Any]:
    """Return the lines of a replay: first how it was read, then its replies."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def put_seeds(library: Library, work: WorkId, seeds: Iterable[object]) -> None:
    """Let a work be read with the names the rules had found when its replies were given."""
    text = open_text(library._store, work)
    with library._store.write() as w:
        for index, (volume, points) in enumerate(zip(text.outline.volumes, seeds, strict=True)):
            analyses.set_seed(w, work, volume.ord, text.key_upto(index), _json(points))


def _put_replies(library: Library, work: WorkId, model: str, replies: Iterable[Any]) -> None:
    with library._store.write() as w:
        for each in replies:
            about = CallAbout(each["key"], work, 0, each["stage"], each["unit"], model, each["prompt"])
            call = model_calls.begin_call(w, about)
            tools = tuple(tuple(map(str, call)) for call in each["calls"])
            reply = KeptReply(call, each["text"], tools, each["finish"])  # type: ignore[arg-type]  # four texts each
            model_calls.keep_reply(w, reply, Usage(), 0)
