"""What the reader sets right: what each act does, how it is taken back, that it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Locator
from engine.domain.wiki import Correction, KnownPoint, MatchHow, PointId
from engine.errors import CorrectionRefusedError, NamesUnknownError
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import FRONTIER, WHOLE
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words

_TEXT = (
    "Captain Vale met Judith at the lamp house.",
    "Vale laughed. Judith Vale wrote of the lamp house, and Oren read it.",
    "Oren Vale and Hask walked to the lamp house.",
)
_POINTS = (
    named("Judith Vale", "Captain Vale", "Judith", "Vale"),
    named("Oren Vale", "Oren", "Vale", kinds={"Vale": AliasKind.FAMILY}),
    named("Hask"),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_story(library, _TEXT)
    know(library, work, *_POINTS)
    return work


def _id(library: Library, work: WorkId, name: str) -> PointId:
    return point_called(library, work, name).id


def _all(library: Library, work: WorkId) -> dict[str, KnownPoint]:
    return {point.name: point for point in library.entities(work, WHOLE)}


def _forms(point: KnownPoint) -> set[str]:
    return {alias.form for alias in point.aliases}


def _do(library: Library, work: WorkId, correction: Correction, *names: str, form: str = "", **more: object) -> None:
    ids = tuple(_id(library, work, name) for name in names)
    kind = more.get("kind")
    library.correct(work, Act(correction, ids, form, kind if isinstance(kind, PointKind) else None), WHOLE)


def test_merged_points_are_one_always(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.MERGE, "Judith Vale", "Hask")
    both = _all(library, work)["Judith Vale"]
    assert {"Judith", "Hask"} <= _forms(both)
    assert "Hask" not in _all(library, work)


def test_a_merge_shows_no_name_before_its_time(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.MERGE, "Judith Vale", "Hask")
    [early] = library.entities(work, upto_words(library, work, "Captain Vale met Judith"))
    assert _forms(early) == {"Captain Vale"}


def test_a_split_alias_is_a_point_of_its_own(library: Library, work: WorkId) -> None:
    before = _all(library, work)["Judith Vale"].count
    _do(library, work, Correction.SPLIT, "Judith Vale", form="Captain Vale")
    points = _all(library, work)
    assert _forms(points["Captain Vale"]) == {"Captain Vale"}
    assert "Captain Vale" not in _forms(points["Judith Vale"])
    assert (points["Captain Vale"].count, points["Judith Vale"].count) == (1, before - 1)


def test_the_point_an_alias_left_is_met_where_its_next_name_stands(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.SPLIT, "Judith Vale", form="Captain Vale")
    assert {p.name for p in library.entities(work, upto_words(library, work, "Captain Vale"))} == {"Captain Vale"}


def test_a_rename_shows_and_finds_the_readers_name(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.RENAME, "Judith Vale", form="Jude")
    assert "Jude" in _all(library, work)
    [match] = library.resolve(work, "Jude", None, WHOLE)
    assert (match.name, match.how) == ("Jude", MatchHow.EXACT)


def test_a_name_by_the_reader_is_kept_without_what_drives_a_terminal(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.RENAME, "Judith Vale", form="\x1b[31mJude\u202e")
    assert "�[31mJude" in _all(library, work)


def test_a_hidden_point_is_nowhere(library: Library, work: WorkId) -> None:
    hask = _id(library, work, "Hask")
    _do(library, work, Correction.HIDE, "Hask")
    document, at = place_of(library, work, "Hask")
    assert "Hask" not in _all(library, work)
    assert library.point(work, hask, WHOLE) is None
    assert library.resolve(work, "Hask", None, WHOLE) == ()
    assert library.names_in(document, at, at + 4, WHOLE) == ()
    assert library.track(work, hask, WHOLE).nodes == ()


def test_a_kind_is_set_right(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.REKIND, "Hask", kind=PointKind.PLACE)
    assert _all(library, work)["Hask"].kind is PointKind.PLACE


def test_an_added_name_is_found_in_the_text(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.ADD, form="lamp house", kind=PointKind.PLACE)
    added = _all(library, work)["lamp house"]
    assert (added.kind, added.count) == (PointKind.PLACE, 3)
    document, at = place_of(library, work, "lamp house")
    assert [n.point for n in library.names_in(document, at, at + 5, WHOLE)] == [added.id]


def test_an_added_name_may_be_another_of_a_points(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.ADD, "Hask", form="lamp house")
    assert _forms(_all(library, work)["Hask"]) == {"Hask", "lamp house"}


def test_the_longer_of_two_names_is_underlined(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.ADD, form="Oren Vale and Hask", kind=PointKind.ORGANISATION)
    document, at = place_of(library, work, "Oren Vale and Hask")
    [name] = library.names_in(document, at, at + 18, WHOLE)
    assert (name.start, name.end) == (at, at + 18)


_ACTS = [
    (Correction.MERGE, ("Judith Vale", "Hask"), "", None),
    (Correction.SPLIT, ("Judith Vale",), "Captain Vale", None),
    (Correction.RENAME, ("Judith Vale",), "Jude", None),
    (Correction.HIDE, ("Hask",), "", None),
    (Correction.REKIND, ("Hask",), "", PointKind.PLACE),
    (Correction.ADD, (), "lamp house", PointKind.PLACE),
    (Correction.ADD, ("Hask",), "lamp house", None),
]


@pytest.mark.parametrize(("correction", "names", "form", "kind"), _ACTS)
def test_an_act_taken_back_leaves_nothing(
    library: Library, work: WorkId, correction: Correction, names: tuple[str, ...], form: str, kind: PointKind | None
) -> None:
    before = library.entities(work, WHOLE)
    _do(library, work, correction, *names, form=form, kind=kind)
    assert library.entities(work, WHOLE) != before
    undone = library.undo_correction(work)
    assert undone is not None
    assert undone.correction is correction
    assert library.entities(work, WHOLE) == before
    assert library.corrections(work) == ()


@pytest.mark.parametrize(("correction", "names", "form", "kind"), _ACTS)
def test_an_act_survives_a_new_analysis_with_its_ids(
    library: Library, work: WorkId, correction: Correction, names: tuple[str, ...], form: str, kind: PointKind | None
) -> None:
    _do(library, work, correction, *names, form=form, kind=kind)
    before = library.entities(work, WHOLE)
    know(library, work, *_POINTS)
    assert library.entities(work, WHOLE) == before


def test_acts_are_undone_last_first(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.RENAME, "Hask", form="The Inspector")
    _do(library, work, Correction.MERGE, "Judith Vale", "The Inspector")
    assert [each.correction for each in library.corrections(work)] == [Correction.RENAME, Correction.MERGE]
    library.undo_correction(work)
    assert "The Inspector" in _all(library, work)
    library.undo_correction(work)
    assert "Hask" in _all(library, work)
    assert library.undo_correction(work) is None


def test_a_correction_says_what_it_was_about(library: Library, work: WorkId) -> None:
    _do(library, work, Correction.MERGE, "Judith Vale", "Hask")
    [made] = library.corrections(work)
    assert made.names == ("Judith Vale", "Hask")


@pytest.mark.parametrize(
    ("correction", "count", "form"),
    [
        (Correction.MERGE, 1, ""),
        (Correction.IDENTITY, 2, ""),
        (Correction.SPLIT, 1, ""),
        (Correction.SPLIT, 1, "Nobody"),
        (Correction.RENAME, 1, "  "),
        (Correction.REKIND, 1, ""),
        (Correction.HIDE, 0, ""),
        (Correction.ADD, 0, ""),
    ],
)
def test_an_act_that_lacks_something_is_refused(
    library: Library, work: WorkId, correction: Correction, count: int, form: str
) -> None:
    ids = (_id(library, work, "Judith Vale"), _id(library, work, "Hask"))[:count]
    with pytest.raises(CorrectionRefusedError):
        library.correct(work, Act(correction, ids, form), WHOLE)
    assert library.corrections(work) == ()


def test_two_names_of_one_point_cannot_be_merged(library: Library, work: WorkId) -> None:
    judith = _id(library, work, "Judith Vale")
    with pytest.raises(CorrectionRefusedError):
        library.correct(work, Act(Correction.MERGE, (judith, judith)), WHOLE)


def test_whom_the_reader_has_not_met_she_cannot_set_right(library: Library, work: WorkId) -> None:
    hask = _id(library, work, "Hask")
    with pytest.raises(CorrectionRefusedError):
        library.correct(work, Act(Correction.HIDE, (hask,)), FRONTIER)


def test_a_place_of_another_work_is_refused(library: Library, work: WorkId) -> None:
    other = shelve_story(library, ["Something else."], sha256="b" * 64)
    document, _at = place_of(library, other, "Something")
    ids = (_id(library, work, "Judith Vale"), _id(library, work, "Hask"))
    with pytest.raises(CorrectionRefusedError):
        library.correct(work, Act(Correction.IDENTITY, ids, at=Locator(document, 0, 4)), WHOLE)


def test_nothing_is_set_right_before_the_names_are_known(library: Library) -> None:
    work = shelve_story(library, ["A girl kept the lamp."])
    with pytest.raises(NamesUnknownError):
        library.correct(work, Act(Correction.ADD, (), "lamp", PointKind.ITEM), WHOLE)
