"""The questions to the companion are answered as well as they were, from the replies a capable model gave once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.config import SpoilerMode
from engine.library import Library
from engine.library.book_view import BookView
from engine.spoilers.policy import WHOLE
from tests.quality.companion import cases, is_good, outcomes, shelved, summary


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The works that are asked about."""
    library = shelved(tmp_path_factory.mktemp("home"))
    yield library
    library.close()


def test_the_wiki_tells_no_sentence_twice(library: Library) -> None:
    book = BookView(library, min(each.id for each in library.works()), WHOLE, SpoilerMode.AUTO)
    asked = book.wiki_lines("doors of the 6.40 Long Frost twenty-three", 12)
    for lines in (asked, book.relations("Oren Vale", "Ilse Marrow", 40)):
        told = [line.text for line in lines]
        assert len(told) > 3
        assert len(set(told)) == len(told)


def test_the_questions_are_answered_as_well_as_they_were(library: Library) -> None:
    found = list(outcomes(library, cases()))
    assert len(found) >= 43, "those about the sample series are always there"
    assert is_good(found), "\n".join(summary(found))
