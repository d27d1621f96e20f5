"""The library copied into one file and back; two windows on one library."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from engine.domain.book import WorkId
from engine.domain.notes import NoteKind
from engine.errors import LibraryNewerError, LibraryUnavailableError
from engine.library import Library
from engine.library.copying import back_up, books_beside, restore
from tests.planted_commands import run_here
from tests.shelving import document_of, paths_in, place_in, shelve

_DOCUMENT = document_of(["The lamp burned low.", "Nobody came.", "第三段在这里。"])


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve(library._store, [_DOCUMENT])
    library.save_place(place_in(_DOCUMENT, 21))
    library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "lamp"), "Mind this.")
    return work


def test_a_copy_brings_texts_places_and_notes_back(library: Library, work: WorkId, tmp_path: Path) -> None:
    done = back_up(library.paths, tmp_path / "out" / "copy.db")
    before = library.notes()
    library.drop_note(before[0].note.id)
    library.remove(work)
    back = restore(library.paths, done.file)
    assert (done.works, back.works) == (1, 1)
    assert library.notes() == before
    place = library.place(work)
    assert place is not None
    assert place.offset == 21


def test_what_was_here_is_kept_and_can_be_restored_itself(library: Library, work: WorkId, tmp_path: Path) -> None:
    back_up(library.paths, tmp_path / "copy.db")
    library.add_jotting(None, "newer")
    done = restore(library.paths, tmp_path / "copy.db")
    assert len(library.notes()) == 1
    assert done.aside is not None
    restore(library.paths, done.aside)
    assert [shown.note.comment for shown in library.notes()] == ["Mind this.", "newer"]


def test_the_copy_is_one_file_and_a_later_one_replaces_it(library: Library, work: WorkId, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    back_up(library.paths, folder / "copy.db")
    library.add_jotting(None, "newer")
    back_up(library.paths, folder / "copy.db")
    assert [file.name for file in folder.iterdir()] == ["copy.db"]
    restore(library.paths, folder / "copy.db")
    assert len(library.notes()) == 2


def _foreign(path: Path) -> Path:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    return path


def _torn(path: Path) -> Path:
    data = path.read_bytes()
    torn = path.with_name("torn.db")
    torn.write_bytes(data[:4096] + b"\xff" * 20_000 + data[24_096:])
    return torn


def test_no_other_file_becomes_the_library(library: Library, work: WorkId, tmp_path: Path) -> None:
    back_up(library.paths, tmp_path / "copy.db")
    (tmp_path / "text.db").write_text("no library", encoding="utf-8")
    for refused in (tmp_path / "text.db", _foreign(tmp_path / "f.db"), _torn(tmp_path / "copy.db"), tmp_path / "none"):
        with pytest.raises(LibraryUnavailableError):
            restore(library.paths, refused)
    assert len(library.notes()) == 1


def test_a_copy_of_a_later_release_is_refused(library: Library, work: WorkId, tmp_path: Path) -> None:
    back_up(library.paths, tmp_path / "copy.db")
    connection = apsw.Connection(str(tmp_path / "copy.db"))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(LibraryNewerError):
        restore(library.paths, tmp_path / "copy.db")


def test_a_backup_overwrites_nothing_that_is_not_its_own(library: Library, work: WorkId, tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(LibraryUnavailableError):
        back_up(library.paths, tmp_path / "novel.txt")
    with pytest.raises(LibraryUnavailableError):
        back_up(library.paths, library.paths.library_db)
    assert (tmp_path / "novel.txt").read_text("utf-8") == "mine"


def test_books_are_copied_along_when_asked_for(library: Library, work: WorkId, tmp_path: Path) -> None:
    kept = library.paths.books_dir / f"{'a' * 64}.epub"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(b"an epub")
    done = back_up(library.paths, tmp_path / "copy.db", with_books=True)
    assert (done.books, done.missing) == (1, ())
    kept.unlink()
    assert (books_beside(done.file) / kept.name).read_bytes() == b"an epub"
    back = restore(library.paths, done.file)
    assert (back.books, back.missing, kept.read_bytes()) == (1, (), b"an epub")


def test_the_commands_say_where_everything_is(shelf: str, home: Path, tmp_path: Path) -> None:
    code, _out, said = run_here("backup", str(tmp_path / "copy.db"))
    assert (code, "1 work is in" in said, "--books copies them too" in said) == (0, True, True)
    code, _out, said = run_here("restore", str(tmp_path / "copy.db"))
    assert (code, "1 work is back." in said, "library-before-restore" in said) == (0, True, True)
    assert run_here("restore", str(tmp_path / "none.db"))[0] == 5


def test_two_windows_keep_their_places_and_all_notes(library: Library, work: WorkId, tmp_path: Path) -> None:
    other = Library(library.paths)
    passage = library.find_words(work, "Nobody")

    def keep(window: Library, name: str) -> None:
        for number in range(20):
            window.add_note(work, NoteKind.ANNOTATION, passage, f"{name} {number}")

    threads = [threading.Thread(target=keep, args=(each, name)) for each, name in ((library, "one"), (other, "two"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    comments = {shown.note.comment for shown in library.notes(work)}
    assert comments == {"Mind this.", *(f"{name} {number}" for name in ("one", "two") for number in range(20))}
    counter = library.save_place(place_in(_DOCUMENT, 0, counter=1))
    other.save_place(place_in(_DOCUMENT, 34, counter=1))
    place = library.place(work)
    assert place is not None
    assert (place.offset, counter) == (0, 2)
    assert 34 in [earlier.offset for earlier in library.earlier_places(work)]
    other.close()
