"""Names in a query: who is meant, and where the same one is named otherwise, as far as the reader knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.domain.wiki import PointId
from engine.retrieval.known import KnownWork
from engine.retrieval.lexical import NamedPoint
from engine.retrieval.query import Query
from engine.store import passage_search
from engine.store.connection import Connection
from engine.text.grams import grams_of

_MOST_WORDS = 4
_MOST_CHARS = 12
_LONGEST_QUERY = 200


def possible_names(query: Query) -> list[str]:
    """Return the parts of a query that may be names, longest first."""
    return sorted(set(_candidates(query)), key=lambda norm: (-len(norm), norm)) if query.terms else []


def named_points(r: Connection, norms: Sequence[str], known_work: Callable[[], KnownWork | None]) -> list[NamedPoint]:
    """Return the points of one work a query names; a name several points share names nobody.

    Args:
        r: The library.
        norms: As `possible_names` gives them.
        known_work: What is known of the work.
    """
    known = known_work() if norms else None
    if known is None:
        return []
    meant = known.points_named(norms)
    if not meant:
        return []
    found: list[NamedPoint] = []
    taken: list[str] = []
    for norm in norms:
        points = {known.members(point)[0] for point in meant.get(norm, ())}
        if not points or any(norm in longer for longer in taken):
            continue
        taken.append(norm)
        if len(points) == 1:
            [point] = points
            others = {alias.norm for alias in known.aliases(point)} - {norm}
            found.append(
                NamedPoint(
                    frozenset(grams_of(norm)),
                    frozenset(passages_of_point(r, known, point)),
                    norm,
                    tuple(sorted(other for other in others if other and other not in norm)),
                )
            )
    return found


def passages_of_point(r: Connection, known: KnownWork, point: PointId) -> set[int]:
    """Return the passages that name a point, under any name known, up to the boundary."""
    return passage_search.passages_at(r, ((each.document, each.start) for each in known.mentions(point)))


def _candidates(query: Query) -> Iterator[str]:
    """Yield the parts of a query that may be names."""
    if len(query.folded) > _LONGEST_QUERY:
        return
    for first, span in enumerate(query.spans):
        for last in query.spans[first : first + _MOST_WORDS]:
            yield query.folded[span.start : last.end]
        if span.is_dense:
            for start in range(len(span.text) - 1):
                for end in range(start + 2, min(len(span.text), start + _MOST_CHARS) + 1):
                    yield span.text[start:end]
