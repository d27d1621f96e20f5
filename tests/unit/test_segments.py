"""Segments: how a work is cut into them, what is told of each up to the boundary, and how somebody chooses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.segments import Segment
from engine.library import Library
from engine.retrieval.segments import choose_segments
from engine.spoilers.policy import WHOLE
from tests.builders import make_epub
from tests.shelving import document_of, paths_in, shelve

_LINES = {
    "en": "Ilse kept the lamp through the winter. ",
    "zh": "沈听墨把灯点上，雪还在下。",
    "ja": "その夜、火は消えなかった。",
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


def _shelved(library: Library, *chapters: int, language: str = "en") -> WorkId:
    """Shelve a work with chapters of so many characters, each beginning with its number."""
    line = _LINES[language]
    documents = [
        document_of([f"<{n}>", *[line * 10] * max(1, size // (len(line) * 10))], spine_index=n)
        for n, size in enumerate(chapters)
    ]
    return shelve(library._store, documents, language=language)


def _all(library: Library, work: WorkId) -> tuple[Segment, ...]:
    return library.segments(work, WHOLE, SpoilerMode.OFF)


@pytest.mark.parametrize("language", _LINES)
@pytest.mark.parametrize(
    "chapters", [[5_000] * 20, [90_000, 3_000, 130_000], [12_000, 39_000, 16_000, 200], [400] * 200], ids=str
)
def test_segments_hold_all_of_the_text_in_fifteen_to_forty_thousand_characters(
    library: Library, language: str, chapters: list[int]
) -> None:
    found = _all(library, _shelved(library, *chapters, language=language))
    assert all(each.characters <= 40_000 for each in found)
    assert all(each.characters >= 15_000 for each in found[:-1])
    assert all(first.pos_end == second.pos for first, second in pairwise(found))
    assert found[0].pos == 0
    locators = [at for each in found for at in each.locators]
    assert sum(at.end - at.start for at in locators) == sum(
        document.length for volume in library.outline(WorkId(1)).volumes for document in volume.documents
    )
    assert [each.number for each in found] == list(range(1, len(found) + 1))


def test_a_segment_is_told_by_its_chapters_and_how_they_begin(library: Library) -> None:
    first, *_rest = _all(library, _shelved(library, 6_000, 6_000, 6_000, 6_000, 6_000))
    assert first.title == "Chapter 0 – Chapter 4"
    assert [line[:3] for line in first.summary.splitlines()] == ["<0>", "<1>", "<2>", "<3>", "<4>"]
    assert first.where == "ch 1"


def test_a_part_of_a_long_chapter_is_told_by_its_own_beginning(library: Library) -> None:
    first, second, *_rest = _all(library, _shelved(library, 100_000))
    assert first.title == second.title == "Chapter 0"
    assert first.summary.startswith("<0>")
    assert second.summary.startswith("Ilse kept")


def test_the_boundary_cuts_a_segment_and_takes_those_behind_it_away(library: Library) -> None:
    work = _shelved(library, 20_000, 20_000, 20_000)
    documents = library.outline(work).volumes[0].documents
    library.set_frontier(work, documents[1].id, 5_000)
    whole = _all(library, work)
    for mode in (SpoilerMode.AUTO, SpoilerMode.STRICT):
        seen = library.segments(work, spoilers=mode)
        frontier = library.frontier(work)
        assert [each.pos for each in seen] == [each.pos for each in whole if each.pos < frontier]
        assert seen[-1].pos_end == frontier
        assert seen[-1].locators[-1].end == 5_000
        assert "<2>" not in repr(seen)
        assert "Chapter 2" not in repr(seen)


def test_a_reader_who_has_read_nothing_has_nothing_to_choose_from(library: Library) -> None:
    assert library.segments(_shelved(library, 20_000), spoilers=SpoilerMode.AUTO) == ()


def test_volumes_share_no_segment(library: Library, tmp_path: Path) -> None:
    chapters = [("One", "<p>The lamp burned low.</p>" * 40)]
    for n in (1, 2):
        library.import_now(make_epub(tmp_path / f"{n}.epub", title=f"Oxbow Vol. {n}", chapters=chapters))
    found = _all(library, library.works()[0].id)
    assert [each.number for each in found] == [1, 2]
    assert [each.where for each in found] == ["vol 1 ch 1", "vol 2 ch 1"]


def _some(count: int) -> list[Segment]:
    return [
        Segment(n, f"Chapter {n}", f"ch {n}", "word " * 200, n * 100, n * 100 + 100, ()) for n in range(1, count + 1)
    ]


def test_the_chosen_come_in_story_order() -> None:
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return "9, then 3 and 7."

    assert [each.number for each in choose_segments(_some(9), "the drowned bell", ask)] == [3, 7, 9]
    assert asked[0].startswith("the drowned bell\n\n1. ch 1 · Chapter 1\n")


def test_of_a_batch_at_most_five_count_and_only_such_as_were_shown() -> None:
    chosen = choose_segments(_some(9), "q", lambda _text: "99 0 2 2 4 6 8 1 3 5 " + "9" * 40)
    assert [each.number for each in chosen] == [1, 2, 4, 6, 8]


def test_an_answer_without_numbers_chooses_nothing() -> None:
    assert choose_segments(_some(3), "q", lambda _text: "None of them.") == ()
    assert choose_segments((), "q", lambda _text: pytest.fail("nothing to ask about")) == ()


def test_each_batch_fits_its_budget_and_is_asked_once() -> None:
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return text.split("\n\n")[1].split(".", maxsplit=1)[0]

    chosen = choose_segments(_some(40), "q", ask, budget_tokens=1_000)
    assert len(asked) > 5
    assert all(len(text) < 4_500 for text in asked)
    assert len(chosen) == len(asked)


def test_one_too_long_for_the_budget_is_asked_about_alone() -> None:
    assert len(choose_segments(_some(3), "q", lambda text: text[3:4], budget_tokens=1)) == 3
