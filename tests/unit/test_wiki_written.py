"""An entry with sentences a model wrote, for a reader who is not there yet and for one who is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.corrections import Act
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import Correction, Heading, Page, PageKey, PageKind, Paragraph, Plain, Veil
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE, Upto
from engine.wiki.markdown import plain_runs
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words, write_statement

_BEGINS = "Her name was Ilse Marrow, and Oren Vale had sent for her himself."
_ENDS = "Ilse Marrow had the letter in her boot all that time."
_LETTER = "had the letter in her boot"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Open an empty library."""
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    """Shelve a story that tells of a letter at its end."""
    work = shelve_story(library, (_BEGINS,), ("Oren Vale waited with Ilse Marrow.", _ENDS))
    know(library, work, named("Ilse Marrow"), named("Oren Vale"))
    return work


def _write(
    library: Library, work: WorkId, text: str, role: Role, section: str = "", name: str = "Ilse Marrow", ord_: int = 0
) -> None:
    document, at = place_of(library, work, _LETTER)
    quotes = (Quote(document, at, _LETTER),)
    point = point_called(library, work, name).id
    write_statement(library, work, NewStatement(text, role, point, section, ord_, quotes, verdict=Verdict.SUPPORT))


def _entry(library: Library, work: WorkId, upto: Upto = WHOLE) -> Page:
    point = point_called(library, work, "Ilse Marrow").id
    return library.page(work, PageKey(PageKind.ENTRY, point=point), upto=upto)


def _early(library: Library, work: WorkId) -> Upto:
    return upto_words(library, work, _BEGINS)


def test_one_veiled_section_tells_that_there_is_more(library: Library, work: WorkId) -> None:
    for section in ("letter", "boot", "lamp"):
        _write(library, work, "The letter", Role.HEADING, section)
        _write(library, work, "Ilse hid the letter.", Role.SENTENCE, section)
    before, after = _entry(library, work, _early(library, work)), _entry(library, work)
    assert [isinstance(part.run, Veil) for part in before.parts if isinstance(part, Heading)].count(True) == 1
    assert [part.run for part in after.parts if isinstance(part, Heading)].count(Plain("The letter")) == 3


def test_where_no_summary_may_be_read_yet_the_text_introduces(library: Library, work: WorkId) -> None:
    _write(library, work, "Ilse hid the letter.", Role.SUMMARY)
    page = _entry(library, work, _early(library, work))
    first, second = [part for part in page.parts if isinstance(part, Paragraph)][:2]
    assert "Her name was Ilse Marrow" in plain_runs(first.runs)
    assert isinstance(second.runs[0], Veil)


def test_a_note_that_the_summary_says_already_is_not_said_again(library: Library, work: WorkId) -> None:
    _write(library, work, "Ilse hid the letter.", Role.SUMMARY)
    _write(library, work, "Ilse hid the letter.", Role.NOTE)
    assert repr(_entry(library, work)).count("Ilse hid the letter.") == 1


def test_two_who_are_one_are_told_one_after_the_other(library: Library, work: WorkId) -> None:
    for number in (1, 2):
        for name in ("Ilse Marrow", "Oren Vale"):
            _write(library, work, f"{name} waited, {number}.", Role.SENTENCE, str(number), name, number)
    ids = tuple(point_called(library, work, name).id for name in ("Ilse Marrow", "Oren Vale"))
    library.correct(work, Act(Correction.MERGE, ids), WHOLE)
    told = re.findall(r"(Ilse|Oren) \w+ waited", repr(_entry(library, work)))
    assert told == ["Ilse", "Ilse", "Oren", "Oren"]
