from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import LibraryNewerError, LibraryUnavailableError
from engine.store import remembered
from engine.store.connection import Connection, open_reader, open_writer
from engine.store.migrations import APPLICATION_ID, MIGRATIONS, migrate
from engine.store.store import Store
from tests.shelving import open_store, paths_in


def _add_table(w: Connection) -> None:
    w.execute("CREATE TABLE later (x TEXT)")


def _fail_half_way(w: Connection) -> None:
    w.execute("CREATE TABLE later (x TEXT)")
    raise ZeroDivisionError


def _library(folder: Path) -> Path:
    """Make a library of today's format with one row and return its file."""
    store = open_store(folder)
    with store.write() as w:
        remembered.remember(w, "a", "kept")
    store.close()
    return store.path


def _upgrade(path: Path, *steps: Callable[[Connection], None]) -> None:
    w = open_writer(path)
    try:
        migrate(w, path, path.parent / "backups", migrations=(*MIGRATIONS, *steps))
    finally:
        w.close()


def _query(path: Path, sql: str) -> object:
    r = open_reader(path)
    try:
        return r.execute(sql).get
    finally:
        r.close()


def test_a_new_library_bears_our_mark_and_format(tmp_path: Path) -> None:
    path = _library(tmp_path)
    assert _query(path, "PRAGMA application_id") == APPLICATION_ID
    assert _query(path, "PRAGMA user_version") == len(MIGRATIONS)


def test_a_new_library_leaves_no_copy(tmp_path: Path) -> None:
    assert not (_library(tmp_path).parent / "backups").exists()


def test_an_older_library_is_brought_up_with_what_it_holds(tmp_path: Path) -> None:
    path = _library(tmp_path)
    _upgrade(path, _add_table)
    assert _query(path, "PRAGMA user_version") == len(MIGRATIONS) + 1
    assert _query(path, "SELECT value FROM remembered") == "kept"
    assert _query(path, "SELECT count(*) FROM later") == 0


def test_a_copy_of_the_old_format_is_made_before(tmp_path: Path) -> None:
    path = _library(tmp_path)
    _upgrade(path, _add_table)
    (copy,) = (path.parent / "backups").iterdir()
    assert _query(copy, "PRAGMA user_version") == len(MIGRATIONS)
    assert _query(copy, "SELECT value FROM remembered") == "kept"


def test_of_many_copies_the_newest_three_are_kept(tmp_path: Path) -> None:
    path = _library(tmp_path)
    _upgrade(path, *[lambda w: None] * 5)
    formats = sorted(int(str(_query(copy, "PRAGMA user_version"))) for copy in (path.parent / "backups").iterdir())
    assert formats == [len(MIGRATIONS) + n for n in (2, 3, 4)]


def test_a_step_that_fails_leaves_the_file_bit_for_bit_as_it_was(tmp_path: Path) -> None:
    path = _library(tmp_path)
    before = sha256(path.read_bytes()).digest()
    with pytest.raises(ZeroDivisionError):
        _upgrade(path, _fail_half_way)
    assert sha256(path.read_bytes()).digest() == before


def test_a_step_is_not_made_without_its_copy(tmp_path: Path) -> None:
    path = _library(tmp_path)
    (path.parent / "backups").write_text("a file where the folder should be")
    with pytest.raises(LibraryUnavailableError, match="no copy"):
        _upgrade(path, _add_table)
    assert _query(path, "PRAGMA user_version") == len(MIGRATIONS)


def test_two_programs_starting_together_make_each_step_once(tmp_path: Path) -> None:
    path = _library(tmp_path)
    made: list[int] = []
    failures: list[BaseException] = []

    def start() -> None:
        try:
            _upgrade(path, lambda w: made.append(1), _add_table)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(made) == 1
    assert len(list((path.parent / "backups").iterdir())) == 2


def test_a_newer_library_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = _library(tmp_path)
    _upgrade(path, _add_table)
    before = sha256(path.read_bytes()).digest()
    with pytest.raises(LibraryNewerError):
        Store(path, path.parent / "backups")
    assert sha256(path.read_bytes()).digest() == before


def test_the_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = paths_in(tmp_path).library_db
    other = open_writer(path)
    other.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    other.close()
    before = sha256(path.read_bytes()).digest()
    with pytest.raises(LibraryUnavailableError, match="another program"):
        Store(path, path.parent / "backups")
    assert sha256(path.read_bytes()).digest() == before


_SLOW_UPGRADE = """
import sys, time
from pathlib import Path
from engine.store.connection import open_writer
from engine.store.migrations import MIGRATIONS, migrate
def slow(w):
    for n in range(400):
        w.execute(f"CREATE TABLE t{n} (x TEXT)")
        if n == int(sys.argv[2]):
            print("there", flush=True)
            time.sleep(60)
path = Path(sys.argv[1])
migrate(open_writer(path), path, path.parent / "backups", migrations=(*MIGRATIONS, slow))
"""


@pytest.mark.parametrize("at", [0, 150, 399])
def test_killed_in_the_middle_of_a_step_the_library_is_as_before(tmp_path: Path, at: int) -> None:
    path = _library(tmp_path)
    killed = subprocess.Popen(
        [sys.executable, "-c", _SLOW_UPGRADE, str(path), str(at)], stdout=subprocess.PIPE, cwd=Path.cwd()
    )
    assert killed.stdout is not None
    killed.stdout.readline()
    killed.kill()
    killed.communicate()
    assert _query(path, "PRAGMA user_version") == len(MIGRATIONS)
    assert _query(path, "PRAGMA integrity_check") == "ok"
    assert _query(path, "SELECT value FROM remembered") == "kept"
    _upgrade(path, _add_table)
    assert _query(path, "SELECT count(*) FROM later") == 0
