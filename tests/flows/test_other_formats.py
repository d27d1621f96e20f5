"""A library of another form gives way to a new one, and nothing that the reader made or paid for is lost."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from engine.domain.book import WorkId
from engine.domain.locator import Locator
from engine.domain.notes import NoteKind
from engine.errors import LibraryNewerError, LibraryUnavailableError
from engine.errors.machine import DiskFullError
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.store import salvage
from engine.store.connection import Connection, open_reader, open_writer
from engine.store.migrations import MIGRATIONS
from engine.store.store import Store
from tests.builders import make_epub
from tests.reading_works import read_work
from tests.scripted_reader import ScriptedReader
from tests.shelving import page_in, place_at, wait_for_names


def _make(paths: Paths, folder: Path) -> None:
    """Make a library of two volumes in the reader's order, with a place, two notes and what a model was asked."""
    library = Library(paths)
    for n in (1, 2):
        lines = "".join(f"<p>Volume {n}, line {i}: Orla Vane saw the lamp burn low.</p>" for i in range(90))
        book = make_epub(folder / f"v{n}.epub", title=f"Lamps Vol. {n}", chapters=[("One", lines)])
        work = library.import_now(book).work
    assert work is not None
    first, second = (volume.id for volume in library.outline(work).volumes)
    library.reorder(work, [second, first])
    wait_for_names(library)
    document, offset = page_in(library, work, "Volume 1, line 70:")
    hashed = library.book_sha256(folder / "v1.epub")
    library.save_place(place_at(library.reading(work), document, offset, spine_index=0, sha256=hashed))
    library.set_frontier(work, document, offset)
    library.add_note(work, NoteKind.ANNOTATION, Locator(document, offset, offset + 18), "here she saw it")
    library.add_jotting(work, "ask about the lamp")
    read_work(library, work, ScriptedReader())
    library.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    _make(paths_under(folder / "home"), folder)
    return folder / "home"


@pytest.fixture
def paths(made: Path, tmp_path: Path) -> Paths:
    """A library of the reader's own, without the copy of her rows that a clean end leaves."""
    shutil.copytree(made, tmp_path / "home")
    paths = paths_under(tmp_path / "home")
    paths.user_copy.unlink()
    return paths


def _change(paths: Paths, sql: str) -> None:
    w = open_writer(paths.library_db)
    w.execute(sql)
    w.close()


def _assert_as_before(library: Library) -> None:
    deadline = time.monotonic() + 60
    while library.jobs():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    (work,) = library.works()
    assert [v.title for v in library.outline(work.id).volumes] == ["Lamps Vol. 2", "Lamps Vol. 1"]
    shown = library.place(work.id)
    assert shown is not None
    assert library.text_of(shown.document, shown.offset, shown.offset + 18) == "Volume 1, line 70:"
    assert library.frontier(work.id) == shown.pos
    assert sorted(each.note.comment for each in library.notes()) == ["ask about the lamp", "here she saw it"]
    assert library.doctor()[0].is_ok


def _aside(paths: Paths, why: str) -> list[Path]:
    return [each for each in paths.data_dir.glob(f"library.db.{why}-*") if not each.name.endswith(("-wal", "-shm"))]


_WRONG_TABLES = [
    pytest.param("PRAGMA user_version = 0", id="a format of no number"),
    pytest.param("PRAGMA user_version = -3", id="a format below all"),
    pytest.param("ALTER TABLE reader_note DROP COLUMN is_brought", id="notes lack a column"),
    pytest.param("ALTER TABLE reader_note DROP COLUMN title", id="notes lack a column without a default"),
    pytest.param("ALTER TABLE place ADD COLUMN mood TEXT NOT NULL DEFAULT ''", id="places have a column more"),
    pytest.param("DROP TABLE trial", id="a table is missing"),
    pytest.param("DROP TABLE gram", id="a virtual table is missing"),
    pytest.param("DROP INDEX job_open", id="an index is missing"),
]


@pytest.mark.parametrize("sql", _WRONG_TABLES)
def test_tables_that_are_not_those_of_the_number_cost_the_reader_nothing(paths: Paths, sql: str) -> None:
    _change(paths, sql)
    library = Library(paths)
    assert "does not know" in library.notices[0]
    assert len(_aside(paths, "unknown")) == 1
    _assert_as_before(library)
    library.close()
    again = Library(paths)
    assert again.notices == ()
    again.close()


def test_a_library_of_a_later_release_gives_way_and_is_kept(paths: Paths) -> None:
    _change(paths, f"CREATE TABLE later (x); PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = sha256(paths.library_db.read_bytes()).digest()
    library = Library(paths)
    assert "later release" in library.notices[0]
    (aside,) = _aside(paths, "newer")
    assert sha256(aside.read_bytes()).digest() == before
    _assert_as_before(library)
    library.close()


def test_what_a_model_has_answered_is_not_paid_for_again(paths: Paths) -> None:
    _change(paths, "DROP TABLE trial")
    library = Library(paths)
    _assert_as_before(library)
    model = ScriptedReader()
    read_work(library, library.works()[0].id, model)
    assert model.calls == []
    library.close()


@pytest.mark.parametrize("form", ["DROP TABLE trial", f"PRAGMA user_version = {len(MIGRATIONS) + 1}"])
def test_a_library_of_another_form_that_is_in_use_stays_where_it_is(paths: Paths, form: str) -> None:
    _change(paths, form)
    other = open_reader(paths.library_db)
    assert other.execute("SELECT count(*) FROM work").get == 1
    before = sha256(paths.library_db.read_bytes()).digest()
    with pytest.raises((LibraryNewerError, LibraryUnavailableError), match=r"format|form this release does not know"):
        Library(paths)
    other.close()
    assert sha256(paths.library_db.read_bytes()).digest() == before
    assert list(paths.data_dir.glob("*.rebuilding")) == []


def test_other_words_of_the_same_table_are_no_other_form(paths: Paths) -> None:
    _change(
        paths,
        "PRAGMA writable_schema = 1;"
        "UPDATE sqlite_schema SET sql = replace(sql, '-- JSON list', '-- a list') WHERE name = 'work'",
    )
    library = Library(paths)
    assert library.notices == ()
    library.close()


def _killed(*_given: object) -> int:
    raise KeyboardInterrupt


def _killed_after(call: Callable[..., int]) -> Callable[..., int]:
    def call_and_die(*given: object) -> int:
        call(*given)
        raise KeyboardInterrupt

    return call_and_die


@pytest.mark.parametrize(
    "where", ["engine.store.rebuilding._move", "engine.store.salvage.put_user_rows", "engine.store.rebuilding._told"]
)
def test_killed_while_it_is_made_anew_the_next_start_goes_on(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    _change(paths, "DROP TABLE trial")
    with monkeypatch.context() as patch:
        patch.setattr(where, _killed)
        with pytest.raises(KeyboardInterrupt):
            Library(paths)
    library = Library(paths)
    assert len(_aside(paths, "unknown")) == 1
    _assert_as_before(library)
    library.close()


def test_killed_just_after_the_move_the_next_start_goes_on(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.store import rebuilding

    _change(paths, "DROP TABLE trial")
    with monkeypatch.context() as patch:
        patch.setattr(rebuilding, "_move", _killed_after(rebuilding._move))  # type: ignore[arg-type]  # returns nothing
        with pytest.raises(KeyboardInterrupt):
            Library(paths)
    library = Library(paths)
    _assert_as_before(library)
    library.close()


def test_without_room_for_a_new_one_the_next_start_goes_on(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_w: Connection, _rows: salvage.UserRows) -> int:
        raise apsw.FullError

    paths.library_db.write_bytes(b"no library" * 1000)
    with monkeypatch.context() as patch:
        patch.setattr("engine.store.salvage.put_user_rows", no_room)
        with pytest.raises(DiskFullError):
            Library(paths)
    library = Library(paths)
    assert len(_aside(paths, "corrupt")) == 1
    assert library.notices
    library.close()


def test_with_a_full_disk_one_can_read(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(self: Store, _backups: Path) -> None:
        raise DiskFullError(self.path)

    monkeypatch.setattr(Store, "_open_writer", no_room)
    library = Library(paths)
    assert "disk is full" in library.notices[0]
    assert len(library.works()) == 1
    with pytest.raises(LibraryUnavailableError):
        library.rename_work(WorkId(1), "Other")
    library.close()


def test_a_copy_of_the_reader_s_rows_by_another_release_is_understood(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "home")
    paths = paths_under(tmp_path / "home")
    copy = json.loads(paths.user_copy.read_text(encoding="utf-8"))
    columns = copy["columns"]["reader_note"]
    copy["columns"]["reader_note"] = [*reversed(columns[:-2]), "mood"]  # two columns fewer, one more, in another order
    copy["tables"]["reader_note"] = [[*reversed(row[:-2]), "glad"] for row in copy["tables"]["reader_note"]]
    copy["columns"]["hope"], copy["tables"]["hope"] = ["x"], [[1]]
    paths.user_copy.write_text(json.dumps(copy), encoding="utf-8")
    paths.library_db.unlink()
    library = Library(paths)
    _assert_as_before(library)
    library.close()
