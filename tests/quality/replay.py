"""What reading a sample series by hand came to: evidence, unlocks, tokens, and a look at the wiki from many places.

    python tests/quality/replay.py [SERIES ...]

Reads each series of `tests/replays` once more from its kept replies. Tokens are counted with the vocabulary of Qwen if
`tiktoken` and `dashscope` are installed (`pip install tiktoken dashscope`), else estimated from the characters.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import sys
import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.analysis import AnalysisMode, AnalysisRequest, Stage
from engine.domain.book import ChapterKind, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter
from engine.domain.statements import Role
from engine.domain.wiki import PageKey, PageKind
from engine.errors import EntryUnknownError
from engine.library import Library
from engine.spoilers.policy import Mode, Reach, Upto
from engine.store import analyses
from engine.text.tokens import estimate_tokens
from engine.wiki.markdown import plain_lines
from tests.commands import CHECKOUT
from tests.quality.tokens import real_counter
from tests.replaying import REPLAYS, Asked, replay, shelve_series

_SPOTS = 50
_TOLD_BY_HAND = {Role.SENTENCE, Role.SUMMARY, Role.CELL}
"""Sentences of entries, of the first page and of topics."""
_NAMES_PAGES = {"ashfall": "sample-series.md", "tingmolu": "sample-series-zh.md"}


@dataclass(frozen=True)
class Waiting:
    """How long statements wait once the last of their evidence has been read."""

    statements: int
    median_chapters: float
    at_the_end: float
    """Share of those that wait for the end of the text, of all whose evidence ends in an earlier chapter."""


@dataclass(frozen=True)
class Spent:
    """What the calls of a stage took."""

    calls: int
    sent: int
    received: int


def evidence_found(library: Library, work: WorkId) -> tuple[int, int]:
    """Return (found, proposed) pieces of evidence of all windows."""
    found: Counter[str] = Counter()
    with library._store.read() as r:
        progress = analyses.latest(r, work)
    assert progress is not None
    for stage in progress.stages:
        if stage.stage is Stage.READ:
            found.update(stage.counters)
    good = found["evidence_found"]
    return good, good + found["evidence_missed"] + found["evidence_none"]


def waiting(library: Library, work: WorkId, roles: set[Role] | None = None) -> Waiting:
    """Return how long statements of some roles wait, all of them for None."""
    borders = [chapter.pos for _number, chapter in body_chapters(library, work)]
    end = max(_end(library, work), 1)
    with library._store.read() as r:
        rows = r.execute(
            "SELECT s.role, s.unlock_pos, max(e.pos_end) FROM statement s JOIN evidence e ON e.statement_id = s.id"
            " WHERE s.work_id = ? AND s.origin = 'model' AND s.role NOT IN ('teaser', 'title') GROUP BY s.id",
            (work,),
        ).fetchall()
    delays, late, early = [], 0, 0
    for role, unlock, evidence in [(str(row[0]), int(str(row[1])), int(str(row[2]))) for row in rows]:
        if roles is not None and Role(role) not in roles:
            continue
        delays.append(bisect_left(borders, unlock) - bisect_left(borders, evidence))
        if bisect_left(borders, evidence) < len(borders):
            early += 1
            late += unlock >= end
    return Waiting(len(delays), statistics.median(delays), late / max(1, early))


def body_chapters(library: Library, work: WorkId) -> list[tuple[str, Chapter]]:
    """Return the chapters of the story, each with its number such as "2.3"."""
    return [
        (f"{volume}.{number}", chapter)
        for volume, outline in enumerate(library.outline(work).volumes, 1)
        for number, chapter in enumerate((c for c in outline.chapters if c.kind is ChapterKind.BODY), 1)
    ]


def _end(library: Library, work: WorkId) -> Pos:
    return max(chapter.pos_end for volume in library.outline(work).volumes for chapter in volume.chapters)


def spent(calls: Sequence[Asked], count: Callable[[str], int]) -> dict[str, Spent]:
    """Return what each stage took: instructions, tools and messages sent, words and calls of tools received."""
    by_stage: dict[str, Spent] = {}
    for each in calls:
        request, answer = each.request, each.answer
        told = [request.prompt.text, *(message.text for message in request.messages)]
        told += [json.dumps([t.name, t.description, t.parameters]) for t in request.tools]
        said = [answer.text, *(json.dumps(dict(c.arguments), ensure_ascii=False) for c in answer.tool_calls)]
        before = by_stage.get(request.stage, Spent(0, 0, 0))
        by_stage[request.stage] = Spent(
            before.calls + 1, before.sent + sum(map(count, told)), before.received + sum(map(count, said))
        )
    return by_stage


# A look at the wiki from many places


def spoilers(library: Library, work: WorkId, series: str, spots: int = _SPOTS, seed: int = 11) -> list[str]:
    """Return what the wiki tells too early, read whole at random places of the story.

    What may not be told is known from the pages of facts in `docs` (names, and the chapter each first stands in), and
    from the secrets of the series in `tests/cases`.
    """
    chapters = body_chapters(library, work)
    order = [number for number, _chapter in chapters]
    rng = random.Random(seed)
    found = []
    for _spot in range(spots):
        number, chapter = rng.choice(chapters)
        pos = rng.randrange(chapter.pos + 1, chapter.pos_end)
        shown = "\n".join(everything_shown(library, work, pos))
        ahead = set(order[order.index(number) + 1 :])
        for told_in, pattern in _secrets(series):
            if told_in in ahead and (match := re.search(pattern, shown)):
                found.append(f"at {number}: {match[0]!r}, told in {told_in}")
    return found


def everything_shown(library: Library, work: WorkId, pos: Pos) -> Iterator[str]:
    """Yield every line of the wiki for a reader who has come to a place."""
    place = OutlineIndex(library.outline(work)).place_of(pos)
    assert place is not None
    upto = Upto(Reach.PLACE, Locator(place[0], place[1], place[1]))
    keys = [PageKey(PageKind.HOME), PageKey(PageKind.INDEX)]
    keys += [PageKey(PageKind.VOLUME, volume_ord=volume.ord) for volume in library.outline(work).volumes]
    for point in library.entities(work, upto, Mode.AUTO):
        keys += [PageKey(PageKind.ENTRY, point=point.id), PageKey(PageKind.INSPECTOR, point=point.id)]
    for key in keys:
        try:
            yield from plain_lines(library.page(work, key, frozenset(), upto, Mode.AUTO))
        except EntryUnknownError:
            continue  # a volume that was not begun


def _secrets(series: str) -> list[tuple[str, str]]:
    cases = CHECKOUT / "tests" / "cases" / f"secrets_{series}.json"
    listed = json.loads(cases.read_text("utf-8")) if cases.exists() else []
    told = [(str(where), str(pattern)) for where, pattern in listed]
    page = (CHECKOUT / "docs" / _NAMES_PAGES[series]).read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| \w+ \| ([^|]+) \| (\d\.\d) \|$", page, re.MULTILINE)
    return told + [(where, rf"(?<![\w’-]){re.escape(name)}(?![\w’-])") for name, where in rows]


def figures(series: str) -> Iterator[str]:
    """Yield the figures of a series, a line each."""
    count = real_counter()
    with tempfile.TemporaryDirectory() as folder:
        library, work = shelve_series(Path(folder), series)
        estimate = library.estimate(work, AnalysisRequest(AnalysisMode.QUALITY))
        calls = replay(library, work, series)
        good, proposed = evidence_found(library, work)
        yield f"{series}: {len(calls)} replies; evidence {good} of {proposed} ({good / max(1, proposed):.1%})"
        for title, roles in (("all statements", None), ("sentences", _TOLD_BY_HAND)):
            wait = waiting(library, work, roles)
            yield (
                f"{title}: {wait.statements}; median wait {wait.median_chapters:g} chapters;"
                f" {wait.at_the_end:.1%} wait for the end"
            )
        took = spent(calls, count or estimate_tokens)
        for stage, each in took.items():
            planned = estimate.stages.get(Stage(stage))
            yield (
                f"  {stage:7} {each.calls:3} calls   sent {each.sent:7,}   received {each.received:7,}"
                f"   estimated {planned.tokens if planned else 0:7,}"
            )
        total = sum(each.sent + each.received for each in took.values())
        expected = (estimate.tokens_low + estimate.tokens_high) / 2
        words = "Qwen's vocabulary" if count else "our own estimate"
        yield f"  total {total:,} tokens by {words}; expected {expected:,.0f} ({expected / total - 1:+.0%})"
        told = spoilers(library, work, series)
        yield f"{_SPOTS} places: {len(told)} spoilers"
        yield from told
        library.close()


def main(series: Sequence[str]) -> int:
    """Print the figures of some series, all that were kept for none."""
    for each in series or sorted(path.stem for path in REPLAYS.glob("*.jsonl")):
        for line in figures(each):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
