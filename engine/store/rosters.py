"""How a roster grows in short transactions, becomes visible at once, and leaves.

Nobody sees a growing roster. Points keep their ids from one roster to the next, so that what
is written about them, and the pages a reader has open, stay theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.book import RULES_REV, DocumentId, WorkId
from engine.domain.knowledge import AliasKind, FoundPoint
from engine.domain.locator import Pos
from engine.domain.statements import Origin
from engine.domain.wiki import PointId
from engine.store import analyses, jobs
from engine.store.connection import Connection
from engine.text.fold import fold_words

_DELETED_AT_ONCE = 4000
"""Rows a transaction deletes: 10 ms."""


@dataclass(frozen=True, slots=True)
class AliasRows:
    """A name with its occurrences, ready to be written."""

    alias: tuple[int, int, int, str, str, str, Pos, Pos, Pos, bool, str]
    """roster, point, point found, form, norm, kind, first, reveal, known, is shared, origin."""
    mentions: list[tuple[Pos, DocumentId, int, int]]
    """pos, document, start, end."""


def volumes_key(r: Connection, work: WorkId) -> str:
    """Return what tells one state of a work's text from another: its volumes and their books, in reading order."""
    return str(
        r.execute(
            "SELECT coalesce(group_concat(id || ':' || book_id || ',', ''), '')"
            " FROM (SELECT id, book_id FROM volume WHERE work_id = ? ORDER BY ord)",
            (work,),
        ).get
    )


def is_current(r: Connection, work: WorkId) -> bool:
    """Say whether a work's whole text has been analysed by the rules of this release."""
    row = r.execute(
        "SELECT volumes, rules_rev FROM roster WHERE work_id = ? AND state = 'ready' ORDER BY id DESC LIMIT 1", (work,)
    ).fetchone()
    return row is not None and row[0] == volumes_key(r, work) and row[1] >= RULES_REV


def queue_names(w: Connection, work: WorkId) -> None:
    """Have a work's names looked for: its text has changed."""
    title = w.execute("SELECT title FROM work WHERE id = ?", (work,)).get
    if title is not None:
        jobs.add_job(w, jobs.NAMES, str(work), title)


def move_knowledge(w: Connection, work: WorkId, into: WorkId) -> None:
    """Give what is known of a work that has vanished, and what the reader set right in it, to the one it went into."""
    for table in ("roster", "point", "identity_link", "correction", "statement"):
        w.execute(f"UPDATE {table} SET work_id = ? WHERE work_id = ?", (into, work))  # noqa: S608  (our own names)
    w.execute("UPDATE job SET state = 'cancelled' WHERE kind = ? AND unit = ? AND state = 'todo'", _job_of(work))
    analyses.move_work(w, work, into)


def drop_knowledge(w: Connection, work: WorkId) -> None:
    """Give up what is known of a work that is taken off the shelf; `delete_some` then takes it away."""
    w.execute("UPDATE roster SET state = 'leaving' WHERE work_id = ? AND state <> 'gone'", (work,))
    w.execute("UPDATE job SET state = 'cancelled' WHERE kind = ? AND unit = ? AND state <> 'done'", _job_of(work))
    w.execute("DELETE FROM identity_link WHERE work_id = ?", (work,))
    w.execute("DELETE FROM correction WHERE work_id = ?", (work,))
    analyses.forget_work(w, work)


def _job_of(work: WorkId) -> tuple[str, str]:
    return jobs.NAMES, str(work)


def begin_roster(w: Connection, work: WorkId, volumes: str) -> int:
    """Make the row of a roster that grows; whatever else was growing for the work goes."""
    w.execute("UPDATE roster SET state = 'leaving' WHERE work_id = ? AND state = 'growing'", (work,))
    w.execute(
        "INSERT INTO roster (work_id, volumes, rules_rev, state) VALUES (?, ?, ?, 'growing')",
        (work, volumes, RULES_REV),
    )
    return w.last_insert_rowid()


def known_forms(r: Connection, work: WorkId) -> list[tuple[PointId, str, str, int]]:
    """Return (point, kind, form, mentions) of the last roster that was whole, for the next to take its ids from.

    Of two of them where another work went into this one.
    """
    rows = r.execute(
        "SELECT a.found_point_id, p.found_kind, a.form, (SELECT count(*) FROM mention m WHERE m.alias_id = a.id)"
        " FROM alias a JOIN roster_point p ON p.roster_id = a.roster_id AND p.point_id = a.found_point_id"
        " WHERE a.roster_id IN (SELECT id FROM roster WHERE work_id = ? AND state = 'ready')"
        " AND a.correction_id IS NULL",
        (work,),
    )
    return [(PointId(point), kind, form, count) for point, kind, form, count in rows]


def new_point(w: Connection, work: WorkId) -> PointId:
    """Give out the id of a point that was not known before."""
    w.execute("INSERT INTO point (work_id) VALUES (?)", (work,))
    return PointId(w.last_insert_rowid())


def add_points(w: Connection, roster: int, points: Iterable[tuple[PointId, FoundPoint]]) -> None:
    """Write points of a growing roster."""
    w.executemany(
        "INSERT INTO roster_point (roster_id, point_id, kind, found_kind, name, met_as, known_pos, count, origin,"
        " is_listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                roster,
                id_,
                found.kind,
                found.kind,
                found.name,
                *_met(found),
                found.count,
                Origin.RULES,
                found.is_listed,
            )
            for id_, found in points
        ],
    )


def _met(found: FoundPoint) -> tuple[str, Pos]:
    """Return the form under which a point is met, and where that has been read; a reading alone introduces nobody."""
    known = [
        (alias.kind is AliasKind.READING, alias.reveal_pos + len(alias.form), index)
        for index, alias in enumerate(found.aliases)
    ]
    _is_reading, pos, index = min(known)
    return found.aliases[index].form, pos


def alias_rows(
    roster: int, point: PointId, found: FoundPoint, places: Sequence[tuple[Pos, DocumentId, int]]
) -> list[AliasRows]:
    """Make rows of a point's names, outside of any transaction since this is the longer part.

    Args:
        roster: That grows.
        point: Its id.
        found: The point.
        places: (pos, document, document offset) of each block of the text.
    """
    rows = [
        AliasRows(
            (
                roster,
                point,
                point,
                alias.form,
                fold_words(alias.form),
                alias.kind,
                alias.first_pos,
                alias.reveal_pos,
                alias.reveal_pos + len(alias.form),
                alias.is_shared,
                Origin.RULES,
            ),
            [],
        )
        for alias in found.aliases
    ]
    for mention in found.mentions:
        pos, document, offset = places[mention.block]
        rows[mention.alias].mentions.append(
            (pos + mention.start, document, offset + mention.start, offset + mention.end)
        )
    return rows


def add_alias(w: Connection, rows: AliasRows, correction: int | None = None) -> int:
    """Write a name and return its id; its occurrences follow by `add_mentions`."""
    w.execute(
        "INSERT INTO alias (roster_id, point_id, found_point_id, form, norm, kind, first_pos, reveal_pos, known_pos,"
        " is_shared, origin, correction_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*rows.alias, correction),
    )
    return w.last_insert_rowid()


def add_mentions(w: Connection, mentions: Iterable[tuple[int, tuple[Pos, DocumentId, int, int]]]) -> None:
    """Write occurrences: (name, (pos, document, start, end))."""
    w.executemany(
        'INSERT OR IGNORE INTO mention (alias_id, pos, document_id, start, "end") VALUES (?, ?, ?, ?, ?)',
        [(alias, *mention) for alias, mention in mentions],
    )


def add_scene(w: Connection, roster: int, pos: Pos, pos_end: Pos, first: Iterable[tuple[int, Pos]]) -> None:
    """Write a scene and who is named in it: (name, pos of its first mention there)."""
    w.execute("INSERT INTO scene (roster_id, pos, pos_end) VALUES (?, ?, ?)", (roster, pos, pos_end))
    scene = w.last_insert_rowid()
    w.executemany(
        "INSERT INTO appearance (alias_id, scene_id, pos) VALUES (?, ?, ?)",
        [(alias, scene, at) for alias, at in first],
    )


def publish_roster(w: Connection, work: WorkId, roster: int) -> bool:
    """Make a roster the one that is read, unless the work's text has changed meanwhile.

    Returns:
        False when it has; a roster that grew then goes.
    """
    is_fresh = bool(w.execute("SELECT volumes FROM roster WHERE id = ?", (roster,)).get == volumes_key(w, work))
    if not is_fresh:
        w.execute("UPDATE roster SET state = 'leaving' WHERE id = ? AND state = 'growing'", (roster,))
        return False
    w.execute("UPDATE roster SET state = 'leaving' WHERE work_id = ? AND state = 'ready' AND id <> ?", (work, roster))
    w.execute("UPDATE roster SET state = 'ready' WHERE id = ?", (roster,))
    return True


def leftover_rosters(r: Connection) -> list[int]:
    """Return the rosters that wait to be deleted, or whose writer has died. Served by `roster_unfinished`."""
    return [id_ for (id_,) in r.execute("SELECT id FROM roster WHERE state IN ('growing', 'leaving') ORDER BY id")]


def delete_some(w: Connection, roster: int) -> bool:
    """Delete a part of a roster nobody reads, small enough for one short transaction.

    Returns:
        True when nothing but its own row is left.
    """
    left = _DELETED_AT_ONCE
    aliases = w.execute("SELECT id FROM alias WHERE roster_id = ? ORDER BY id LIMIT 500", (roster,)).fetchall()
    for (alias,) in aliases:
        w.execute(
            "DELETE FROM mention WHERE alias_id = ?1 AND pos IN (SELECT pos FROM mention WHERE alias_id = ?1 LIMIT ?2)",
            (alias, left),
        )
        left -= w.changes()
        if left <= 0:
            return False
        w.execute("DELETE FROM appearance WHERE alias_id = ?", (alias,))
        w.execute("DELETE FROM alias WHERE id = ?", (alias,))
        left -= 4
    if aliases:
        return False
    for table in ("scene", "roster_point"):
        w.execute(f"DELETE FROM {table} WHERE roster_id = ?", (roster,))  # noqa: S608  (our own names)
    w.execute("UPDATE roster SET state = 'gone' WHERE id = ?", (roster,))
    return True
