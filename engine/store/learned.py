"""Points and names a model found, kept apart from any roster and played over each.

They come before the reader's corrections, so that what she set right holds for them too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.book import DocumentId, WorkId
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos
from engine.domain.statements import Origin
from engine.domain.wiki import PointId
from engine.store import rosters
from engine.store.connection import Connection
from engine.store.points import pos_if_in_work
from engine.text.fold import fold_words


@dataclass(frozen=True, slots=True)
class LearnedAlias:
    """A name a model found."""

    id: int
    point: PointId
    form: str
    reveal_pos: Pos
    """Where the reader learns it, in the work as it stands."""


@dataclass(frozen=True, slots=True)
class RuledPoint:
    """A point as the rules found it, before anybody else had a say."""

    id: PointId
    kind: PointKind
    name: str
    forms: tuple[tuple[str, Pos], ...]
    """(form, where it is known), in that order; forms that others bear too are left out."""


def ruled_points(r: Connection, roster: int) -> list[RuledPoint]:
    """Return what the rules found, in the order in which the reader meets it."""
    forms: dict[int, list[tuple[str, Pos]]] = {}
    for point, form, known in r.execute(
        "SELECT found_point_id, form, known_pos FROM alias WHERE roster_id = ? AND origin = ? AND kind <> ?"
        " AND is_shared = 0 ORDER BY known_pos, form",
        (roster, Origin.RULES, AliasKind.READING),
    ):
        forms.setdefault(point, []).append((form, known))
    rows = r.execute(
        "SELECT point_id, found_kind, name FROM roster_point WHERE roster_id = ? AND origin = ?"
        " ORDER BY known_pos, name",
        (roster, Origin.RULES),
    )
    return [
        RuledPoint(PointId(id_), PointKind(kind), name, tuple(forms[id_])) for id_, kind, name in rows if id_ in forms
    ]


def learned_points(r: Connection, work: WorkId) -> dict[tuple[PointKind, str], PointId]:
    """Return the points models have found in a work, by kind and name."""
    rows = r.execute("SELECT kind, name, point_id FROM learned_point WHERE work_id = ? ORDER BY point_id", (work,))
    return {(PointKind(kind), name): PointId(point) for kind, name, point in rows}


def put_point(w: Connection, work: WorkId, kind: PointKind, name: str) -> PointId:
    """Keep a point a model found, and return its id; the one there is if it is here already."""
    known = learned_points(w, work).get((kind, name))
    if known is None:
        known = rosters.new_point(w, work)
        w.execute(
            "INSERT INTO learned_point (point_id, work_id, kind, name) VALUES (?, ?, ?, ?)", (known, work, kind, name)
        )
    return known


def put_alias(w: Connection, work: WorkId, point: PointId, form: str, document: DocumentId, start: int) -> None:
    """Keep a name a model found, and where the reader learns it."""
    w.execute(
        "INSERT INTO learned_alias (work_id, point_id, form, document_id, start) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (point_id, form) DO UPDATE SET document_id = excluded.document_id, start = excluded.start",
        (work, point, form, document, start),
    )


def set_kinds(w: Connection, work: WorkId, kinds: Iterable[tuple[PointId, PointKind | None]]) -> None:
    """Keep what kind points of the rules really are, None for no point at all, in place of what was kept before."""
    wanted = sorted((int(point), kind or "") for point, kind in kinds)
    rows = w.execute("SELECT point_id, kind FROM learned_kind WHERE work_id = ? ORDER BY point_id", (work,))
    if [(int(point), str(kind)) for point, kind in rows] == wanted:
        return
    w.execute("DELETE FROM learned_kind WHERE work_id = ?", (work,))
    w.executemany(
        "INSERT INTO learned_kind (work_id, point_id, kind) VALUES (?, ?, ?)", [(work, *row) for row in wanted]
    )


def kinds_set(r: Connection, work: WorkId) -> dict[PointId, PointKind | None]:
    """Return what kind points of the rules really are, None for no point at all, as `set_kinds` was told."""
    rows = r.execute("SELECT point_id, kind FROM learned_kind WHERE work_id = ?", (work,))
    return {PointId(point): PointKind(kind) if kind else None for point, kind in rows}


def play_kinds(w: Connection, work: WorkId, roster: int) -> None:
    """Let points of a roster be of the kind a model read, and hide what is no point at all."""
    w.execute(
        "UPDATE roster_point SET kind = coalesce(nullif(k.kind, ''), roster_point.kind), is_hidden = k.kind = ''"
        " FROM learned_kind k WHERE k.work_id = ? AND roster_point.roster_id = ?"
        " AND roster_point.point_id = k.point_id",
        (work, roster),
    )


def keep_only(w: Connection, work: WorkId, points: Iterable[PointId], aliases: Iterable[tuple[PointId, str]]) -> None:
    """Forget the points and names of earlier readings that this one did not find."""
    kept = json.dumps([[point, form] for point, form in aliases], ensure_ascii=False)
    w.execute(
        "DELETE FROM learned_alias WHERE work_id = ?1 AND NOT EXISTS (SELECT 1 FROM json_each(?2) j"
        " WHERE j.value ->> 0 = point_id AND j.value ->> 1 = form)",
        (work, kept),
    )
    w.execute(
        "DELETE FROM learned_point WHERE work_id = ? AND point_id NOT IN (SELECT value FROM json_each(?))",
        (work, json.dumps(list(points))),
    )


def clear_unlearned(w: Connection, work: WorkId, roster: int) -> None:
    """Take out of a roster what models had found in earlier readings and this one did not keep."""
    gone = (
        "SELECT id FROM alias a WHERE a.roster_id = ?1 AND a.origin = ?2 AND NOT EXISTS (SELECT 1 FROM learned_alias l"
        " WHERE l.work_id = ?3 AND l.point_id = a.found_point_id AND l.form = a.form)"
    )
    w.execute(f"DELETE FROM mention WHERE alias_id IN ({gone})", (roster, Origin.MODEL, work))  # noqa: S608  (our own)
    w.execute(f"DELETE FROM alias WHERE id IN ({gone})", (roster, Origin.MODEL, work))  # noqa: S608  (our own)
    w.execute(
        "DELETE FROM roster_point WHERE roster_id = ? AND origin = ?"
        " AND point_id NOT IN (SELECT point_id FROM learned_point WHERE work_id = ?)",
        (roster, Origin.MODEL, work),
    )


def missing(r: Connection, work: WorkId, roster: int) -> list[LearnedAlias]:
    """Return the names a roster does not have yet, in the order they were kept."""
    rows = r.execute(
        "SELECT l.id, l.point_id, l.form, l.document_id, l.start FROM learned_alias l WHERE l.work_id = ?2"
        " AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.roster_id = ?1 AND a.found_point_id = l.point_id"
        " AND a.form = l.form) ORDER BY l.id",
        (roster, work),
    )
    found = []
    for id_, point, form, document, start in [tuple(map(str, row)) for row in rows]:
        pos = pos_if_in_work(r, work, DocumentId(int(document)), int(start))
        if pos is not None:
            found.append(LearnedAlias(int(id_), PointId(int(point)), form, pos))
    return found


def taken_spans(r: Connection, roster: int, document: DocumentId) -> list[tuple[int, int]]:
    """Return where names of a roster stand in a document, in order."""
    rows = r.execute(
        'SELECT m.start, m."end" FROM mention m JOIN alias a ON a.id = m.alias_id'
        " WHERE m.document_id = ? AND a.roster_id = ? ORDER BY m.start",
        (document, roster),
    )
    return [(start, end) for start, end in rows]


def play_alias(
    w: Connection, roster: int, alias: LearnedAlias, mentions: Sequence[tuple[Pos, DocumentId, int, int]]
) -> int:
    """Give a roster a name, with its point where it does not have that either; returns the name's id there."""
    first = mentions[0][0] if mentions else alias.reveal_pos
    known = max(alias.reveal_pos, first + len(alias.form)) if mentions else alias.reveal_pos
    is_there = w.execute(
        "SELECT EXISTS (SELECT 1 FROM roster_point WHERE roster_id = ? AND point_id = ?)", (roster, alias.point)
    ).get
    if not is_there:
        _play_point(w, roster, alias, known)
    is_shared = bool(
        w.execute(
            "SELECT EXISTS (SELECT 1 FROM alias WHERE roster_id = ? AND form = ? AND point_id <> ?)",
            (roster, alias.form, alias.point),
        ).get
    )
    row = (
        *(roster, alias.point, alias.point, alias.form, fold_words(alias.form), AliasKind.FULL),
        *(first, alias.reveal_pos, known, is_shared, Origin.MODEL),
    )
    id_ = rosters.add_alias(w, rosters.AliasRows(row, []))
    w.execute(
        "UPDATE roster_point SET known_pos = ?1, met_as = ?2 WHERE roster_id = ?3 AND point_id = ?4 AND known_pos > ?1",
        (known, alias.form, roster, alias.point),
    )
    w.execute(
        "UPDATE roster_point SET count = count + ? WHERE roster_id = ? AND point_id = ?",
        (len(mentions), roster, alias.point),
    )
    return id_


def _play_point(w: Connection, roster: int, alias: LearnedAlias, known: Pos) -> None:
    w.execute(
        "INSERT INTO roster_point (roster_id, point_id, kind, found_kind, name, met_as, known_pos, count, origin,"
        " is_listed) SELECT ?, point_id, kind, kind, name, ?, ?, 0, ?, 0 FROM learned_point WHERE point_id = ?",
        (roster, alias.form, known, Origin.MODEL, alias.point),
    )


def put_identity(
    w: Connection, work: WorkId, a: PointId, b: PointId, document: DocumentId, start: int, reveal_pos: Pos, basis: str
) -> None:
    """Let two points be one from a place on, as a model read it."""
    w.execute(
        "INSERT INTO identity_link (work_id, a, b, document_id, start, reveal_pos, basis, origin)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (work, a, b, document, start, reveal_pos, basis, Origin.MODEL),
    )


def clear_identities(w: Connection, work: WorkId) -> None:
    """Take back what models have joined; the reader's own stays."""
    w.execute("DELETE FROM identity_link WHERE work_id = ? AND origin = ?", (work, Origin.MODEL))
