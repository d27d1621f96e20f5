"""Whether what a question asks for lies only beyond where the reader has read: yes or no, never what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.domain.book import ChapterKind, WorkId
from engine.domain.hits import SearchFilter, SearchHit, SearchMode
from engine.spoilers.policy import WHOLE, Bound, Upto
from engine.text.fold import fold_words
from engine.text.grams import grams_of

if TYPE_CHECKING:
    from engine.library.asking import Asking

_BEST_HERE, _BEST_AHEAD = 20, 5
_MOST_WORDS_HERE, _MOST_PAIRS_HERE = 2 / 3, 1 / 2
"""More of the question than this in one passage that was read is an answer worth quoting. Pairs of characters
overlap, so that one word makes several."""
_STORY = SearchFilter(kinds=frozenset({ChapterKind.BODY}))


def is_answered_ahead(library: Asking, work: WorkId, question: str, bound: Bound, upto: Upto) -> bool:
    """Say whether a passage behind the boundary holds all of a question, and none before it most of it.

    Args:
        library: Where the work is.
        work: Which.
        question: As the reader put it.
        bound: Her boundary.
        upto: The same as it is asked for.
    """
    from engine.retrieval.query import query_from_words

    query = query_from_words(question)
    wanted = {term.gram for term in query.terms}
    if not wanted:
        return False
    most = _MOST_PAIRS_HERE if any(term.is_dense for term in query.terms) else _MOST_WORDS_HERE

    def best(limit: int, reach: Upto) -> tuple[SearchHit, ...]:
        return library.search(
            question, (work,), mode=SearchMode.LEXICAL, limit=limit, by_rank=True, only=_STORY, upto=reach,
            spoilers=bound.mode,
        ).hits  # fmt: skip

    if _held(wanted, best(_BEST_HERE, upto)) > most * len(wanted):
        return False
    ahead = (hit for hit in best(_BEST_AHEAD, WHOLE) if hit.pos >= bound.boundary)
    return _held(wanted, ahead) == len(wanted)


def _held(wanted: set[str], hits: Iterable[SearchHit]) -> int:
    """Return how much of what is wanted the best of some passages holds."""
    return max((len(wanted & grams_of(fold_words(hit.text))) for hit in hits), default=0)
