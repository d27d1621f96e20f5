"""A work as the companion looks at it: places have one name, passages whole words and no stand-ins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from engine.agent.tools_text import TEXT_TOOLS, passage_text
from engine.config import SpoilerMode
from engine.domain.book import PICTURE_CHAR
from engine.library import Library
from engine.library.book_view import BookView
from engine.spoilers.policy import WHOLE
from tests.replaying import shelve_series

if TYPE_CHECKING:
    from engine.agent.toolkit import ToolRun


@pytest.fixture(scope="module", params=["ashfall", "tingmolu"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A sample series, its names found by the rules."""
    library, _work = shelve_series(tmp_path_factory.mktemp("home"), request.param)
    yield library
    library.close()


@pytest.fixture
def book(library: Library) -> BookView:
    """The series, read to its end."""
    return BookView(library, library.works()[0].id, WHOLE, SpoilerMode.AUTO)


def test_a_place_is_called_the_same_whoever_returns_it(book: BookView) -> None:
    [point, *_rest] = book.points("person", "", 1)
    hits = book.search(point.name, 8).passages
    by_search = {hit.place.locator.document: hit.place.where for hit in hits}
    by_entry = [place for entry in book.entries(point.name, 1) for place in entry.places]
    chapters = {line.locator.document: line.number for line in book.chapters()}
    assert by_search
    for document, where in by_search.items():
        assert where.startswith("vol ")
        assert {each.place.where for each in book.chapter_text(chapters[document], 5_000)} == {where}
        assert {place.where for place in by_entry if place.locator.document == document} <= {where}


def test_nothing_stands_for_a_picture(book: BookView) -> None:
    texts = [each for line in book.chapters() for each in book.chapter_text(line.number, 50_000)]
    assert len(texts) > 20
    assert not [each for each in texts if PICTURE_CHAR in each.text + each.place.quote]


def test_a_note_of_the_book_comes_with_the_passage_it_hangs_in(tmp_path: Path) -> None:
    library, work = shelve_series(tmp_path, "azukariame")
    book = BookView(library, work, WHOLE, SpoilerMode.AUTO)
    [noted] = [each for each in book.chapter_text(2, 5_000) if each.notes]
    assert "第一条" in noted.notes[0]
    assert "第一条" in passage_text(noted)
    assert "第一条" not in noted.text
    library.close()


def test_the_stretches_of_a_chapter_follow_each_other_and_cut_no_word(book: BookView, library: Library) -> None:
    for line in book.chapters():
        stretches = [each.place.locator for each in book.chapter_text(line.number, 50_000)]
        for one, next_ in pairwise(stretches):
            assert one.end == next_.start
            around = library.text_of(one.document, one.end - 1, one.end + 1)
            assert not (around.isascii() and around.isalpha()), around


def test_a_chapter_too_long_for_one_result_is_read_to_its_end(book: BookView) -> None:
    longest = max(book.chapters(), key=lambda line: line.length_chars)
    start, read = 0, ""
    tool = next(each for each in TEXT_TOOLS if each.name == "get_full_chapter")
    while True:
        run = cast("ToolRun", SimpleNamespace(book=book, result_chars=2_500))
        told = tool.run(run, {"chapter": longest.number, "from_character": start}).text
        read += told
        goes_on = re.match(r"The chapter goes on: from_character (\d+)\.", told)
        if goes_on is None:
            break
        assert int(goes_on[1]) > start
        start = int(goes_on[1])
    last = book.chapter_text(longest.number, 50_000)[-1].text.rstrip()
    assert start > 1_000
    assert read.count(last[-20:]) == 1
