"""From what a library has learned about a work to a pack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from engine.domain.book import DocumentId, WorkId
from engine.domain.knowledge import PointKind
from engine.domain.locator import DeepLink
from engine.domain.statements import Role, Verdict
from engine.domain.wiki import PointId
from engine.errors import NamesUnknownError
from engine.errors.packs import PackEmptyError
from engine.packs.records import (
    NOTHING,
    QUOTE_CHARS,
    Pack,
    PackBook,
    PackEntry,
    PackEvidence,
    PackForm,
    PackIdentity,
    PackPoint,
    PackStatement,
    PackWriter,
)
from engine.store import analyses, learned, packs, points, rosters, wiki, works
from engine.store.blocks import blocks_with
from engine.store.connection import Connection, utc_now
from engine.store.packs import IdentityFields, StatementFields


def gather(r: Connection, work: WorkId, program: str) -> Pack:
    """Return everything models have learned about a work.

    What the reader set right, revealed, noted or looked at is hers and stays.

    Args:
        r: Any connection.
        work: Whose.
        program: Name and version of what makes the pack.

    Raises:
        WorkNotFoundError: there is no such work.
        NamesUnknownError: its names are still being looked for.
        PackEmptyError: nothing was learned yet.
    """
    outline = works.outline(r, work)
    roster = points.visible_roster(r, work)
    if roster is None or not rosters.is_current(r, work):
        raise NamesUnknownError(work)
    if not packs.has_been_read(r, work):
        raise PackEmptyError(outline.title)
    return _Gathering(r, work, roster).pack(outline.title, outline.language, program)


class _Gathering:
    def __init__(self, r: Connection, work: WorkId, roster: int) -> None:
        self._r = r
        self._work = work
        self._roster = roster
        self._books = packs.book_texts(r, work)
        self._places: dict[DocumentId, tuple[str, int]] = {}
        for book in self._books:
            for document, spine in packs.documents_of(r, book.id).items():
                self._places[document] = (book.sha256[:16], spine)
        self._numbers: dict[PointId, int] = {}

    def pack(self, title: str, language: str, program: str) -> Pack:
        """Put everything together."""
        found_points = self._points()
        statements, writers = self._statements(packs.written_by_units(self._r, self._work))
        joined = packs.identities_of_models(self._r, self._work)
        return Pack(
            title,
            language,
            utc_now()[:10],
            program,
            tuple(PackBook(each.sha256, each.text_hash, each.title) for each in self._books),
            writers,
            found_points,
            tuple(identity for each in joined if (identity := self._identity(each)) is not None),
            statements,
            tuple(
                PackEntry(self._numbers[point], tier)
                for point, tier in analyses.plan_of(self._r, self._work)
                if point in self._numbers
            ),
        )

    # points

    def _points(self) -> tuple[PackPoint, ...]:
        """Return the points of the rules in the order they are met, then those only models have found."""
        names: dict[PointId, list[PackForm]] = defaultdict(list)
        for point, form, document, start in packs.learned_names(self._r, self._work):
            if document in self._places:
                names[point].append(PackForm(form, self._link(document, start, start)))
        kinds = learned.kinds_set(self._r, self._work)
        found: list[tuple[PointId, PackPoint]] = []
        for each in learned.ruled_points(self._r, self._roster):
            forms = [PackForm(form) for form, _pos in each.forms]
            set_right = str(kinds[each.id] or NOTHING) if each.id in kinds else ""
            found.append((each.id, PackPoint(each.kind, each.name, (*forms, *names.get(each.id, ())), set_right)))
        own = learned.learned_points(self._r, self._work)
        found += [
            (id_, PackPoint(PointKind(kind), name, tuple(names[id_])))
            for (kind, name), id_ in sorted(own.items(), key=lambda each: each[0])
            if id_ in names
        ]
        used = self._used(names) | set(kinds)
        kept = [each for each in found if each[0] in used]
        self._numbers = {id_: number for number, (id_, _point) in enumerate(kept, 1)}
        return tuple(point for _id, point in kept)

    def _used(self, names: Mapping[PointId, object]) -> set[PointId]:
        """Return the points that something is said of."""
        rows = wiki.written_statements(self._r, self._work)
        used = {each.statement.point for each in rows} | {link for each in rows for link in each.statement.links}
        used |= {point for point, _tier in analyses.plan_of(self._r, self._work)}
        joined = packs.identities_of_models(self._r, self._work)
        return {id_ for id_ in used if id_ is not None} | set(names) | {p for each in joined for p in (each.a, each.b)}

    # statements

    def _statements(self, rows: Iterable[StatementFields]) -> tuple[tuple[PackStatement, ...], tuple[PackWriter, ...]]:
        written = {each.id: each for each in wiki.written_statements(self._r, self._work)}
        known = packs.writers(self._r)
        kept = [each for each in rows if self._is_whole(each, written[each.id])]
        signed = sorted({known[each.writer] for each in kept if each.writer in known})
        numbers = {writer: number for number, writer in enumerate(signed, 1)}
        return tuple(self._statement(each, written[each.id], known, numbers) for each in kept), tuple(
            PackWriter(*each) for each in signed
        )

    def _is_whole(self, each: StatementFields, written: wiki.WrittenStatement) -> bool:
        """Say whether all a statement rests on and speaks of is in the pack; the reader's own points are not."""
        named = (*written.statement.links, *([each.point] if each.point is not None else []))
        own = [] if each.own_document is None else [each.own_document]
        return all(point in self._numbers for point in named) and all(
            document in self._places for document in (*own, *(found.document for found in written.evidence))
        )

    def _statement(
        self,
        each: StatementFields,
        written: wiki.WrittenStatement,
        known: Mapping[int, tuple[str, str, str]],
        numbers: Mapping[tuple[str, str, str], int],
    ) -> PackStatement:
        own = each.own_document
        return PackStatement(
            each.unit,
            0 if each.point is None else self._numbers[each.point],
            Role(each.role),
            each.section,
            each.ord,
            each.text,
            tuple(sorted(self._numbers[point] for point in written.statement.links)),
            Verdict(each.verdict),
            each.is_marked,
            None if own is None else self._link(own, each.own_start, each.own_start),
            0 if each.writer is None or each.writer not in known else numbers[known[each.writer]],
            tuple(
                PackEvidence(self._link(found.document, found.start, found.end, found.quote), found.how)
                for found in written.evidence
            ),
        )

    def _identity(self, each: IdentityFields) -> PackIdentity | None:
        """Return a join with the words it rests on; None for one whose words do not stand in the text any more."""
        kind, _colon, quote = each.basis.partition(": ")
        is_known = each.a in self._numbers and each.b in self._numbers
        if each.document is None or not quote or not is_known or each.document not in self._places:
            return None
        near = [
            (abs(placed.document - each.document), placed.document, placed.start + placed.block.text.index(quote))
            for placed in blocks_with(self._r, self._work, quote)
            if quote in placed.block.text
        ]
        if not near:
            return None
        _far, document, start = min(near)
        return PackIdentity(
            self._numbers[each.a],
            self._numbers[each.b],
            kind,
            self._link(document, start, start + len(quote), quote),
            self._link(each.document, each.start, each.start),
        )

    def _link(self, document: DocumentId, start: int, end: int, quote: str = "") -> DeepLink:
        sha16, spine = self._places[document]
        return DeepLink(sha16, spine, start, end, quote[:QUOTE_CHARS])
