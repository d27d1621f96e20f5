"""Rank passages by their meaning: the nearest of each work by its vectors, mixed with a ranking by words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.domain.book import ChapterKind, WorkId
from engine.domain.search import PassageId
from engine.domain.vectors import Vector
from engine.errors import UnderstoryError
from engine.retrieval.blend import Scores, blend_scores
from engine.store import neighbours
from engine.store.connection import Connection
from engine.store.gram_rows import Range
from engine.store.vectors import VectorIndex
from engine.translate import _

LEXICAL_WEIGHT = 0.6
"""Share of the ranking by words: tuned on training questions only, see docs/decisions/0022-blend.md."""
_ROOM_FOR_KINDS = 4
"""How many more neighbours are asked for where those of other kinds of chapters are left out."""

FindIndex: TypeAlias = Callable[[Connection, WorkId], VectorIndex | None]
"""Returns the vectors by which a work is searched, None for words only."""
FindVector: TypeAlias = Callable[[VectorIndex, str], Vector | None]
"""Returns the vector of a query for an index, None when it is not there in time; may raise UnderstoryError."""


class MeaningRanker:
    """Ranks one search by meaning. For one thread, and for the snapshot `trouble` was asked in."""

    def __init__(self, find_index: FindIndex, find_vector: FindVector, *, weight: float = LEXICAL_WEIGHT) -> None:
        self._find_index = find_index
        self._find_vector = find_vector
        self._weight = weight
        self._indexes: dict[WorkId, VectorIndex] = {}
        self._vectors: dict[int, Vector] = {}
        self._r: Connection | None = None
        self.is_late = False
        """The vector of the query is on its way: the same search finds more in a moment."""

    def trouble(self, r: Connection, works: Sequence[WorkId], words: str) -> str:
        """Return why these works cannot be searched by meaning now, in one sentence; empty when they can."""
        found = {work: self._find_index(r, work) for work in works}
        self._indexes = {work: index for work, index in found.items() if index is not None}
        if not self._indexes:
            return _("There are no vectors here yet, so it was searched by words. `understory embed WORK` makes them.")
        try:
            for index in set(self._indexes.values()):
                vector = self._find_vector(index, words)
                if vector is None:
                    self.is_late = True
                    return _("The question's own vector is not there yet, so it was searched by words.")
                self._vectors[index.id] = vector
        except UnderstoryError as error:
            return error.message
        return ""

    def rank(
        self, r: Connection, ranges: Sequence[Range], kinds: frozenset[ChapterKind], limit: int
    ) -> list[tuple[PassageId, float]]:
        """Return (passage, cosine) best first, of passages in these ranges alone: the bound stands in the KNN.

        Args:
            r: The library, inside the same snapshot as `trouble`.
            ranges: Ids of the passages that may be seen, apart and growing.
            kinds: Of their chapters; empty for all.
            limit: Most that are wanted.
        """
        self._r = r
        found: list[tuple[PassageId, float]] = []
        wanted = limit * _ROOM_FOR_KINDS if kinds else limit
        for work, index in self._indexes.items():
            for within in neighbours.stretches(r, work, ranges):
                found += neighbours.nearest(r, index, work, self._vectors[index.id], within, wanted)
        # Once more against where the passages stand now, and without those that are gone.
        seen = neighbours.readable(r, [id_ for id_, _cosine in found], ranges, kinds)
        return sorted((each for each in found if each[0] in seen), key=lambda each: (-each[1], each[0]))[:limit]

    def blend(
        self, lexical: Sequence[tuple[PassageId, float]], semantic: Sequence[tuple[PassageId, float]]
    ) -> list[tuple[PassageId, float]]:
        """Return both rankings as one, best first; what was found by words only is looked up by meaning too."""
        return blend_scores(lexical, self._completed(lexical, semantic), weight=self._weight)

    def _completed(self, lexical: Scores, semantic: Scores) -> Scores:
        here = {id_ for id_, _score in semantic}
        others = [id_ for id_, _score in lexical if id_ not in here]
        if self._r is None or not others:
            return semantic
        added: dict[PassageId, float] = {}
        for index in set(self._indexes.values()):
            added |= neighbours.cosines(self._r, index, self._vectors[index.id], others)
        return [*semantic, *added.items()]
