"""The half of the library that searches the text."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.search import HitRun, PosRange, TextQuery
from engine.library.looking import Looking
from engine.spoilers.policy import END, bound_of
from engine.store import places

# engine.retrieval.scan, engine.store.folded and engine.spoilers.masks are imported where they are used: a
# session that never searches does without their tables.

_BEYOND_S = 0.5
"""Longest a pattern may look for more beyond the boundary."""


class Finding(Looking):
    """Searches in the text of a library, besides those by its index."""

    def scan(
        self,
        work: WorkId,
        query: TextQuery,
        spoilers: SpoilerMode,
        *,
        within: Sequence[PosRange] = (),
        shown: PosRange | None = None,
    ) -> Generator[HitRun | None, None, None]:
        """Yield what is found of a query up to where the reader has read, range by range in order of pos.

        Nothing behind that boundary is looked at. Each step is a few milliseconds at most, None
        for one that found nothing, so that the caller can stop between two; the generator must
        be used and closed in one thread.

        Args:
            work: Where to search.
            query: Words or a pattern.
            spoilers: How far the reader wants to see.
            within: Ranges to look in, one after another; none for the whole work.
            shown: What stands on the page now, which may be searched wherever it is.

        Raises:
            PatternInvalidError: the pattern is no regular expression.
            PatternSlowError: it takes too long; what was yielded before stands.
        """
        from engine.retrieval.scan import make_matcher, scan
        from engine.store import folded

        matcher = make_matcher(query)
        with self._store.read() as r:
            for allowed in allowed_ranges(within, spoilers, places.frontier(r, work), shown):
                yield from scan(folded.stretches(r, work, allowed), matcher, allowed.end)

    def is_found_beyond(self, work: WorkId, query: TextQuery, spoilers: SpoilerMode) -> bool:
        """Say whether a query finds anything behind the boundary, where the reader may be told that.

        Raises:
            PatternInvalidError: the pattern is no regular expression.
        """
        from engine.errors import PatternSlowError
        from engine.retrieval.scan import make_matcher, scan
        from engine.spoilers import masks
        from engine.store import folded

        with self._store.read() as r:
            bound = bound_of(spoilers, places.frontier(r, work))
            if not masks.tells_of_more(bound, has_more=True):
                return False
            matcher = make_matcher(query, limit_s=_BEYOND_S)
            ahead = PosRange(masks.hit_upto(bound), END)
            try:
                return any(run is not None for run in scan(folded.stretches(r, work, ahead), matcher, ahead.end))
            except PatternSlowError:
                return False


def allowed_ranges(
    within: Sequence[PosRange], spoilers: SpoilerMode, frontier: Pos, shown: PosRange | None
) -> Iterator[PosRange]:
    """Yield the parts of ranges that may be looked at: up to the boundary, and what stands on the page."""
    from engine.spoilers import masks

    upto = masks.hit_upto(bound_of(spoilers, frontier))
    for wanted in within or (PosRange(0, END),):
        parts = [(wanted.start, min(wanted.end, upto))]
        if shown is not None:
            parts.append((max(wanted.start, shown.start, upto), min(wanted.end, shown.end)))
        yield from (PosRange(start, end) for start, end in parts if start < end)
