"""Which words of a sentence are rare in a work, and where each of them first stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate, islice
from math import ceil, log

from engine.analysis.common_words import common_words
from engine.domain.knowledge import TextBlock
from engine.domain.locator import Pos
from engine.text.fold import Folded, fold, fold_words
from engine.text.script import HAN
from engine.text.stem import stem

_RARE_SHARE = 0.01
"""A word found in a smaller share of the blocks is rare, and one found in a single block of any work."""
_TELLING_SHARE = 0.03
"""A word found in a smaller share of the blocks tells one passage from others, though it gives nothing away."""
_LEAST_TELLING = 6
_COHESION = 4.0
"""How much oftener than by chance the two characters of a word stand side by side."""
_WORD = re.compile(r"[^\W\d_\u2e80-\uffff]+(?:'[^\W\d_\u2e80-\uffff]+)?")
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_GRAMMAR = frozenset(
    "的了是在不我你他她它们这那有和与就都而及或也还没被把给对从向之其所以于者着过吗呢吧啊得地为什怎谁哪"
)
"""Characters that hardly ever stand inside a telling Chinese word, simplified as folding leaves them."""

_Find = Callable[[str, int], tuple[int, int] | None]
"""Takes a text and where to begin; returns (start, end) of the next occurrence."""


class _Corpus:
    """Blocks as one text."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = "\n".join(texts)
        self._starts = [0, *accumulate(len(text) + 1 for text in texts)]

    def block_of(self, index: int) -> int:
        return bisect_right(self._starts, index) - 1

    def start_of(self, block: int) -> int:
        return self._starts[block]


class Rarity:
    """The text of a work, asked for the rare words of sentences. Answers are kept."""

    def __init__(self, blocks: Sequence[TextBlock]) -> None:
        self._blocks = blocks
        self._folded = _Corpus([fold(block.text).text for block in blocks])
        self._plain = _Corpus([block.text for block in blocks])
        self._most = max(2, ceil(len(blocks) * _RARE_SHARE))
        self._telling: dict[str, bool] = {}
        self._seen: dict[str, Pos | None] = {}
        self._counts: dict[str, int] = {}

    def rare_words(self, text: str) -> dict[str, Pos]:
        """Return the rare words of a sentence, each with the pos at which its first occurrence ends.

        A Latin word counts by its stem, a CJK one from two characters on. A word the work does not
        have is no rare word of it.
        """
        found: dict[str, Pos] = {}
        for word, _said, look in self._words(text):
            if word not in self._seen:
                self._seen[word] = look(word)
            first = self._seen[word]
            if first is not None:
                found[word] = first
        return found

    def telling_words(self, text: str) -> dict[str, str]:
        """Return the words of a sentence that the work has in few places, as it says them, by what to look for."""
        most = max(_LEAST_TELLING, ceil(len(self._blocks) * _TELLING_SHARE))
        found: dict[str, str] = {}
        for word, said, _look in self._words(text):
            if word not in self._telling:
                corpus = self._plain if _KATAKANA.fullmatch(word) else self._folded
                places = islice(self._places(corpus, partial(_finder(word), word)), most)
                self._telling[word] = 0 < sum(1 for _place in places) < most
            if self._telling[word]:
                found.setdefault(word, said)
        return found

    def _words(self, text: str) -> Iterator[tuple[str, str, Callable[[str], Pos | None]]]:
        """Yield each word by what to look for, as the text says it, and how to look."""
        folded = fold(text).text
        for match in _WORD.finditer(folded):
            root = stem(match[0])
            if len(root) > 2 and root not in _common():
                yield root, match[0], self._first_stem
        for match in _HAN_RUN.finditer(folded):
            for word in self._cut(match[0]):
                if len(word) > 1 and word not in _common() and _GRAMMAR.isdisjoint(word):
                    yield word, word, self._first_folded
        for match in _KATAKANA.finditer(text):
            yield match[0], match[0], self._first_plain

    def _cut(self, run: str) -> list[str]:
        """Cut a run of Han characters into pairs and single characters so that the pairs hold together best.

        Without a dictionary: of two pairs that overlap, the one whose characters keep each other's company is the word.
        """
        best: list[tuple[float, list[str]]] = [(0.0, [])]
        for end in range(1, len(run) + 1):
            score, words = best[end - 1]
            choice = (score, [*words, run[end - 1]])
            if end > 1 and (hold := self._hold(run[end - 2 : end])):
                score, words = best[end - 2]
                choice = max(choice, (score + hold, [*words, run[end - 2 : end]]))
            best.append(choice)
        return best[-1][1]

    def _hold(self, pair: str) -> float:
        """Return how well two characters hold together, 0 for no better than chance brings them side by side."""
        count = self._count(pair)
        if not count or _GRAMMAR & set(pair):
            return 0.0
        ratio = count * len(self._folded.text) / (self._count(pair[0]) * self._count(pair[1]))
        # One that is used often is surer than one seen once.
        return log(ratio) * count / (count + 1) if ratio >= _COHESION else 0.0

    def _count(self, letters: str) -> int:
        count = self._counts.get(letters)
        if count is None:
            count = self._counts[letters] = self._folded.text.count(letters)
        return count

    def _first_stem(self, root: str) -> Pos | None:
        return self._first(self._folded, partial(_find_stem, root), is_folded=True)

    def _first_folded(self, word: str) -> Pos | None:
        return self._first(self._folded, partial(_find_string, word), is_folded=True)

    def _first_plain(self, word: str) -> Pos | None:
        return self._first(self._plain, partial(_find_string, word), is_folded=False)

    def _first(self, corpus: _Corpus, find: _Find, *, is_folded: bool) -> Pos | None:
        """Return where the first occurrence ends, None for a word that is not rare or does not occur."""
        places = list(islice(self._places(corpus, find), self._most))
        if not places or len(places) == self._most:
            return None
        first = places[0]
        number = corpus.block_of(first[0])
        block, end = self._blocks[number], first[1] - corpus.start_of(number)
        return block.pos + (fold(block.text).source_end(end) if is_folded else end)

    def _places(self, corpus: _Corpus, find: _Find) -> Iterator[tuple[int, int]]:
        """Yield where a word first stands in each block that has it."""
        at = 0
        while (found := find(corpus.text, at)) is not None:
            yield found
            at = corpus.start_of(corpus.block_of(found[0]) + 1)


def find_word(word: str, text: str) -> int | None:
    """Return where a word of `Rarity.telling_words` stands in a text, None where it does not."""
    if _KATAKANA.fullmatch(word):
        at = text.find(word)
        return None if at < 0 else at
    folded = _folded(text)
    found = _finder(word)(word, folded.text, 0)
    return None if found is None else folded.source_start(found[0])


def _finder(word: str) -> Callable[[str, str, int], tuple[int, int] | None]:
    return _find_stem if word[0] < "\u2e80" else _find_string


@lru_cache(maxsize=2048)
def _folded(text: str) -> Folded:
    return fold(text)


def _find_string(word: str, text: str, at: int) -> tuple[int, int] | None:
    start = text.find(word, at)
    return None if start < 0 else (start, start + len(word))


def _find_stem(root: str, text: str, at: int) -> tuple[int, int] | None:
    prefix = root[:-1] if root.endswith("i") else root
    start = text.find(prefix, at)
    while start >= 0:
        match = _WORD.match(text, start)
        if match is not None and not text[max(0, start - 1) : start].isalpha() and stem(match[0]) == root:
            return match.span()
        start = text.find(prefix, start + 1)
    return None


@cache
def _common() -> frozenset[str]:
    words = {fold_words(word) for word in common_words()}
    return frozenset(words | {stem(word) for word in words if word.isascii()})
