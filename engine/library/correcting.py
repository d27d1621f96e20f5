"""The half of the library in which the reader sets points right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.errors import CorrectionRefusedError, NamesUnknownError
from engine.library.knowing import Knowing
from engine.spoilers.policy import FRONTIER, Upto
from engine.store import reading
from engine.store.connection import Connection
from engine.text.sanitize import sanitize_line
from engine.translate import _

# Imported where they are used: most sessions only read.

if TYPE_CHECKING:
    from engine.domain.corrections import Act, MadeCorrection
    from engine.domain.wiki import PointId
    from engine.retrieval.known import KnownWork
    from engine.store.corrections import NamedPoint, Payload

_LONGEST_NAME = 100


class Correcting(Knowing):
    """What the reader sets right in the works of a library; it holds for every later analysis."""

    def correct(
        self, work: WorkId, act: Act, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> MadeCorrection:
        """Set something right, and return it as it can be taken back.

        What an act names must be known up to the bound. Looking for a name that was added takes
        the time of a search through the work.

        Raises:
            CorrectionRefusedError: the act names nobody known, or lacks what it needs.
            NamesUnknownError: the work's names have not been found yet.
        """
        from engine.analysis.adding import write_added
        from engine.domain.wiki import Correction
        from engine.store import corrections, points, rosters

        with self._store.read() as r, self._known(work, upto, spoilers) as known:
            if known is None:
                raise NamesUnknownError(work)
            roster = points.visible_roster(r, work)
            payload = self._payload(r, work, known, act)
        with self._store.write() as w:
            if roster is None or points.visible_roster(w, work) != roster:
                raise NamesUnknownError(work)
            is_new = act.correction is Correction.SPLIT or (act.correction is Correction.ADD and not act.points)
            made = payload.with_made(rosters.new_point(w, work)) if is_new else payload
            id_ = corrections.add_correction(w, work, act.correction, made)
            corrections.replay(w, work, roster)
        if act.correction is Correction.ADD:
            write_added(self._store, work, roster)
            self._replay(work)
        return next(each for each in self.corrections(work) if each.id == id_)

    def undo_correction(self, work: WorkId) -> MadeCorrection | None:
        """Take the last correction that stands back and return it; None when there is none."""
        from engine.store import corrections

        with self._store.write() as w:
            undone = corrections.undo_last(w, work)
        self._replay(work)
        return None if undone is None else corrections.made_from(undone)

    def corrections(self, work: WorkId) -> tuple[MadeCorrection, ...]:
        """Return the corrections that stand, oldest first."""
        from engine.store import corrections

        with self._store.read() as r:
            return corrections.made_corrections(r, work)

    def _replay(self, work: WorkId) -> None:
        from engine.store import corrections, points

        with self._store.write() as w:
            roster = points.visible_roster(w, work)
            if roster is not None:
                corrections.replay(w, work, roster)
        self._forget_names()

    def _payload(self, r: Connection, work: WorkId, known: KnownWork, act: Act) -> Payload:
        from engine.domain.wiki import Correction
        from engine.store.corrections import Payload

        named = self._named(r, work, known, act)
        if any(not points for points in named):
            raise CorrectionRefusedError(_("nobody of that id is known yet"))
        wanted = {Correction.MERGE: 2, Correction.IDENTITY: 2, Correction.ADD: min(1, len(act.points))}
        if len({points[0].id for points in named}) != wanted.get(act.correction, 1):
            raise CorrectionRefusedError(_("it takes one entry, or two different ones to make them one"))
        is_whole = act.correction in (Correction.HIDE, Correction.REKIND)
        payload = Payload(
            tuple(point for points in named for point in (points if is_whole else points[:1])),
            sanitize_line(act.form)[:_LONGEST_NAME],
            act.kind,
            shown=tuple(known.name(point) for point in act.points),
        )
        if act.correction in (Correction.SPLIT, Correction.RENAME, Correction.ADD) and not payload.form:
            raise CorrectionRefusedError(_("it takes a name"))
        if act.correction is Correction.REKIND and act.kind is None:
            raise CorrectionRefusedError(_("it takes a kind"))
        if act.correction is not Correction.IDENTITY:
            return payload
        if act.at is None:
            raise CorrectionRefusedError(_("it takes a place from which on the two are one"))
        row = reading.document_row(r, act.at.document)
        if row.work != work:
            raise CorrectionRefusedError(_("it takes a place from which on the two are one"))
        return payload.with_place(row.sha256, row.spine_index, act.at.end)

    def _named(self, r: Connection, work: WorkId, known: KnownWork, act: Act) -> list[list[NamedPoint]]:
        """Return the points an act names, each with those it is one with; for a split the one that bears the form."""
        from engine.domain.wiki import Correction
        from engine.store import points
        from engine.store.corrections import NamedPoint

        roster = points.visible_roster(r, work) or 0
        found: list[list[NamedPoint]] = []
        for point in act.points:
            members: list[PointId] = [each for each in known.members(point) if known.point(each) is not None]
            if act.correction is Correction.SPLIT:
                members = [alias.point for alias in known.aliases(point) if alias.form == act.form]
            rows = [(each, known.point(each)) for each in dict.fromkeys(members)]
            found.append(
                [
                    NamedPoint(each, row.name, row.kind, points.forms_of(r, roster, each))
                    for each, row in rows
                    if row is not None
                ]
            )
        return found
