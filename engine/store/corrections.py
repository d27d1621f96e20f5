"""What the reader set right among the points, kept as acts and played over every roster.

The rows of a roster remember what the rules found, so that an act can be taken back: everything
returns to that, and the acts that stand are played again, in their order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.domain.book import WorkId
from engine.domain.corrections import MadeCorrection
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos
from engine.domain.statements import Origin
from engine.domain.wiki import Correction, PointId
from engine.store import learned, reading, rosters
from engine.store.connection import Connection, utc_now
from engine.text.fold import fold_words


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point as an act names it: by its id, and by its forms for a library made anew."""

    id: PointId
    name: str
    kind: PointKind
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Payload:
    """What an act says."""

    points: tuple[NamedPoint, ...] = ()
    form: str = ""
    kind: PointKind | None = None
    book_sha256: str = ""
    """With the next two the place of an identity."""
    spine_index: int = 0
    offset: int = 0
    made: PointId | None = None
    """The point the act makes; the same one each time it is played."""
    shown: tuple[str, ...] = ()
    """What the points were called when it was made."""

    def with_made(self, point: PointId) -> Payload:
        """Return it with the point it makes."""
        return replace(self, made=point)

    def with_place(self, book_sha256: str, spine_index: int, offset: int) -> Payload:
        """Return it with the place from which on it holds."""
        return replace(self, book_sha256=book_sha256, spine_index=spine_index, offset=offset)


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """An act that stands."""

    id: int
    kind: Correction
    payload: Payload
    made_at: str


def revision(r: Connection, work: WorkId) -> str:
    """Return what tells one state of what was set right in a roster from another: corrections, names, kinds."""
    acts = r.execute(
        "SELECT coalesce(max(id), 0) || ':' || coalesce(sum(undone), 0) FROM correction WHERE work_id = ?", (work,)
    ).get
    names = r.execute(
        "SELECT coalesce(max(id), 0) || ':' || count(*) FROM learned_alias WHERE work_id = ?", (work,)
    ).get
    kinds = r.execute("SELECT coalesce(max(id), 0) || ':' || count(*) FROM learned_kind WHERE work_id = ?", (work,)).get
    return f"{acts} {names} {kinds}"


def add_correction(w: Connection, work: WorkId, kind: Correction, payload: Payload) -> int:
    """Write an act down and return its id; `replay` gives it effect."""
    w.execute(
        "INSERT INTO correction (work_id, kind, payload, made_at) VALUES (?, ?, ?, ?)",
        (work, kind, _json_from(payload), utc_now()),
    )
    return w.last_insert_rowid()


def standing(r: Connection, work: WorkId) -> list[CorrectionRow]:
    """Return the acts that stand, oldest first."""
    rows = r.execute(
        "SELECT id, kind, payload, made_at FROM correction WHERE work_id = ? AND undone = 0 ORDER BY id", (work,)
    )
    return [CorrectionRow(id_, Correction(kind), _payload_from(text), made_at) for id_, kind, text, made_at in rows]


def made_corrections(r: Connection, work: WorkId) -> tuple[MadeCorrection, ...]:
    """Return the acts that stand as the reader is shown them, oldest first."""
    return tuple(made_from(row) for row in standing(r, work))


def made_from(row: CorrectionRow) -> MadeCorrection:
    """Return an act as the reader is shown it."""
    return MadeCorrection(row.id, row.kind, row.payload.shown, row.payload.form, row.payload.kind, row.made_at)


def undo_last(w: Connection, work: WorkId) -> CorrectionRow | None:
    """Mark the last act that stands as undone and return it; None when none does."""
    rows = standing(w, work)
    if not rows:
        return None
    w.execute("UPDATE correction SET undone = 1 WHERE id = ?", (rows[-1].id,))
    return rows[-1]


def replay(w: Connection, work: WorkId, roster: int) -> None:
    """Bring a roster to what the rules found and play the acts that stand, in one short transaction of the caller's."""
    acts = standing(w, work)
    touched = _touched(w, roster)
    _reset(w, work, roster, acts)
    for act in acts:
        _play(w, work, roster, act)
    _refresh_points(w, roster, touched | _touched(w, roster))


def _touched(r: Connection, roster: int) -> set[int]:
    """Return the points some of whose names acts have given or taken. Served by `alias_moved` and `alias_made`."""
    rows = r.execute(
        "SELECT point_id, found_point_id FROM alias WHERE roster_id = ?1 AND point_id <> found_point_id"
        " UNION ALL SELECT point_id, found_point_id FROM alias WHERE roster_id = ?1 AND correction_id IS NOT NULL",
        (roster,),
    )
    return {point for pair in rows for point in pair}


def carry_over(w: Connection, old_sha256: str, new_sha256: str) -> None:
    """Let acts that name a place in a book name it in the book's new text."""
    w.execute("UPDATE correction SET payload = replace(payload, ?, ?)", (old_sha256, new_sha256))


def is_searched(r: Connection, roster: int, correction: int) -> bool:
    """Say whether the occurrences of a name the reader added have been looked for."""
    return bool(
        r.execute(
            "SELECT EXISTS (SELECT 1 FROM alias WHERE roster_id = ? AND correction_id = ?)", (roster, correction)
        ).get
    )


def put_added(w: Connection, work: WorkId, roster: int, act: CorrectionRow, first: Pos) -> int | None:
    """Write the name of an ADD that stands, and return its id; None when it was taken back meanwhile.

    Args:
        w: The writer.
        work: Whose name it is.
        roster: To which it belongs.
        act: The ADD.
        first: Where it first stands; 0 for a name the text does not have, which is then known at once.
    """
    is_standing = w.execute("SELECT undone = 0 FROM correction WHERE id = ?", (act.id,)).get
    named = act.payload.points
    if not is_standing:
        return None
    owner = _find(w, roster, named[0]) if named else _made_point(w, work, roster, act)
    if owner is None:
        return None
    known = first + len(act.payload.form) if first else 0
    _make_alias(w, roster, act, owner, first, known)
    return w.last_insert_rowid()


def _reset(w: Connection, work: WorkId, roster: int, acts: Sequence[CorrectionRow]) -> None:
    kept = json.dumps([act.id for act in acts if act.kind is Correction.ADD])
    w.execute(
        "UPDATE alias SET point_id = found_point_id WHERE roster_id = ? AND point_id <> found_point_id", (roster,)
    )
    w.execute(
        "DELETE FROM mention WHERE alias_id IN (SELECT id FROM alias WHERE roster_id = ?1 AND correction_id IS NOT NULL"
        " AND correction_id NOT IN (SELECT value FROM json_each(?2)))",
        (roster, kept),
    )
    for table in ("alias", "roster_point"):
        w.execute(
            f"DELETE FROM {table} WHERE roster_id = ?1 AND correction_id IS NOT NULL"  # noqa: S608  (our own names)
            " AND correction_id NOT IN (SELECT value FROM json_each(?2))",
            (roster, kept),
        )
    w.execute(
        "UPDATE roster_point SET kind = found_kind, is_hidden = 0, label = ''"
        " WHERE roster_id = ? AND (kind <> found_kind OR is_hidden OR label <> '')",
        (roster,),
    )
    learned.play_kinds(w, work, roster)
    w.execute("DELETE FROM identity_link WHERE work_id = ? AND correction_id IS NOT NULL", (work,))


def _play(w: Connection, work: WorkId, roster: int, act: CorrectionRow) -> None:
    payload = act.payload
    points = [point for named in payload.points if (point := _find(w, roster, named)) is not None]
    match act.kind:
        case Correction.MERGE | Correction.IDENTITY if len(points) == 2:
            _link(w, work, act, points[0], points[1])
        case Correction.SPLIT if points:
            _split(w, work, roster, act, points[0])
        case Correction.RENAME if points:
            _rename(w, roster, act, points[0])
        case Correction.HIDE:
            _update(w, roster, points, "is_hidden", 1)
        case Correction.REKIND if payload.kind is not None:
            _update(w, roster, points, "kind", payload.kind)
        case Correction.ADD if bool(points) == bool(payload.points):
            _add(w, work, roster, act, points[0] if points else None)
        case _:  # whom it was about is not in the text any more
            return


def _find(r: Connection, roster: int, named: NamedPoint) -> PointId | None:
    """Return the point an act means: the one with its id if it has one of its forms, else who has most of them."""
    forms = json.dumps(named.forms, ensure_ascii=False)
    found = r.execute(
        "SELECT point_id FROM alias WHERE roster_id = ?1 AND form IN (SELECT value FROM json_each(?2))"
        " GROUP BY point_id ORDER BY point_id = ?3 DESC, max(form = ?4) DESC, count(*) DESC, point_id LIMIT 1",
        (roster, forms, named.id, named.name),
    ).get
    return None if found is None else PointId(found)


def _link(w: Connection, work: WorkId, act: CorrectionRow, a: PointId, b: PointId) -> None:
    payload = act.payload
    document, start, pos = None, 0, 0
    if act.kind is Correction.IDENTITY:
        row = reading.document_of(w, payload.book_sha256, payload.spine_index)
        if row is None or row.work != work:
            return
        document, start, pos = row.id, payload.offset, row.pos(payload.offset)
    w.execute(
        "INSERT INTO identity_link (work_id, a, b, document_id, start, reveal_pos, basis, origin, correction_id)"
        " VALUES (?, ?, ?, ?, ?, ?, '', ?, ?)",
        (work, a, b, document, start, pos, Origin.READER, act.id),
    )


def _split(w: Connection, work: WorkId, roster: int, act: CorrectionRow, point: PointId) -> None:
    form = act.payload.form
    known = w.execute(
        "SELECT min(known_pos) FROM alias WHERE roster_id = ? AND point_id = ? AND form = ?", (roster, point, form)
    ).get
    if known is None:
        return
    kind = PointKind(
        w.execute("SELECT kind FROM roster_point WHERE roster_id = ? AND point_id = ?", (roster, point)).get
    )
    made = _made_point(w, work, roster, act)
    _make_point(w, roster, act, made, kind, known)
    w.execute(
        "UPDATE alias SET point_id = ? WHERE roster_id = ? AND point_id = ? AND form = ?", (made, roster, point, form)
    )


def _made_point(w: Connection, work: WorkId, roster: int, act: CorrectionRow) -> PointId:
    """Return the point an act makes: always the same, but in a library made anew its id may be another's by now."""
    made = act.payload.made
    is_ours = (
        made is not None
        and w.execute(
            "SELECT EXISTS (SELECT 1 FROM point WHERE id = ?1 AND work_id = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM roster_point"
            " WHERE roster_id = ?3 AND point_id = ?1 AND correction_id IS NOT ?4)",
            (made, work, roster, act.id),
        ).get
    )
    if made is not None and is_ours:
        return made
    made = rosters.new_point(w, work)
    w.execute("UPDATE correction SET payload = ? WHERE id = ?", (_json_from(act.payload.with_made(made)), act.id))
    return made


def _rename(w: Connection, roster: int, act: CorrectionRow, point: PointId) -> None:
    form = act.payload.form
    _update(w, roster, [point], "label", form)
    is_borne = w.execute(
        "SELECT EXISTS (SELECT 1 FROM alias WHERE roster_id = ? AND point_id = ? AND form = ?)", (roster, point, form)
    ).get
    if not is_borne:
        known = w.execute(
            "SELECT known_pos FROM roster_point WHERE roster_id = ? AND point_id = ?", (roster, point)
        ).get
        _make_alias(w, roster, act, point, known, known)


def _add(w: Connection, work: WorkId, roster: int, act: CorrectionRow, point: PointId | None) -> None:
    known = w.execute("SELECT known_pos FROM alias WHERE roster_id = ? AND correction_id = ?", (roster, act.id)).get
    if known is None:  # its occurrences have not been looked for yet
        return
    owner = point or _made_point(w, work, roster, act)
    w.execute("UPDATE alias SET point_id = ? WHERE roster_id = ? AND correction_id = ?", (owner, roster, act.id))
    if point is None:
        _make_point(w, roster, act, owner, act.payload.kind or PointKind.CONCEPT, known)


def _make_point(w: Connection, roster: int, act: CorrectionRow, made: PointId, kind: PointKind, known: Pos) -> None:
    form = act.payload.form
    w.execute(
        "INSERT OR REPLACE INTO roster_point (roster_id, point_id, kind, found_kind, name, met_as, known_pos, count,"
        " origin, is_listed, correction_id) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?)",
        (roster, made, kind, kind, form, form, known, Origin.READER, act.id),
    )


def _make_alias(w: Connection, roster: int, act: CorrectionRow, point: PointId, first: Pos, known: Pos) -> None:
    form = act.payload.form
    w.execute(
        "INSERT INTO alias (roster_id, point_id, found_point_id, form, norm, kind, first_pos, reveal_pos, known_pos,"
        " is_shared, origin, correction_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
        (
            *(roster, point, point, form, fold_words(form), AliasKind.FULL, first, first, known),
            *(Origin.READER, act.id),
        ),
    )


def _update(w: Connection, roster: int, points: Sequence[PointId], column: str, value: str | int) -> None:
    w.executemany(
        f"UPDATE roster_point SET {column} = ? WHERE roster_id = ? AND point_id = ?",  # noqa: S608  (our own names)
        [(value, roster, point) for point in points],
    )


def _refresh_points(w: Connection, roster: int, touched: set[int]) -> None:
    """Work out anew where points are met whose names have come or gone, and hide those left without any."""
    among = json.dumps(sorted(touched))
    w.execute(
        "UPDATE roster_point SET known_pos = f.known_pos, met_as = f.form"
        " FROM (SELECT point_id, form, known_pos, min(known_pos + (kind = 'reading') * (1 << 61)) AS met FROM alias"
        " WHERE roster_id = ?1 AND point_id IN (SELECT value FROM json_each(?2)) GROUP BY point_id) f"
        " WHERE roster_point.roster_id = ?1 AND roster_point.point_id = f.point_id",  # the row that has the minimum
        (roster, among),
    )
    w.execute(
        "UPDATE roster_point SET is_hidden = 1 WHERE roster_id = ?1 AND point_id IN (SELECT value FROM json_each(?2))"
        " AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.roster_id = ?1 AND a.point_id = roster_point.point_id)",
        (roster, among),
    )


def _json_from(payload: Payload) -> str:
    fields: dict[str, object] = {
        "points": [[point.id, point.name, point.kind, list(point.forms)] for point in payload.points],
        "form": payload.form,
        "kind": payload.kind,
        "book": payload.book_sha256,
        "spine": payload.spine_index,
        "offset": payload.offset,
        "made": payload.made,
        "shown": list(payload.shown),
    }
    return json.dumps(fields, ensure_ascii=False)


def _payload_from(text: str) -> Payload:
    found = json.loads(text)
    return Payload(
        tuple(
            NamedPoint(PointId(id_), name, PointKind(kind), tuple(forms)) for id_, name, kind, forms in found["points"]
        ),
        found["form"],
        None if found["kind"] is None else PointKind(found["kind"]),
        found["book"],
        found["spine"],
        found["offset"],
        None if found["made"] is None else PointId(found["made"]),
        tuple(found["shown"]),
    )
