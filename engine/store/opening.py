"""Open the library whatever has become of its file: set a damaged one aside, bring back the reader's rows."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from engine.domain.book import INDEX_REV, RULES_REV, TEXT_REV
from engine.errors import LibraryUnavailableError
from engine.paths import Paths, text_from_path
from engine.store.connection import DAMAGE_ERRORS, Connection, open_reader, reader_errors
from engine.store.store import CERTAIN, Store, suspect_mark
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

    A file that is damaged or no library is moved to `library.db.corrupt-<time>`, never
    deleted. Into the new one go the reader's own rows as far as they can be read, and a job
    for each kept EPUB.

    Returns:
        The store, and sentences for the reader.

    Raises:
        LibraryNewerError: it was written by a later release; nothing was changed.
        LibraryUnavailableError: it cannot be opened, or its folder cannot be made.
    """
    path = paths.library_db
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LibraryUnavailableError(path, error.strerror or str(error)) from error
    kept = _kept_files(paths)
    with _one_at_a_time(path):
        if not _looks_damaged(path, kept):
            try:
                is_lost = not path.exists()
                store = Store(path, paths.backups_dir)
                if not is_lost or not kept:
                    _look_after(store, paths)
                    return store, store.notices
                return store, (*store.notices, _bring_back(store, paths, None, kept))
            except DAMAGE_ERRORS:
                pass
        aside = _set_aside(path)
        store = Store(path, paths.backups_dir)
        return store, (*store.notices, _bring_back(store, paths, aside, kept))


def has_unfinished(r: Connection) -> bool:
    """Say whether background work waits or was left behind: open jobs, books or rosters half made or half removed."""
    return bool(
        r.execute(
            "SELECT EXISTS (SELECT 1 FROM job WHERE state IN ('todo', 'leased'))"
            " OR EXISTS (SELECT 1 FROM book WHERE state <> 'ready')"
            " OR EXISTS (SELECT 1 FROM roster WHERE state IN ('growing', 'leaving'))"
        ).get
    )


def _looks_damaged(path: Path, kept: Sequence[Path]) -> bool:
    """Say whether the file is no sound library, by looks that cost under a millisecond.

    After a read has met a damaged page (see `suspect_mark`) every page is looked at.
    """
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise LibraryUnavailableError(path, error.strerror or str(error)) from error
    if header != _HEADER:
        # Killed before its first page was written, a new library is empty.
        return bool(header) or bool(kept)
    is_suspect = suspect_mark(path).exists()
    if is_suspect and suspect_mark(path).read_text(encoding="utf-8", errors="replace") == CERTAIN:
        return True
    can_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
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
            finally:
                r.close()
    except DAMAGE_ERRORS:
        return True
    if is_sound and is_suspect and can_write:
        suspect_mark(path).unlink(missing_ok=True)
    return not is_sound


def _kept_files(paths: Paths) -> list[Path]:
    return sorted(paths.books_dir.glob("*.epub")) if paths.books_dir.is_dir() else []


def _set_aside(path: Path) -> Path:
    """Move the file and what SQLite keeps beside it out of the way and return its new name.

    Raises:
        LibraryUnavailableError: the folder cannot be written.
    """
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = (f"{path.name}.corrupt-{stamp}{suffix}" for suffix in ("", *(f".{n}" for n in range(1, 1000))))
    aside = next(free for name in names if not (free := path.with_name(name)).exists())
    try:
        path.replace(aside)
        for side in ("-wal", "-shm"):
            # Under the new name, so that what only the log holds can still be read.
            with suppress(FileNotFoundError):
                path.with_name(path.name + side).replace(aside.with_name(aside.name + side))
        suspect_mark(path).unlink(missing_ok=True)
    except OSError as error:
        raise LibraryUnavailableError(path, _("it is damaged and cannot be moved aside")) from error
    return aside


def _bring_back(store: Store, paths: Paths, aside: Path | None, kept: Sequence[Path]) -> str:
    """Fill a new library from what is left of the old one, and say so."""
    # Only a damaged library needs this half of the room.
    from engine.store import jobs, salvage

    rows = salvage.read_copy(paths.user_copy)
    if aside is not None:
        with suppress(apsw.Error):
            r = open_reader(aside)
            try:
                rows = salvage.read_user_rows(r).completed_by(rows)
            finally:
                r.close()
    with store.write() as w:
        places = salvage.put_user_rows(w, rows)
        for file in kept:
            jobs.add_job(w, "import", text_from_path(file), rows.file_names.get(file.stem, file.name))
    if aside is None:
        return _("The library file was missing; {books} books are read in again, {places} places are kept.").format(
            books=len(kept), places=places
        )
    return _(
        "The library was damaged and is kept as {aside}; {books} books are read in again, {places} places are kept."
    ).format(aside=aside.name, books=len(kept), places=places)


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
