"""Two of the sample series who turn out to be one: before that place apart in every view, after it one.

`pytest -s` prints what each view says before and behind the place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from engine.domain.book import WorkId
from engine.domain.corrections import Act
from engine.domain.locator import Locator
from engine.domain.wiki import Correction, Facts, LinkRow, Listing, Page, PageKey, PageKind, PageLink, PointId
from engine.library import Library
from engine.paths import paths_under
from engine.samples import sample_paths
from engine.spoilers.policy import WHOLE, Reach, Upto
from tests.knowledge import place_of, point_called
from tests.piloted import page_of, reading, settle
from tests.planted_commands import run_here
from tests.shelving import wait_for_names

_ONE, _OTHER = "Tobias Marrow", "Lamplighter"
_REVEALED = "There’s no train, Lamplighter."


@dataclass(frozen=True)
class Series:
    """The sample series with the link set."""

    library: Library
    work: WorkId
    ids: tuple[PointId, PointId]
    place: Locator

    @property
    def before(self) -> Upto:
        """The bound of a reader one character short of the place."""
        return Upto(Reach.PLACE, Locator(self.place.document, self.place.end - 1, self.place.end - 1))

    @property
    def behind(self) -> Upto:
        """The bound of a reader at the place."""
        return Upto(Reach.PLACE, self.place)

    def page(self, key: PageKey, upto: Upto) -> Page:
        """Return a page of the wiki."""
        return self.library.page(self.work, key, upto=upto)


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Series]:
    library = Library(paths_under(tmp_path_factory.mktemp("series") / "home"))
    work = next(library.import_now(path).work for path in sample_paths())
    assert work is not None
    for path in sample_paths()[1:]:
        library.import_now(path)
    wait_for_names(library)
    ids = (point_called(library, work, _ONE).id, point_called(library, work, _OTHER).id)
    document, at = place_of(library, work, _REVEALED)
    place = Locator(document, at + len(_REVEALED), at + len(_REVEALED))
    library.correct(work, Act(Correction.IDENTITY, ids, at=place), WHOLE)
    yield Series(library, work, ids, place)
    library.close()


Told = Sequence[object]
"""What a view says of the one, and of the other; the same of both where they are one."""


def _named(series: Series, upto: Upto) -> Told:
    forms = [tuple(a.form for a in p.aliases) for p in series.library.entities(series.work, upto)]
    return [next(each for each in forms if any(name in form for form in each)) for name in ("Tobias", _OTHER)]


def _points(series: Series, upto: Upto) -> Told:
    return [p.name for id_ in series.ids if (p := series.library.point(series.work, id_, upto))]


def _resolved(series: Series, upto: Upto) -> Told:
    return [series.library.resolve(series.work, text, None, upto)[0].name for text in ("Tobias", _OTHER)]


def _underlined(series: Series, upto: Upto) -> Told:
    found: list[PointId] = []
    for words in ("Tobias", _OTHER):
        document, at = place_of(series.library, series.work, words)
        names = series.library.names_in(document, 0, at + len(words), upto)
        found += [name.point for name in names if name.start <= at < name.end]
    return found


def _tracks(series: Series, upto: Upto) -> Told:
    return [
        tuple((node.where, node.count) for node in series.library.track(series.work, id_, upto).nodes)
        for id_ in series.ids
    ]


def _counted(series: Series, upto: Upto) -> Told:
    return [len(series.library.appearances(series.work, id_, -1, upto)) for id_ in series.ids]


def _entries(series: Series, upto: Upto) -> Told:
    pages = [series.page(PageKey(PageKind.ENTRY, point=id_), upto) for id_ in series.ids]
    return [(page.title, *page.also) for page in pages]


def _inspected(series: Series, upto: Upto) -> Told:
    pages = [series.page(PageKey(PageKind.INSPECTOR, point=id_), upto) for id_ in series.ids]
    return [
        tuple(label for part in page.parts if isinstance(part, Facts) for label, _runs in part.rows) for page in pages
    ]


def _rows(page: Page) -> list[LinkRow]:
    return [row for part in page.parts if isinstance(part, Listing) for row in part.rows]


def _indexed(series: Series, upto: Upto) -> Told:
    rows = _rows(series.page(PageKey(PageKind.INDEX), upto))
    return [next(row.link.target.point for row in rows if name in row.link.text) for name in ("Tobias", _OTHER)]


def _listed(series: Series, upto: Upto) -> Told:
    """Return who is listed in the volume; two rows where they are apart."""
    volume = series.library.outline(series.work).volumes[0]
    rows = _rows(series.page(PageKey(PageKind.VOLUME, volume_ord=volume.ord), upto))
    listed = [row.link.text for row in rows if "Tobias" in row.link.text or _OTHER in row.link.text]
    return listed if len(listed) == 2 else listed * 2


def _companions(series: Series, upto: Upto) -> Told:
    """Return whether the one appears with the other: not any more where they are one."""
    page = series.page(PageKey(PageKind.ENTRY, point=series.ids[1]), upto)
    runs = [run for part in page.parts if isinstance(part, Facts) for _label, cell in part.rows for run in cell]
    return [
        page.title,
        "with the other"
        if series.ids[0] in {run.target.point for run in runs if isinstance(run, PageLink)}
        else page.title,
    ]


def _glanced(series: Series, upto: Upto) -> Told:
    chapter = next(
        c for c in series.library.outline(series.work).volumes[0].chapters if c.document == series.place.document
    )
    page = series.page(PageKey(PageKind.GLANCE, pos=chapter.pos), upto)
    runs = [run for part in page.parts if isinstance(part, Facts) for _label, cell in part.rows for run in cell]
    cast = [series.page(run.target, upto) for run in runs if isinstance(run, PageLink)]
    [tobias] = [(each.title, *each.also) for each in cast if "Tobias" in f"{each.title} {each.also}"]
    return [tobias, tobias if _OTHER in tobias else _OTHER]


VIEWS: dict[str, Callable[[Series, Upto], Told]] = {
    "entities": _named,
    "point": _points,
    "resolve": _resolved,
    "underline": _underlined,
    "track": _tracks,
    "appearances": _counted,
    "wiki: entries": _entries,
    "wiki: inspector": _inspected,
    "wiki: index": _indexed,
    "wiki: volume": _listed,
    "wiki: appears with": _companions,
    "glance": _glanced,
}


@pytest.mark.parametrize("view", VIEWS)
def test_before_the_place_they_stand_apart_and_behind_it_they_are_one(series: Series, view: str) -> None:
    before, behind = (VIEWS[view](series, upto) for upto in (series.before, series.behind))
    print(f"\n{view:20} before: {before[0]} | {before[1]}\n{'':20} behind: {behind[0]}")
    assert len(before) == len(behind) == 2
    assert before[0] != before[1]
    assert behind[0] == behind[1]


_COMMANDS = {
    "entities": (["entities", "--json"], []),
    "resolve": (["resolve", "--json"], ["Tobias", _OTHER]),
    "track": (["track", "--json"], ["Tobias", _OTHER]),
    "points": (["points", "--json"], ["Tobias", _OTHER]),
    "wiki": (["wiki"], ["Tobias", _OTHER]),
}


def _answers(series: Series, command: str, upto: Upto) -> list[str]:
    words, names = _COMMANDS[command]
    asked = [[name] for name in names] or [[]]
    first, *rest = words
    done = [run_here(first, str(series.work), *name, *rest, "--upto", str(upto.place)) for name in asked]
    assert [code for code, _out, _said in done] == [0] * len(done)
    return [out for _code, out, _said in done]


@pytest.mark.parametrize("command", [name for name in _COMMANDS if name != "entities"])
def test_commands_tell_the_same(series: Series, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("UNDERSTORY_HOME", str(series.library.paths.data_dir.parent))
    before, behind = (_answers(series, command, upto) for upto in (series.before, series.behind))
    told = [[_without_match(each) for each in answers] for answers in (before, behind)]
    print(f"\n{command}: before {told[0] != told[0][::-1]}, behind {told[1] == told[1][::-1]}")
    assert told[0][0] != told[0][1]
    assert told[1][0] == told[1][1]


def _without_match(out: str) -> str:
    """Return an answer without the words that were looked for."""
    if not out.startswith("["):
        return out
    return json.dumps([record["name"] for record in json.loads(out)][:1])


def test_the_list_of_names_has_one_less_behind_the_place(series: Series, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSTORY_HOME", str(series.library.paths.data_dir.parent))
    found = [json.loads(_answers(series, "entities", upto)[0]) for upto in (series.before, series.behind)]
    joined = [[p for p in known if {"Tobias", _OTHER} <= {a["form"] for a in p["aliases"]}] for known in found]
    assert [len(each) for each in joined] == [0, 1]


@pytest.mark.parametrize("is_behind", [False, True])
async def test_the_card_and_the_entry_on_the_screen(
    series: Series, monkeypatch: pytest.MonkeyPatch, is_behind: bool
) -> None:
    monkeypatch.setenv("UNDERSTORY_HOME", str(series.library.paths.data_dir.parent))
    upto = series.behind if is_behind else series.before
    assert upto.place is not None
    series.library.set_frontier(series.work, upto.place.document, upto.place.end)
    async with reading(series.library, str(series.work), size=(140, 40)) as (
        app,
        pilot,
    ):
        screen = page_of(app)
        screen.show_entry(PageKey(PageKind.ENTRY, point=series.ids[1]))
        await settle(app, pilot)
        await settle(app, pilot)
        page = screen.sidebar.wiki.page
        assert page is not None
        names = (page.title, *page.also)
        assert (_OTHER in names, any("Tobias" in name for name in names)) == (True, is_behind)
