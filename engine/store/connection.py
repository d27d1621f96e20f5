"""Connections to the library file: how they are opened, and what their failures mean to the reader."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

import apsw

from engine.errors import LibraryUnavailableError
from engine.errors.machine import NO_ROOM, DiskFullError, LibraryDamagedError, LibraryLockedError
from engine.translate import _

Connection: TypeAlias = apsw.Connection
"""What the functions of this room take; other rooms hand it on and never call it."""

BUSY_TIMEOUT_MS = 5000
"""A writer waits this long for another process; none of ours holds the lock above 50 ms."""

_LOG_BYTES = 8_000_000

DAMAGE_ERRORS = (apsw.CorruptError, apsw.NotADBError)
"""What SQLite raises for a file that is no database, or no longer one."""
GARBLED_ERRORS = (UnicodeDecodeError, json.JSONDecodeError)
"""What comes of a page whose bytes were overwritten inside a text, where SQLite sees no fault."""


def open_writer(path: Path) -> Connection:
    """Open the file for reading and writing, making it when it is missing.

    Raises:
        apsw.Error: as SQLite says it; see `reader_errors`.
    """
    is_new = not path.exists() or path.stat().st_size == 0
    connection = _configured(apsw.Connection(str(path)))
    if is_new:
        # Only possible before the first table: lets a removed book's pages be given back in small steps.
        connection.pragma("auto_vacuum", "INCREMENTAL")
    return connection


def open_reader(path: Path, *, is_immutable: bool = False) -> Connection:
    """Open the file for reading only.

    Args:
        path: The library file.
        is_immutable: Nothing can change the file, so neither locks nor side files are needed:
            the only way to read a library in a folder that cannot be written.

    Raises:
        apsw.Error: as SQLite says it; see `reader_errors`.
    """
    uri = f"file:{quote(str(path.absolute()))}?mode=ro{'&immutable=1' if is_immutable else ''}"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return _configured(connection)


def _configured(connection: Connection) -> Connection:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA foreign_keys = ON; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY")
    return connection


def set_journal(connection: Connection) -> str:
    """Ask for a write-ahead log, read back what the file system allowed, and make every commit durable.

    Returns:
        "wal", or the mode in use instead: some network file systems have no shared memory.
    """
    mode = str(connection.pragma("journal_mode", "wal"))
    # A long import may leave a log of 100 MB behind.
    connection.pragma("journal_size_limit", _LOG_BYTES)
    if mode != "wal":
        mode = str(connection.pragma("journal_mode", "delete"))
    connection.pragma("synchronous", "FULL")
    return mode


def json_of(values: Iterable[int]) -> str:
    """Write numbers for `json_each`, which takes any number of them."""
    return f"[{','.join(map(str, values))}]"


def utc_now() -> str:
    """Return the time as the library writes it: ISO 8601, UTC, seconds. For people; nothing is ordered by it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def load_vectors(connection: Connection) -> None:
    """Load sqlite-vec into a connection.

    By the library's path, since importing the package costs 90 ms for numpy, which it uses
    for nothing we need.

    Raises:
        LibraryUnavailableError: sqlite-vec is not installed, or does not fit this machine.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise LibraryUnavailableError(Path("sqlite-vec"), _("it is not installed"))
    extension = Path(folders[0]) / "vec0"
    try:
        connection.enable_load_extension(True)
        connection.load_extension(str(extension), "sqlite3_vec_init")
    except apsw.Error as error:
        raise LibraryUnavailableError(extension, str(error)) from error
    finally:
        connection.enable_load_extension(False)


@contextmanager
def reader_errors(path: Path, *, passes_damage: bool = False) -> Iterator[None]:
    """Turn SQLite's failures into the sentence the reader is told.

    Args:
        path: The file the sentence names.
        passes_damage: Let `DAMAGE_ERRORS` through, for the one who can mend the file.

    Raises:
        LibraryUnavailableError: disk full, no right to write, locked for 5 s, damaged.
    """
    try:
        yield
    except apsw.FullError as error:
        raise DiskFullError(path) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise LibraryUnavailableError(path, _("it cannot be written")) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise LibraryLockedError(path) from error
    except DAMAGE_ERRORS as error:
        if passes_damage:
            raise
        raise LibraryDamagedError(path) from error
    except GARBLED_ERRORS as error:
        raise LibraryDamagedError(path) from error
    except (apsw.ConnectionClosedError, apsw.InterruptError) as error:
        raise LibraryUnavailableError(path, _("it was closed")) from error
    except (apsw.CantOpenError, apsw.IOError) as error:
        if not _has_room(path.parent):
            raise DiskFullError(path) from error
        raise LibraryUnavailableError(path, str(error)) from error


_PROBE_BYTES = 1 << 16
"""SQLite takes 32 KB for what its processes share before it reads the first row of a library with a log."""


def _has_room(folder: Path) -> bool:
    """Try whether a little can be written; SQLite calls a file it cannot make longer a disk that cannot be read."""
    probe = folder / f".room-{os.getpid()}"
    try:
        probe.write_bytes(bytes(_PROBE_BYTES))
    except OSError as error:
        return error.errno not in NO_ROOM
    finally:
        with suppress(OSError):
            probe.unlink()
    return True
