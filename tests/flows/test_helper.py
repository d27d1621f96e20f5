"""The background process itself: how it starts, waits, works and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from engine.errors import HelperUnavailableError, LibraryUnavailableError
from engine.helper import HelperClient, ask_estimate, is_alive, this_process
from engine.helper.log import folder_arguments
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.store import jobs
from engine.store.connection import open_reader
from engine.store.jobs import Owner
from tests.builders import make_epub
from tests.commands import CHECKOUT
from tests.pace import PATIENCE_S

_HEAVY = (
    *("lxml", "ebooklib", "html2text", "rapidfuzz", "sqlite_vec", "numpy", "llm"),
    *("subprocess", "hashlib", "sqlite3", "tempfile", "engine.helper", "engine.pipeline"),
)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = paths_under(tmp_path / "home")
    Library(paths).close()
    return paths


@pytest.fixture
def helper(paths: Paths) -> Iterator[subprocess.Popen[bytes]]:
    """A helper whose pipe this test holds."""
    paths.state_dir.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "engine.helper", *folder_arguments(paths)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=CHECKOUT,
    )
    yield process
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stderr):
        assert pipe is not None
        pipe.close()


@pytest.fixture(scope="module")
def long_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    body = "".join(f"<p>Line {n}: the lamp burned low, and nobody came to trim it.</p>" for n in range(1200))
    folder = tmp_path_factory.mktemp("books")
    return make_epub(folder / "long.epub", title="Long", chapters=[(f"Part {n}", body) for n in range(120)])


def _until(is_so: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _query(paths: Paths, sql: str) -> object:
    r = open_reader(paths.library_db)
    found = r.execute(sql).get
    r.close()
    return found


def _queue(paths: Paths, book: Path) -> None:
    """Queue an import by a library that leaves at once."""
    library = Library(paths)
    library.start_import([book])
    library.close()


def _is_under_way(paths: Paths) -> bool:
    return int(str(_query(paths, "SELECT coalesce(max(done), 0) FROM job WHERE state = 'leased'"))) >= 3


def _owner(paths: Paths) -> Owner | None:
    r = open_reader(paths.library_db)
    owner = jobs.lease_owner(r, "helper")
    r.close()
    return owner


def test_it_ends_within_a_second_when_its_pipe_closes(helper: subprocess.Popen[bytes]) -> None:
    time.sleep(0.5)
    assert helper.stdin is not None
    helper.stdin.close()
    assert helper.wait(20.0) == 0


def test_it_ends_in_the_middle_of_an_import(paths: Paths, long_book: Path, helper: subprocess.Popen[bytes]) -> None:
    _queue(paths, long_book)
    _until(lambda: _is_under_way(paths))
    assert helper.stdin is not None
    helper.stdin.close()
    helper.wait(20.0)
    assert _query(paths, "SELECT state FROM job") == "todo"
    assert _query(paths, "SELECT count(*) FROM book WHERE state = 'ready'") == 0


_PARENT = """
import sys, time
from pathlib import Path
from engine.library import Library
from engine.paths import Paths
library = Library(Paths(*map(Path, sys.argv[1:4])))
library.start_import([Path(sys.argv[4])])
print("started", flush=True)
time.sleep(60)
"""


def test_it_outlives_no_parent_that_is_killed(paths: Paths, long_book: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, *folder_arguments(paths), str(long_book)], stdout=subprocess.PIPE, cwd=CHECKOUT
    )
    _until(lambda: _is_under_way(paths))
    (child,) = psutil.Process(parent.pid).children()
    parent.kill()
    parent.communicate()
    # Where nobody collects orphans, an ended one stays as a zombie.
    _until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, timeout_s=1.0)


def test_a_hang_up_of_the_terminal_is_not_its_affair(helper: subprocess.Popen[bytes], paths: Paths) -> None:
    client = HelperClient(paths)
    client.ensure()
    _until(lambda: client.is_running)
    children = psutil.Process().children()
    ours = next(child for child in children if child.pid != helper.pid)
    assert os.getsid(ours.pid) == ours.pid != os.getsid(0)
    client.stop()


def test_it_is_niced(paths: Paths, helper: subprocess.Popen[bytes]) -> None:
    _until(lambda: psutil.Process(helper.pid).nice() == os.nice(0) + 10)


def test_it_waits_without_work_and_uses_no_time(helper: subprocess.Popen[bytes]) -> None:
    process = psutil.Process(helper.pid)

    def rests() -> bool:
        before = process.cpu_times()
        time.sleep(1.0)
        after = process.cpu_times()
        return after.user + after.system - before.user - before.system <= 0.03

    _until(rests)


def test_of_two_the_one_that_holds_the_lease_works(
    paths: Paths, long_book: Path, helper: subprocess.Popen[bytes]
) -> None:
    _queue(paths, long_book)
    _until(lambda: _is_under_way(paths))
    other = HelperClient(paths)
    other.ensure()
    time.sleep(0.3)
    owner = _owner(paths)
    assert owner is not None
    assert owner.pid == helper.pid
    other.stop()


def test_the_other_takes_over_at_once_from_one_that_was_killed(
    paths: Paths, long_book: Path, helper: subprocess.Popen[bytes]
) -> None:
    _queue(paths, long_book)
    _until(lambda: _is_under_way(paths))
    other = HelperClient(paths)
    other.ensure()
    helper.send_signal(signal.SIGKILL)
    helper.wait()
    _until(lambda: _query(paths, "SELECT state FROM job WHERE kind = 'import'") == "done")
    assert _query(paths, "SELECT tries FROM job WHERE kind = 'import'") == 2
    other.stop()


def test_a_lease_of_a_process_with_a_reused_pid_is_free(paths: Paths, long_book: Path) -> None:
    me = this_process()
    assert is_alive(me)
    assert not is_alive(Owner(me.pid, "another start", me.boot))
    assert not is_alive(Owner(me.pid, me.process_start, "another boot"))


def test_one_that_cannot_start_is_told_and_not_tried_for_ever(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    client = HelperClient(paths)
    with pytest.raises(HelperUnavailableError, match="status 1"):
        _until(client.ensure)


def _fails(tmp_path: Path, code: str) -> str:
    """Return a program to start instead of Python that does something and ends."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
    program.chmod(0o700)
    return str(program)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("printf 'library.db: the disk is full.'; exit 5", "library.db: the disk is full"),
        ("printf 'Lamps: it is broken.'; exit 1", "Lamps: it is broken"),
        ("kill -9 $$", "memory ran short"),
        ("kill -11 $$", "SIGSEGV"),
    ],
)
def test_why_one_ended_is_told_in_its_own_words_or_by_its_end(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, told: str
) -> None:
    monkeypatch.setattr(sys, "executable", _fails(tmp_path, code))
    client = HelperClient(paths)
    with pytest.raises(HelperUnavailableError, match=told):
        _until(client.ensure)
    with pytest.raises(HelperUnavailableError, match=told):
        ask_estimate(paths, "{}", threading.Event())


def test_one_that_prints_much_is_not_held_up(paths: Paths) -> None:
    code = (
        "import sys; import engine.helper.worker as worker; worker._work = lambda *a, **k: print('x' * 1_000_000);"
        "sys.exit(worker.main(sys.argv[1:]))"
    )
    paths.state_dir.mkdir(parents=True, exist_ok=True)
    with paths.log_file.open("wb") as log:
        chatty = subprocess.Popen(
            [sys.executable, "-c", code, *folder_arguments(paths)], stdout=subprocess.PIPE, stderr=log, cwd=CHECKOUT
        )
        assert chatty.wait(20.0) == 0
    assert chatty.stdout is not None
    assert chatty.stdout.read() == b""
    chatty.stdout.close()


@pytest.mark.parametrize("options", [[], ["--alone"], ["--estimate", "{}"]])
def test_a_library_that_is_none_is_told_by_its_last_words(paths: Paths, options: list[str]) -> None:
    paths.library_db.write_bytes(b"no library at all" * 1000)
    command = [sys.executable, "-m", "engine.helper", *folder_arguments(paths), *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=CHECKOUT, check=False, input="")
    assert done.returncode == LibraryUnavailableError.exit_code
    assert f"{paths.library_db}: it is damaged" in done.stdout


def test_one_whose_program_is_missing_is_told(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(HelperUnavailableError):
        HelperClient(paths).ensure()


def test_a_folder_of_the_same_name_in_the_way_is_not_taken_for_it(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "engine"
    trap.mkdir()
    (trap / "__init__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    library = Library(paths)
    book = make_epub(tmp_path / "a.epub", title="A", chapters=[("One", "<p>text</p>")])
    assert library.import_now(book).work is not None
    library.close()


def test_its_log_holds_no_text_of_a_book(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    library.import_now(make_epub(tmp_path / "a.epub", title="TITLEMARK", chapters=[("One", "<p>TEXTMARK</p>")]))
    bad = tmp_path / "BAD.epub"
    bad.write_bytes(b"PK\x03\x04 TEXTMARK")
    library.import_now(bad)
    library.close()
    assert "MARK" not in paths.log_file.read_text(encoding="utf-8")


def test_the_door_loads_nothing_heavy() -> None:
    code = f"import sys, engine.library; print([m for m in {_HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CHECKOUT)
    assert done.stdout.strip() == "[]"


def test_reading_an_imported_work_loads_nothing_heavy(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    work = library.import_now(make_epub(tmp_path / "a.epub", title="A", chapters=[("One", "<p>text</p>")])).work
    _until(lambda: not library.jobs())
    library.close()
    code = (
        "import sys; from pathlib import Path; from engine.library import Library; from engine.paths import Paths;"
        "library = Library(Paths(*map(Path, sys.argv[1:4]))); work = library.works()[0].id;"
        "source = library.reading(work); outline = source.outline(); source.place(); source.frontier();"
        "print(source.slice_at(outline.volumes[0].documents[0].id, 0).text);"
        f"print([m for m in {_HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *folder_arguments(paths)], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    assert work is not None
    assert done.stdout.splitlines() == ["text", "[]"]
