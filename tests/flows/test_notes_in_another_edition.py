"""What the reader has marked and kept stands in another edition, or is listed as lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.marks import Mark, MarkKind
from engine.domain.notes import NoteKind
from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.shelving import page_in, place_at

_LINES = [f"Line {n}: the lamp on pier {n} burned low, and nobody came to mend it." for n in range(200)]
_GONE = "This line will be left out of the second printing, and with it what was kept of it."


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


def _book(path: Path, lines: list[str], chapters: int) -> Path:
    size = len(lines) // chapters + 1
    parts = [lines[first : first + size] for first in range(0, len(lines), size)]
    bodies = [(f"Part {n}", "".join(f"<p>{line}</p>" for line in part)) for n, part in enumerate(parts, 1)]
    return make_epub(path, title="Lamps", chapters=bodies)


@pytest.fixture
def kept(library: Library, tmp_path: Path) -> WorkId:
    """A work with a note at line 150, one on what will be gone, a jotting and a bookmark at line 151."""
    work = library.import_now(_book(tmp_path / "1.epub", [*_LINES[:100], _GONE, *_LINES[100:]], 4)).work
    assert work is not None
    library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "the lamp on pier 150 burned"), "mine")
    library.add_note(work, NoteKind.EXCERPT, library.find_words(work, _GONE))
    library.add_jotting(work, "to be read again")
    document, offset = page_in(library, work, "Line 151:")
    source = library.reading(work)
    spine = next(d.spine_index for d in library.outline(work).volumes[0].documents if d.id == document)
    place = place_at(source, document, offset, spine_index=spine, sha256=library.book_sha256(tmp_path / "1.epub"))
    source.keep_mark(Mark(MarkKind.BOOKMARK, place, label="Line 151"))
    return work


def _second(library: Library, tmp_path: Path) -> list[str]:
    """Import the other edition and return what its report says was lost."""
    lines = ["A foreword of the second printing.", *_LINES[:149], _LINES[149].replace("came", "carne"), *_LINES[150:]]
    report = library.import_now(_book(tmp_path / "2.epub", lines, 5))
    assert report.work == 1
    return [warning.message for warning in report.warnings if warning.kind == "notes-lost"]


def test_notes_and_marks_stand_at_their_words(library: Library, kept: WorkId, tmp_path: Path) -> None:
    _second(library, tmp_path)
    note, *_others = library.notes(kept)
    assert note.locator is not None
    assert library.text_of(note.locator.document, note.locator.start, note.locator.end) == "the lamp on pier 150 burned"
    assert note.note.comment == "mine"
    (mark,) = library.shown_marks(kept)
    assert library.text_of(mark.document, mark.offset, mark.offset + 9) == "Line 151:"


def test_what_was_not_found_is_listed_and_told_and_comes_back(library: Library, kept: WorkId, tmp_path: Path) -> None:
    (said,) = _second(library, tmp_path)
    assert said.startswith("1 note could not be found again")
    lost = [shown for shown in library.notes(kept) if shown.note.is_lost]
    assert [shown.note.anchor.quote.exact for shown in lost if shown.note.anchor is not None] == [_GONE]
    assert [shown.locator for shown in lost] == [None]
    library.import_now(_book(tmp_path / "3.epub", [*_LINES[:100], _GONE, *_LINES[100:], "An afterword."], 4))
    assert [shown.note.is_lost for shown in library.notes(kept)] == [False] * 3


def test_a_jotting_stays_with_the_work(library: Library, kept: WorkId, tmp_path: Path) -> None:
    _second(library, tmp_path)
    assert [s.note.comment for s in library.notes(kept) if s.note.kind is NoteKind.JOTTING] == ["to be read again"]


def test_notes_brought_from_another_edition_find_their_words(library: Library, kept: WorkId, tmp_path: Path) -> None:
    brought = [shown.note for shown in library.notes(kept)]
    other = Library(paths_under(tmp_path / "other"))
    work = other.import_now(_book(tmp_path / "2.epub", ["A foreword.", *_LINES], 5)).work
    other.bring_notes(brought)
    found = {shown.note.uid: shown for shown in other.notes(work)}
    (shown,) = found.values()
    assert shown.locator is not None
    text = other.text_of(shown.locator.document, shown.locator.start, shown.locator.end)
    assert (text, shown.note.comment) == ("the lamp on pier 150 burned", "mine")
    assert len(other.notes()) == 3
    other.close()
