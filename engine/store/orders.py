"""What readers have asked for in the wiki of a work, and what was paid for entries like it."""

from __future__ import annotations

import json

from engine.domain.book import WorkId
from engine.domain.models import Usage
from engine.domain.orders import Order, OrderKind
from engine.domain.wiki import PointId
from engine.store import remembered
from engine.store.connection import Connection


def orders_of(r: Connection, work: WorkId) -> list[Order]:
    """Return the entries and topics asked for, the first first."""
    kept = json.loads(remembered.remembered(r, _key(work)) or "[]")
    return [Order(OrderKind(kind), None if point is None else PointId(point), title) for kind, point, title in kept]


def put_orders(w: Connection, work: WorkId, orders: list[Order]) -> None:
    """Keep what is asked for, in place of what was."""
    told = json.dumps([[each.kind, each.point, each.title] for each in orders], ensure_ascii=False)
    remembered.remember(w, _key(work), told)


def _key(work: WorkId) -> str:
    return f"wiki orders {work}"


def entry_keys(r: Connection, work: WorkId, point: PointId) -> list[str]:
    """Return how writers call a point that has a written entry, such as "k12"; none for one without."""
    rows = r.execute(
        "SELECT DISTINCT unit FROM statement WHERE work_id = ? AND point_id = ? AND unit LIKE 'entry %' ORDER BY unit",
        (work, point),
    )
    return list(dict.fromkeys(f"k{unit.split()[1]}" for (unit,) in rows))


def _write_calls(r: Connection, work: WorkId) -> list[tuple[int, list[str], Usage]]:
    rows = r.execute(
        "SELECT id, unit, tokens_in, tokens_cached, tokens_out FROM model_call"
        " WHERE work_id = ? AND stage = 'write' AND state = 'done' ORDER BY id",
        (work,),
    )
    return [(id_, unit.split(), Usage(sent, cached, received)) for id_, unit, sent, cached, received in rows]


def spent_on(r: Connection, work: WorkId, keys: list[str]) -> Usage:
    """Return what the writing of an entry has cost."""
    total = Usage()
    for _id, words, usage in _write_calls(r, work):
        if any(key in words for key in keys):
            total = total + usage
    return total


def spent_by_stage(r: Connection, work: WorkId, stage: str) -> tuple[int, Usage]:
    """Return (calls, tokens) of the answers of a stage."""
    [(calls, sent, cached, received)] = r.execute(
        "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_cached), 0), coalesce(sum(tokens_out), 0)"
        " FROM model_call WHERE work_id = ? AND stage = ? AND state = 'done'",
        (work, stage),
    )
    return int(calls), Usage(int(sent), int(cached), int(received))


def forget_answers(w: Connection, work: WorkId, keys: list[str]) -> int:
    """Let the answers an entry was written from count no more, so that it is asked for again; returns how many."""
    ids = [id_ for id_, words, _usage in _write_calls(w, work) if any(key in words for key in keys)]
    w.execute(
        "UPDATE model_call SET state = 'failed', error = 'asked for anew' WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(ids),),
    )
    return len(ids)
