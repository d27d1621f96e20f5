"""The sample series with its names: found by themselves after the import, known as far as was read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import ChapterKind, WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Locator
from engine.domain.outline import OutlineIndex
from engine.domain.wiki import Correction, KnowledgeState, MatchHow, PointId
from engine.library import Library
from engine.paths import paths_under
from engine.samples import sample_paths
from engine.spoilers.policy import FRONTIER, WHOLE, Mode, Reach, Upto
from tests.commands import CHECKOUT, records, run_command
from tests.knowledge import place_of, point_called
from tests.shelving import wait_for_names


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library = Library(paths_under(tmp_path_factory.mktemp("samples")))
    for path in sorted((CHECKOUT / "engine" / "samples").glob("*.epub")):
        library.import_now(path)
    wait_for_names(library)
    yield library
    library.close()


@pytest.fixture(scope="module")
def ashfall(library: Library) -> WorkId:
    return library.find_work("ashfall")


def _after(library: Library, work: WorkId, chapter: str) -> Upto:
    """Return the bound of a reader who has read through a chapter: "2.3" is the third of the second volume."""
    volume, number = map(int, chapter.split("."))
    outline = library.outline(work)
    index = OutlineIndex(outline)
    chapters = [c for c in outline.volumes[volume - 1].chapters if c.kind is ChapterKind.BODY]
    place = index.place_of(chapters[number - 1].pos_end - 1)
    assert place is not None
    return Upto(Reach.PLACE, Locator(place[0], place[1] + 1, place[1] + 1))


def test_the_names_are_known_soon_after_the_import(library: Library) -> None:
    assert {library.knowledge_state(work.id) for work in library.works()} == {KnowledgeState.READY}
    assert [work.title for work in library.works() if not library.entities(work.id, WHOLE)] == []


def _told_first(title: str) -> dict[str, str]:
    """Return the chapter in which each name first stands, from the fixed list of facts of a sample series."""
    page = {"ashfall": "sample-series.md", "听墨录": "sample-series-zh.md", "あずかり雨の店": "sample-series-ja.md"}[
        title
    ]
    text = (CHECKOUT / "docs" / page).read_text("utf-8")
    kinds = "person|place|organisation|item|event|concept"
    rows = re.findall(rf"^\| [^|]+ \| (?:{kinds}) \| ([^|]+) \| (\d+\.\d+) \|", text, re.MULTILINE)
    cells = re.findall(r"^\| [^|]+ \| ([^|]+ \d+[^|]*) \| [^|]*\|$", text, re.MULTILINE)
    listed = [form for cell in cells for form in re.findall(r"([^\s,;“”]+)(?: \([^)]*\))? (\d+)(?=,| \(|$)", cell)]
    return {name.strip(): first for name, first in sorted([*rows, *listed], key=lambda pair: -float(pair[1]))}


_BOUNDARIES = [
    ("ashfall", "1.1"), ("ashfall", "1.6"), ("ashfall", "3.3"),
    ("听墨录", "1.1"), ("听墨录", "1.5"), ("听墨录", "2.2"),
    ("あずかり雨の店", "1.1"), ("あずかり雨の店", "1.2"), ("あずかり雨の店", "1.3"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "chapter"), _BOUNDARIES)
def test_no_name_is_known_before_it_has_been_read(library: Library, title: str, chapter: str) -> None:
    work = library.find_work(title)
    upto = _after(library, work, chapter)
    known = library.entities(work, upto)
    read = _text_up_to(library, work, upto)
    forms = {a.form for point in known for a in point.aliases if a.kind is not AliasKind.READING}
    assert len(forms) > 5
    assert {form for form in forms if form not in read} == set()


@pytest.mark.parametrize(("title", "chapter"), _BOUNDARIES)
def test_no_name_of_the_list_of_facts_is_known_before_its_chapter(library: Library, title: str, chapter: str) -> None:
    work = library.find_work(title)
    upto = _after(library, work, chapter)
    read = _text_up_to(library, work, upto)  # a preface may name somebody earlier
    here = _ordinal(library, work, chapter)
    told = _told_first(title).items()
    later = {name for name, first in told if _ordinal(library, work, first) > here and name not in read}
    forms = {alias.form for point in library.entities(work, upto) for alias in point.aliases}
    assert later
    assert forms & later == set()


def _text_up_to(library: Library, work: WorkId, upto: Upto) -> str:
    assert upto.place is not None
    documents = [d.id for volume in library.outline(work).volumes for d in volume.documents]
    read = documents[: documents.index(upto.place.document)]
    last = library.text_of(upto.place.document, 0, upto.place.end)
    return "\n".join([*(library.document_text(document).text for document in read), last])


def _ordinal(library: Library, work: WorkId, chapter: str) -> int:
    """Return the number of a chapter over the whole work, told as "2.3" or already so."""
    if "." not in chapter:
        return int(chapter)
    volume, number = map(int, chapter.split("."))
    before = library.outline(work).volumes[: volume - 1]
    return number + sum(c.kind is ChapterKind.BODY for v in before for c in v.chapters)


@pytest.mark.parametrize(
    ("title", "chapter", "text", "matched"),
    [
        ("ashfall", "1.1", "Superintendent Hask", ""),
        ("ashfall", "1.6", "Superintendent Hask", "Superintendent Hask"),
        ("ashfall", "1.1", "Miss Marrow", "Miss Marrow"),
        ("ashfall", "1.3", "Ilse Marow", "Ilse"),
        ("听墨录", "1.1", "卡西安·洛特", ""),
        ("听墨录", "1.2", "卡西安・洛特", "卡西安·洛特"),
        ("听墨录", "2.5", "顧遲", "顾迟"),
        ("あずかり雨の店", "1.1", "ハルト", ""),
        ("あずかり雨の店", "1.2", "ﾊﾙﾄ", "ハルト"),
        ("あずかり雨の店", "1.4", "千景さま", "千景殿"),
    ],
)
def test_a_selection_finds_whom_the_reader_has_met(
    library: Library, title: str, chapter: str, text: str, matched: str
) -> None:
    work = library.find_work(title)
    found = library.resolve(work, text, None, _after(library, work, chapter))
    assert [match.matched for match in found][:1] == ([matched] if matched else [])


def test_off_finds_everybody_from_the_first_page_on(library: Library, ashfall: WorkId) -> None:
    assert library.resolve(ashfall, "Superintendent Hask", None, FRONTIER, Mode.OFF)


def _joined(library: Library, work: WorkId) -> tuple[PointId, PointId]:
    """Let the Stationmaster and Jonas Pell be one from the place on where the Captain greets him."""
    reveal = _after(library, work, "3.4").place
    pair = point_called(library, work, "Stationmaster").id, point_called(library, work, "Jonas Pell").id
    library.correct(work, Act(Correction.IDENTITY, pair, at=reveal), WHOLE)
    return pair


@pytest.fixture
def joined(library: Library, ashfall: WorkId) -> Iterator[tuple[PointId, PointId]]:
    yield _joined(library, ashfall)
    library.undo_correction(ashfall)


def test_before_its_place_an_identity_shows_in_no_view(
    library: Library, ashfall: WorkId, joined: tuple[PointId, PointId]
) -> None:
    before = _after(library, ashfall, "3.3")
    names = [point.name for point in library.entities(ashfall, before)]
    assert {"Stationmaster", "Jonas Pell"} <= set(names)
    assert [m.name for m in library.resolve(ashfall, "Stationmaster", None, before)][:1] == ["Stationmaster"]
    points = [library.point(ashfall, point, before) for point in joined]
    tracks = [library.track(ashfall, point, before).nodes for point in joined]
    assert {alias.form for point in points if point for alias in point.aliases} >= {"Stationmaster", "Jonas Pell"}
    assert len({point.name for point in points if point}) == 2
    assert tracks[0] != tracks[1]


def test_after_its_place_an_identity_is_one_in_every_view(
    library: Library, ashfall: WorkId, joined: tuple[PointId, PointId]
) -> None:
    after = _after(library, ashfall, "3.4")
    names = [point.name for point in library.entities(ashfall, after)]
    assert len({"Stationmaster", "Jonas Pell"} & set(names)) == 1
    [name] = {"Stationmaster", "Jonas Pell"} & set(names)
    matches = [library.resolve(ashfall, text, None, after)[0] for text in ("Stationmaster", "Jonas Pell")]
    assert {match.name for match in matches} == {name}
    assert {match.how for match in matches} == {MatchHow.EXACT, MatchHow.ALIAS}
    tracks = [library.track(ashfall, point, after).nodes for point in joined]
    assert tracks[0] == tracks[1]
    document, at = place_of(library, ashfall, "Stationmaster")
    [underlined] = library.names_in(document, at, at + 13, after)
    assert underlined.point == matches[0].point


# The commands


@pytest.fixture
def shelf(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands see the module's library."""
    monkeypatch.setenv("UNDERSTORY_HOME", str(library.paths.data_dir.parent))


@pytest.mark.usefixtures("shelf")
def test_entities_prints_one_array_with_exactly_these_fields() -> None:
    found = json.loads(run_command("entities", "ashfall", "--upto", "end", "--json").stdout)
    assert {tuple(record) for record in found} == {("name", "kind", "aliases", "count")}
    assert {tuple(alias) for record in found for alias in record["aliases"]} == {("form", "first", "reveal")}
    assert [record["count"] for record in found] == sorted((record["count"] for record in found), reverse=True)


@pytest.mark.usefixtures("shelf")
def test_resolve_prints_one_array_with_exactly_these_fields() -> None:
    found = json.loads(run_command("resolve", "ashfall", "Marrow", "--upto", "end", "--json").stdout)
    assert {tuple(record) for record in found} == {("name", "kind", "matched", "how", "ratio")}
    assert len(found) > 1


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("command", [["entities"], ["resolve", "Ilse"], ["points"]])
def test_a_reader_who_has_not_begun_is_told_why_nothing_is_printed(command: list[str]) -> None:
    done = run_command(command[0], "ashfall", *command[1:])
    assert (done.returncode, done.stdout) == (0, "")
    assert "--upto end" in done.stderr


@pytest.mark.usefixtures("shelf")
def test_a_point_is_named_by_name_or_id() -> None:
    [by_name] = records(run_command("points", "ashfall", "Corrow", "--upto", "end", "--json").stdout)
    [by_id] = records(run_command("points", "ashfall", str(by_name["point"]), "--upto", "end", "--json").stdout)
    nodes = records(run_command("track", "ashfall", "Corrow", "--upto", "end", "--json").stdout)
    assert by_name == by_id
    assert sum(node["count"] for node in nodes) == by_name["count"]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(("point", "says"), [("Hask", "no entry"), ("Nobody", "no entry")])
def test_a_point_nobody_has_met_is_not_there(point: str, says: str) -> None:
    done = run_command("track", "ashfall", point)
    assert (done.returncode, done.stdout) == (4, "")
    assert says in done.stderr


@pytest.mark.usefixtures("shelf")
def test_an_ambiguous_name_asks_which_is_meant() -> None:
    done = run_command("track", "ashfall", "Marrow", "--upto", "end")
    assert done.returncode == 4
    assert "Tobias Marrow (" in done.stderr


@pytest.mark.usefixtures("shelf")
def test_a_locator_bounds_as_its_end_does(library: Library, ashfall: WorkId) -> None:
    document, at = place_of(library, ashfall, "Ilse Marrow")
    early = json.loads(run_command("entities", "ashfall", "--upto", f"f{document}-{at}-{at + 11}", "--json").stdout)
    assert "Ilse Marrow" in [record["name"] for record in early]
    cut = json.loads(run_command("entities", "ashfall", "--upto", f"f{document}-{at}-{at + 10}", "--json").stdout)
    assert "Ilse Marrow" not in [record["name"] for record in cut]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("upto", ["middle", "f99999-0-1", "12"])
def test_a_bound_that_is_none_is_refused(upto: str) -> None:
    assert run_command("entities", "ashfall", "--upto", upto).returncode in (2, 4)


def test_a_command_waits_for_the_names_of_a_book_just_imported(tmp_path: Path) -> None:
    assert run_command("import", str(sample_paths()[0])).returncode == 0
    assert "Ilse Marrow" in run_command("entities", "1", "--upto", "end").stdout
