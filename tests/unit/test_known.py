"""What one reader knows of a work: names, tracks, casts, identities, each up to its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.analysis.rules.clusters import Link
from engine.domain.book import DocumentId, WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Locator
from engine.domain.outline import OutlineIndex
from engine.domain.wiki import Correction, Facts, PageKey, PageKind, PageLink
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import FRONTIER, WHOLE, Mode, Upto
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words

_ONE = ("A girl kept the lamp. They called her Moth.", "The Stranger came by the night train to Corrow.")
_TWO = ("Moth met the Stranger again.", "Her name was Ilse Marrow, said Moth.", "Oren slept.")
_THREE = ("The Stranger was Tobias Marrow, and Ilse knew him.", "Tobias wept. Oren wept.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_story(library, _ONE, _TWO, _THREE)
    know(
        library,
        work,
        named("Ilse Marrow", "Ilse", "Moth", links=[Link("Ilse Marrow", "Moth"), Link("Ilse", "Ilse Marrow")]),
        named("Stranger"),
        named("Tobias Marrow", "Tobias"),
        named("Oren"),
        named("Corrow", kind=PointKind.PLACE),
    )
    return work


def _names(library: Library, work: WorkId, words: str) -> set[str]:
    return {point.name for point in library.entities(work, upto_words(library, work, words))}


def test_nobody_is_known_before_the_first_page(library: Library, work: WorkId) -> None:
    assert library.entities(work) == ()
    assert library.has_more(work)
    assert not library.has_more(work, FRONTIER, Mode.STRICT)


def test_a_point_is_listed_from_the_end_of_its_name_on(library: Library, work: WorkId) -> None:
    assert _names(library, work, "They called her Mot") == set()
    assert _names(library, work, "They called her Moth") == {"Moth"}


def test_a_point_is_called_as_it_is_known(library: Library, work: WorkId) -> None:
    assert "Moth" in _names(library, work, "Moth met the Stranger")
    known = point_called(library, work, "Ilse Marrow", upto_words(library, work, "Her name was Ilse Marrow"))
    assert [alias.form for alias in known.aliases] == ["Moth", "Ilse Marrow"]
    assert known.count == 3


def test_mentions_are_counted_up_to_the_boundary(library: Library, work: WorkId) -> None:
    near, far = upto_words(library, work, "met the Stranger"), WHOLE
    counts = [point_called(library, work, "Stranger", upto).count for upto in (near, far)]
    assert counts == [2, 3]


def test_off_shows_everybody_whatever_the_boundary(library: Library, work: WorkId) -> None:
    assert library.entities(work, FRONTIER, Mode.OFF) == library.entities(work, WHOLE)


def test_the_setting_holds_where_no_mode_is_named(library: Library, work: WorkId) -> None:
    library.spoilers = Mode.OFF
    assert len(library.entities(work)) == 5


def test_a_track_ends_at_the_boundary(library: Library, work: WorkId) -> None:
    moth = point_called(library, work, "Ilse Marrow").id
    track = library.track(work, moth, upto_words(library, work, "Moth met"))
    assert [(node.where, node.count) for node in track.nodes] == [("ch 1", 1), ("ch 2", 1)]
    assert track.is_open_ended
    document, at = place_of(library, work, "Moth")
    assert track.nodes[0].locator == Locator(document, at, at + 4)


def test_the_track_of_somebody_not_met_is_empty(library: Library, work: WorkId) -> None:
    tobias = point_called(library, work, "Tobias Marrow").id
    assert library.track(work, tobias, upto_words(library, work, "Oren slept.")).nodes == ()


def _cast(library: Library, work: WorkId, document: DocumentId, upto: Upto) -> set[str]:
    """Return who is named in the glance of the chapter that a document begins."""
    chapter = next(c for c in OutlineIndex(library.outline(work)).chapters if c.document == document)
    page = library.page(work, PageKey(PageKind.GLANCE, pos=chapter.pos), upto=upto)
    rows = [row for part in page.parts if isinstance(part, Facts) for row in part.rows]
    return {run.text for _label, cell in rows for run in cell if isinstance(run, PageLink)}


def test_the_cast_of_a_chapter_ahead_is_whom_its_first_page_names_and_she_knows(library: Library, work: WorkId) -> None:
    document, _at = place_of(library, work, "Tobias wept")
    assert _cast(library, work, document, upto_words(library, work, "Oren slept.")) == {"Stranger", "Oren"}


def test_a_cast_is_of_people(library: Library, work: WorkId) -> None:
    document, _at = place_of(library, work, "night train")
    assert _cast(library, work, document, WHOLE) == {"Ilse Marrow", "Stranger"}


def test_only_known_names_are_underlined(library: Library, work: WorkId) -> None:
    document, _at = place_of(library, work, "Tobias wept")
    known = library.names_in(document, 0, 500, upto_words(library, work, "Oren slept."))
    text = library.document_text(document).text
    assert [text[name.start : name.end] for name in known] == ["Stranger", "Oren"]
    assert len(library.names_in(document, 0, 500, WHOLE)) == 5


def test_a_name_that_reaches_into_the_range_is_found(library: Library, work: WorkId) -> None:
    document, at = place_of(library, work, "Moth")
    [name] = library.names_in(document, at + 2, at + 3, WHOLE)
    assert (name.start, name.end) == (at, at + 4)


def _join(library: Library, work: WorkId, words: str) -> None:
    """Let the Stranger and Tobias turn out to be one at some words."""
    document, at = place_of(library, work, words)
    stranger, tobias = (point_called(library, work, name).id for name in ("Stranger", "Tobias Marrow"))
    place = Locator(document, at, at + len(words))
    library.correct(work, Act(Correction.IDENTITY, (stranger, tobias), at=place), WHOLE)


def test_before_its_place_an_identity_is_two_and_after_it_one(library: Library, work: WorkId) -> None:
    _join(library, work, "Ilse knew him.")
    before, after = upto_words(library, work, "and Ilse knew"), upto_words(library, work, "Ilse knew him.")
    assert {"Stranger", "Tobias Marrow"} <= {p.name for p in library.entities(work, before)}
    [one] = [p for p in library.entities(work, after) if p.name in ("Stranger", "Tobias Marrow")]
    assert {alias.form for alias in one.aliases} == {"Stranger", "Tobias Marrow"}
    assert one.count == 4


@pytest.mark.parametrize("name", ["Stranger", "Tobias Marrow"])
def test_both_ids_of_an_identity_lead_to_the_one(library: Library, work: WorkId, name: str) -> None:
    either = point_called(library, work, name).id
    _join(library, work, "Ilse knew him.")
    point = library.point(work, either, WHOLE)
    assert point is not None
    assert {alias.form for alias in point.aliases} == {"Stranger", "Tobias Marrow", "Tobias"}
    assert sum(node.count for node in library.track(work, either, WHOLE).nodes) == 5


def test_names_in_the_text_lead_to_the_one_after_an_identity(library: Library, work: WorkId) -> None:
    _join(library, work, "Ilse knew him.")
    document, _at = place_of(library, work, "Tobias wept")
    apart = {n.point for n in library.names_in(document, 0, 40, upto_words(library, work, "and Ilse knew"))}
    joined = {n.point for n in library.names_in(document, 0, 40, WHOLE)}
    assert len(apart - joined) == 1


def test_a_point_of_another_work_is_not_there(library: Library, work: WorkId) -> None:
    other = shelve_story(library, ["Somebody slept."], sha256="b" * 64)
    know(library, other, named("Somebody"))
    stranger = point_called(library, other, "Somebody").id
    assert library.point(work, stranger, WHOLE) is None
    assert library.track(work, stranger, WHOLE).nodes == ()
    assert library.statements(work, stranger, upto=WHOLE) == ()


def test_a_reading_alone_introduces_nobody(library: Library) -> None:
    work = shelve_story(library, ["久世陸が来た。", "久世は笑った。"], language="ja")
    link = Link("くぜ", "久世", 3)
    know(library, work, named("久世", "くぜ", links=[link], kinds={"くぜ": AliasKind.READING}))
    assert _names(library, work, "久世陸が来た。") == {"久世"}
    [point] = library.entities(work, WHOLE)
    assert point.name == "久世"


def test_a_work_whose_names_are_not_known_has_none(library: Library) -> None:
    work = shelve_story(library, ["A girl kept the lamp."])
    assert library.knowledge_state(work) == "working"
    assert library.entities(work, WHOLE) == ()
    assert library.resolve(work, "girl", None, WHOLE) == ()
