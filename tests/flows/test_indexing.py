"""Passages made in the background: killed over and over, and by two programs on one library."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from engine.domain.book import INDEX_REV, BookId, WorkId
from engine.errors import HelperUnavailableError
from engine.library import Library
from engine.paths import Paths
from engine.store import jobs, passages
from engine.store.connection import open_reader
from tests.builders import make_epub
from tests.pace import PATIENCE_S
from tests.shelving import passages_of, paths_in, wait_for_names

_LINES = ("The ferry left at dusk.", "Ilse kept the lamp.", "渡船在黄昏离岸。", "その夜、火は消えなかった。")
_BOOK = BookId(1)
_Whole = tuple[list[passages.PassageRow], list[tuple[object, ...]]]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path / "home")


@pytest.fixture
def library(paths: Paths) -> Iterator[Library]:
    library = Library(paths)
    yield library
    library.close()


def _imported(library: Library, folder: Path) -> WorkId:
    chapters = [(f"Part {n}", "".join(f"<p>{n}.{i} {_LINES[i % 4] * 9}</p>" for i in range(60))) for n in range(30)]
    book = make_epub(folder / "longer.epub", title="The Longer Crossing", chapters=chapters)
    work = WorkId(library.import_now(book).work or 0)
    wait_for_names(library)
    return work


def _whole(library: Library, work: WorkId) -> _Whole:
    """Return all there is to find passages by."""
    with library._store.write() as w:
        w.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.gram_count USING fts5vocab (main, gram, row)")
        return passages_of(w, work), list(w.execute("SELECT term, doc FROM gram_count"))


def _make_anew(library: Library) -> None:
    """Have the passages of the book made anew, as a later release of the program does."""
    with library._store.write() as w:
        if passages.index_rev(w, _BOOK) == INDEX_REV:
            passages.set_index_rev(w, _BOOK, INDEX_REV + 1)
        passages.queue_index(w, _BOOK)
    library._wake_helper()


def _state(library: Library) -> tuple[int, int | None]:
    with library._store.read() as r:
        count = int(r.execute("SELECT count(*) FROM passage").get)
        return count, passages.index_rev(r, _BOOK)


def _until(is_so: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.003)


def _has_moved(library: Library, before: tuple[int, int | None]) -> bool:
    """See to it that a helper is at work, and say whether it has got on; a job that was killed thrice is given up."""
    with suppress(HelperUnavailableError):  # told after three kills in a row; the next call starts another
        if not library.jobs():
            _make_anew(library)
    return _state(library)[0] != before[0]


def _is_at(library: Library, end: tuple[int, int | None]) -> bool:
    return _state(library) == end or (_has_moved(library, end) and _state(library) == end)


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


def _survives_kills(library: Library, work: WorkId, paths: Paths, kills: int) -> None:
    """Kill the helper so many times in the middle of it, each time a little further."""
    whole = _whole(library, work)
    killed = 0
    _make_anew(library)
    while killed < kills:
        before = _state(library)
        _until(partial(_has_moved, library, before))
        time.sleep((killed % 7) * 0.003)
        is_killed = _kill_helper(paths)
        killed += is_killed and _state(library)[1] != INDEX_REV
    end = (len(whole[0]), INDEX_REV)
    _until(lambda: _is_at(library, end))
    wait_for_names(library)
    assert _whole(library, work) == whole
    assert [check.name for check in library.doctor() if not check.is_ok] == []


def test_five_kills_leave_the_passages_an_undisturbed_run_makes(library: Library, paths: Paths, tmp_path: Path) -> None:
    _survives_kills(library, _imported(library, tmp_path), paths, 5)


@pytest.mark.gate
def test_two_hundred_kills_leave_the_passages_an_undisturbed_run_makes(
    library: Library, paths: Paths, tmp_path: Path
) -> None:
    _survives_kills(library, _imported(library, tmp_path), paths, 200)


def test_two_programs_make_the_passages_of_a_book_together(library: Library, paths: Paths, tmp_path: Path) -> None:
    work = _imported(library, tmp_path)
    whole = _whole(library, work)
    other = Library(paths)
    _make_anew(library)
    _make_anew(other)
    wait_for_names(library)
    wait_for_names(other)
    assert _whole(other, work) == whole
    other.close()
