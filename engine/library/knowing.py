"""The half of the library that knows names: points, tracks, look-up, statements; all of it already masked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.config import Settings, SpoilerMode
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator
from engine.errors import PlaceUnknownError
from engine.library.texts import Texts
from engine.paths import Paths
from engine.spoilers.policy import FRONTIER, Bound, Upto, Wishes, bound_of, wishes_of
from engine.store import own_settings, places, reading
from engine.store.connection import Connection
from engine.store.store import Store

# engine.domain.wiki, engine.retrieval.known and what they need are imported where they are used: the first page of
# a book does without.

if TYPE_CHECKING:
    from engine.domain.statements import ShownStatement
    from engine.domain.wiki import KnowledgeState, KnownPoint, NameInText, NameMatch, PointId, StatementId, Track
    from engine.retrieval.known import KnownWork
    from engine.retrieval.resolve import NameIndex
    from engine.retrieval.where import Whereabouts


class Knowing(Texts):
    """What is known of the works of a library.

    Every method takes `upto`, how far it may see (by default as far as the reader has read), and
    `spoilers`, the mode (by default the work's own, else the reader's setting). Nothing it returns lies beyond that.

    Attributes:
        spoilers: The reader's setting, for works without one of their own; it may be changed at any time.
        wishes: What else she has set; likewise.
    """

    def __init__(self, paths: Paths, store: Store, spoilers: SpoilerMode) -> None:
        super().__init__(paths, store)
        self.spoilers = spoilers
        self.wishes = Wishes()
        self._held_mode: tuple[WorkId, SpoilerMode] | None = None
        self._where: dict[WorkId, tuple[str, Whereabouts]] = {}
        self._indices: dict[WorkId, tuple[str, NameIndex]] = {}
        self._knowing_lock = threading.RLock()

    def use_settings(self, settings: Settings) -> None:
        """Hold to what the reader has set of what lies ahead, from now on."""
        self.spoilers, self.wishes = settings.spoilers, wishes_of(settings)

    def hold_mode(self, work: WorkId, mode: SpoilerMode) -> None:
        """Show a work in a mode from now on, whatever is kept of it: the one being read, while its settings change."""
        self._held_mode = work, mode

    def mode_of(self, work: WorkId) -> SpoilerMode:
        """Return the mode in which a work is shown: its own, else the reader's setting."""
        with self._store.read() as r:
            return self._mode(r, work)

    def _mode(self, r: Connection, work: WorkId) -> SpoilerMode:
        held = self._held_mode
        if held is not None and held[0] == work:
            return held[1]
        return own_settings.own_mode(r, work) or self.spoilers

    def bound(self, work: WorkId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None) -> Bound:
        """Return how far a request may see.

        Raises:
            PlaceUnknownError: `upto` names a place this work does not have.
        """
        with self._store.read() as r:
            return self._bound(r, work, upto, spoilers)

    def _bound(self, r: Connection, work: WorkId, upto: Upto, spoilers: SpoilerMode | None) -> Bound:
        place_end = 0
        if upto.place is not None:
            row = reading.document_row(r, upto.place.document)
            if row.work != work:
                raise PlaceUnknownError(str(upto.place))
            place_end = row.pos(upto.place.end)
        return bound_of(spoilers or self._mode(r, work), places.frontier(r, work), upto, place_end, self.wishes)

    @contextmanager
    def _known(self, work: WorkId, upto: Upto, spoilers: SpoilerMode | None) -> Iterator[KnownWork | None]:
        """Lend what may be known of a work, inside one snapshot; None while nothing is."""
        from engine.retrieval.known import KnownWork
        from engine.store import points

        with self._store.read() as r:
            roster = points.visible_roster(r, work)
            if roster is None:
                yield None
            else:
                bound = self._bound(r, work, upto, spoilers)
                yield KnownWork(r, work, roster, bound, lambda: self._whereabouts(r, work))

    def _whereabouts(self, r: Connection, work: WorkId) -> Whereabouts:
        """Return a work's chapters; kept as long as its volumes stay the same, for reading them takes milliseconds."""
        from engine.retrieval.where import Whereabouts
        from engine.store import rosters, works

        key = rosters.volumes_key(r, work)
        with self._knowing_lock:
            kept = self._where.get(work)
        if kept is None or kept[0] != key:
            kept = (key, Whereabouts(works.outline(r, work)))
            with self._knowing_lock:
                self._where[work] = kept
        return kept[1]

    def knowledge_state(self, work: WorkId) -> KnowledgeState:
        """Return whether the names of a work are known, being looked for, or neither."""
        from engine.domain.wiki import KnowledgeState
        from engine.store import jobs, points

        with self._store.read() as r:
            if jobs.names_job(r, work) is not None:
                return KnowledgeState.WORKING
            return KnowledgeState.NONE if points.visible_roster(r, work) is None else KnowledgeState.READY

    def entities(
        self, work: WorkId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> tuple[KnownPoint, ...]:
        """Return everybody and everything met, most mentions first."""
        with self._known(work, upto, spoilers) as known:
            return () if known is None else known.points()

    def point(
        self, work: WorkId, point: PointId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> KnownPoint | None:
        """Return a point as far as it is known, None when it has not been met."""
        with self._known(work, upto, spoilers) as known:
            return None if known is None else known.point(point)

    def has_more(self, work: WorkId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None) -> bool:
        """Say whether the reader may be told that somebody comes whom she has not met."""
        with self._known(work, upto, spoilers) as known:
            return known is not None and known.has_more()

    def track(self, work: WorkId, point: PointId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None) -> Track:
        """Return the chapters in which a point appears."""
        from engine.domain.wiki import Track

        with self._known(work, upto, spoilers) as known:
            return Track((), (), is_open_ended=True) if known is None else known.track(point)

    def resolve(
        self,
        work: WorkId,
        text: str,
        at: Locator | None = None,
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> tuple[NameMatch, ...]:
        """Return the points a selection or typed words may mean, best first; several bearers of a name are all offered.

        Args:
            work: Whose points.
            text: As selected or typed.
            at: Where it was selected, if it was.
            upto: How far the request may see.
            spoilers: The mode; None for the reader's setting.
        """
        from engine.retrieval.resolve import resolve

        with self._known(work, upto, spoilers) as known:
            if known is None:
                return ()
            with self._knowing_lock:
                return resolve(known, self._index(work, known), text, at)

    def is_named_beyond(
        self, work: WorkId, text: str, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> bool:
        """Say whether more comes under a name than the reader knows of, where she may be told that."""
        with self._known(work, upto, spoilers) as known:
            return known is not None and known.has_more_of(text)

    def _index(self, work: WorkId, known: KnownWork) -> NameIndex:
        """Return the index of a work's names, never further than the request may see.

        It grows with what the reader reads; for a request that may see less it is made anew.
        """
        from engine.retrieval.resolve import NameIndex

        kept = self._indices.get(work)
        upto = known.names_upto
        if kept is None or kept[0] != known.key or kept[1].upto > upto:
            kept = (known.key, NameIndex())
            self._indices = {work: kept}
        if kept[1].upto < upto:
            kept[1].extend(known.name_rows(kept[1].upto), upto)
        return kept[1]

    def _forget_names(self) -> None:
        with self._knowing_lock:
            self._indices = {}

    def names_in(
        self,
        document: DocumentId,
        start: int,
        end: int,
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> tuple[NameInText, ...]:
        """Return the known names in a range of a document, in order, none overlapping another.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            work = reading.document_row(r, document).work
            with self._known(work, upto, spoilers) as known:
                return () if known is None else known.names_in(document, start, end)

    def statements(
        self,
        work: WorkId,
        point: PointId | None = None,
        revealed: frozenset[StatementId] = frozenset(),
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> tuple[ShownStatement, ...]:
        """Return what is written about a point, or with None about the work as a whole; veiled where it must be.

        Args:
            work: Whose.
            point: Who or what.
            revealed: Statements the reader has asked for by `reveal`.
            upto: How far the request may see.
            spoilers: The mode; None for the reader's setting.
        """
        with self._known(work, upto, spoilers) as known:
            return () if known is None else known.statements(point, revealed)

    def appearances(
        self,
        work: WorkId,
        point: PointId,
        limit: int = -1,
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> tuple[Locator, ...]:
        """Return where a point is named, in story order; `limit` of them at most, -1 for all."""
        with self._known(work, upto, spoilers) as known:
            if known is None:
                return ()
            return tuple(Locator(m.document, m.start, m.end) for m in known.mentions(point, limit=limit))
