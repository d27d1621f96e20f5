"""Make a library anew from the kept EPUBs and what is left of the old one, which is set aside and never deleted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from engine.errors import LibraryUnavailableError
from engine.errors.machine import unwritable
from engine.paths import Paths, text_from_path
from engine.store.connection import open_reader
from engine.store.store import Store, suspect_mark
from engine.translate import _

DAMAGED, UNKNOWN, NEWER = "corrupt", "unknown", "newer"
"""Why a library is set aside; part of the name it gets."""
_BROUGHT_KEY = "brought back from"


def _mark_of(path: Path) -> Path:
    """Name the file that says: this library is being made anew. It holds the name of the old one."""
    return path.with_name(path.name + ".rebuilding")


def is_left_half(path: Path) -> bool:
    """Say whether a rebuilding was begun and not ended; the old library is aside then, or was missing."""
    mark = _mark_of(path)
    if not mark.exists():
        return False
    aside = mark.read_text(encoding="utf-8", errors="replace")
    if aside and not path.with_name(aside).exists():
        mark.unlink()  # killed before it was moved: it is looked at as at every start
        return False
    return True


def rebuild(paths: Paths, kept: Sequence[Path], trouble: str) -> tuple[Store, tuple[str, ...]]:
    """Set the library aside and fill a new one; go on with a rebuilding that was left half.

    Args:
        paths: Of the library.
        kept: The EPUBs to read in again.
        trouble: Why it cannot be used; "" where there is none to set aside.

    Returns:
        The new store, and sentences for the reader.

    Raises:
        LibraryUnavailableError: no room, no right; the next start goes on.
    """
    path = paths.library_db
    mark = _mark_of(path)
    try:
        if mark.exists():
            name = mark.read_text(encoding="utf-8", errors="replace")
        else:
            name = _free_name(path, trouble).name if trouble else ""
            mark.write_text(name, encoding="utf-8")
    except OSError as error:
        raise unwritable(path, error) from error
    aside = path.with_name(name) if name else None
    if aside is not None and not aside.exists():
        _move(path, aside)
    store = Store(path, paths.backups_dir)
    try:
        told = _bring_back(store, paths, aside, kept)
        mark.unlink()
    except OSError as error:
        store.close()
        raise unwritable(path, error) from error
    except BaseException:
        store.close()
        raise
    return store, (*store.notices, told)


def _free_name(path: Path, trouble: str) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = (f"{path.name}.{trouble}-{stamp}{suffix}" for suffix in ("", *(f".{n}" for n in range(1, 1000))))
    return next(free for name in names if not (free := path.with_name(name)).exists())


def _move(path: Path, aside: Path) -> None:
    """Move the file and what SQLite keeps beside it out of the way.

    Raises:
        LibraryUnavailableError: the folder cannot be written.
    """
    try:
        for side in ("-wal", "-shm"):
            # Under the new name, so that what only the log holds can still be read.
            with suppress(FileNotFoundError):
                path.with_name(path.name + side).replace(aside.with_name(aside.name + side))
        path.replace(aside)
        suspect_mark(path).unlink(missing_ok=True)
    except OSError as error:
        raise LibraryUnavailableError(path, _("it is damaged and cannot be moved aside")) from error


def _bring_back(store: Store, paths: Paths, aside: Path | None, kept: Sequence[Path]) -> str:
    """Fill a new library from what is left of the old one, and say so."""
    # Only a library that cannot be used needs this half of the room.
    from engine.store import jobs, remembered, salvage

    rows = salvage.read_copy(paths.user_copy)
    if aside is not None:
        with suppress(apsw.Error):
            r = open_reader(aside)
            try:
                rows = salvage.read_user_rows(r, with_paid=True).completed_by(rows)
            finally:
                r.close()
    name = aside.name if aside is not None else ""
    with store.write() as w:
        if remembered.remembered(w, _BROUGHT_KEY) != name:  # else it was killed just before it could say so
            salvage.put_user_rows(w, rows)
            for file in kept:
                jobs.add_job(w, "import", text_from_path(file), rows.file_names.get(file.stem, file.name))
            remembered.remember(w, _BROUGHT_KEY, name)
        places = int(w.execute("SELECT count(*) FROM place").get)
    return _told(name, len(kept), places)


def _told(aside: str, books: int, places: int) -> str:
    if not aside:
        told = _("The library file was missing; {books} books are read in again, {places} places are kept.")
    elif f".{DAMAGED}-" in aside:
        told = _(
            "The library was damaged and is kept as {aside}; {books} books are read in again, {places} places are kept."
        )
    elif f".{NEWER}-" in aside:
        told = _(
            "A later release wrote the library, which is kept as {aside}; {books} books are read in again, "
            "{places} places are kept."
        )
    else:
        told = _(
            "The library is of a form this release does not know and is kept as {aside}; {books} books are read in "
            "again, {places} places are kept."
        )
    return told.format(aside=aside, books=books, places=places)
