"""Print what pages of the wiki cost in a work of 40 volumes with 1 500 people.

`python tests/bench/wiki.py`. CPU milliseconds of the thread that makes the page, the best of five;
the exit status tells whether the budgets held.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.book import WorkId
from engine.domain.knowledge import PointKind
from engine.domain.wiki import Page, PageKey, PageKind
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from tests.bench.library import Line
from tests.knowledge import know, named
from tests.pace import allowance
from tests.shelving import document_of, shelve
from tui.render.wiki_rows import lay_out
from tui.render.wiki_setting import WikiOptions

_VOLUMES, _CHAPTERS, _PARAGRAPHS = 40, 10, 30
_PEOPLE, _PLACES = 1500, 200
_FAMILY = "趙錢孫李周吳鄭王馮陳褚衛蔣沈韓楊朱秦尤許何呂施張孔曹嚴華金魏陶姜戚謝鄒喻柏水竇章雲蘇潘葛奚范彭郎"
_GIVEN = "雲飛鶴鳴子敬伯言仲達文遠孟德元直公明季常士元正平德祖威方景升本初公路奉先翼德雲長孔明玄德"
_FILLER = "那一天風雪很大，城門外的人都散了，只有燈還亮著。"


def make_work(library: Library, chance: random.Random) -> WorkId:
    """Shelve the work and let its names be known."""
    people = list(dict.fromkeys(chance.choice(_FAMILY) + "".join(chance.choices(_GIVEN, k=2)) for _n in range(4000)))
    people = people[:_PEOPLE]
    places = [f"{a}{b}城" for a in _GIVEN[:20] for b in _GIVEN[:10]][:_PLACES]
    weights = [1 / (rank + 3) for rank in range(_PEOPLE)]
    work = WorkId(0)
    for volume in range(_VOLUMES):
        documents = [
            document_of([_paragraph(chance, people, weights, places) for _p in range(_PARAGRAPHS)], spine_index=n)
            for n in range(_CHAPTERS)
        ]
        work = shelve(
            library._store,
            documents,
            sha256=f"{volume:064x}",
            title=f"長卷 {volume + 1}",
            series="長卷",
            series_index=volume + 1,
            language="zh",
        )
    points = [named(name) for name in people] + [named(name, kind=PointKind.PLACE) for name in places]
    know(library, work, *points)
    return work


def _paragraph(chance: random.Random, people: list[str], weights: list[float], places: list[str]) -> str:
    a, b, c = chance.choices(people, weights, k=3)
    return f"{a}在{chance.choice(places)}見到{b}。{_FILLER}{c}說：「{b}不會來了。」{_FILLER * chance.randint(0, 4)}"


def measure(folder: Path) -> list[Line]:
    """Make the work and its pages."""
    library = Library(paths_under(folder / "home"))
    try:
        work = make_work(library, random.Random(7))
        known = library.entities(work, WHOLE)
        pages = partial(library.page, work, upto=WHOLE)
        often = [_cost(partial(pages, PageKey(PageKind.ENTRY, point=point.id)))[0] for point in known[:20]]
        rare = [_cost(partial(pages, PageKey(PageKind.ENTRY, point=point.id)))[0] for point in known[-20:]]
        home, _page = _cost(partial(pages, PageKey(PageKind.HOME)))
        index, page = _cost(partial(pages, PageKey(PageKind.INDEX)))
        rows = _rows_cost(page)
    finally:
        library.close()
    room = allowance()
    return [
        Line(f"entry of one of the first 20, {known[0].count} mentions", median(often), 30, "ms", room),
        Line("the dearest of them", max(often), 30, "ms", room),
        Line("entry of one of the last 20", median(rare), 30, "ms", room),
        Line("first page", home, 100, "ms", room),
        Line(f"index of {len(known)} names", index, 100, "ms", room),
        Line("its rows", rows, 60, "ms", room),
    ]


def _cost(make: Callable[[], Page]) -> tuple[float, Page]:
    best, page = float("inf"), None
    for _run in range(5):
        began = time.thread_time()
        page = make()
        best = min(best, time.thread_time() - began)
    assert page is not None
    return best * 1000, page


def _rows_cost(page: Page) -> float:
    best = float("inf")
    for _run in range(5):
        began = time.thread_time()
        lay_out(page, WikiOptions(112))
        best = min(best, time.thread_time() - began)
    return best * 1000


def main() -> int:
    """Run from the command line."""
    with tempfile.TemporaryDirectory() as folder:
        lines = measure(Path(folder))
    for line in lines:
        mark = "" if line.is_kept else "  TOO MUCH"
        sys.stdout.write(f"{line.name:48} {line.value:8.2f} {line.unit:3} of {line.budget:6.1f}{mark}\n")
    return 0 if all(line.is_kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
