"""From a pack to the library: names, joins and statements, each with an unlock computed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from engine.analysis.adding import write_added, write_learned
from engine.analysis.evidence import Desk, open_desk, rename_desk
from engine.analysis.ledger import Form, Ledger
from engine.analysis.publishing import match_points
from engine.domain.book import WorkId
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, Pos
from engine.domain.packs import PackReport
from engine.domain.statements import NewStatement, Origin, Role, Verdict
from engine.domain.wiki import PointId
from engine.errors import NamesUnknownError
from engine.errors.packs import PackInTheWayError
from engine.packs.records import NOTHING, Pack, PackEvidence, PackIdentity, PackPoint, PackStatement
from engine.packs.setting import Setting, work_of_pack
from engine.store import analyses, corrections, learned, packs, points, rosters, wiki, works
from engine.store.connection import Connection
from engine.store.store import Store
from engine.store.wiki import FoundEvidence

_AT_ONCE = 200
"""Statements a transaction writes: under 10 ms."""
_FIRST_PAGE_CHARS = 1_200
_MOST_TEASER_CHARS = 240
_CHECKED = (Verdict.SUPPORT, Verdict.NEAR_COPY)

GoOn = Callable[[int, int], None]
"""Told (statements written, in all) between two transactions; raises to stop."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A statement on its way."""

    unit: str
    statement: NewStatement
    found: tuple[FoundEvidence, ...]
    unlock_pos: Pos
    writer: int


def take_in(
    store: Store, pack: Pack, *, is_trusted: bool, replaces: bool, key: str, go_on: GoOn = lambda _done, _total: None
) -> PackReport:
    """Write what a pack holds into the library; run again after it was cut short, it comes to the same.

    Where anything may be shown is computed here, from the passages as they stand in the reader's own books. What the
    pack says was checked counts only for one that is trusted; else it waits for the end of the text, unless it
    nearly copies its passage.

    Args:
        store: The library.
        pack: What is taken in.
        is_trusted: Whether its word is taken for what was held against the text.
        replaces: Whether it may take the place of what a model or a pack has written before.
        key: What tells this pack from others.
        go_on: Told between two transactions.

    Raises:
        PackMismatchError: its books are not here.
        NamesUnknownError: the names of the work are still being looked for.
        PackInTheWayError: the work has been read, and `replaces` is not set.
        LibraryUnavailableError: the library cannot be written.
    """
    with store.read() as r:
        work = work_of_pack(r, pack)
        roster = points.visible_roster(r, work)
        if roster is None or not rosters.is_current(r, work):
            raise NamesUnknownError(work)
        if not replaces and packs.has_been_read(r, work):
            raise PackInTheWayError(works.outline(r, work).title)
        desk = open_desk(r, work, roster)
        setting = Setting(r, work, pack, desk)
    return _TakingIn(store, pack, work, roster, setting, is_trusted=is_trusted).run(f"pack {key}", go_on)


class _TakingIn:
    def __init__(
        self, store: Store, pack: Pack, work: WorkId, roster: int, setting: Setting, *, is_trusted: bool
    ) -> None:
        self._store = store
        self._pack = pack
        self._work = work
        self._roster = roster
        self._setting = setting
        self._is_trusted = is_trusted
        self._ids: dict[int, PointId] = {}
        """Of the points that are known here, by their number in the pack."""
        self._met: dict[int, Pos] = {}

    def run(self, key: str, go_on: GoOn) -> PackReport:
        """Write everything."""
        self._clear()
        self._write_points()
        ready = list(self._ready())
        rest = iter(ready)
        done = 0
        while some := list(islice(rest, _AT_ONCE)):
            go_on(done, len(ready))
            self._write(some)
            done += len(some)
        with self._store.write() as w:
            for unit in dict.fromkeys(each.unit for each in ready):
                analyses.set_input_hash(w, self._work, unit, key)
            plan = [(self._ids[each.point], each.tier) for each in self._pack.entries if each.point in self._ids]
            analyses.set_plan(w, self._work, list(dict(plan).items()))
        waiting = sum(each.unlock_pos >= self._desk.analysed_end for each in ready)
        left_out = len(self._pack.statements) - len(ready)
        return PackReport(self._work, len(self._ids), len(ready), left_out, waiting)

    @property
    def _desk(self) -> Desk:
        return self._setting.desk

    def _clear(self) -> None:
        """Take away what was written before."""
        with self._store.read() as r:
            units = analyses.units_of(r, self._work)
            units += [each.unit for each in packs.written_by_units(r, self._work)]  # of a pack that was cut short
        for unit in dict.fromkeys(units):
            while True:
                with self._store.write() as w:
                    analyses.forget_unit(w, self._work, unit)
                    old = wiki.statements_of_unit(w, self._work, unit)[:_AT_ONCE]
                    wiki.delete_statements(w, old)
                if not old:
                    break

    # names

    def _write_points(self) -> None:
        ledger = Ledger()
        for point in self._pack.points:
            ledger.add_point(point.kind, point.name, [Form(each.form, 0) for each in point.forms])
        with self._store.read() as r:
            match_points(ledger, learned.ruled_points(r, self._roster))
            names = [self._names_of(r, point, ledger.points[n].point) for n, point in enumerate(self._pack.points, 1)]
        kept: list[PointId] = []
        aliases: list[tuple[PointId, str]] = []
        with self._store.write() as w:
            # Names of before go out of the roster, so that each comes back with what is known of it now.
            learned.keep_only(w, self._work, learned.learned_points(w, self._work).values(), ())
            learned.clear_unlearned(w, self._work, self._roster)
            for number, (point, found) in enumerate(zip(self._pack.points, names, strict=True), 1):
                id_ = ledger.points[number].point
                if id_ is None and found:
                    id_ = learned.put_point(w, self._work, point.kind, point.name)
                    kept.append(id_)
                if id_ is not None:
                    self._ids[number] = id_
                    for form, pos in found:
                        learned.put_alias(w, self._work, id_, form, *self._desk.place_of(pos))
                        aliases.append((id_, form))
            learned.keep_only(w, self._work, kept, aliases)
            learned.clear_unlearned(w, self._work, self._roster)
            learned.set_kinds(w, self._work, self._kinds() if self._is_trusted else ())
        self._play()
        self._join()
        self._play()

    def _kinds(self) -> Iterator[tuple[PointId, PointKind | None]]:
        for number, point in enumerate(self._pack.points, 1):
            if point.set_right and number in self._ids:
                yield self._ids[number], None if point.set_right == NOTHING else PointKind(point.set_right)

    def _play(self) -> None:
        """Let the roster have the names, with what the reader set right on top."""
        write_learned(self._store, self._work, self._roster)
        write_added(self._store, self._work, self._roster)
        with self._store.write() as w:
            corrections.replay(w, self._work, self._roster)
        with self._store.read() as r:
            self._setting.desk = rename_desk(r, self._roster, self._desk)
            met = points.all_met(r, self._roster)
        self._met = {number: met[id_] for number, id_ in self._ids.items() if id_ in met}

    def _names_of(self, r: Connection, point: PackPoint, ruled: PointId | None) -> list[tuple[str, Pos]]:
        """Return the names the rules do not have, and from where on each is known."""
        wanted = [each for each in point.forms if ruled is None or each.learned_at is not None]
        found = []
        for each in wanted:
            known = self._setting.name_known_from(r, each.form, each.learned_at)
            if known is not None:
                # That somebody goes by another name is a claim; that a name stands in the text is none.
                is_sure = self._is_trusted or (ruled is None and each.form == point.name)
                found.append((each.form, known if is_sure else self._desk.analysed_end))
        return found

    def _join(self) -> None:
        joined = [(each, self._joined_at(each)) for each in self._pack.identities]
        with self._store.write() as w:
            learned.clear_identities(w, self._work)
            for identity, known in joined:
                if known is not None:
                    pos, quote = known
                    ids = self._ids[identity.a], self._ids[identity.b]
                    document, start = self._desk.place_of(pos)
                    learned.put_identity(w, self._work, *ids, document, start, pos, f"{identity.basis}: {quote}")

    def _joined_at(self, identity: PackIdentity) -> tuple[Pos, str] | None:
        """Return from where on two are one, and the words that rests on; None where these do not stand here."""
        a, b = identity.a, identity.b
        found = self._setting.find(PackEvidence(identity.evidence))
        here = self._setting.block_at(identity.known_at)
        if found is None or here is None or a not in self._met or b not in self._met:
            return None
        if self._ids[a] == self._ids[b]:
            return None
        known = max(found.pos_end, here.pos, self._met[a], self._met[b])
        # Whether the passages name both was looked at where it was read: a join that is trusted comes with its place.
        return (known if self._is_trusted else max(known, self._desk.analysed_end)), found.quote

    # statements

    def _ready(self) -> Iterator[_Ready]:
        with self._store.read() as r:
            starts = [chapter.pos for volume in works.outline(r, self._work).volumes for chapter in volume.chapters]
            for each in self._pack.statements:
                ready = self._prepared(r, each, starts)
                if ready is not None:
                    yield ready

    def _prepared(self, r: Connection, each: PackStatement, starts: Sequence[Pos]) -> _Ready | None:
        """Return a statement with its passages and unlock; None where it cannot be kept here."""
        named = (*each.links, *([each.point] if each.point else []))
        found = [self._setting.find(evidence) for evidence in each.evidence]
        whole = tuple(evidence for evidence in found if evidence is not None)
        if len(whole) < len(found) or any(number not in self._met for number in named):
            return None
        if each.role is Role.TITLE and not self._is_trusted:
            return None  # a title locks an entry until it unlocks, which is not for a stranger to do
        if each.role is Role.TEASER and not self._is_teaser(each, whole, starts):
            return None
        own = None
        own_pos: Pos = 0
        if each.not_before is not None:
            document, pos = self._setting.document(each.not_before), self._setting.pos(r, each.not_before)
            if document is None or pos is None:
                return None
            own, own_pos = Locator(document, each.not_before.start, each.not_before.start), pos
        statement = self._desk.judge(self._statement(each, own), whole)
        unlock = self._desk.unlock(statement, whole, own_pos=own_pos)
        return _Ready(each.unit, statement, whole, unlock, each.writer)

    def _statement(self, each: PackStatement, own: Locator | None) -> NewStatement:
        is_believed = self._is_trusted or each.verdict not in _CHECKED
        return NewStatement(
            each.text,
            each.role,
            self._ids[each.point] if each.point else None,
            each.section,
            each.ord,
            links=tuple(dict.fromkeys(self._ids[number] for number in each.links)),
            not_before=own,
            verdict=each.verdict if is_believed else Verdict.UNCHECKED,
            origin=Origin.PACK,
            is_marked=each.is_marked,
        )

    def _is_teaser(self, each: PackStatement, found: Sequence[FoundEvidence], starts: Sequence[Pos]) -> bool:
        """Say whether a teaser, which is shown before its chapter, rests on its first words and tells nothing more."""
        if len(found) != 1 or each.verdict is not Verdict.SUPPORT or len(each.text) > _MOST_TEASER_CHARS:
            return False
        start = max((pos for pos in starts if pos <= found[0].pos), default=None)
        first = None if start is None else self._desk.first_words(start)
        if start is None or first is None:
            return False
        is_first = (first.document, first.near) == (found[0].document, found[0].start)
        return is_first and self._desk.words_known_from(each.text) <= start + _FIRST_PAGE_CHARS

    def _write(self, some: Sequence[_Ready]) -> None:
        with self._store.write() as w:
            for each in some:
                signed = self._pack.writers[each.writer - 1] if each.writer else None
                writer = None
                if signed is not None:
                    writer = packs.writer_of_day(w, signed.model, signed.prompt_rev, signed.made_at)
                wiki.add_statement(
                    w,
                    self._work,
                    replace(each.statement, quotes=()),
                    each.found,
                    roster=self._roster,
                    unlock_pos=each.unlock_pos,
                    unit=each.unit,
                    writer=writer,
                )
