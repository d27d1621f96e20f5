"""The reader's place and frontier, known by the content of the book and not by ids of this library."""

from __future__ import annotations

from collections.abc import Sequence

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Pos, QuoteSelector, pos_of
from engine.domain.reading import Place
from engine.store.connection import Connection, utc_now
from engine.store.reading import document_row

_EARLIER_PLACES_KEPT = 20

_PLACE = "SELECT p.book_sha256, p.spine_index, p.start, p.exact, p.prefix, p.suffix, p.counter FROM place p"


def save_place(w: Connection, place: Place) -> int:
    """Keep a place and return its counter.

    `place.counter` is the last one the caller knew of this book. When another running
    UnderStory has saved since, that place stays, this one is kept among the earlier ones, and
    the counter returned is the other's: a window left open does not take the reader back,
    but going on reading in it does win, with the next save. 0 asks no questions.
    """
    stored = w.execute(f"{_PLACE} WHERE p.book_sha256 = ?", (place.book_sha256,)).fetchone()
    if stored is not None and 0 < place.counter < stored[6] and tuple(stored[1:3]) != (place.spine_index, place.offset):
        for one in (place, _place_from(stored)):
            _keep_earlier(w, one)
        return int(stored[6])
    counter = int(w.execute("SELECT coalesce(max(counter), 0) + 1 FROM place").get)
    put_place(w, place, counter)
    return counter


def put_place(w: Connection, place: Place, counter: int) -> None:
    """Write a place over whatever was kept for its book, with a counter of the caller's."""
    w.execute(
        "INSERT OR REPLACE INTO place (book_sha256, spine_index, start, exact, prefix, suffix, counter, saved_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*_columns(place), counter, utc_now()),
    )


def _keep_earlier(w: Connection, place: Place) -> None:
    w.execute("DELETE FROM earlier_place WHERE book_sha256 = ? AND spine_index = ? AND start = ?", _columns(place)[:3])
    w.execute(
        "INSERT INTO earlier_place (book_sha256, spine_index, start, exact, prefix, suffix, saved_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*_columns(place), utc_now()),
    )
    w.execute(
        "DELETE FROM earlier_place WHERE book_sha256 = ?1 AND id NOT IN"
        " (SELECT id FROM earlier_place WHERE book_sha256 = ?1 ORDER BY id DESC LIMIT ?2)",
        (place.book_sha256, _EARLIER_PLACES_KEPT),
    )


def place_of_book(r: Connection, sha256: str) -> Place | None:
    """Return the place kept for a book, imported or not."""
    row = r.execute(f"{_PLACE} WHERE p.book_sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _place_from(row)


def place_of_work(r: Connection, work: WorkId) -> Place | None:
    """Return the newest place among a work's books."""
    row = r.execute(
        f"{_PLACE} JOIN book b ON b.sha256 = p.book_sha256 AND b.state = 'ready'"
        " JOIN document d ON d.book_id = b.id AND d.spine_index = p.spine_index"
        " JOIN volume v ON v.id = d.volume_id WHERE v.work_id = ? ORDER BY p.counter DESC LIMIT 1",
        (work,),
    ).fetchone()
    return None if row is None else _place_from(row)


def saved_at(r: Connection, work: WorkId) -> str:
    """Return when the newest place among a work's books was saved, ISO 8601 in UTC; empty when none was."""
    found = r.execute(
        "SELECT p.saved_at FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " JOIN place p ON p.book_sha256 = b.sha256 WHERE v.work_id = ? ORDER BY p.counter DESC LIMIT 1",
        (work,),
    ).get
    return str(found or "")


def counters_of_work(r: Connection, work: WorkId) -> dict[str, int]:
    """Return the counters of the places of a work's books by their content hash; 0 is not among them."""
    rows = r.execute(
        "SELECT DISTINCT p.book_sha256, p.counter FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " JOIN place p ON p.book_sha256 = b.sha256 WHERE v.work_id = ?",
        (work,),
    )
    return dict(rows)


def earlier_places(r: Connection, sha256: str) -> tuple[Place, ...]:
    """Return the places another window held when it was overtaken, newest first."""
    rows = r.execute(
        "SELECT book_sha256, spine_index, start, exact, prefix, suffix, 0 FROM earlier_place"
        " WHERE book_sha256 = ? ORDER BY id DESC",
        (sha256,),
    )
    return tuple(_place_from(row) for row in rows)


def _place_from(row: Sequence[object]) -> Place:
    sha256, spine_index, start, exact, prefix, suffix, counter = row
    quote = QuoteSelector(str(exact), str(prefix), str(suffix))
    return Place(str(sha256), int(str(spine_index)), int(str(start)), quote, int(str(counter)))


def _columns(place: Place) -> tuple[str, int, int, str, str, str]:
    quote = place.quote
    return place.book_sha256, place.spine_index, place.offset, quote.exact, quote.prefix, quote.suffix


def frontier_of_book(r: Connection, sha256: str) -> tuple[int, int] | None:
    """Return (spine index, document offset) up to which a book was read."""
    row = r.execute("SELECT spine_index, start FROM frontier WHERE book_sha256 = ?", (sha256,)).fetchone()
    return None if row is None else (row[0], row[1])


def put_frontier(w: Connection, sha256: str, spine_index: int, offset: int) -> None:
    """Write a frontier over whatever was kept for its book."""
    w.execute(
        "INSERT OR REPLACE INTO frontier (book_sha256, spine_index, start) VALUES (?, ?, ?)",
        (sha256, spine_index, offset),
    )


def frontier(r: Connection, work: WorkId) -> Pos:
    """Return how far the reader has read in a work: the furthest frontier of its books, 0 for none."""
    rows = r.execute(
        "SELECT v.ord, d.base + min(f.start, d.length) FROM volume v"
        " JOIN book b ON b.id = v.book_id AND b.state = 'ready' JOIN frontier f ON f.book_sha256 = b.sha256"
        " JOIN document d ON d.volume_id = v.id AND d.spine_index = f.spine_index AND d.is_linear = 1"
        " WHERE v.work_id = ?",
        (work,),
    )
    return max((pos_of(ord_, offset) for ord_, offset in rows), default=0)


def advance_frontier(w: Connection, work: WorkId, document: DocumentId, offset: int) -> Pos:
    """Move a work's frontier forwards and return it.

    A place before it changes nothing, nor does one in a document outside the reading order:
    such documents come last in their volume, so reading one would count the volume as read.

    Raises:
        PlaceUnknownError: there is no such document.
    """
    row = document_row(w, document)
    reached, now = row.pos(offset), frontier(w, work)
    if row.work != work or not row.is_linear or reached <= now:
        return now
    put_frontier(w, row.sha256, row.spine_index, min(max(0, offset), row.length))
    return reached


def set_frontier(w: Connection, work: WorkId, document: DocumentId, offset: int) -> None:
    """Put a work's frontier exactly here, also backwards: books of later volumes count as unread.

    Raises:
        PlaceUnknownError: there is no such document.
    """
    row = document_row(w, document)
    w.execute(
        "DELETE FROM frontier WHERE book_sha256 IN"
        " (SELECT b.sha256 FROM volume v JOIN book b ON b.id = v.book_id WHERE v.work_id = ? AND v.ord >= ?)",
        (work, row.volume_ord),
    )
    put_frontier(w, row.sha256, row.spine_index, min(max(0, offset), row.length))
