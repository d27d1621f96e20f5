"""Written statements of one kind over the whole work, as far as they may be read."""

from __future__ import annotations

from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.statements import Role, ShownStatement, Verdict
from engine.domain.wiki import Plain, PointId, StatementId
from engine.store.connection import Connection
from engine.store.wiki import evidence_of


def told(r: Connection, work: WorkId, role: Role, upto: Pos, leaves_out_marked: bool) -> list[ShownStatement]:
    """Return the statements of a role that have unlocked, in their order; the words of others are not read at all.

    Args:
        r: Any connection.
        work: Whose.
        role: Which.
        upto: Up to where they must have unlocked.
        leaves_out_marked: Those marked as spoilers are no part of it.
    """
    found = r.execute(
        "SELECT id, point_id, section, ord, text, verdict FROM statement WHERE work_id = ?1 AND role = ?2"
        " AND unlock_pos <= ?3 AND NOT (?4 AND is_marked) ORDER BY ord, id",
        (work, role, upto, leaves_out_marked),
    )
    rows = [(id_, point, section, ord_, words, verdict) for id_, point, section, ord_, words, verdict in found]
    evidence = evidence_of(r, [StatementId(row[0]) for row in rows])
    sections: dict[str, int] = {}
    return [
        ShownStatement(
            StatementId(id_),
            None if point is None else PointId(point),
            role,
            sections.setdefault(section, len(sections)),
            ord_,
            Plain(words),
            Verdict(verdict),
            tuple(evidence.get(StatementId(id_), ())),
        )
        for id_, point, section, ord_, words, verdict in rows
    ]
