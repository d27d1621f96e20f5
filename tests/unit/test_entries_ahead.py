"""Entries that are not to be named yet, marks and titles ahead, and the teaser of a chapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import Settings
from engine.domain.book import WorkId
from engine.domain.knowledge import PointKind
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import Facts, Listing, Page, PageKey, PageKind, Track
from engine.errors import EntryUnknownError
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE, Mode, Upto
from engine.wiki.markdown import plain_runs
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words, write_statement

_CHAPTERS = (
    ("Oren Vale met the Grey Man at Corrow.", "Oren Vale slept."),
    ("Oren Vale dreamt of the Grey Man.", "It rained on Corrow all day."),
    ("The Grey Man was the lost king of Corrow, said Oren Vale.", "Then it was quiet."),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_story(library, *_CHAPTERS)
    know(library, work, named("Grey Man"), named("Oren Vale"), named("Corrow", kind=PointKind.PLACE))
    return work


def _write(library: Library, work: WorkId, role: Role, text: str, quoted: str, name: str = "") -> None:
    document, at = place_of(library, work, quoted)
    point = point_called(library, work, name).id if name else None
    quotes = (Quote(document, at, quoted),)
    write_statement(library, work, NewStatement(text, role, point, quotes=quotes, verdict=Verdict.SUPPORT))


@pytest.fixture
def locked(library: Library, work: WorkId) -> PageKey:
    """Return the page of somebody whose title is told in the third chapter."""
    key = PageKey(PageKind.ENTRY, point=point_called(library, work, "Grey Man").id)
    _write(library, work, Role.TITLE, "The lost king", "was the lost king of Corrow", "Grey Man")
    return key


def _early(library: Library, work: WorkId) -> Upto:
    return upto_words(library, work, "It rained on Corrow all day.")


def _people(library: Library, work: WorkId, upto: Upto, mode: Mode) -> list[str]:
    page = library.page(work, PageKey(PageKind.CATEGORY, category=PointKind.PERSON), upto=upto, spoilers=mode)
    return [row.link.text for part in page.parts if isinstance(part, Listing) for row in part.rows]


@pytest.mark.parametrize(
    ("mode", "listed"),
    [
        (Mode.AUTO, ["Oren Vale", "locked until chapter 3"]),
        (Mode.STRICT, ["Oren Vale"]),
        (Mode.OFF, ["Oren Vale", "The lost king"]),
    ],
)
def test_an_entry_whose_title_is_a_spoiler_is_listed_by_mode(
    library: Library, work: WorkId, locked: PageKey, mode: Mode, listed: list[str]
) -> None:
    assert _people(library, work, _early(library, work), mode) == listed


def test_its_page_says_where_it_opens_and_no_more(library: Library, work: WorkId, locked: PageKey) -> None:
    page = library.page(work, locked, upto=_early(library, work))
    assert (page.title, page.is_locked, page.also) == ("locked until chapter 3", True, ())
    assert "king" not in repr(page)


def test_in_strict_there_is_no_such_page(library: Library, work: WorkId, locked: PageKey) -> None:
    with pytest.raises(EntryUnknownError):
        library.page(work, locked, upto=_early(library, work), spoilers=Mode.STRICT)


def test_nobody_is_offered_whose_entry_is_locked(library: Library, work: WorkId, locked: PageKey) -> None:
    upto = _early(library, work)
    document, at = place_of(library, work, "Grey Man")
    assert library.resolve(work, "Grey Man", None, upto) == ()
    assert library.names_in(document, at, at + 8, upto) == ()


def test_once_read_the_entry_stands_under_its_title(library: Library, work: WorkId, locked: PageKey) -> None:
    page = library.page(work, locked, upto=WHOLE)
    assert (page.title, page.also, page.is_locked) == ("The lost king", ("Grey Man",), False)


def _marks(library: Library, work: WorkId, mode: Mode) -> int:
    key = PageKey(PageKind.ENTRY, point=point_called(library, work, "Oren Vale").id)
    page = library.page(work, key, upto=upto_words(library, work, "Oren Vale slept."), spoilers=mode)
    return sum(len(part.marks) for part in page.parts if isinstance(part, Track))


@pytest.mark.parametrize(("mode", "wished", "bare"), [(Mode.AUTO, 3, 1), (Mode.STRICT, 1, 1), (Mode.OFF, 3, 3)])
def test_marks_ahead_are_a_wish_that_strict_does_not_grant(
    library: Library, work: WorkId, mode: Mode, wished: int, bare: int
) -> None:
    assert _marks(library, work, mode) == bare
    library.use_settings(Settings(marks_ahead=True))
    assert _marks(library, work, mode) == wished


def test_more_under_a_name_is_told_in_auto_alone(library: Library, work: WorkId) -> None:
    start = upto_words(library, work, "Oren Vale met")
    told = [library.is_named_beyond(work, "grey man", start, mode) for mode in (Mode.AUTO, Mode.STRICT, Mode.OFF)]
    assert told == [True, False, False]
    assert not library.is_named_beyond(work, "Grey Man", WHOLE)


def _ahead(page: Page) -> str:
    rows = [row for part in page.parts if isinstance(part, Facts) for row in part.rows]
    return next((plain_runs(runs) for label, runs in rows if label == "Ahead"), "")


def test_a_judged_teaser_leads_into_its_chapter_once_she_stands_at_its_door(library: Library, work: WorkId) -> None:
    _write(library, work, Role.TEASER, "Somebody is named.", "was the lost king of Corrow")
    chapter = library.outline(work).volumes[0].chapters[2]
    key = PageKey(PageKind.GLANCE, pos=chapter.pos)
    assert _ahead(library.page(work, key, upto=upto_words(library, work, "Oren Vale slept."))) == ""
    library.set_frontier(work, chapter.document, 0)
    assert _ahead(library.page(work, key)) == "Somebody is named."
