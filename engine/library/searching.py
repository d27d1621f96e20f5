"""The half of the library that searches by relevance: passages by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.library.knowing import Knowing
from engine.library.meaning import Meaning
from engine.spoilers.policy import FRONTIER, Bound, Upto
from engine.store import points, works
from engine.store.connection import Connection

# Imported where they are used: most sessions only read.

if TYPE_CHECKING:
    from engine.domain.hits import Findings, SearchFilter, SearchMode
    from engine.domain.segments import Segment
    from engine.retrieval.known import KnownWork
    from engine.retrieval.search import Request, Scope, SemanticRanker
    from engine.retrieval.where import Whereabouts


class Searching(Meaning, Knowing):
    """Searches by relevance in the works of a library."""

    def search(
        self,
        words: str,
        searched: Sequence[WorkId] = (),
        *,
        mode: SearchMode | None = None,
        limit: int = 20,
        by_rank: bool = False,
        only: SearchFilter | None = None,
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> Findings:
        """Find the passages a query fits best: names, words, a line half remembered, a question.

        Any string is a query; nothing in it is taken for a sign of a language of queries. A name finds
        its point under every name the reader may know. Takes tens of milliseconds in millions of
        characters; the whole library longer.

        Args:
            words: As typed.
            searched: Works, each up to its own boundary; none for all of the library.
            mode: By words, by meaning or by both; by default both where there are vectors.
            limit: Most hits to return; `count` tells of all.
            by_rank: Best first; by default in the order of the story, works as on the shelf.
            only: Conditions on the passages.
            upto: How far to look.
            spoilers: In which mode.

        Raises:
            WorkNotFoundError: there is no such work.
            PlaceUnknownError: `upto` names a place that is in none of the works.
        """
        from engine.domain.hits import NO_FILTER
        from engine.retrieval.search import Request

        request = Request(words, mode, limit, by_rank, only or NO_FILTER)
        return self._answer(request, searched, upto, spoilers, self.meaning_patience_s)

    def _answer(
        self, request: Request, searched: Sequence[WorkId], upto: Upto, spoilers: SpoilerMode | None, patience_s: float
    ) -> Findings:
        from engine.retrieval.search import search

        with self._store.read() as r:
            for work in searched:
                works.require(r, work)
            titles = {summary.id: summary.title for summary in works.summaries(r)}
            scopes = self._scopes(r, {work: titles[work] for work in searched or titles}, upto, spoilers)
            return search(r, request, scopes, self._semantic_ranker(patience_s))

    def segments(self, work: WorkId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None) -> tuple[Segment, ...]:
        """Return the longer stretches of a work to choose among where nobody searches by meaning, up to the boundary.

        `engine.retrieval.segments.choose_segments` has somebody choose. Takes some tens of milliseconds a million
        characters.

        Args:
            work: Which.
            upto: How far to look; the last segment is cut there.
            spoilers: In which mode.

        Raises:
            WorkNotFoundError: there is no such work.
            PlaceUnknownError: `upto` names a place that is not in the work.
        """
        from engine.retrieval.segments import segments_of

        with self._store.read() as r:
            works.require(r, work)
            bound = self._bound(r, work, upto, spoilers)
            return segments_of(r, self._whereabouts(r, work), bound, self._knower(r, work, bound)())

    def is_indexed(self, searched: Sequence[WorkId] = ()) -> bool:
        """Say whether the text of works, none for all, is indexed to its end; until then a search finds less."""
        from engine.store import passages

        with self._store.read() as r:
            of = searched or [summary.id for summary in works.summaries(r)]
            return passages.unindexed_books(r, of) == 0

    def _semantic_ranker(self, patience_s: float) -> SemanticRanker | None:
        """Return who ranks by meaning; None where the reader wants words only."""
        if self.embedder().is_none:
            return None
        from engine.retrieval.semantic import MeaningRanker

        return MeaningRanker(self._usable_index, lambda index, words: self.query_vector(index, words, patience_s))

    def _scopes(
        self, r: Connection, titles: dict[WorkId, str], upto: Upto, spoilers: SpoilerMode | None
    ) -> list[Scope]:
        from engine.errors import PlaceUnknownError
        from engine.retrieval.search import Scope

        scopes = []
        for work, title in titles.items():
            with suppress(PlaceUnknownError):  # the place is in another of the works, or in none: said below
                bound = self._bound(r, work, upto, spoilers)
                scopes.append(Scope(work, title, bound, self._knower(r, work, bound), self._where_of(r, work)))
        if titles and not scopes:
            raise PlaceUnknownError(str(upto.place))
        return scopes

    def _knower(self, r: Connection, work: WorkId, bound: Bound) -> Callable[[], KnownWork | None]:
        from engine.retrieval.known import KnownWork

        kept: list[KnownWork | None] = []

        def known() -> KnownWork | None:
            if not kept:
                roster = points.visible_roster(r, work)
                kept.append(None if roster is None else KnownWork(r, work, roster, bound, self._where_of(r, work)))
            return kept[0]

        return known

    def _where_of(self, r: Connection, work: WorkId) -> Callable[[], Whereabouts]:
        return lambda: self._whereabouts(r, work)
