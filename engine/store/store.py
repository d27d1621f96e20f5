"""The library file of one process: one writer, a reader a thread, short transactions."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from engine.errors import LibraryUnavailableError
from engine.errors.machine import DiskFullError
from engine.store.connection import (
    DAMAGE_ERRORS,
    GARBLED_ERRORS,
    Connection,
    open_reader,
    open_writer,
    reader_errors,
    set_journal,
)
from engine.store.migrations import check_format, migrate
from engine.translate import _


class Store:
    """The gate to the library file.

    Thread-safe. Reading never waits for a writer of this or another process where the file
    system allows a write-ahead log.

    Attributes:
        path: The library file.
        notices: Sentences for the reader about how it had to be opened.
        is_read_only: The folder cannot be written; every write raises.
        journal_mode: "wal", or what the file system allowed instead.
        has_written: Something that cannot simply be made again was committed through this store.
    """

    def __init__(self, path: Path, backups_dir: Path) -> None:
        """Open the file, making or migrating it.

        Raises:
            LibraryNewerError: it was written by a later release; nothing was changed.
            LibraryUnavailableError: it cannot be opened.
            apsw.CorruptError, apsw.NotADBError: it is no library, or no longer one; see `engine.store.opening`.
        """
        self.path = path
        self.notices: tuple[str, ...] = ()
        self.journal_mode = "wal"
        self._lock = threading.RLock()
        self._depth = 0
        self._local = threading.local()
        self._readers: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._is_closed = False
        self.has_written = False
        self.is_read_only = _is_read_only(path)
        self._writer: Connection | None = None
        if self.is_read_only:
            told = _("{path} cannot be written: you can read, but your place is not kept.")
            self._open_read_only(told, path)
            return
        try:
            self._open_writer(backups_dir)
        except DiskFullError:
            if not is_whole_in_one_file(path):
                raise
            self.is_read_only = True
            told = _("{path}: the disk is full. You can read, but your place is not kept; make room, then start again.")
            self._open_read_only(told, path)

    def _open_read_only(self, told: str, path: Path) -> None:
        with reader_errors(path, passes_damage=True):
            r = open_reader(path, is_immutable=True)
            try:
                check_format(r, path)
            finally:
                r.close()
        self.notices = (told.format(path=path),)

    def _open_writer(self, backups_dir: Path) -> None:
        with reader_errors(self.path, passes_damage=True):
            if self.path.exists() and self.path.stat().st_size:
                reader = open_reader(self.path)
                try:
                    check_format(reader, self.path)  # before any pragma could touch a newer file
                finally:
                    reader.close()
            w = open_writer(self.path)
            try:
                self.journal_mode = set_journal(w)
                migrate(w, self.path, backups_dir)
            except BaseException:
                w.close()
                raise
        self._writer = w
        if self.journal_mode != "wal":
            self.notices = (
                _("The file system of {path} allows no write-ahead log; saving is slower there.").format(
                    path=self.path
                ),
            )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Lend this thread's reading connection inside one snapshot: several queries see one state.

        Raises:
            LibraryUnavailableError: the file cannot be read, or the store is closed.
        """
        with reader_errors(self.path):
            reader = self._reader()
            if not reader.get_autocommit():
                yield reader
                return
            reader.execute("BEGIN")
            try:
                yield reader
            except DAMAGE_ERRORS:
                self.mark_suspect()
                raise
            except GARBLED_ERRORS:
                self.mark_suspect(is_certain=True)
                raise
            finally:
                if not reader.get_autocommit():
                    reader.execute("ROLLBACK")

    def _reader(self) -> Connection:
        if self._is_closed:
            raise LibraryUnavailableError(self.path, _("it was closed"))
        reader: Connection | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = open_reader(self.path, is_immutable=self.is_read_only)
            self._local.reader = reader
            self._readers.add(reader)
        return reader

    @contextmanager
    def write(self, *, bulk: bool = False) -> Iterator[Connection]:
        """Lend the writing connection inside a transaction that commits at the end of the block.

        Nested in another `write` of the same thread it is a savepoint: an exception undoes the
        inner block alone if the outer one catches it. Committed means on disk, unless `bulk`.

        Args:
            bulk: Let the commit return before the disk has it. For what can be made again; a
                crash of the program loses nothing, a power cut may lose the last such commits.

        Raises:
            LibraryUnavailableError: disk full, read-only, locked for 5 s, damaged, closed.
        """
        with self._lock, reader_errors(self.path):
            w = self._writer
            if w is None:
                reason = _("it was closed") if self._is_closed else _("it cannot be written")
                raise LibraryUnavailableError(self.path, reason)
            if self._depth:
                with self._savepoint(w):
                    yield w
                return
            w.execute(f"PRAGMA synchronous = {'NORMAL' if bulk else 'FULL'}")
            w.execute("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield w
                w.execute("COMMIT")
                self.has_written = self.has_written or not bulk
            except BaseException as error:
                # SQLite itself rolls back after some failures, such as a full disk.
                if w.in_transaction:
                    w.execute("ROLLBACK")
                if isinstance(error, DAMAGE_ERRORS):
                    self.mark_suspect()
                raise
            finally:
                self._depth = 0

    @contextmanager
    def _savepoint(self, w: Connection) -> Iterator[None]:
        name = f"level{self._depth}"
        w.execute(f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
            w.execute(f"RELEASE {name}")
        except BaseException:
            if w.in_transaction:
                w.execute(f"ROLLBACK TO {name}; RELEASE {name}")
            raise
        finally:
            self._depth -= 1

    def mark_suspect(self, *, is_certain: bool = False) -> None:
        """Leave word for the next start to look through the whole file before trusting it.

        Args:
            is_certain: Not to trust it even if SQLite finds every page in order.
        """
        with contextlib.suppress(OSError):
            mark = suspect_mark(self.path)
            mark.touch()
            if is_certain:
                mark.write_text(CERTAIN, encoding="ascii")

    def close(self, timeout_s: float = 0.4) -> None:
        """Close every connection; a query still running in another thread is interrupted."""
        self._is_closed = True
        deadline = time.monotonic() + timeout_s
        for reader in list(self._readers):
            _close_soon(reader, deadline)
        if self._lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            try:
                if self._writer is not None:
                    self._writer.close()
                    self._writer = None
            finally:
                self._lock.release()


def is_whole_in_one_file(path: Path) -> bool:
    """Say whether there is a library with nothing in the log beside it, so that it can be read without any lock."""
    log = path.with_name(path.name + "-wal")
    return path.exists() and path.stat().st_size > 0 and (not log.exists() or log.stat().st_size == 0)


CERTAIN = "damaged"
"""Stands in the suspect mark when looking through the pages is not needed any more."""


def suspect_mark(path: Path) -> Path:
    """Name the file whose presence says: this library met a damaged page."""
    return path.with_name(path.name + ".suspect")


def _close_soon(connection: Connection, deadline: float) -> None:
    while True:
        try:
            connection.interrupt()
            connection.close()
            return
        except apsw.ConnectionClosedError:
            return
        except apsw.Error:  # in use by another thread, which the interrupt is about to end
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)


def _is_read_only(path: Path) -> bool:
    if not path.exists():
        return False
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
