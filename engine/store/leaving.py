"""Take invisible books away for good, piece by piece, with their kept EPUBs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.domain.book import BookId
from engine.paths import text_from_path
from engine.store import books, jobs, rosters, vectors, wiki
from engine.store.store import Store

_FREE_PAGES = 2000
_FREED_AT_ONCE = 300
"""Pages a transaction gives back: 1.2 MB, 10 ms under the write lock."""


_STATEMENTS_AT_ONCE = 500
"""Statements a transaction deletes with their evidence: 10 ms."""


def kept_file(books_dir: Path, sha256: str) -> Path:
    """Return where the EPUB with that content hash is kept, whether or not it is."""
    return books_dir / f"{sha256}.epub"


def delete_book(store: Store, books_dir: Path, book: BookId, must_stop: Callable[[], bool] = lambda: False) -> None:
    """Delete a book no read sees any more, in short transactions, and its kept EPUB unless another book needs it.

    Two processes may do this at once. When `must_stop` says so the rest stays for the next time.
    """
    sha256 = ""
    is_gone = False
    while not is_gone:
        if must_stop():
            return
        with store.write(bulk=True) as w:
            sha256 = books.sha_of(w, book) or sha256
            is_gone = books.delete_some(w, book)
    kept = kept_file(books_dir, sha256)
    with store.write(bulk=True) as w:
        # Under the write lock, so that no import can come to want the file meanwhile.
        if sha256 and not books.is_file_wanted(w, sha256) and not jobs.is_open_unit(w, text_from_path(kept)):
            with suppress(OSError):  # a file too many does no harm
                kept.unlink()
    _shrink(store, must_stop)


def _shrink(store: Store, must_stop: Callable[[], bool]) -> None:
    """Give free pages back to the file system when they are many; a few are left for the next import."""
    while not must_stop():
        with store.write(bulk=True) as w:
            free, pages = int(w.pragma("freelist_count")), int(w.pragma("page_count"))
            if free < _FREE_PAGES or free * 4 < pages:
                return
            for _freed in w.execute(f"PRAGMA incremental_vacuum({_FREED_AT_ONCE})"):
                pass
            if int(w.pragma("freelist_count")) == free:  # a library that cannot be shrunk in steps
                return


def delete_rosters(store: Store, must_stop: Callable[[], bool] = lambda: False) -> None:
    """Delete rosters nobody reads, and what is written about works that are gone, in short transactions.

    Only for the holder of the helper's lease, while no roster grows.
    """
    with store.read() as r:
        leaving = rosters.leftover_rosters(r)
    while leaving and not must_stop():
        with store.write(bulk=True) as w:
            orphans = wiki.orphans(w, _STATEMENTS_AT_ONCE)
            wiki.delete_statements(w, orphans)
        if not orphans:
            break
    for roster in leaving:
        is_gone = False
        while not is_gone and not must_stop():
            with store.write(bulk=True) as w:
                is_gone = rosters.delete_some(w, roster)


def delete_orphans(store: Store, must_stop: Callable[[], bool]) -> bool:
    """Delete the vectors of passages that are gone, in short transactions; False when it was stopped."""
    while not must_stop():
        with store.write(bulk=True) as w:
            if vectors.sweep(w):
                return True
    return False


def delete_leftovers(store: Store, books_dir: Path, must_stop: Callable[[], bool]) -> None:
    """Delete what killed imports and removed works have left. Only for the holder of the helper's lease."""
    with store.read() as r:
        leftovers = books.leftover_books(r)
    for book in leftovers:
        delete_book(store, books_dir, book, must_stop)
    delete_rosters(store, must_stop)
    for unfinished in books_dir.glob("*.part"):
        unfinished.unlink(missing_ok=True)
