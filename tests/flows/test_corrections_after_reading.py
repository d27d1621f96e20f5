"""What the reader has set right stays so when a model reads the work, reads it again, and reads on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import PointKind
from engine.domain.wiki import Correction, PageKey, PageKind
from engine.library import Library
from engine.spoilers.policy import WHOLE
from engine.store import learned, points
from tests.knowledge import point_called
from tests.reading_works import read_work, shelve_two_volumes, shelve_volume
from tests.scripted_reader import ScriptedReader
from tests.shelving import paths_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


@dataclass(frozen=True)
class _Set:
    """A correction, and how it is seen that it holds."""

    act: Callable[[Library, WorkId], Act]
    holds: Callable[[Library, WorkId], bool]


def _id(library: Library, work: WorkId, name: str) -> tuple[object, ...]:
    return (point_called(library, work, name).id,)


def _names(library: Library, work: WorkId) -> set[str]:
    return {point.name for point in library.entities(work, WHOLE)}


def _act(correction: Correction, *names: str, form: str = "", kind: PointKind | None = None) -> Callable[..., Act]:
    def act(library: Library, work: WorkId) -> Act:
        ids = tuple(point_called(library, work, name).id for name in names)
        return Act(correction, ids, form, kind)

    return act


_SETS = {
    "renamed": _Set(
        _act(Correction.RENAME, "Orla Vane", form="The Pilot"),
        lambda library, work: "The Pilot" in _names(library, work),
    ),
    "hidden": _Set(
        _act(Correction.HIDE, "Mirel Dunn"), lambda library, work: "Mirel Dunn" not in _names(library, work)
    ),
    "joined": _Set(
        _act(Correction.MERGE, "Orla Vane", "Mirel Dunn"),
        lambda library, work: len({"Orla Vane", "Mirel Dunn"} & _names(library, work)) == 1,
    ),
    "of another kind": _Set(
        _act(Correction.REKIND, "Tobin Hask", kind=PointKind.CONCEPT),
        lambda library, work: point_called(library, work, "Tobin Hask").kind is PointKind.CONCEPT,
    ),
    "named further": _Set(
        _act(Correction.ADD, "Tobin Hask", form="the market"),
        lambda library, work: "the market" in {a.form for a in point_called(library, work, "Tobin Hask").aliases},
    ),
}


@pytest.mark.parametrize("name", sorted(_SETS))
def test_a_correction_holds_through_every_reading(library: Library, name: str) -> None:
    wanted = _SETS[name]
    work = shelve_two_volumes(library)
    library.correct(work, wanted.act(library, work), WHOLE)
    read_work(library, work, ScriptedReader())
    after_first = wanted.holds(library, work)
    read_work(library, work, ScriptedReader(name="another"))
    after_second = wanted.holds(library, work)
    shelve_volume(library, 3)
    read_work(library, work, ScriptedReader(name="another"))
    assert (after_first, after_second, wanted.holds(library, work)) == (True, True, True)


@pytest.mark.parametrize("name", sorted(_SETS))
def test_a_correction_made_after_a_reading_holds_in_the_next(library: Library, name: str) -> None:
    wanted = _SETS[name]
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    library.correct(work, wanted.act(library, work), WHOLE)
    shelve_volume(library, 3)
    read_work(library, work, ScriptedReader())
    assert wanted.holds(library, work)


def test_her_kind_wins_over_the_models(library: Library) -> None:
    work = shelve_two_volumes(library)
    tobin = point_called(library, work, "Tobin Hask").id
    library.correct(work, Act(Correction.REKIND, (tobin,), kind=PointKind.CONCEPT), WHOLE)
    with library._store.write() as w:
        learned.set_kinds(w, work, [(tobin, PointKind.PLACE)])
    read_work(library, work, ScriptedReader())
    assert point_called(library, work, "Tobin Hask").kind is PointKind.CONCEPT


def test_whom_she_named_is_called_so_on_the_written_entry(library: Library) -> None:
    work = shelve_two_volumes(library)
    orla = point_called(library, work, "Orla Vane").id
    library.correct(work, Act(Correction.RENAME, (orla,), "The Pilot"), WHOLE)
    read_work(library, work, ScriptedReader())
    page = library.page(work, PageKey(PageKind.ENTRY, point=orla), upto=WHOLE)
    assert page.title == "The Pilot"


def test_in_fast_mode_a_note_nobody_judged_waits_for_the_end(library: Library) -> None:
    work = shelve_two_volumes(library)
    model = ScriptedReader()
    read_work(library, work, model, AnalysisRequest(AnalysisMode.FAST))
    with library._store.read() as r:
        roster = points.visible_roster(r, work)
        assert roster is not None
        end = points.analysed_end(r, work, roster)
        rows = r.execute(
            "SELECT verdict, unlock_pos FROM statement WHERE work_id = ? AND role = 'note'", (work,)
        ).fetchall()
    unjudged = [unlock for verdict, unlock in rows if verdict == "unchecked"]
    assert unjudged
    assert {*unjudged} == {end}
    assert {verdict for verdict, _unlock in rows} == {"unchecked", "near-copy"}
