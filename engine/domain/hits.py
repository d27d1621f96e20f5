"""What a search by relevance is asked, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import ChapterKind, VolumeId, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.search import PassageId
from engine.domain.wiki import PointId


class SearchMode(StrEnum):
    """By what passages are found."""

    LEXICAL = "lexical"
    """By their words."""
    SEMANTIC = "semantic"
    """By their meaning."""
    HYBRID = "hybrid"
    """By both."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a passage must be besides readable; empty stands for no condition."""

    volumes: frozenset[VolumeId] = frozenset()
    kinds: frozenset[ChapterKind] = frozenset()
    point: PointId | None = None
    """Somebody or something it names, under any name known."""


NO_FILTER = SearchFilter()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that was found."""

    rank: int
    """From 1, by relevance, however the hits are ordered."""
    score: float
    """Share of the query's weight for words, cosine for meaning, blend for both; higher is better."""
    passage: PassageId
    work: WorkId
    work_title: str
    locator: Locator
    """Of the passage, up to the boundary."""
    pos: Pos
    where: str
    """Its chapter in the reader's words: "vol 2 ch 3"."""
    chapter: str
    """Title of its chapter; empty before the first."""
    kind: ChapterKind
    text: str
    """As the book has it, up to the boundary."""
    marks: tuple[tuple[int, int], ...] = ()
    """(start, end) in `text` of what the query names, apart and in order."""
    holds_words: bool = False
    """It is one of those counted: it holds what was asked for."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The answer to a search."""

    hits: tuple[SearchHit, ...]
    count: int
    """How many passages hold what was asked for, exactly; `hits` are the best of them."""
    mode: SearchMode
    """By what they were found, which need not be what was asked for."""
    has_more: bool = False
    """There is more beyond the boundary, and the reader may be told so."""
    is_exact: bool = False
    """Those counted hold all that was asked for, by whatever name; of a longer query, much of it."""
    is_late: bool = False
    """It was searched by words because the vector of the query was not there yet: asked again in a moment it is."""
    notice: str = ""
    """One sentence where the answer is not what could be expected."""
