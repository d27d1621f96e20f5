"""What is known of a work, read up to a bound: the queries themselves leave out what lies beyond it.

Every `upto` is a pos: a name is known where `known_pos <= upto`, an occurrence stands before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.book import DocumentId, WorkId
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos, pos_of
from engine.domain.wiki import PointId
from engine.errors import PlaceUnknownError
from engine.store.connection import Connection, json_of
from engine.store.reading import document_row

# Its volumes must be the first of the work's, in this order and with this text: one that was put in
# front, moved or read anew makes every pos of the roster another.
_VISIBLE = """
SELECT s.id FROM (
    SELECT id, volumes FROM roster WHERE work_id = ?1 AND state = 'ready' ORDER BY id DESC LIMIT 1
) s WHERE s.volumes = substr(
    (SELECT coalesce(group_concat(id || ':' || book_id || ',', ''), '')
     FROM (SELECT id, book_id FROM volume WHERE work_id = ?1 ORDER BY ord)), 1, length(s.volumes))
"""


def visible_roster(r: Connection, work: WorkId) -> int | None:
    """Return the roster that may be read now; None while there is none for the work's text as it stands."""
    found = r.execute(_VISIBLE, (work,)).get
    return None if found is None else int(found)


@dataclass(frozen=True, slots=True)
class PointRow:
    """A point that has been met."""

    id: PointId
    kind: PointKind
    name: str
    """The proper name; to be used only where the alias of that form is known."""
    met_as: str
    label: str
    """The reader's own name for it; empty for none."""
    known_pos: Pos
    weight: int
    """Mentions in the whole work; orders the members of an identity, never shown."""


@dataclass(frozen=True, slots=True)
class AliasRow:
    """A name that is known."""

    id: int
    point: PointId
    form: str
    norm: str
    kind: AliasKind
    first_pos: Pos
    reveal_pos: Pos
    known_pos: Pos
    is_shared: bool


_AMONG = "IN (SELECT value FROM json_each(?))"
_POINT = (
    "SELECT point_id, kind, name, met_as, label, known_pos, count FROM roster_point"
    " WHERE roster_id = ? AND known_pos <= ? AND is_hidden = 0"
)
_ALIAS = (
    "SELECT a.id, a.point_id, a.form, a.norm, a.kind, a.first_pos, a.reveal_pos, a.known_pos, a.is_shared FROM alias a"
)


def met_points(r: Connection, roster: int, upto: Pos) -> Iterator[PointRow]:
    """Yield the points met up to a pos, hidden ones left out. Served by `roster_point_known`."""
    for id_, kind, *rest in r.execute(_POINT, (roster, upto)):
        yield PointRow(PointId(id_), PointKind(kind), *rest)


def met_point(r: Connection, roster: int, point: PointId, upto: Pos) -> PointRow | None:
    """Return a point, None when it has not been met, is hidden or not of this roster."""
    row = r.execute(f"{_POINT} AND point_id = ?", (roster, upto, point)).fetchone()
    return None if row is None else PointRow(PointId(row[0]), PointKind(row[1]), *row[2:])


def is_more_beyond(r: Connection, roster: int, upto: Pos) -> bool:
    """Say whether anybody is met beyond a pos."""
    return bool(
        r.execute(
            "SELECT EXISTS (SELECT 1 FROM roster_point WHERE roster_id = ? AND known_pos > ? AND is_hidden = 0)",
            (roster, upto),
        ).get
    )


def is_name_beyond(r: Connection, roster: int, norm: str, upto: Pos) -> bool:
    """Say whether a folded name becomes one more name of somebody beyond a pos. Served by `alias_known`."""
    return bool(
        r.execute(
            "SELECT EXISTS (SELECT 1 FROM alias a JOIN roster_point p ON p.roster_id = a.roster_id"
            " AND p.point_id = a.point_id AND p.is_hidden = 0"
            " WHERE a.roster_id = ? AND a.known_pos > ? AND a.norm = ?)",
            (roster, upto, norm),
        ).get
    )


def known_aliases(r: Connection, roster: int, upto: Pos, *, after: Pos = -1) -> Iterator[AliasRow]:
    """Yield the names known up to a pos, and not yet at `after`. Served by `alias_known`."""
    rows = r.execute(
        f"{_ALIAS} WHERE a.roster_id = ? AND a.known_pos <= ? AND a.known_pos > ? ORDER BY a.known_pos, a.id",
        (roster, upto, after),
    )
    for row in rows:
        yield _alias_from(row)


def aliases_of(r: Connection, roster: int, points: Sequence[PointId], upto: Pos) -> list[AliasRow]:
    """Return the names of points known up to a pos, in the order they become known. Served by `alias_point`."""
    # One query for each of the few: for a list SQLite would look through all known names by `alias_known`.
    found = [
        _alias_from(row)
        for point in points
        for row in r.execute(
            f"{_ALIAS} INDEXED BY alias_point WHERE a.roster_id = ? AND a.point_id = ? AND a.known_pos <= ?",
            (roster, point, upto),
        )
    ]
    return sorted(found, key=lambda row: (row.known_pos, row.id))


def points_named(r: Connection, roster: int, norms: Iterable[str], upto: Pos) -> dict[str, list[PointId]]:
    """Return by folded name the points known under it up to a pos. Served by `alias_norm`."""
    found: dict[str, list[PointId]] = {}
    rows: Iterable[Any] = r.execute(  # Any: typed by the schema
        "SELECT DISTINCT a.norm, a.point_id FROM json_each(?3) n CROSS JOIN alias a"
        " ON a.roster_id = ?1 AND a.norm = n.value AND a.known_pos <= ?2 ORDER BY a.point_id",
        (roster, upto, json.dumps(list(norms), ensure_ascii=False)),
    )
    for norm, point in rows:
        found.setdefault(norm, []).append(PointId(point))
    return found


def norms_holding(r: Connection, roster: int, part: str, upto: Pos) -> list[str]:
    """Return the folded names known up to a pos that hold a folded text; all of them are looked at."""
    rows: Iterable[Any] = r.execute(  # Any: typed by the schema
        "SELECT DISTINCT norm FROM alias WHERE roster_id = ?1 AND known_pos <= ?2 AND instr(norm, ?3) > 0",
        (roster, upto, part),
    )
    return [norm for (norm,) in rows]


def _alias_from(row: Sequence[object]) -> AliasRow:
    id_, point, form, norm, kind, first_pos, reveal_pos, known_pos, is_shared = row
    return AliasRow(
        int(str(id_)),
        PointId(int(str(point))),
        str(form),
        str(norm),
        AliasKind(str(kind)),
        int(str(first_pos)),
        int(str(reveal_pos)),
        int(str(known_pos)),
        bool(is_shared),
    )


def links_known(r: Connection, work: WorkId, upto: Pos) -> list[tuple[PointId, PointId]]:
    """Return the pairs of points known to be one up to a pos."""
    rows = r.execute(
        "SELECT a, b FROM identity_link WHERE work_id = ? AND reveal_pos <= ? ORDER BY reveal_pos, id", (work, upto)
    )
    return [(PointId(a), PointId(b)) for a, b in rows]


def counts_by_alias(r: Connection, roster: int, known_upto: Pos, upto: Pos) -> dict[int, int]:
    """Return how often each name known up to `known_upto` occurs before `upto`. Served by the key of `mention`."""
    rows = r.execute(
        "SELECT a.id, (SELECT count(*) FROM mention m WHERE m.alias_id = a.id AND m.pos < ?3)"
        " FROM alias a WHERE a.roster_id = ?1 AND a.known_pos <= ?2",
        (roster, known_upto, upto),
    )
    return dict(rows)


def counts_of(r: Connection, aliases: Sequence[int], upto: Pos) -> dict[int, int]:
    """Return how often each of some names occurs before a pos."""
    rows = r.execute(
        "SELECT alias_id, count(*) FROM mention WHERE alias_id IN (SELECT value FROM json_each(?)) AND pos < ?"
        " GROUP BY alias_id",
        (json_of(aliases), upto),
    )
    return dict(rows)


# For the one who computes unlocks, and nobody who shows anything: without a bound.


def all_names(r: Connection, roster: int) -> list[tuple[str, PointId, Pos]]:
    """Return (form, point, where it is known) of every name of a roster."""
    rows = r.execute("SELECT form, point_id, known_pos FROM alias WHERE roster_id = ?", (roster,))
    return [(form, PointId(point), known_pos) for form, point, known_pos in rows]


def forms_of(r: Connection, roster: int, point: PointId) -> tuple[str, ...]:
    """Return every form of a point."""
    rows = r.execute("SELECT form FROM alias WHERE roster_id = ? AND point_id = ? ORDER BY id", (roster, point))
    return tuple(form for (form,) in rows)


def all_met(r: Connection, roster: int) -> dict[PointId, Pos]:
    """Return where each point of a roster is met."""
    rows = r.execute("SELECT point_id, known_pos FROM roster_point WHERE roster_id = ?", (roster,))
    return {PointId(point): known_pos for point, known_pos in rows}


def analysed_end(r: Connection, work: WorkId, roster: int, *, must_be_whole: bool = False) -> Pos | None:
    """Return the end of the text a roster was made from, wherever its volumes stand by now.

    Args:
        r: Any connection.
        work: The work.
        roster: In any state; its own row is kept for ever.
        must_be_whole: Return None when a volume of that text is not of the work any more.
    """
    volumes = r.execute("SELECT volumes FROM roster WHERE id = ?", (roster,)).get or ""
    ids = {int(each.partition(":")[0]) for each in str(volumes).split(",") if each}
    rows = {id_: pos_of(ord_, n) for id_, ord_, n in _volumes(r, work)}
    if must_be_whole and not ids <= set(rows):
        return None
    return max((rows[id_] for id_ in ids if id_ in rows), default=0)


def _volumes(r: Connection, work: WorkId) -> list[tuple[int, int, int]]:
    return [
        (id_, ord_, length)
        for id_, ord_, length in r.execute("SELECT id, ord, length FROM volume WHERE work_id = ?", (work,))
    ]


def pos_if_in_work(r: Connection, work: WorkId, document: DocumentId, offset: int) -> Pos | None:
    """Return the pos of a document offset, None when the work has no such document."""
    try:
        return pos_in_work(r, work, document, offset)
    except PlaceUnknownError:
        return None


def pos_in_work(r: Connection, work: WorkId, document: DocumentId, offset: int) -> Pos:
    """Return the pos of a document offset.

    Raises:
        PlaceUnknownError: the work has no such document.
    """
    row = document_row(r, document)
    if row.work != work:
        raise PlaceUnknownError(f"f{document}")
    return row.pos(offset)


@dataclass(frozen=True, slots=True)
class MentionRow:
    """An occurrence of a name."""

    alias: int
    pos: Pos
    document: DocumentId
    start: int
    end: int


_MENTION = 'SELECT alias_id, pos, document_id, start, "end" FROM mention'


def mention_positions(r: Connection, aliases: Sequence[int], upto: Pos) -> list[Pos]:
    """Return where names occur before a pos, in order."""
    rows = r.execute(
        "SELECT pos FROM mention WHERE alias_id IN (SELECT value FROM json_each(?)) AND pos < ? ORDER BY pos",
        (json_of(aliases), upto),
    )
    return [pos for (pos,) in rows]


def mentions_of(r: Connection, aliases: Sequence[int], start: Pos, upto: Pos, limit: int = -1) -> list[MentionRow]:
    """Return occurrences of names from `start` on and before `upto`, in order; `limit` of them at most."""
    rows = r.execute(
        f"{_MENTION} WHERE alias_id {_AMONG} AND pos >= ? AND pos < ? ORDER BY pos LIMIT ?",
        (json_of(aliases), start, upto, limit),
    )
    return [_mention_from(row) for row in rows]


def mentions_at(r: Connection, aliases: Sequence[int], positions: Sequence[Pos]) -> list[MentionRow]:
    """Return the occurrences of names that begin exactly at some pos, in order."""
    rows = r.execute(
        f"{_MENTION} WHERE alias_id {_AMONG} AND pos {_AMONG} ORDER BY pos",
        (json_of(aliases), json_of(positions)),
    )
    return [_mention_from(row) for row in rows]


def _mention_from(row: Sequence[int]) -> MentionRow:
    alias, pos, document, start, end = row
    return MentionRow(alias, pos, DocumentId(document), start, end)


def names_between(
    r: Connection, roster: int, document: DocumentId, start: int, end: int, upto: Pos
) -> list[tuple[int, int, PointId]]:
    """Return (start, end, point) of the names known up to a pos that touch a range of a document, in order.

    Served by `mention_document`. They may overlap where the reader has added a name.
    """
    rows = r.execute(
        'SELECT m.start, m."end", a.point_id FROM mention m'
        " JOIN alias a ON a.id = m.alias_id AND a.roster_id = ?1 AND a.known_pos <= ?2"
        " JOIN roster_point p ON p.roster_id = ?1 AND p.point_id = a.point_id AND p.is_hidden = 0"
        ' WHERE m.document_id = ?3 AND m.start > ?4 AND m.start < ?5 AND m."end" > ?6 ORDER BY m.start, m."end" DESC',
        (roster, upto, document, start - _LONGEST_NAME, end, start),
    )
    return [(a, b, PointId(point)) for a, b, point in rows]


_LONGEST_NAME = 200
"""Characters; no name is longer."""


# Everybody named in the scenes that name one of some aliases, up to a pos; somebody hidden is left out.
_IN_SCENES = """
FROM (SELECT DISTINCT scene_id FROM appearance WHERE alias_id IN (SELECT value FROM json_each(?1)) AND pos < ?2) s
JOIN appearance o ON o.scene_id = s.scene_id AND o.pos < ?2
JOIN alias a ON a.id = o.alias_id AND a.roster_id = ?3 AND a.known_pos <= ?4
"""
_IS_MET = (
    "JOIN roster_point p ON p.roster_id = ?3 AND p.point_id = g.point_id AND p.known_pos <= ?4 AND p.is_hidden = 0"
)


def companions_of(
    r: Connection, roster: int, aliases: Sequence[int], known_upto: Pos, upto: Pos
) -> list[tuple[PointId, int]]:
    """Return (point, scene) for everybody named in the scenes that name one of some aliases, up to a pos."""
    rows = r.execute(
        f"SELECT g.point_id, g.scene_id FROM (SELECT DISTINCT a.point_id, o.scene_id {_IN_SCENES}) g {_IS_MET}",  # noqa: S608  (our own)
        (json_of(aliases), upto, roster, known_upto),
    )
    return [(PointId(point), scene) for point, scene in rows]


def companion_counts(
    r: Connection, roster: int, aliases: Sequence[int], known_upto: Pos, upto: Pos
) -> list[tuple[PointId, int]]:
    """Return (point, scenes) of the same: half the price, but of no use where two points are one."""
    rows = r.execute(
        "SELECT g.point_id, g.scenes FROM"  # noqa: S608  (our own)
        f" (SELECT a.point_id, count(DISTINCT o.scene_id) AS scenes {_IN_SCENES} GROUP BY a.point_id) g {_IS_MET}",
        (json_of(aliases), upto, roster, known_upto),
    )
    return [(PointId(point), scenes) for point, scenes in rows]


def points_between(r: Connection, roster: int, start: Pos, end: Pos, known_upto: Pos) -> dict[PointId, int]:
    """Return how often points are named from `start` on and before `end`, by names known up to `known_upto`.

    Served by the key of `mention`: a look for each known name.
    """
    rows = r.execute(
        "SELECT point_id, sum(n) FROM (SELECT a.point_id, (SELECT count(*) FROM mention m"
        " WHERE m.alias_id = a.id AND m.pos >= ?3 AND m.pos < ?4) AS n"
        " FROM alias a WHERE a.roster_id = ?1 AND a.known_pos <= ?2) WHERE n > 0 GROUP BY point_id",
        (roster, known_upto, start, end),
    )
    return {PointId(point): count for point, count in rows}
