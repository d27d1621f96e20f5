"""Open the library whatever has become of its file: set a damaged one aside, bring back the reader's rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from engine.domain.book import INDEX_REV, RULES_REV, TEXT_REV
from engine.errors import LibraryNewerError, LibraryUnavailableError
from engine.errors.machine import DiskFullError, unwritable
from engine.paths import Paths, text_from_path
from engine.store.connection import DAMAGE_ERRORS, Connection, open_reader, reader_errors
from engine.store.migrations import check_format, fits_its_format
from engine.store.rebuilding import DAMAGED, NEWER, UNKNOWN, is_left_half, rebuild
from engine.store.store import CERTAIN, Store, is_whole_in_one_file, suspect_mark
from engine.translate import _

_HEADER = b"SQLite format 3\x00"
_SMALL_TABLES = (
    "work",
    "book",
    "volume",
    "place",
    "earlier_place",
    "frontier",
    "mark",
    "reader_note",
    "sitting",
    "placement",
    "remembered",
    "job",
    "lease",
)
"""Looked through at every start, 0.2 ms; the texts are looked through once a read has met damage."""


def open_store(paths: Paths) -> tuple[Store, tuple[str, ...]]:
    """Open the library file, making it when there is none.

    A file that is damaged or no library is moved to `library.db.corrupt-<time>`, one whose tables are not those of
    its format to `library.db.unknown-<time>`, one of a later release to `library.db.newer-<time>`; it is never
    deleted. Into the new one go the reader's own rows and what
    models have answered as far as they can be read, and a job for each kept EPUB. Killed on the way, or without
    room, the next start goes on.

    Returns:
        The store, and sentences for the reader.

    Raises:
        LibraryNewerError: it was written by a later release, and such a one is using it now.
        LibraryUnavailableError: it cannot be opened, or its folder cannot be made.
    """
    path = paths.library_db
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise unwritable(path, error) from error
    kept = _kept_files(paths)
    with _one_at_a_time(path):
        if is_left_half(path):
            return rebuild(paths, kept, "")
        trouble = _trouble(path, kept)
        if not trouble:
            try:
                is_lost = not path.exists()
                if is_lost and kept:
                    return rebuild(paths, kept, "")
                store = Store(path, paths.backups_dir)
                _look_after(store, paths)
                return store, store.notices
            except DAMAGE_ERRORS:
                trouble = DAMAGED
        if trouble in (NEWER, UNKNOWN):
            _refuse_to_move(path)
        return rebuild(paths, kept, trouble)


def has_unfinished(r: Connection) -> bool:
    """Say whether background work waits or was left behind: open jobs, books or rosters half made or half removed."""
    return bool(
        r.execute(
            "SELECT EXISTS (SELECT 1 FROM job WHERE state IN ('todo', 'leased'))"
            " OR EXISTS (SELECT 1 FROM book WHERE state <> 'ready')"
            " OR EXISTS (SELECT 1 FROM roster WHERE state IN ('growing', 'leaving'))"
        ).get
    )


def _trouble(path: Path, kept: Sequence[Path]) -> str:
    """Say why the file is no library to be used, by looks that cost under a millisecond; "" for a sound one.

    After a read has met a damaged page (see `suspect_mark`) every page is looked at.
    """
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise unwritable(path, error) from error
    if header != _HEADER:
        # Killed before its first page was written, a new library is empty.
        return DAMAGED if header or kept else ""
    is_suspect = suspect_mark(path).exists()
    if is_suspect and suspect_mark(path).read_text(encoding="utf-8", errors="replace") == CERTAIN:
        return DAMAGED
    can_write = _can_write(path)
    try:
        return _trouble_inside(path, is_suspect=is_suspect, can_write=can_write)
    except DiskFullError:
        if not is_whole_in_one_file(path):
            raise
        return _trouble_inside(path, is_suspect=is_suspect, can_write=False)


def _trouble_inside(path: Path, *, is_suspect: bool, can_write: bool) -> str:
    try:
        with reader_errors(path, passes_damage=True):
            r = open_reader(path, is_immutable=not can_write)
            try:
                tables = [name for (name,) in r.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
                looks = (
                    ["PRAGMA quick_check(1)"]
                    if is_suspect
                    else [f"PRAGMA quick_check('{table}')" for table in _SMALL_TABLES if table in tables]
                )
                is_sound = all(r.execute(look).get == "ok" for look in looks)
                unfit = _unfitness(r, path)
            finally:
                r.close()
    except DAMAGE_ERRORS:
        return DAMAGED
    if is_sound and is_suspect and can_write:
        suspect_mark(path).unlink(missing_ok=True)
    return unfit if is_sound else DAMAGED


def _unfitness(r: Connection, path: Path) -> str:
    """Say what hinders this release from using a sound library; "" for nothing.

    Raises:
        LibraryUnavailableError: it is the database of another program.
    """
    try:
        check_format(r, path)
    except LibraryNewerError:
        return NEWER
    return "" if fits_its_format(r) else UNKNOWN


def _refuse_to_move(path: Path) -> None:
    """Raise where another process has the library open: it would write on into the file that was moved away.

    Raises:
        LibraryNewerError: it is of a later release.
        LibraryUnavailableError: it is of another form, or its folder cannot be written.
    """
    if not (_can_write(path) and not _is_in_use(path)):
        r = open_reader(path, is_immutable=True)
        try:
            check_format(r, path)
        finally:
            r.close()
        raise LibraryUnavailableError(path, _("it is of a form this release does not know, and cannot be moved aside"))


def _can_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _is_in_use(path: Path) -> bool:
    w = apsw.Connection(str(path))
    try:
        w.set_busy_timeout(0)
        w.pragma("locking_mode", "exclusive")
        w.execute("BEGIN EXCLUSIVE")
        w.execute("COMMIT")
    except (apsw.BusyError, apsw.LockedError):
        return True
    finally:
        w.close()
    return False


def _kept_files(paths: Paths) -> list[Path]:
    return sorted(paths.books_dir.glob("*.epub")) if paths.books_dir.is_dir() else []


# One whose job failed or was cancelled is left alone.
_NAMELESS = """
SELECT w.id, w.title FROM work w WHERE EXISTS (SELECT 1 FROM volume v WHERE v.work_id = w.id)
AND NOT EXISTS (SELECT 1 FROM roster s WHERE s.work_id = w.id AND s.state = 'ready' AND s.rules_rev >= ?)
AND NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'rules' AND j.unit = w.id AND j.state <> 'done')
"""


_UNSEARCHED = """
SELECT b.id, b.file_name FROM book b WHERE b.state = 'ready' AND b.index_rev <> ?
AND NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'index' AND j.unit = b.id AND j.state <> 'done')
"""


def _look_after(store: Store, paths: Paths) -> None:
    """Queue what is outdated; damage met there is passed on as it came, for it can be mended now."""
    try:
        _queue_outdated(store, paths)
    except LibraryUnavailableError as error:
        store.close()
        if isinstance(error.__cause__, DAMAGE_ERRORS):
            raise error.__cause__ from None
        raise


def _queue_outdated(store: Store, paths: Paths) -> None:
    """Queue what an earlier release has read, cut or looked for names in another way."""
    if store.is_read_only:
        return
    with store.read() as r:
        outdated = list(
            r.execute("SELECT sha256, file_name FROM book WHERE state = 'ready' AND text_rev < ?", (TEXT_REV,))
        )
        unsearched = list(r.execute(_UNSEARCHED, (INDEX_REV,)))
        works = list(r.execute(_NAMELESS, (RULES_REV,)))
    files = [(paths.books_dir / f"{sha256}.epub", name) for sha256, name in outdated]
    if not (files or unsearched or works):
        return
    # Only a new release finds any.
    from engine.store import jobs

    with store.write() as w:
        for file, name in files:
            if file.exists():
                jobs.add_job(w, "import", text_from_path(file), name)
        for book, name in unsearched:
            jobs.add_job(w, jobs.INDEX, str(book), name)
        for work, title in works:
            jobs.add_job(w, jobs.NAMES, str(work), title)


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """Let one process at a time look at the file and, if need be, set it aside."""
    try:
        import fcntl
    except ImportError:  # Windows: two programs starting together in the moment of a repair are not provided for
        yield
        return
    try:
        lock = path.with_name(path.name + ".lock").open("wb")
    except OSError:  # a folder that cannot be written: nothing will be set aside either
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
