"""What stands, written into the library: points and names first, then statements, each with its unlock.

A unit is what is written together and replaced together, such as the notes of one volume. One that is in the library
as it is now is left alone, so that what the reader has looked at stays the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from engine.analysis.adding import write_added, write_learned
from engine.analysis.evidence import Desk, prepare_statement, rename_desk
from engine.analysis.ledger import Found, Identity, Ledger, Point
from engine.domain.book import WorkId
from engine.domain.knowledge import PointKind
from engine.domain.statements import NewStatement, Quote
from engine.domain.wiki import PointId
from engine.store import analyses, corrections, dropped, learned, wiki
from engine.store.connection import Connection
from engine.store.learned import RuledPoint
from engine.store.store import Store

_AT_ONCE = 200
"""Statements a transaction writes: under 10 ms."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement on its way into the library."""

    statement: NewStatement
    model: str
    prompt_rev: str
    subject: str = ""
    """Whom it is about, for a judge who would not know it from the words of a relation or a cell."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A statement that did not stand."""

    point: PointId | None
    text: str
    reason: str


@dataclass(slots=True)
class Unit:
    """What is written together."""

    key: str
    drafts: list[Draft] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)

    @property
    def input_hash(self) -> str:
        """What tells one state of it from another."""
        told = repr([(d.statement, d.model, d.prompt_rev) for d in self.drafts]) + repr(self.dropped)
        return hashlib.sha256(told.encode()).hexdigest()


class Publisher:
    """Writes into the library what has been gathered about one work."""

    def __init__(self, store: Store, work: WorkId, roster: int, desk: Desk) -> None:
        self._store = store
        self._work = work
        self._roster = roster
        self.desk = desk
        self._points: list[PointId] = []
        self._aliases: list[tuple[PointId, str]] = []
        self.written: set[str] = set()
        """Keys of the units this reading has."""

    def publish_points(self, ledger: Ledger) -> None:
        """Give every point of a ledger its id in the library, and let the roster have the names a model found."""
        with self._store.read() as r:
            ruled = learned.ruled_points(r, self._roster)
        match_points(ledger, ruled)
        aliases: list[tuple[PointId, str]] = []
        with self._store.write() as w:
            learned_ids: list[PointId] = []
            for point in ledger.standing():
                if point.point is None:
                    point.point = learned.put_point(w, self._work, point.kind, point.name)
                    learned_ids.append(point.point)
                for form in point.forms:
                    if form.found:
                        known = self.desk.known_from(form.form, form.found)
                        learned.put_alias(w, self._work, point.point, form.form, *self.desk.place_of(known))
                        aliases.append((point.point, form.form))
            self._points, self._aliases = learned_ids, aliases
            learned.set_kinds(w, self._work, _kinds_set_right(ledger))
            learned.clear_identities(w, self._work)
            for identity in (each for each in ledger.identities if each.stands):
                self._put_identity(w, ledger, identity)
        write_learned(self._store, self._work, self._roster)
        write_added(self._store, self._work, self._roster)
        with self._store.write() as w:
            corrections.replay(w, self._work, self._roster)
        with self._store.read() as r:
            self.desk = rename_desk(r, self._roster, self.desk)

    def forget_points(self) -> None:
        """Take away the points and names of earlier readings that this one, now at its end, has not found."""
        with self._store.write() as w:
            learned.keep_only(w, self._work, self._points, self._aliases)
            learned.clear_unlearned(w, self._work, self._roster)
            corrections.replay(w, self._work, self._roster)
        with self._store.read() as r:
            self.desk = rename_desk(r, self._roster, self.desk)

    def _put_identity(self, w: Connection, ledger: Ledger, identity: Identity) -> None:
        a, b = ledger.resolve(identity.a), ledger.resolve(identity.b)
        if a is None or b is None or a.point is None or b.point is None or a.number == b.number:
            return
        known = max(each.pos_end for each in identity.found)
        # Nobody is one with another before both are known; and a place that does not name both joins nobody.
        known = max(known, a.first_pos, b.first_pos)
        texts = [self.desk.block_text(each) for each in identity.found]
        if not all(any(form.form in text for form in point.forms for text in texts) for point in (a, b)):
            known = max(known, self.desk.analysed_end)
        document, start = self.desk.place_of(known)
        basis = f"{identity.basis}: {identity.found[0].quote}"
        learned.put_identity(w, self._work, a.point, b.point, document, start, known, basis)

    def publish(self, unit: Unit) -> None:
        """Write a unit in place of what it was before; nothing happens when it is the same."""
        self.written.add(unit.key)
        with self._store.read() as r:
            if analyses.input_hash_of(r, self._work, unit.key) == unit.input_hash:
                return
            ready = [(d, prepare_statement(r, self._work, d.statement, self.desk)) for d in unit.drafts]
        self._clear(unit.key)
        rest = iter(ready)
        while some := list(islice(rest, _AT_ONCE)):
            with self._store.write() as w:
                for draft, each in some:
                    writer = analyses.add_writer(w, draft.model, draft.prompt_rev)
                    wiki.add_statement(
                        w,
                        self._work,
                        each.statement,
                        each.found,
                        roster=self._roster,
                        unlock_pos=each.unlock_pos,
                        unit=unit.key,
                        writer=writer,
                    )
        with self._store.write() as w:
            dropped.put_dropped(w, self._work, unit.key, [(d.point, d.text, d.reason) for d in unit.dropped])
            analyses.set_input_hash(w, self._work, unit.key, unit.input_hash)

    def _clear(self, key: str) -> None:
        with self._store.write() as w:
            analyses.forget_unit(w, self._work, key)
        while True:
            with self._store.write() as w:
                old = wiki.statements_of_unit(w, self._work, key)[:_AT_ONCE]
                wiki.delete_statements(w, old)
            if not old:
                return

    def clear_others(self) -> None:
        """Take away the units of earlier readings that this one does not have."""
        with self._store.read() as r:
            old = [unit for unit in analyses.units_of(r, self._work) if unit not in self.written]
        for key in old:
            self._clear(key)


def match_points(ledger: Ledger, ruled: Sequence[RuledPoint]) -> None:
    """Give the points of a ledger the ids of those the rules found: who shares most names, each id once."""
    pairs = []
    for point in ledger.ruled():
        forms = {form.form for form in point.forms}
        for index, each in enumerate(ruled):
            shared = len(forms & {form for form, _pos in each.forms})
            if shared and each.kind is (point.ruled_kind or point.kind):
                pairs.append((-shared, point.name != each.name, point.number, index))
    taken: set[int] = set()
    for point in ledger.ruled():
        point.point = None
    for _shared, _other, number, index in sorted(pairs):
        if ledger.points[number].point is None and index not in taken:
            ledger.points[number].point = ruled[index].id
            taken.add(index)


def _kinds_set_right(ledger: Ledger) -> list[tuple[PointId, PointKind | None]]:
    """Return the kind of each point the rules took for another, None for what is no point at all."""
    ruled = [point for point in ledger.ruled() if point.ruled_kind is not None and point.point is not None]
    return [
        (point.point, None if point.is_nothing else point.kind)
        for point in ruled
        if point.point is not None and (point.is_nothing or point.kind is not point.ruled_kind)
    ]


def quotes_of(*found: Found) -> tuple[Quote, ...]:
    """Return evidence as a statement hands it in, each passage once."""
    each_once = dict.fromkeys(evidence for some in found for evidence in some)
    return tuple(Quote(each.document, each.start, each.quote) for each in each_once)


def ids_of(ledger: Ledger, numbers: Iterable[int]) -> tuple[PointId, ...]:
    """Return the ids of points, each once."""
    found = [point.point for n in numbers if (point := ledger.resolve(n)) is not None and point.point is not None]
    return tuple(dict.fromkeys(found))


def form_known_at(point: Point, pos: int) -> str:
    """Return the fullest name of a point that the reader has at a place, else the one she learns first."""
    known = [form for form in point.forms if form.known_pos <= pos]
    if known:
        return max(known, key=lambda form: (form.form == point.name, len(form.form))).form
    return min(point.forms, key=lambda form: form.known_pos).form if point.forms else point.name
