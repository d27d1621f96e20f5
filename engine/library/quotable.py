"""What is quoted of passages that were found: the sentences that answer, and words in quotation marks as they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.agent.passage_part import telling_part
from engine.domain.hits import Findings, SearchHit
from engine.domain.locator import Locator, Pos
from engine.text.fold import fold_words

_MOST_THAT_HOLD = 50
"""Of so many passages those are quoted that hold words just so."""
_QUOTED = re.compile('“([^“”]{3,200})”|「([^「」]{3,200})」|『([^『』]{3,200})』|"([^"]{3,200})"|‘([^‘’]{3,200})’')


def best_hits(search: Callable[[str, int], Findings], query: str, limit: int) -> tuple[Sequence[SearchHit], bool]:
    """Return hits, and whether more lies beyond; of a query with words in quotation marks those that hold them so.

    Args:
        search: Searches for words, with how many hits at most.
        query: Names and words.
        limit: How many.
    """
    found, hits = search(query, limit), []
    if words := _quoted_words(query):
        hits = _that_hold(words, search(words, _MOST_THAT_HOLD).hits)[:limit]
    return hits or found.hits, found.has_more


def _quoted_words(question: str) -> str:
    """Return what stands in the first quotation marks of a question; empty for nothing."""
    match = _QUOTED.search(question)
    return next(filter(None, match.groups())).strip() if match else ""


def _that_hold(words: str, hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Return those of some hits whose text has words just so, whatever their case and punctuation."""
    folded = fold_words(words)
    return [hit for hit in hits if folded in fold_words(hit.text)]


def quotable(hit: SearchHit, most_cells: int) -> tuple[Locator, Pos, str]:
    """Return where and what is quoted of a hit: all of it for 0, else whole sentences in about so much room."""
    if not most_cells or len(hit.text) != hit.locator.end - hit.locator.start:
        return hit.locator, hit.pos, hit.text
    start, end = telling_part(hit.text, hit.marks, most_cells)
    first = hit.locator.start
    return Locator(hit.locator.document, first + start, first + end), hit.pos + start, hit.text[start:end]


def last_break(text: str) -> int:
    """Return where a stretch may end: behind its last paragraph, else sentence or word, of its second half."""
    for breaks in ("\n", "。！？", " "):
        at = max(map(text.rfind, breaks))
        if at >= len(text) // 2:
            return at + 1
    return len(text)
