"""Try for real what the library needs of this machine."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import apsw

from engine.domain.reading import Check
from engine.errors import UnderstoryError
from engine.store import books, remembered
from engine.store.connection import Connection, load_vectors
from engine.store.leaving import kept_file
from engine.store.store import Store
from engine.translate import N_, _

_PROBE_KEY = "doctor"


def check_library(store: Store, books_dir: Path) -> tuple[Check, ...]:
    """Write and read back, look through every page, search words and vectors; seconds for a large library.

    A check that fails says why and keeps the others from nothing.
    """
    trials: list[tuple[str, Callable[[], str]]] = [
        (N_("library"), lambda: _journal(store)),
        (N_("write"), lambda: _write(store)),
        (N_("pages"), lambda: _pages(store)),
        (N_("kept books"), lambda: _kept_books(store, books_dir)),
        (N_("words"), _words),
        (N_("vectors"), _vectors),
    ]
    return tuple(_tried(name, trial) for name, trial in trials)


class _FailedTrial(Exception):  # noqa: N818  (an answer, not an accident)
    """A check came to a bad end; its text is the detail."""


def _tried(name: str, trial: Callable[[], str]) -> Check:
    try:
        return Check(name, True, trial())
    except UnderstoryError as error:
        return Check(name, False, error.message)
    except (_FailedTrial, apsw.Error) as error:
        return Check(name, False, str(error))


def _journal(store: Store) -> str:
    with store.read() as r:
        formats = r.execute("SELECT user_version FROM pragma_user_version").get
    size_mb = store.path.stat().st_size / 1e6
    detail = _("format {format}, {size:.1f} MB, journal {journal}, SQLite {version}").format(
        format=formats, size=size_mb, journal=store.journal_mode, version=apsw.sqlite_lib_version()
    )
    if store.journal_mode != "wal":
        raise _FailedTrial(_("{detail}; saving is slower without a write-ahead log").format(detail=detail))
    return detail


def _write(store: Store) -> str:
    with store.write() as w:
        remembered.remember(w, _PROBE_KEY, "written")
    with store.read() as r:
        found = remembered.remembered(r, _PROBE_KEY)
    with store.write() as w:
        remembered.forget(w, _PROBE_KEY)
    if found != "written":
        raise _FailedTrial(_("what was written was not read back"))
    return _("written and read back")


def _pages(store: Store) -> str:
    with store.read() as r:
        found = [str(row[0]) for row in r.execute("PRAGMA quick_check(3)")]
        pages = r.execute("PRAGMA page_count").get
    if found != ["ok"]:
        store.mark_suspect()
        raise _FailedTrial(_("damaged: {found}; the next start mends it").format(found="; ".join(found)))
    return _("{pages} pages looked through").format(pages=pages)


def _kept_books(store: Store, books_dir: Path) -> str:
    with store.read() as r:
        known = books.ready_books(r)
    missing = [book.metadata.title for book in known if not kept_file(books_dir, book.sha256).is_file()]
    if missing:
        raise _FailedTrial(_("no file is kept of {titles}; import it again").format(titles="; ".join(missing[:5])))
    return _("{count} kept").format(count=len(known))


def _words() -> str:
    with _in_memory() as memory:
        memory.execute("CREATE VIRTUAL TABLE probe USING fts5(text, tokenize = 'porter unicode61')")
        memory.execute("INSERT INTO probe VALUES ('the lamps were burning'), ('灯火 火渐'), ('nothing of it')")
        found = [
            row[0] for row in memory.execute("SELECT rowid FROM probe WHERE probe MATCH ? ", ('"lamp" OR "灯火"',))
        ]
    if sorted(found) != [1, 2]:
        raise _FailedTrial(_("a search found {found} instead of what is there").format(found=found))
    return "FTS5"


def _vectors() -> str:
    with _in_memory() as memory:
        load_vectors(memory)
        version = memory.execute("SELECT vec_version()").get
        memory.execute("CREATE VIRTUAL TABLE probe USING vec0(v float[3], pos integer)")
        for rowid, vector in enumerate([(1, 0, 0), (0, 1, 0), (0.9, 0.1, 0)], 1):
            row = (rowid, struct.pack("3f", *vector), rowid)
            memory.execute("INSERT INTO probe (rowid, v, pos) VALUES (?, ?, ?)", row)
        nearest = memory.execute(
            "SELECT rowid FROM probe WHERE v MATCH ? AND k = 2 AND pos <= 3 ORDER BY distance",
            (struct.pack("3f", 1, 0, 0),),
        )
        found = [row[0] for row in nearest]
    if found != [1, 3]:
        raise _FailedTrial(_("the nearest of three vectors came out as {found}").format(found=found))
    return f"sqlite-vec {version}"


def _in_memory() -> Connection:
    return apsw.Connection(":memory:")
