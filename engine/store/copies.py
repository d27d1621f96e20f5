"""Copy the whole library to a file and back, by SQLite's own backup, while others read and write it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw

from engine.errors import LibraryUnavailableError
from engine.errors.machine import unwritable
from engine.store.connection import DAMAGE_ERRORS, open_reader, reader_errors
from engine.store.migrations import APPLICATION_ID, check_format, migrate
from engine.translate import _

_PAGES_AT_ONCE = 2000
"""8 MB: the lock is held for a moment, and another process gets its turn between two."""
_PAUSE_S = 0.005


def copy_out(library: Path, target: Path) -> None:
    """Write a copy of the library into a new file, whole or not at all.

    Raises:
        LibraryUnavailableError: the library cannot be read, or the file cannot be written.
    """
    unfinished = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        with reader_errors(library):
            source = open_reader(library)
            try:
                with reader_errors(target):
                    copy = apsw.Connection(str(unfinished))
                    try:
                        _copy(copy, source)
                        copy.pragma("journal_mode", "delete")  # one file, with nothing beside it
                    finally:
                        copy.close()
            finally:
                source.close()
        unfinished.replace(target)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def check_copy(path: Path) -> None:
    """Look through a file that is to become the library.

    Raises:
        LibraryNewerError: a later release wrote it.
        LibraryUnavailableError: it is not there, is no library of ours, or is damaged.
    """
    if not path.is_file():
        raise LibraryUnavailableError(path, _("there is no such file"))
    try:
        with reader_errors(path, passes_damage=True):
            copy = open_reader(path, is_immutable=True)
            try:
                if not check_format(copy, path):
                    raise LibraryUnavailableError(path, _("it holds no library"))
                if copy.execute("PRAGMA quick_check(1)").get != "ok":
                    raise LibraryUnavailableError(path, _("it is damaged"))
            finally:
                copy.close()
    except DAMAGE_ERRORS as error:
        raise LibraryUnavailableError(path, _("it is no library, or a damaged one")) from error


def copy_in(path: Path, library: Path, backups_dir: Path) -> None:
    """Write a copy over the library, in one step for whoever else has it open.

    A copy of an older format is brought to today's.

    Raises:
        LibraryUnavailableError: the library cannot be written, or somebody is writing to it.
    """
    with reader_errors(library):
        source = open_reader(path, is_immutable=True)
        try:
            target = apsw.Connection(str(library))
            try:
                target.set_busy_timeout(5000)
                with target.backup("main", source, "main") as backup:
                    backup.step(-1)
                if int(target.pragma("application_id")) != APPLICATION_ID:
                    raise LibraryUnavailableError(path, _("it holds no library"))
                target.pragma("journal_mode", "wal")
                migrate(target, library, backups_dir)
            finally:
                target.close()
        finally:
            source.close()


def free_copy_name(folder: Path) -> Path:
    """Return a file for what is set aside before the library is written over."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = (f"library-before-restore-{stamp}{end}.db" for end in ("", *(f"-{n}" for n in range(1, 1000))))
    return next(file for name in names if not (file := folder / name).exists())


def _copy(target: apsw.Connection, source: apsw.Connection) -> None:
    with target.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(_PAGES_AT_ONCE)
            time.sleep(_PAUSE_S)
