"""The wiki a reading comes to: topics and groups, turns in a story, what happens in a volume, and searching writers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.statements import Role
from engine.domain.wiki import Facts, Heading, NodeKind, Page, PageKey, PageKind, PageLink, Plain, Track
from engine.library import Library
from engine.providers.protocols import AssistantMessage, ModelCall
from engine.spoilers.policy import WHOLE, Upto
from tests.knowledge import point_called
from tests.reading_works import read_work, shelve_two_volumes, written
from tests.scripted_reader import Reply, ScriptedReader, scripted_reply, shown, tool
from tests.shelving import paths_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Open an empty library."""
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    return work


def _entry(library: Library, work: WorkId, name: str, upto: Upto = WHOLE) -> Page:
    point = point_called(library, work, name)
    return library.page(work, PageKey(PageKind.ENTRY, point=point.id), upto=upto)


def _headings(page: Page) -> list[str]:
    return [part.run.text for part in page.parts if isinstance(part, Heading) and isinstance(part.run, Plain)]


def _linked(page: Page) -> list[str]:
    """Return the names in the last table of a page: what stands below an entry."""
    table = [part for part in page.parts if isinstance(part, Facts)][-1]
    return [run.text for _label, runs in table.rows for run in runs if isinstance(run, PageLink)]


def test_a_topic_stands_on_the_first_page(library: Library, work: WorkId) -> None:
    page = library.page(work, PageKey(PageKind.HOME), upto=WHOLE)
    assert "Counting the ropes" in _headings(page)


def test_an_entry_ends_with_those_of_its_group(library: Library, work: WorkId) -> None:
    page = _entry(library, work, "Orla Vane")
    assert _headings(page)[-1] == "See also"
    assert "Tobin Hask" in _linked(page)


def test_nobody_stands_in_a_group_before_it_may_be_told(library: Library, work: WorkId) -> None:
    places = [row for row in written(library, work) if row[1] == Role.GROUP]
    assert places
    assert "See also" not in _headings(library.page(work, PageKey(PageKind.HOME)))
    first = min(int(str(row[5])) for row in places)
    assert first > 0


def test_turns_in_a_story_are_marked_on_its_track(library: Library, work: WorkId) -> None:
    [track] = [part for part in _entry(library, work, "Orla Vane").parts if isinstance(part, Track)]
    chosen = [node for node in track.nodes if node.kind is NodeKind.CHOSEN]
    assert chosen
    assert all(node.note for node in chosen)


def test_a_volume_tells_what_happens_in_it(library: Library, work: WorkId) -> None:
    first = PageKey(PageKind.VOLUME, volume_ord=0)
    assert "What happens" in _headings(library.page(work, first, upto=WHOLE))
    assert "What happens" not in _headings(library.page(work, first))


def _searching(call: ModelCall) -> Reply | None:
    if call.stage != "write" or not call.tools:
        return None
    if not any(isinstance(message, AssistantMessage) for message in call.messages):
        return "", (tool("search_wiki", queries=["lamp ropes"]),)
    found = re.search(r"^n(\d+) \(k\d+\) (.*lamp.*)$", call.messages[-1].text, re.MULTILINE)
    assert found is not None
    text, _none = scripted_reply(call)
    return f"{text}\n## Found\n- Found: {found[2]} [n{found[1]}]", ()


def test_a_writer_may_cite_what_it_has_searched_for(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader(answer=_searching))
    assert any(str(row[4]).startswith("Found: ") for row in written(library, work))


def test_a_writer_who_only_searches_is_stopped(library: Library) -> None:
    def without_end(call: ModelCall) -> Reply | None:
        return ("", (tool("search_wiki", queries=["lamp"]),)) if call.stage == "write" and call.tools else None

    work = shelve_two_volumes(library)
    model = ScriptedReader(answer=without_end)
    read_work(library, work, model)
    rounds: dict[str, int] = {}
    for call in model.calls:
        if call.stage == "write":
            rounds[shown(call)] = rounds.get(shown(call), 0) + 1
    assert max(rounds.values()) == 6
    assert any(row[1] == Role.SENTENCE for row in written(library, work))


def _dropping_what_is_shared(call: ModelCall) -> Reply | None:
    """Judge that nobody shares bread, and that the ropes are counted once."""
    if call.stage == "judge":
        wrong = {
            n for n, text in re.findall(r"^s(\d+) \[[\d,]+\] (.*)$", shown(call), re.MULTILINE) if "was there" in text
        }
        return re.sub(r"^s(\d+) support$", lambda m: f"s{m[1]} conflict: no" if m[1] in wrong else m[0],
                      scripted_reply(call)[0], flags=re.MULTILINE), ()  # fmt: skip
    return None


def test_a_note_that_did_not_stand_is_not_written_from(library: Library) -> None:
    model = ScriptedReader(answer=_dropping_what_is_shared)
    read_work(library, shelve_two_volumes(library), model)
    assert any("was there" in shown(call) for call in model.calls if call.stage == "volume")
    assert not any("was there" in shown(call) for call in model.calls if call.stage == "write")


def _writing_she(call: ModelCall) -> Reply | None:
    if call.stage != "write" or not re.search(r"^Entry k\d+, core", shown(call), re.MULTILINE):
        return None
    return re.sub(r"^(\. ).*( \[n\d+\])$", r"\1She came early.\2", scripted_reply(call)[0], flags=re.MULTILINE), ()


def test_a_judge_is_told_who_she_is(library: Library) -> None:
    model = ScriptedReader(answer=_writing_she)
    read_work(library, shelve_two_volumes(library), model)
    told = "\n".join(shown(call) for call in model.calls if call.stage == "judge")
    assert re.search(r"^s\d+ \[[\d,]+\] (Orla Vane|Tobin Hask): She came early\.$", told, re.MULTILINE)
