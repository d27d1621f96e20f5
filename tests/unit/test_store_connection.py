from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from engine.errors import LibraryUnavailableError
from engine.store import remembered
from engine.store.connection import load_vectors, open_reader, open_writer
from engine.store.store import Store
from tests.pace import AT_ONCE_S
from tests.shelving import open_store, paths_in


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _put(store: Store, key: str, value: str = "x") -> None:
    with store.write() as w:
        remembered.remember(w, key, value)


def _put_and_fail(store: Store, key: str) -> None:
    with store.write() as w:
        remembered.remember(w, key, "x")
        raise ZeroDivisionError


def _keys(store: Store) -> list[str]:
    with store.read() as r:
        return [key for (key,) in r.execute("SELECT key FROM remembered ORDER BY key")]


def test_a_new_library_has_a_write_ahead_log_and_says_nothing(store: Store) -> None:
    assert (store.journal_mode, store.notices) == ("wal", ())


def test_what_was_committed_is_read_by_another_connection(store: Store) -> None:
    _put(store, "a")
    assert _keys(store) == ["a"]


def test_an_exception_undoes_the_whole_block(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        _put_and_fail(store, "a")
    assert _keys(store) == []


def test_an_exception_caught_outside_an_inner_block_undoes_that_alone(store: Store) -> None:
    with store.write() as w:
        remembered.remember(w, "a", "x")
        with pytest.raises(ZeroDivisionError):
            _put_and_fail(store, "b")
        with store.write() as inner:
            remembered.remember(inner, "c", "x")
    assert _keys(store) == ["a", "c"]


def test_a_reader_sees_one_state_through_its_block(store: Store) -> None:
    with store.read() as r:
        before = r.execute("SELECT count(*) FROM remembered").get
        writer = threading.Thread(target=_put, args=(store, "a"))
        writer.start()
        writer.join()
        assert r.execute("SELECT count(*) FROM remembered").get == before == 0
    assert _keys(store) == ["a"]


def test_a_reading_connection_cannot_write(store: Store) -> None:
    with pytest.raises(LibraryUnavailableError), store.read() as r:
        remembered.remember(r, "a", "x")


@pytest.mark.parametrize(("bulk", "level"), [(False, 2), (True, 1)])
def test_only_bulk_commits_do_not_wait_for_the_disk(store: Store, bulk: bool, level: int) -> None:
    with store.write(bulk=not bulk):
        pass
    with store.write(bulk=bulk) as w:
        assert w.pragma("synchronous") == level


def test_threads_write_and_read_side_by_side(store: Store) -> None:
    failures: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(25):
                _put(store, f"{n}-{i}")
                _keys(store)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(_keys(store)) == 200


_WRITE_500 = """
import sys
from pathlib import Path
from engine.store import remembered
from engine.store.store import Store
store = Store(Path(sys.argv[1]), Path(sys.argv[2]))
for n in range(500):
    with store.write() as w:
        remembered.remember(w, f"{sys.argv[3]}-{n}", "x")
store.close()
"""


def test_two_processes_of_500_writes_meet_no_lock(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    command = [sys.executable, "-c", _WRITE_500, str(paths.library_db), str(paths.backups_dir)]
    writers = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, cwd=Path.cwd()) for name in "ab"]
    told = [writer.communicate(timeout=120)[1] for writer in writers]
    store = open_store(tmp_path)
    assert told == [b"", b""]
    assert len(_keys(store)) == 1000
    store.close()


def test_a_write_waits_three_seconds_for_another_program(store: Store, tmp_path: Path) -> None:
    other = open_writer(store.path)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(3.0, lambda: other.execute("COMMIT"))
    release.start()
    _put(store, "a")
    release.join()
    other.close()
    assert _keys(store) == ["a"]


def test_a_full_disk_is_told_and_what_was_there_stays(store: Store) -> None:
    _put(store, "a")
    with store.write() as w:
        w.pragma("max_page_count", int(w.pragma("page_count")) + 2)
    with pytest.raises(LibraryUnavailableError, match="disk is full"):
        _put(store, "big", "x" * 1_000_000)
    assert _keys(store) == ["a"]
    with store.write() as w:
        w.pragma("max_page_count", 1 << 30)
    _put(store, "b")
    assert _keys(store) == ["a", "b"]


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.close()
    with pytest.raises(LibraryUnavailableError, match="closed"):
        _put(store, "a")
    with pytest.raises(LibraryUnavailableError, match="closed"):
        _keys(store)


def test_closing_interrupts_a_long_query_of_another_thread(store: Store) -> None:
    told: list[str] = []
    started = threading.Event()

    def count_for_ever() -> None:
        try:
            with store.read() as r:
                started.set()
                r.execute("WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n").get  # noqa: B018
        except LibraryUnavailableError as error:
            told.append(error.message)

    thread = threading.Thread(target=count_for_ever)
    thread.start()
    started.wait()
    time.sleep(0.05)
    began = time.monotonic()
    store.close()
    thread.join()
    assert time.monotonic() - began < AT_ONCE_S
    assert "closed" in told[0]


def test_a_file_system_without_a_log_gets_slow_commits_and_one_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.store.connection.apsw.Connection", _no_shared_memory)
    store = open_store(tmp_path)
    _put(store, "a")
    assert store.journal_mode == "delete"
    assert len(store.notices) == 1
    with store.write() as w:
        assert w.pragma("synchronous") == 2
    assert _keys(store) == ["a"]
    store.close()


_CONNECTION = apsw.Connection


def _no_shared_memory(filename: str, **options: int) -> apsw.Connection:
    """Open through SQLite's locking by files, which like some network drives shares no memory between processes."""
    return _CONNECTION(filename, vfs="unix-dotfile", **options)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read_and_says_so(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    _put(store, "a")
    store.close()
    folder = store.path.parent
    folder.chmod(0o500)
    _assert_readable_only(tmp_path)
    folder.chmod(0o700)


def test_a_library_that_cannot_be_written_can_be_read_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path)
    _put(store, "a")
    store.close()
    monkeypatch.setattr("engine.store.store.os.access", lambda path, mode: mode != os.W_OK)
    _assert_readable_only(tmp_path)


def _assert_readable_only(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    store = Store(paths.library_db, paths.backups_dir)
    assert "cannot be written" in store.notices[0]
    assert _keys(store) == ["a"]
    with pytest.raises(LibraryUnavailableError, match="cannot be written"):
        _put(store, "b")
    store.close()


def test_vectors_load_without_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from engine.store.connection import load_vectors, open_writer;"
        "c = open_writer(Path(sys.argv[1])); load_vectors(c);"
        "print(c.execute('SELECT vec_version()').get, 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "v.db")], capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    assert done.stdout.split() == ["v0.1.9", "False"]


def test_missing_vectors_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.connection.importlib.util.find_spec", lambda name: None)
    connection = open_writer(tmp_path / "v.db")
    with pytest.raises(LibraryUnavailableError, match="sqlite-vec"):
        load_vectors(connection)
    connection.close()


def test_a_name_with_signs_of_an_address_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory#é%20.db"
    open_writer(path).execute("CREATE TABLE t (x)")
    reader = open_reader(path)
    assert reader.execute("SELECT count(*) FROM t").get == 0
    reader.close()
