"""What the machine does to us is told in a sentence: what happened, to which file, what to do."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import apsw
import pytest

from engine.errors import LibraryUnavailableError, VolumeUnreadableError
from engine.errors.machine import DiskFullError, LibraryDamagedError, told_end, told_failure, unwritable
from engine.store.connection import reader_errors

_LOG = Path("/home/mirel/understory.log")


def _os_error(number: int, path: str | None = "/books/a.epub") -> OSError:
    return OSError(number, os.strerror(number), path)


@pytest.mark.parametrize(
    ("error", "named", "happened", "to_do"),
    [
        (_os_error(errno.ENOSPC), "/books/a.epub", "disk is full", "Make room"),
        (_os_error(errno.ENOSPC, None), "Lamps", "disk is full", "Make room"),
        (_os_error(errno.EDQUOT), "/books/a.epub", "disk is full", "Make room"),
        (_os_error(errno.ENOENT), "/books/a.epub", "is gone", "import the book again"),
        (_os_error(errno.EACCES), "/books/a.epub", "may not be read or written", "Check the rights"),
        (_os_error(errno.EROFS), "/books/a.epub", "may not be read or written", "Check the rights"),
        (_os_error(errno.EMFILE), "/books/a.epub", "too many files", "Close other programs"),
        (_os_error(errno.EIO), "/books/a.epub", "Input/output error", "Check the disk"),
        (_os_error(errno.ENOMEM, None), "Lamps", "not enough memory", "Close other programs"),
        (MemoryError(), "Lamps", "not enough memory", "Close other programs"),
        (KeyError("a line of the book"), "Lamps", "KeyError", "understory.log"),
        (VolumeUnreadableError(Path("a.epub"), "no spine"), "a.epub", "no spine", "doctor"),
        (DiskFullError(Path("/l/library.db")), "/l/library.db", "disk is full", "Make room"),
        (LibraryDamagedError(Path("/l/library.db")), "/l/library.db", "damaged", "start again"),
    ],
)
def test_a_failure_of_a_job_says_what_happened_to_what_and_what_to_do(
    error: BaseException, named: str, happened: str, to_do: str
) -> None:
    told = told_failure(error, "Lamps", _LOG)
    assert named in told
    assert happened in told
    assert to_do in told


def test_words_of_a_book_in_an_unforeseen_failure_are_not_told() -> None:
    assert "a line of the book" not in told_failure(KeyError("a line of the book"), "Lamps", _LOG)


@pytest.mark.parametrize(
    ("status", "happened"),
    [(-signal.SIGKILL, "memory"), (-signal.SIGSEGV, "SIGSEGV"), (-200, "200"), (3, "status 3")],
)
def test_a_process_that_said_nothing_is_told_by_its_end(status: int, happened: str) -> None:
    assert happened in told_end(status, _LOG)


def test_a_copy_that_finds_no_room_is_a_full_disk() -> None:
    assert isinstance(unwritable(Path("a"), _os_error(errno.ENOSPC)), DiskFullError)
    assert not isinstance(unwritable(Path("a"), _os_error(errno.EACCES)), DiskFullError)


def _meet(error: apsw.Error, path: Path) -> None:
    with reader_errors(path):
        raise error


def test_what_sqlite_calls_an_error_of_the_disk_is_a_full_one_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_written: object) -> int:
        raise _os_error(errno.ENOSPC)

    monkeypatch.setattr(Path, "write_bytes", no_room)
    with pytest.raises(DiskFullError):
        _meet(apsw.IOError("disk I/O error"), tmp_path / "library.db")


def test_an_error_of_the_disk_where_there_is_room_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(LibraryUnavailableError, match="disk I/O error"):
        _meet(apsw.IOError("disk I/O error"), tmp_path / "library.db")
    assert list(tmp_path.iterdir()) == []
