"""How an older library becomes one of today: numbered steps, a copy before each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from engine.errors import LibraryNewerError, LibraryUnavailableError
from engine.store.connection import Connection, open_reader
from engine.store.schema import SCHEMA_1
from engine.store.schema_chat import SCHEMA_1_CHAT
from engine.store.schema_model import SCHEMA_1_MODEL
from engine.store.schema_search import SCHEMA_1_SEARCH
from engine.store.schema_use import SCHEMA_1_USE
from engine.store.tables import has_tables_of
from engine.translate import _

APPLICATION_ID = 0x554E5354
"""Marks a SQLite file as ours ("UNST")."""

_BACKUPS_KEPT = 3

Migration: TypeAlias = Callable[[Connection], None]
"""Takes a library of format n - 1 to format n inside one transaction, which the caller holds."""


_FORMAT_1 = SCHEMA_1 + SCHEMA_1_USE + SCHEMA_1_MODEL + SCHEMA_1_CHAT + SCHEMA_1_SEARCH


def make_first_tables(w: Connection) -> None:
    """Format 1: books, works, volumes, slices; places, frontiers; jobs and their lease."""
    w.execute(_FORMAT_1)


MIGRATIONS: tuple[Migration, ...] = (make_first_tables,)
"""Index n - 1 holds the step to format n."""


def check_format(connection: Connection, path: Path, known: int = len(MIGRATIONS)) -> int:
    """Return the format of a file without changing anything; 0 for an empty one.

    Raises:
        LibraryNewerError: it was written by a later release.
        LibraryUnavailableError: it is the database of another program.
    """
    found = int(connection.pragma("user_version"))
    application = int(connection.pragma("application_id"))
    if application != APPLICATION_ID:
        has_tables = connection.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema)").get
        if application or has_tables:
            raise LibraryUnavailableError(path, _("it is the database of another program"))
        return 0
    if found > known:
        raise LibraryNewerError(path, found, known)
    return found


def fits_its_format(r: Connection) -> bool:
    """Say whether the tables of a library are those of the format it bears, which this release knows.

    Copies made between two releases may bear the number of a format and not have all its tables.
    """
    if int(r.pragma("application_id")) != APPLICATION_ID:
        return True  # an empty one
    found = int(r.pragma("user_version"))
    return found > 0 and has_tables_of(r, _FORMAT_1, MIGRATIONS[:found])


def migrate(w: Connection, path: Path, backups_dir: Path, *, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the library to today's format.

    Each step is one transaction under the write lock, so that two programs starting together
    run it once; a step that fails leaves the file as it was.

    Args:
        w: A writing connection outside any transaction.
        path: Its file.
        backups_dir: Where the copy made before each step goes; the newest three are kept.
        migrations: All steps from format 0 on.

    Raises:
        LibraryNewerError: the file is of a later format.
        LibraryUnavailableError: the file is not ours, or the copy could not be made.
    """
    while check_format(w, path, len(migrations)) < len(migrations):
        w.execute("BEGIN IMMEDIATE")
        try:
            found = check_format(w, path, len(migrations))
            if found < len(migrations):
                if found:
                    _back_up(path, backups_dir, found)
                migrations[found](w)
                w.pragma("application_id", APPLICATION_ID)
                w.pragma("user_version", found + 1)
            w.execute("COMMIT")
        except BaseException:
            w.execute("ROLLBACK")
            raise


def _back_up(path: Path, backups_dir: Path, found: int) -> None:
    """Copy the committed state by a connection of its own, which the open write transaction lets read."""
    try:
        backups_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        reader = open_reader(path)
        try:
            reader.execute("VACUUM INTO ?", (str(_free_name(backups_dir, f"library-format{found}-{stamp}")),))
        finally:
            reader.close()
    except OSError as error:
        raise LibraryUnavailableError(path, _("no copy could be made before changing its format")) from error
    for old in sorted(backups_dir.glob("library-format*.db"), key=lambda p: p.stat().st_mtime)[:-_BACKUPS_KEPT]:
        old.unlink()


def _free_name(folder: Path, stem: str) -> Path:
    candidates = (folder / f"{stem}{suffix}.db" for suffix in ("", *(f"-{n}" for n in range(1, 1000))))
    return next(candidate for candidate in candidates if not candidate.exists())
