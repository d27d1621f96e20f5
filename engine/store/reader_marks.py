"""The reader's marks, known by the content of the book and not by ids of this library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.domain.book import WorkId
from engine.domain.locator import QuoteSelector
from engine.domain.marks import Mark, MarkKind
from engine.domain.reading import Place
from engine.store.connection import Connection, utc_now

_COLUMNS = "kind, name, ord, book_sha256, spine_index, start, exact, prefix, suffix, label, made_at"
_TRAIL = (MarkKind.BACK, MarkKind.AHEAD)


def books_of_work(r: Connection, work: WorkId) -> tuple[str, ...]:
    """Return the content hashes of a work's readable books."""
    rows = r.execute(
        "SELECT DISTINCT b.sha256 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " WHERE v.work_id = ?",
        (work,),
    )
    return tuple(str(sha256) for (sha256,) in rows)


def put_mark(w: Connection, mark: Mark, books: Sequence[str]) -> int:
    """Keep a mark and return its id. A letter leaves the place it had in these books."""
    if mark.kind is MarkKind.LETTER:
        w.execute(
            f"DELETE FROM mark WHERE kind = ? AND name = ? AND book_sha256 IN ({_marks(books)})",  # noqa: S608  (only ?)
            (mark.kind, mark.name, *books),
        )
    _insert(w, [mark], (0,))
    return w.last_insert_rowid()


def delete_mark(w: Connection, mark: int) -> None:
    """Take a mark away; one that is not there is no error."""
    w.execute("DELETE FROM mark WHERE id = ?", (mark,))


def marks_of(r: Connection, books: Sequence[str], kinds: Iterable[MarkKind]) -> tuple[Mark, ...]:
    """Return the marks of these kinds in these books, in the order they were made; served by `mark_book`."""
    wanted = tuple(kinds)
    rows: Iterable[Sequence[Any]] = r.execute(
        f"SELECT id, {_COLUMNS} FROM mark"  # noqa: S608  (only ?)
        f" WHERE book_sha256 IN ({_marks(books)}) AND kind IN ({_marks(wanted)}) ORDER BY ord, id",
        (*books, *wanted),
    )
    return tuple(_mark_from(row) for row in rows)


def marks_of_book(r: Connection, sha256: str) -> tuple[Mark, ...]:
    """Return the marks of every kind in a book, imported or not; served by `mark_book`."""
    return marks_of(r, (sha256,), tuple(MarkKind))


def move_marks(w: Connection, marks: Sequence[Mark]) -> None:
    """Write where marks stand now."""
    w.executemany(
        "UPDATE mark SET book_sha256 = ?, spine_index = ?, start = ?, exact = ?, prefix = ?, suffix = ? WHERE id = ?",
        [
            (
                *(mark.place.book_sha256, mark.place.spine_index, mark.place.offset),
                *(mark.place.quote.exact, mark.place.quote.prefix, mark.place.quote.suffix),
                mark.id,
            )
            for mark in marks
        ],
    )


def put_trail(w: Connection, books: Sequence[str], back: Sequence[Mark], ahead: Sequence[Mark]) -> None:
    """Keep the way back and the way ahead of a work, oldest first, over what was kept before."""
    w.execute(
        f"DELETE FROM mark WHERE book_sha256 IN ({_marks(books)}) AND kind IN (?, ?)",  # noqa: S608  (only ?)
        (*books, *_TRAIL),
    )
    _insert(w, back, range(len(back)))
    _insert(w, ahead, range(len(ahead)))


def trail_of(r: Connection, books: Sequence[str]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the way back and the way ahead, oldest first."""
    found = marks_of(r, books, _TRAIL)
    back = tuple(mark for mark in found if mark.kind is MarkKind.BACK)
    return back, tuple(mark for mark in found if mark.kind is MarkKind.AHEAD)


def _insert(w: Connection, marks: Sequence[Mark], ords: Iterable[int]) -> None:
    w.executemany(
        f"INSERT INTO mark ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608  (our own names)
        [
            (
                mark.kind,
                mark.name,
                ord_,
                mark.place.book_sha256,
                mark.place.spine_index,
                mark.place.offset,
                mark.place.quote.exact,
                mark.place.quote.prefix,
                mark.place.quote.suffix,
                mark.label,
                mark.made_at or utc_now(),
            )
            for mark, ord_ in zip(marks, ords, strict=True)
        ],
    )


def _mark_from(row: Sequence[Any]) -> Mark:  # Any: SQLite's columns are typed by the schema alone
    id_, kind, name, _ord, sha256, spine_index, start, exact, prefix, suffix, label, made_at = row
    place = Place(sha256, spine_index, start, QuoteSelector(exact, prefix, suffix))
    return Mark(MarkKind(kind), place, name, label, made_at, id_)


def _marks(values: Sequence[object]) -> str:
    """Return as many question marks as there are values."""
    return ", ".join("?" * len(values))
