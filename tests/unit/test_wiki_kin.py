"""What stands below an entry made from names alone: kin by name and chapter, as far as the reader has read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.wiki import Facts, Page, PageKey, PageKind, PageLink
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE, Upto
from tests.knowledge import know, named, point_called, shelve_story, upto_words


@dataclass(frozen=True)
class House:
    """A short work about a house, and one who is of another."""

    language: str
    chapters: tuple[tuple[str, ...], ...]
    person: str
    sister: str
    """Met in the second chapter."""
    friend: str
    """Of another name, met with the person."""
    stranger: str
    """Of the last chapter."""
    family: str
    first_words: str
    """The end of the first chapter."""


_HOUSES = {
    "en": House(
        "en",
        (
            ("Ilse Marrow and Oren Vale came over the bridge.", "It rained on them."),
            ("Anna Marrow stood beside Ilse Marrow all that day.",),
            ("Ilse Marrow never saw Jonas Marrow again, who had gone.",),
        ),
        "Ilse Marrow", "Anna Marrow", "Oren Vale", "Jonas Marrow", "Marrow", "It rained on them.",
    ),
    "zh": House(
        "zh",
        (("欧阳砚同陆衡走过桥来。", "天下着雨。"), ("欧阳蘅整日陪着欧阳砚。",), ("欧阳砚再没有见过欧阳舟。",)),
        "欧阳砚", "欧阳蘅", "陆衡", "欧阳舟", "欧阳", "天下着雨。",
    ),
}  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture(params=sorted(_HOUSES))
def house(request: pytest.FixtureRequest) -> House:
    return _HOUSES[request.param]


@pytest.fixture
def work(library: Library, house: House) -> WorkId:
    work = shelve_story(library, *house.chapters, language=house.language)
    know(library, work, *map(named, (house.person, house.sister, house.friend, house.stranger)))
    return work


def _below(library: Library, work: WorkId, name: str, upto: Upto) -> dict[str, list[str]]:
    point = point_called(library, work, name)
    page: Page = library.page(work, PageKey(PageKind.ENTRY, point=point.id), upto=upto)
    last = page.parts[-1]
    assert isinstance(last, Facts)
    return {label: [run.text for run in runs if isinstance(run, PageLink)] for label, runs in last.rows}


def test_who_bears_the_same_name_stands_under_it_once_she_is_met(library: Library, work: WorkId, house: House) -> None:
    early = _below(library, work, house.person, upto_words(library, work, house.first_words))
    late = _below(library, work, house.person, WHOLE)

    assert house.family not in early
    assert sorted(late[house.family]) == sorted([house.sister, house.stranger])


def test_who_is_named_in_the_same_chapter_stands_under_it(library: Library, work: WorkId, house: House) -> None:
    assert _below(library, work, house.person, WHOLE)["ch 1"] == [house.friend]
    assert house.person in _below(library, work, house.friend, WHOLE)["ch 1"]


def test_the_lists_an_entry_stands_in_are_linked(library: Library, work: WorkId, house: House) -> None:
    assert _below(library, work, house.person, WHOLE)["More"] == ["People", "All names"]


def test_a_family_name_of_one_character_makes_no_kin_of_strangers(library: Library) -> None:
    work = shelve_story(library, ("沈砚见了沈舟一面。",), language="zh")
    know(library, work, named("沈砚"), named("沈舟"))

    assert "沈" not in _below(library, work, "沈砚", WHOLE)
