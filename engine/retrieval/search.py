"""Search passages by words, and by meaning where somebody can rank by it, never beyond the boundary."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from engine.domain.book import ChapterKind, WorkId
from engine.domain.hits import NO_FILTER, Findings, SearchFilter, SearchHit, SearchMode
from engine.domain.locator import Locator, Pos
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.domain.wiki import PointId
from engine.retrieval.known import KnownWork
from engine.retrieval.lexical import NamedPoint, Weighing
from engine.retrieval.naming import named_points, passages_of_point, possible_names
from engine.retrieval.query import Query, query_from_words
from engine.retrieval.standing import standing
from engine.retrieval.where import Whereabouts
from engine.spoilers import masks
from engine.spoilers.policy import END, Bound
from engine.store import passage_search, passages
from engine.store.connection import Connection
from engine.store.gram_rows import Range
from engine.store.passage_search import FoundText, ReadableDocument
from engine.text.fold import Folded, fold
from engine.text.grams import spans, word_gram
from engine.translate import _

_RANKED = 120
"""Passages a ranker by meaning is asked for."""


class SemanticRanker(Protocol):
    """Ranks passages by their meaning, and mixes that with a ranking by words."""

    is_late: bool
    """The vector of the query is on its way: the same search finds more in a moment."""

    def trouble(self, r: Connection, works: Sequence[WorkId], words: str) -> str:
        """Return why these works cannot be searched by meaning now, in one sentence; empty when they can.

        Asked first; `rank` and `blend` follow in the same snapshot.
        """

    def rank(
        self, r: Connection, ranges: Sequence[Range], kinds: frozenset[ChapterKind], limit: int
    ) -> Sequence[tuple[PassageId, float]]:
        """Return (passage, cosine) best first, of passages in these ranges alone: the bound stands in its query.

        Args:
            r: The library, inside one snapshot.
            ranges: Ids of the passages that may be seen, apart and growing.
            kinds: Of their chapters; empty for all.
            limit: Most that are wanted.
        """

    def blend(
        self, lexical: Sequence[tuple[PassageId, float]], semantic: Sequence[tuple[PassageId, float]]
    ) -> Sequence[tuple[PassageId, float]]:
        """Return both rankings as one, best first."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A work to search and how far."""

    work: WorkId
    title: str
    bound: Bound
    known: Callable[[], KnownWork | None]
    where: Callable[[], Whereabouts]

    @property
    def upto(self) -> Pos:
        """Up to where a search looks."""
        return masks.hit_upto(self.bound)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked."""

    words: str
    mode: SearchMode | None = None
    """None for the best there is."""
    limit: int = 20
    by_rank: bool = False
    """Best first, in place of the order of the story."""
    only: SearchFilter = NO_FILTER


def search(
    r: Connection, request: Request, scopes: Sequence[Scope], semantic: SemanticRanker | None = None
) -> Findings:
    """Search works, each up to its own boundary.

    Args:
        r: A connection inside one snapshot.
        request: What is asked.
        scopes: Where; hits in the order of the story follow this order first.
        semantic: Who ranks by meaning; None where nobody can.
    """
    query = query_from_words(request.words)
    ground = _Ground(r, scopes, request.only)
    notice = _unfinished(r, scopes)
    mode, trouble = _mode(r, request, scopes, semantic)
    is_late = semantic is not None and semantic.is_late
    if not query.terms and mode is SearchMode.LEXICAL:
        return Findings((), 0, mode, is_late=is_late, notice=trouble or notice)
    norms = possible_names(query)
    named = [point for scope in scopes for point in named_points(r, norms, scope.known)]
    weighing = _weighed(r, query, named, ground, request.only)
    found = standing(r, query, weighing.found(), weighing.cut)
    scored = {each.text.id: each for each in weighing.best(r, found, request.limit)}
    ranking: Sequence[tuple[PassageId, float]] = [(id_, each.score) for id_, each in scored.items()]
    if semantic is not None and mode is not SearchMode.LEXICAL:
        meant = semantic.rank(r, ground.ranges, request.only.kinds, _RANKED)
        ranking = meant if mode is SearchMode.SEMANTIC else semantic.blend(ranking, meant)
    ranking = ranking[: request.limit]
    holders = set(found)
    texts = {id_: (each.text, each.folded) for id_, each in scored.items()}
    for text in passage_search.texts_of(r, (id_ for id_, _score in ranking if id_ not in texts)):
        texts[text.id] = (text, fold(text.text))
    hits = [
        ground.hit(rank, score, *texts[id_], _marks(query, named, texts[id_][1]), holds_words=id_ in holders)
        for rank, (id_, score) in enumerate(ranking, 1)
        if id_ in texts
    ]
    if not request.by_rank:
        order = {scope.work: number for number, scope in enumerate(scopes)}
        hits.sort(key=lambda hit: (order[hit.work], hit.pos))
    count = len(hits) if mode is SearchMode.SEMANTIC else len(found)
    has_more = _has_more(r, query, scopes, request.only)
    return Findings(tuple(hits), count, mode, has_more, weighing.is_exact, is_late, trouble or notice)


def _mode(
    r: Connection, request: Request, scopes: Sequence[Scope], semantic: SemanticRanker | None
) -> tuple[SearchMode, str]:
    """Return by what to search, and why not by what was asked for."""
    wanted = request.mode
    if wanted is SearchMode.LEXICAL:
        return wanted, ""
    trouble = _("This library has no vectors yet, so it was searched by words.")
    if semantic is not None:
        trouble = semantic.trouble(r, [scope.work for scope in scopes], request.words)
    if trouble:
        return SearchMode.LEXICAL, trouble if wanted is not None else ""
    return wanted or SearchMode.HYBRID, ""


def _unfinished(r: Connection, scopes: Sequence[Scope]) -> str:
    works = [scope.work for scope in scopes]
    if not passages.unindexed_books(r, works):
        return ""
    return _("The text is still being indexed; there may be more in a moment.")


class _Ground:
    """The passages that may be searched."""

    def __init__(self, r: Connection, scopes: Sequence[Scope], only: SearchFilter) -> None:
        self.scopes = {scope.work: scope for scope in scopes}
        self.documents: list[ReadableDocument] = sorted(
            (
                document
                for scope in scopes
                for document in passage_search.documents_between(r, scope.work, 0, scope.upto)
                if not only.volumes or document.volume in only.volumes
            ),
            key=lambda document: document.id,
        )
        self.ranges = passage_search.ranges_of(r, self.documents)
        cut = (passage_search.cut_passage(r, document) for document in self.documents if not document.is_whole)
        self.cut = [text for text in cut if text is not None and (not only.kinds or text.kind in only.kinds)]
        self._kinds = passage_search.of_kinds(r, self.ranges, only.kinds) if only.kinds else None

    @cached_property
    def _firsts(self) -> list[int]:
        return [each.first for each in self.ranges]

    @cached_property
    def _by_id(self) -> Mapping[int, ReadableDocument]:
        return {document.id: document for document in self.documents}

    def holds(self, id_: int) -> bool:
        """Say whether a passage may be searched as a whole."""
        at = bisect_right(self._firsts, id_) - 1
        return at >= 0 and id_ <= self.ranges[at].last and (self._kinds is None or id_ in self._kinds)

    def hit(
        self,
        rank: int,
        score: float,
        text: FoundText,
        folded: Folded,
        marks: tuple[tuple[int, int], ...],
        *,
        holds_words: bool,
    ) -> SearchHit:
        """Return a passage as the reader sees it."""
        document = self._by_id[text.id >> PASSAGE_SHIFT]
        scope = self.scopes[document.work]
        pos = document.base + text.start
        where = scope.where()
        index = where.index_at(pos)
        return SearchHit(
            rank,
            score,
            text.id,
            scope.work,
            scope.title,
            Locator(document.id, text.start, text.end),
            pos,
            where.short(pos),
            where.chapters[index].title if index >= 0 else "",
            text.kind,
            text.text,
            marks,
            holds_words,
        )


def _weighed(r: Connection, query: Query, named: Sequence[NamedPoint], ground: _Ground, only: SearchFilter) -> Weighing:
    weighing = Weighing(query, named)
    weighing.gather(r, ground.ranges, only.kinds)
    for text in ground.cut:
        weighing.add_cut(text)
    weighing.add_names(ground.holds)
    if only.point is not None:
        weighing.keep(_passages_of(r, only.point, ground.scopes.values()))
    return weighing


def _passages_of(r: Connection, point: PointId, scopes: Iterable[Scope]) -> set[int]:
    found: set[int] = set()
    for scope in scopes:
        if (known := scope.known()) is not None:
            found |= passages_of_point(r, known, point)
    return found


def _has_more(r: Connection, query: Query, scopes: Sequence[Scope], only: SearchFilter) -> bool:
    """Say whether the reader may be told that more is found beyond the boundary; how much is never looked at."""
    for scope in scopes:
        if scope.upto >= END or not masks.tells_of_more(scope.bound, has_more=True) or only.point is not None:
            continue
        documents = passage_search.documents_between(r, scope.work, scope.upto, END)
        beyond = [document for document in documents if not only.volumes or document.volume in only.volumes]
        weighing = Weighing(query)
        weighing.gather(r, passage_search.ranges_of(r, beyond), only.kinds)
        if weighing.found():
            return True
    return False


def _marks(query: Query, named: Sequence[NamedPoint], folded: Folded) -> tuple[tuple[int, int], ...]:
    """Return what the query names in a passage, as offsets of its text."""
    words = {term.gram for term in query.terms if not term.is_dense}
    found = [
        (span.start, span.end)
        for span in (spans(folded.text) if words else ())
        if not span.is_dense and word_gram(span.text) in words
    ]
    sought = [term.gram for term in query.terms if term.is_dense]
    sought += [other for point in named for other in point.others]
    for gram in sought:
        at = folded.text.find(gram)
        while at >= 0:
            found.append((at, at + len(gram)))
            at = folded.text.find(gram, at + 1)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple((folded.source_start(start), folded.source_end(end)) for start, end in merged)
