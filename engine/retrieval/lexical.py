"""Rank passages by their words.

First every passage that shares a gram with the query is weighed by which grams it holds (the
index knows no more); then the text of the best is read and they are weighed anew: by how often
a gram stands in them, by words that stand near each other, by single characters of Chinese and
Japanese, and by what the passages beside them hold, since a story names its people once and
goes on with pronouns. Weights and gains: docs/decisions/0020-ranking-by-words.md.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.domain.book import ChapterKind
from engine.domain.search import PASSAGE_SHIFT
from engine.retrieval.query import Query, Term
from engine.store import gram_rows, passage_search
from engine.store.connection import Connection
from engine.store.gram_rows import Range
from engine.store.passage_search import FoundText
from engine.text.fold import Folded, fold
from engine.text.grams import grams_of, pieces, word_gram
from engine.text.script import HAN

_WEIGHED = 120
"""Passages whose text is read."""
_SATURATION, _LENGTH_SHARE = 0.5, 0.5
"""k1 and b of bm25: in a passage of a story a word said twice is hardly worth more than once."""
_BESIDE = (0.4, 0.3, 0.2)
"""Share of its weight a word has that stands only so many passages before or behind one."""
_BESIDE_PAIR, _BESIDE_FAR_PAIR = 0.5, 0.1
"""The same for a pair of characters in the very next, of the same document or of another."""
_NEAR_WORDS, _NEAR_WEIGHT = 10, 0.6
_CHAR_WEIGHT = 1.0
_RELAXED_SHARE = 0.5
_OTHER_NAME = 0.7
"""Share of its weight a name has where the passage names the same point otherwise."""
_HAN = re.compile(f"[{HAN}]")
_PLAIN_CHARS = frozenset("什么哪里谁的是在了何为多少几个有和与于被由一不这那其之第")


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A name in the query, and where the same point is named, by whatever name."""

    grams: frozenset[str]
    passages: frozenset[int]
    text: str
    """Folded."""
    others: tuple[str, ...]
    """Its other names, folded."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage and its weight."""

    score: float
    """Share of the query's whole weight; may be above 1."""
    text: FoundText
    folded: Folded


class Weighing:
    """One query over one set of passages: gather, then ask.

    Attributes:
        masks: By passage which terms it holds, a bit each, then which points it names otherwise.
        is_exact: Those found hold all of the query, known once they are.
        cut: Passages that may be read only in part: that part.
    """

    def __init__(self, query: Query, named: Sequence[NamedPoint] = ()) -> None:
        self.query = query
        self.masks: dict[int, int] = {}
        self.is_exact = False
        self._named = named
        self._counts = [0] * len(query.terms)
        self._total = 0
        self.cut: dict[int, FoundText] = {}
        self._by_mask: dict[int, float] = {}

    def gather(self, r: Connection, ranges: Sequence[Range], kinds: frozenset[ChapterKind]) -> None:
        """Note which terms stand in which passages of ranges."""
        masks, rows = self.masks, gram_rows.rows_of(r, ranges)
        held = masks.get
        allowed = passage_search.of_kinds(r, ranges, kinds) if kinds else None
        for number, term in enumerate(self.query.terms):
            bit = 1 << number
            ids = passage_search.holders(r, term.gram, rows, is_prefix=term.is_prefix)
            if allowed is not None:
                ids = [id_ for id_ in ids if id_ in allowed]
            masks.update(zip(ids, [held(id_, 0) | bit for id_ in ids], strict=True))
            self._counts[number] += len(ids)
        self._total += rows.count

    def add_cut(self, passage: FoundText) -> None:
        """Note the terms of a passage that may be read only in part, from what may be read of it."""
        grams = grams_of(fold(passage.text).text)
        self.cut[passage.id] = passage
        self._total += 1
        for number, term in enumerate(self.query.terms):
            if _holds(grams, term):
                self.masks[passage.id] = self.masks.get(passage.id, 0) | 1 << number
                self._counts[number] += 1

    def add_names(self, allowed: Callable[[int], bool]) -> None:
        """Note which of the allowed passages name the points of the query."""
        for number, named in enumerate(self._named, len(self.query.terms)):
            for id_ in named.passages:
                if id_ in self.cut or allowed(id_):
                    self.masks[id_] = self.masks.get(id_, 0) | 1 << number

    def keep(self, ids: Set[int]) -> None:
        """Leave out every passage but these."""
        self.masks = {id_: mask for id_, mask in self.masks.items() if id_ in ids}

    @cached_property
    def _weights(self) -> list[float]:
        """Inverse document frequency of each term among what is searched; of what lies beyond nothing is known."""
        odds = [(self._total - n + 0.5) / (n + 0.5) if n else 0.0 for n in self._counts]
        return [math.log(1 + each) for each in odds]

    @cached_property
    def whole(self) -> float:
        """The weight of a passage that holds all terms that stand anywhere."""
        return sum(self._weights)

    @cached_property
    def _bits_of_names(self) -> list[int]:
        """For each named point the terms its name consists of."""
        return [
            sum(1 << number for number, term in enumerate(self.query.terms) if term.gram in named.grams)
            for named in self._named
        ]

    def _weight_of(self, mask: int) -> float:
        known = self._by_mask.get(mask)
        if known is None:
            missing = self._as_named(mask) & ~mask
            known = self._sum(mask) + _OTHER_NAME * self._sum(missing)
            self._by_mask[mask] = known
        return known

    def _as_named(self, mask: int) -> int:
        """Return a mask with the terms of each name whose point is named otherwise."""
        for number, bits in enumerate(self._bits_of_names, len(self._weights)):
            if mask >> number & 1:
                mask |= bits
        return mask

    def _sum(self, mask: int) -> float:
        return sum(weight for number, weight in enumerate(self._weights) if mask >> number & 1)

    def found(self) -> list[int]:
        """Return the passages that hold enough of the query to count as found.

        Where all of a short query is asked for and stands nowhere, half of its weight will do.
        """
        if not self.whole:
            return []
        every = (1 << len(self._weights)) - 1
        kinds = set(self.masks.values())
        if self.query.needs_all:
            whole = {mask for mask in kinds if self._as_named(mask) & every == every}
            if whole:
                self.is_exact = True
                return [id_ for id_, mask in self.masks.items() if mask in whole]
        least = min(self.query.least_share, _RELAXED_SHARE) * self.whole
        enough = {mask for mask in kinds if self._weight_of(mask) >= least}
        return [id_ for id_, mask in self.masks.items() if mask in enough]

    def best(self, r: Connection, ids: Iterable[int], count: int) -> list[Scored]:
        """Return the best of some passages found, best first: `count` of them, or 120 where that is more.

        Equal ones stand in the order of their ids.
        """
        masks = self.masks
        order = {mask: -self._weight_of(mask) for mask in set(masks.values())}
        best = heapq.nsmallest(max(count, _WEIGHED), [(order[masks[id_]], id_) for id_ in ids])
        chosen = [id_ for _weight, id_ in best]
        whole = passage_search.texts_of(r, (id_ for id_ in chosen if id_ not in self.cut))
        texts: dict[int, FoundText] = {text.id: text for text in whole}
        texts |= {id_: self.cut[id_] for id_ in chosen if id_ in self.cut}
        beside = passage_search.neighbours(r, chosen, len(_BESIDE))
        read = [_Read(self.query, texts[id_]) for id_ in sorted(texts)]
        scored = _Scale(self, read).scores(beside)
        return sorted(scored, key=lambda each: (-each.score, each.text.id))


class _Read:
    """The text of a passage as the query sees it."""

    def __init__(self, query: Query, text: FoundText) -> None:
        self.text = text
        self.folded = fold(text.text)
        words = {term.gram: number for number, term in enumerate(query.terms) if not term.is_dense}
        self.places: dict[int, list[int]] = {}
        """By term the numbers of the pieces it is; words only."""
        self.length = 0
        for number, (run, word) in enumerate(pieces(self.folded.text)):
            self.length += len(run) or 1
            if word and words and (term := words.get(word_gram(word))) is not None:
                self.places.setdefault(term, []).append(number)
        self.counts = {term: len(places) for term, places in self.places.items()}
        for index, wanted in enumerate(query.terms):
            if wanted.is_dense and (count := self.folded.text.count(wanted.gram)):
                self.counts[index] = count


class _Scale:
    """Weighs passages whose text was read."""

    def __init__(self, weighing: Weighing, read: Sequence[_Read]) -> None:
        self._weighing = weighing
        self._weights = weighing._weights
        self._read = read
        self._average = sum(each.length for each in read) / max(1, len(read))
        words = [number for number, term in enumerate(weighing.query.terms) if not term.is_dense]
        self._pairs = list(pairwise(words))
        chars = set(_HAN.findall(weighing.query.folded)) - _PLAIN_CHARS
        self._chars = {char: self._rarity(char) for char in chars} if len(weighing.query.folded) > 1 else {}

    def _rarity(self, char: str) -> float:
        count = sum(char in each.folded.text for each in self._read)
        return math.log(1 + (len(self._read) - count + 0.5) / (count + 0.5)) if count else 0.0

    def scores(self, beside: Mapping[int, Sequence[tuple[int, int]]]) -> list[Scored]:
        """Return all passages with their scores."""
        whole = self._weighing.whole
        return [
            Scored((self._of_text(each) + self._of_masks(each.text.id, beside)) / whole, each.text, each.folded)
            for each in self._read
        ]

    def _of_text(self, each: _Read) -> float:
        """Return what a passage has by its own text: bm25, words near each other, single characters."""
        scale = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * each.length / (self._average or 1.0))
        mask = self._weighing.masks[each.text.id]
        score = 0.0
        for number, weight in enumerate(self._weights):
            if mask >> number & 1:
                count = each.counts.get(number, 1)  # a reading beside the text counts as once
                score += weight * count * (_SATURATION + 1) / (count + scale)
        for a, b in self._pairs:
            distance = _distance(each.places.get(a, ()), each.places.get(b, ()))
            if distance <= _NEAR_WORDS:
                score += _NEAR_WEIGHT * min(self._weights[a], self._weights[b]) * (1 - (distance - 1) / _NEAR_WORDS)
        return score + _CHAR_WEIGHT * sum(weight for char, weight in self._chars.items() if char in each.folded.text)

    def _of_masks(self, id_: int, beside: Mapping[int, Sequence[tuple[int, int]]]) -> float:
        """Return what a passage has by other names of the points asked for, and by what stands beside it."""
        masks = self._weighing.masks
        mask = masks[id_]
        named = self._weighing._as_named(mask) & ~mask
        score = _OTHER_NAME * self._weighing._sum(named)
        around = [0] * len(_BESIDE)
        same = far = 0
        for distance, other in beside.get(id_, ()):
            held = masks.get(other, 0)
            around[distance - 1] |= held
            if distance == 1 and other >> PASSAGE_SHIFT == id_ >> PASSAGE_SHIFT:
                same |= held
            elif distance == 1:
                far |= held
        for number, (wanted, weight) in enumerate(zip(self._weighing.query.terms, self._weights, strict=True)):
            if (mask | named) >> number & 1:
                continue
            if wanted.is_dense:
                share = _BESIDE_PAIR if same >> number & 1 else _BESIDE_FAR_PAIR if far >> number & 1 else 0.0
            else:
                share = next((each for each, held in zip(_BESIDE, around, strict=True) if held >> number & 1), 0.0)
            score += weight * share
        return score


def _holds(grams: Set[str], term: Term) -> bool:
    return any(gram.startswith(term.gram) for gram in grams) if term.is_prefix else term.gram in grams


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the least distance between two growing lists of numbers; a large one where one is empty."""
    best, i, j = 1 << 30, 0, 0
    while i < len(a) and j < len(b):
        best = min(best, abs(a[i] - b[j]))
        if a[i] < b[j]:
            i += 1
        else:
            j += 1
    return best
