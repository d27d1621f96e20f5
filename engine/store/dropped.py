"""What was written and did not stand, and what people found who looked at what did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.wiki import PointId, StatementId
from engine.store.connection import Connection, utc_now


def put_dropped(w: Connection, work: WorkId, unit: str, rows: Sequence[tuple[PointId | None, str, str]]) -> None:
    """Keep what did not stand of a unit: (point, words, reason)."""
    w.executemany(
        "INSERT INTO dropped (work_id, unit, point_id, text, reason) VALUES (?, ?, ?, ?, ?)",
        [(work, unit, point, text, reason) for point, text, reason in rows],
    )


def dropped_of(r: Connection, work: WorkId) -> list[tuple[str, str, str]]:
    """Return (unit, words, reason) of what did not stand; for a reader who has nothing left to be spoiled."""
    return list(r.execute("SELECT unit, text, reason FROM dropped WHERE work_id = ? ORDER BY id", (work,)))


def readable(r: Connection, work: WorkId, upto: Pos) -> list[StatementId]:
    """Return the model's statements that have unlocked up to a pos and rest on evidence, oldest first."""
    rows = r.execute(
        "SELECT id FROM statement s WHERE work_id = ? AND unit <> '' AND unlock_pos <= ? AND is_marked = 0"
        " AND EXISTS (SELECT 1 FROM evidence e WHERE e.statement_id = s.id) ORDER BY id",
        (work, upto),
    )
    return [StatementId(id_) for (id_,) in rows]


def words_of(r: Connection, statements: Iterable[StatementId], upto: Pos) -> dict[StatementId, tuple[str, str]]:
    """Return (words, verdict) of statements that have unlocked up to a pos."""
    found = {}
    for statement in statements:
        row = r.execute(
            "SELECT text, verdict FROM statement WHERE id = ? AND unlock_pos <= ? AND is_marked = 0", (statement, upto)
        ).fetchone()
        if row is not None:
            found[statement] = (str(row[0]), str(row[1]))
    return found


def set_audit(w: Connection, statement: StatementId, *, is_supported: bool) -> bool:
    """Write down what a person found; False when there is no such statement."""
    if not w.execute("SELECT EXISTS (SELECT 1 FROM statement WHERE id = ? AND unit <> '')", (statement,)).get:
        return False
    w.execute(
        "INSERT OR REPLACE INTO audit (statement_id, is_supported, made_at) VALUES (?, ?, ?)",
        (statement, is_supported, utc_now()),
    )
    return True


def audit_score(r: Connection, work: WorkId) -> tuple[int, int]:
    """Return (supported, looked at) of a work's statements."""
    [(supported, looked)] = r.execute(
        "SELECT coalesce(sum(a.is_supported), 0), count(*) FROM audit a JOIN statement s ON s.id = a.statement_id"
        " WHERE s.work_id = ?",
        (work,),
    )
    return int(supported), int(looked)
