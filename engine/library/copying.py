"""Back the whole library up, and bring such a copy back."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LibraryUnavailableError, UnderstoryError
from engine.errors.machine import unwritable
from engine.paths import Paths
from engine.store import books, copies, salvage, works
from engine.store.leaving import kept_file
from engine.store.opening import open_store
from engine.store.store import Store
from engine.translate import _


@dataclass(frozen=True, slots=True)
class Copied:
    """What was backed up or brought back."""

    file: Path
    works: int
    books: int
    """EPUBs copied along."""
    missing: tuple[str, ...] = ()
    """Names of books whose EPUB is not beside the library: they are read all the same, without their pictures."""
    aside: Path | None = None
    """Where the library that was here before is kept."""


def books_beside(file: Path) -> Path:
    """Return the folder in which the EPUBs of a copy lie."""
    return file.with_name(f"{file.name}.books")


def back_up(paths: Paths, file: Path, *, with_books: bool = False) -> Copied:
    """Write a copy of the library, which others may be reading and writing meanwhile.

    Args:
        paths: Where the library is.
        file: Where to; a copy made earlier is replaced, any other file refused.
        with_books: Copy the EPUBs too, into a folder beside it.

    Raises:
        LibraryUnavailableError: it cannot be read, the file cannot be written, or is no copy of ours.
    """
    store, _notices = open_store(paths)
    try:
        if file.resolve() == paths.library_db.resolve():
            raise LibraryUnavailableError(file, _("this is the library itself"))
        if file.exists():
            copies.check_copy(file)  # only over a copy of ours
        copies.copy_out(paths.library_db, file)
        copied = _copy_books(store, paths.books_dir, books_beside(file)) if with_books else 0
        return Copied(file, _works(store), copied, _missing(store, paths.books_dir))
    finally:
        store.close()


def restore(paths: Paths, file: Path) -> Copied:
    """Bring a copy back. What is here now is kept aside; other windows see the copy from their next page on.

    Raises:
        LibraryNewerError: a later release wrote the copy; nothing was changed.
        LibraryUnavailableError: it is no copy of ours or damaged, or the library cannot be written.
    """
    copies.check_copy(file)
    aside = None
    if paths.library_db.exists():
        with suppress(UnderstoryError):
            open_store(paths)[0].close()  # a damaged one is set aside by itself
        aside = copies.free_copy_name(paths.backups_dir)
        copies.copy_out(paths.library_db, aside)
    else:
        open_store(paths)[0].close()
    copies.copy_in(file, paths.library_db, paths.backups_dir)
    store, _notices = open_store(paths)
    try:
        copied = _copy_books(store, books_beside(file), paths.books_dir)
        with store.read() as r:
            salvage.save_copy(r, paths.user_copy)
        return Copied(file, _works(store), copied, _missing(store, paths.books_dir), aside)
    except OSError as error:
        raise unwritable(paths.user_copy, error) from error
    finally:
        store.close()


def _copy_books(store: Store, source: Path, target: Path) -> int:
    """Copy the EPUBs of the library that are in one folder and not in the other."""
    copied = 0
    with store.read() as r:
        hashes = [book.sha256 for book in books.ready_books(r)]
    for sha256 in hashes:
        here, there = kept_file(source, sha256), kept_file(target, sha256)
        if here.is_file() and not there.exists():
            try:
                target.mkdir(parents=True, exist_ok=True, mode=0o700)
                unfinished = there.with_name(f"{there.name}.part")
                shutil.copyfile(here, unfinished)
                unfinished.replace(there)
            except OSError as error:
                raise unwritable(there, error) from error
            copied += 1
    return copied


def _works(store: Store) -> int:
    with store.read() as r:
        return len(works.summaries(r))


def _missing(store: Store, books_dir: Path) -> tuple[str, ...]:
    with store.read() as r:
        return tuple(b.file_name for b in books.ready_books(r) if not kept_file(books_dir, b.sha256).is_file())
