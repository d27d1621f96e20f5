"""How long and how fast she has read, known by the content of the books."""

from __future__ import annotations

from engine.domain.book import WorkId
from engine.domain.pace import ReadingTime, Sitting
from engine.store.connection import Connection, utc_now

_TELLING_SITTINGS = 30
"""The newest of a language: a pace changes with the years."""


def put_sitting(w: Connection, sitting: Sitting) -> None:
    """Keep a sitting, or how it has grown."""
    w.execute(
        "INSERT INTO sitting (id, book_sha256, language, seconds, characters, began_at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET seconds = excluded.seconds, characters = excluded.characters",
        (
            *(sitting.id, sitting.book_sha256, sitting.language, float(sitting.seconds), sitting.characters),
            sitting.began_at or utc_now(),
        ),
    )


def pace_in(r: Connection, language: str) -> tuple[int, float]:
    """Return (characters, seconds) of the newest sittings in a language; served by `sitting_language`."""
    row = r.execute(
        "SELECT coalesce(sum(characters), 0), coalesce(sum(seconds), 0.0) FROM"
        " (SELECT characters, seconds FROM sitting WHERE language = ? ORDER BY rowid DESC LIMIT ?)",
        (language, _TELLING_SITTINGS),
    ).fetchone()
    return (0, 0.0) if row is None else (int(row[0]), float(row[1]))


def reading_time(r: Connection, work: WorkId) -> ReadingTime:
    """Return what was read of a work in all its sittings."""
    row = r.execute(
        "SELECT count(*), coalesce(sum(seconds), 0.0), coalesce(sum(characters), 0),"
        " coalesce(min(began_at), ''), coalesce(max(began_at), '') FROM sitting WHERE book_sha256 IN"
        " (SELECT b.sha256 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = ?)",
        (work,),
    ).fetchone()
    return ReadingTime(*row) if row is not None else ReadingTime(0, 0.0, 0, "", "")


def last_characters(r: Connection, work: WorkId) -> int:
    """Return how many characters of a work were read in its last sitting; 0 when there was none."""
    found = r.execute(
        "SELECT characters FROM sitting WHERE characters > 0 AND book_sha256 IN"
        " (SELECT b.sha256 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = ?)"
        " ORDER BY began_at DESC, rowid DESC LIMIT 1",
        (work,),
    ).get
    return int(found or 0)
