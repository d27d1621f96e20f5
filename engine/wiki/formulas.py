"""Sentences by which chapters end or begin again and again, and which therefore say nothing about whom they name."""

from __future__ import annotations

from collections.abc import Iterator

from engine.retrieval.known import KnownWork
from engine.wiki.passages import Passage, is_wide_script

_EDGE_CHARS = 160
"""How near to the end or the start of a chapter such a sentence stands."""
_MOST_CHAPTERS = 12
"""Other chapters looked at, the nearest that have been read."""
_FEWEST_CHAPTERS = 2
"""How many of them must share words."""
_SHARED_CHARS, _SHARED_WORDS = 5, 5
"""Of what recurs."""


class Formulas:
    """Knows the formulas at the edges of a work's chapters, as far as it has been read; not thread-safe."""

    def __init__(self, known: KnownWork) -> None:
        self._known = known
        self._edges: dict[tuple[int, bool], frozenset[str]] = {}

    def holds(self, passage: Passage) -> bool:
        """Say whether a passage at the edge of a chapter has words that stand at that edge of others too."""
        where = self._known.where
        index = where.index_at(passage.pos)
        if index < 0:
            return False
        chapter = where.chapters[index]
        is_end = chapter.pos_end - (passage.block.pos + passage.end) <= _EDGE_CHARS
        if not is_end and passage.pos - chapter.pos > _EDGE_CHARS:
            return False
        own = _shingles(passage.words)
        sharing = sum(not own.isdisjoint(self._edge(other, is_end=is_end)) for other in self._others(index))
        return sharing >= _FEWEST_CHAPTERS

    def _others(self, index: int) -> Iterator[int]:
        """Yield the nearest other chapters that have been read to their end."""
        chapters = self._known.where.chapters
        near = sorted(range(max(0, index - _MOST_CHAPTERS), min(len(chapters), index + _MOST_CHAPTERS + 1)),
                      key=lambda other: abs(other - index))  # fmt: skip
        read = (other for other in near if other != index and chapters[other].pos_end <= self._known.bound.boundary)
        for _number, other in zip(range(_MOST_CHAPTERS), read, strict=False):
            yield other

    def _edge(self, index: int, *, is_end: bool) -> frozenset[str]:
        key = (index, is_end)
        if key not in self._edges:
            chapter = self._known.where.chapters[index]
            last = chapter.offset + chapter.pos_end - chapter.pos
            start = max(chapter.offset, last - _EDGE_CHARS) if is_end else chapter.offset
            words = self._known.text_of(chapter.document, start, min(last, start + _EDGE_CHARS))
            self._edges[key] = _shingles(words)
        return self._edges[key]


def _shingles(words: str) -> frozenset[str]:
    if is_wide_script(words):
        chars = "".join(filter(str.isalnum, words))
        return frozenset(chars[i : i + _SHARED_CHARS] for i in range(len(chars) - _SHARED_CHARS + 1))
    parts = words.casefold().split()
    return frozenset(" ".join(parts[i : i + _SHARED_WORDS]) for i in range(len(parts) - _SHARED_WORDS + 1))
