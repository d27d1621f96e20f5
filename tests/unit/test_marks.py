"""Marks: kept on disk at once, known by the book's content, found again by their words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.locator import select_quote
from engine.domain.marks import Mark, MarkKind
from engine.domain.reading import Place
from engine.library import Library
from tests.shelving import document_of, paths_in, place_in, shelve

_DOCUMENT = document_of(["The lamp burned low.", "Nobody came.", "第三段在这里。"])
_BOOKS = ("a" * 64,)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


def _mark(kind: MarkKind, offset: int, name: str = "", label: str = "") -> Mark:
    return Mark(kind, place_in(_DOCUMENT, offset), name, label)


def test_a_mark_is_there_after_the_library_was_opened_anew(library: Library, tmp_path: Path) -> None:
    work = shelve(library._store, [_DOCUMENT])
    library.keep_mark(_mark(MarkKind.BOOKMARK, 21, label="Nobody came."), _BOOKS)
    with_another_library = Library(paths_in(tmp_path))
    (shown,) = with_another_library.shown_marks(work)
    with_another_library.close()
    assert (shown.offset, shown.mark.label, shown.mark.kind) == (21, "Nobody came.", MarkKind.BOOKMARK)
    assert shown.mark.made_at


def test_a_letter_is_moved_and_other_letters_stay(library: Library) -> None:
    work = shelve(library._store, [_DOCUMENT])
    library.keep_mark(_mark(MarkKind.LETTER, 0, "a"), _BOOKS)
    library.keep_mark(_mark(MarkKind.LETTER, 4, "b"), _BOOKS)
    library.keep_mark(_mark(MarkKind.LETTER, 21, "a"), _BOOKS)
    assert [(shown.mark.name, shown.offset) for shown in library.shown_marks(work)] == [("b", 4), ("a", 21)]


def test_marks_come_in_story_order_and_one_can_be_dropped(library: Library) -> None:
    work = shelve(library._store, [_DOCUMENT])
    late = library.keep_mark(_mark(MarkKind.BOOKMARK, 34), _BOOKS)
    library.keep_mark(_mark(MarkKind.BOOKMARK, 0), _BOOKS)
    assert [shown.offset for shown in library.shown_marks(work)] == [0, 34]
    library.drop_mark(late)
    library.drop_mark(late)
    assert [shown.offset for shown in library.shown_marks(work)] == [0]


def test_a_mark_whose_words_moved_is_found_by_them(library: Library) -> None:
    older = document_of(["A new first line.", *_DOCUMENT.text.split("\n")])
    work = shelve(library._store, [older])
    library.keep_mark(_mark(MarkKind.BOOKMARK, 21), _BOOKS)
    (shown,) = library.shown_marks(work)
    assert older.text[shown.offset :].startswith("Nobody came.")


def test_marks_outlive_the_book_and_come_back_with_it(library: Library) -> None:
    work = shelve(library._store, [_DOCUMENT])
    library.keep_mark(_mark(MarkKind.LETTER, 21, "q"), _BOOKS)
    library.remove(work)
    again = shelve(library._store, [_DOCUMENT])
    assert [shown.mark.name for shown in library.shown_marks(again)] == ["q"]


def test_the_way_back_is_kept_in_order_and_replaced_as_a_whole(library: Library) -> None:
    work = shelve(library._store, [_DOCUMENT])
    back = [_mark(MarkKind.BACK, 21), _mark(MarkKind.BACK, 0), _mark(MarkKind.BACK, 34)]
    library.save_trail(_BOOKS, back, [_mark(MarkKind.AHEAD, 4)])
    library.save_trail(_BOOKS, back[:2], [])
    kept_back, kept_ahead = library.shown_trail(work)
    assert [shown.offset for shown in kept_back] == [21, 0]
    assert kept_ahead == ()


def test_marks_of_another_work_stay_apart(library: Library) -> None:
    work = shelve(library._store, [_DOCUMENT])
    place = Place("b" * 64, 0, 3, select_quote(_DOCUMENT.text, 3, 9))
    library.keep_mark(Mark(MarkKind.LETTER, place, "a"), ("b" * 64,))
    library.keep_mark(_mark(MarkKind.LETTER, 4, "a"), _BOOKS)
    assert [shown.offset for shown in library.shown_marks(work)] == [4]
    assert [mark.place.offset for mark in library.marks(("b" * 64,))] == [3]


def test_a_damaged_library_gives_the_marks_back(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    library = Library(paths)
    library.keep_mark(_mark(MarkKind.BOOKMARK, 21, label="Nobody came."), _BOOKS)
    library.keep_mark(_mark(MarkKind.LETTER, 21, "a"), _BOOKS)
    library.close()
    paths.library_db.write_bytes(b"this is no library any more" * 400)
    mended = Library(paths)
    assert {(mark.kind, mark.name, mark.place.offset) for mark in mended.marks(_BOOKS)} == {
        (MarkKind.BOOKMARK, "", 21),
        (MarkKind.LETTER, "a", 21),
    }
    mended.close()
