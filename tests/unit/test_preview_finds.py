"""A book that is not imported yet is searched as far as it is read, and marked for good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.conversations import Scene
from engine.domain.locator import Locator, select_quote
from engine.domain.marks import Mark, MarkKind
from engine.domain.reading import Place
from engine.domain.search import TextQuery
from engine.domain.source import ReadingSource
from engine.errors import NotTakenInError
from engine.library import Library
from tests.builders import make_epub
from tests.shelving import paths_in

_CHAPTERS = [
    ("One", "<p>The lamp burned low.</p><p>灯塔里的火。</p>"),
    ("Two", "<p>Another lamp.</p><p>ﾗﾝﾌﾟ。</p>"),
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_epub(tmp_path / "book.epub", title="Lamps", chapters=_CHAPTERS)


def _found(source: ReadingSource, typed: str, mode: SpoilerMode = SpoilerMode.OFF) -> list[str]:
    runs = [run for run in source.search(TextQuery(typed), mode) if run is not None]
    return [source.text_of(run.document, a, b) for run in runs for a, b in zip(run.starts, run.ends, strict=True)]


@pytest.mark.parametrize(("typed", "found"), [("LAMP", ["lamp", "lamp"]), ("燈塔", ["灯塔"]), ("らんぷ", ["ﾗﾝﾌﾟ"])])
def test_what_is_loaded_of_a_file_is_searched(library: Library, book: Path, typed: str, found: list[str]) -> None:
    source = library.preview(book)
    for document in source.outline().volumes[0].documents:
        source.slice_at(document.id, 0)
    assert _found(source, typed) == found


def test_a_file_is_searched_no_further_than_it_was_read(library: Library, book: Path) -> None:
    source = library.preview(book)
    first, second = (document.id for document in source.outline().volumes[0].documents)
    source.slice_at(first, 0)
    source.slice_at(second, 0)
    source.advance_frontier(first, 9)
    assert _found(source, "lamp", SpoilerMode.AUTO) == ["lamp"]
    assert not source.is_found_beyond(TextQuery("lamp"), SpoilerMode.AUTO)


def test_marks_and_the_way_back_made_before_the_import_are_there_after_it(library: Library, book: Path) -> None:
    source = library.preview(book)
    (document, _second) = (document.id for document in source.outline().volumes[0].documents)
    text = source.text_of(document, 0, 100)
    place = Place(library.book_sha256(book), 0, 21, select_quote(text, 21, 26))
    source.keep_mark(Mark(MarkKind.LETTER, place, "a", "灯塔里的火。"))
    source.save_trail([Mark(MarkKind.BACK, place)], [])
    assert [shown.mark.name for shown in source.marks()] == ["a"]
    report = library.import_now(book)
    assert report.work is not None
    imported = library.reading(report.work)
    assert [(shown.mark.name, shown.offset) for shown in imported.marks()] == [("a", 21)]
    assert [shown.offset for shown in imported.trail()[0]] == [21]


def test_what_needs_the_library_is_told_that_the_book_is_still_being_taken_in(library: Library, book: Path) -> None:
    outline = library.preview(book).outline()
    here = Locator(outline.volumes[0].documents[0].id, 0, 3)
    with pytest.raises(NotTakenInError):
        library.start_turn(None, "Who lit the lamp?", Scene(outline.id))
    with pytest.raises(NotTakenInError):
        library.recap(Scene(outline.id))
    with pytest.raises(NotTakenInError):
        library.explain(here, Scene(outline.id))
