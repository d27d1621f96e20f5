"""What is typed into a search, as the terms by which passages are found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.text.fold import fold
from engine.text.grams import Span, is_stop_word, spans, word_gram
from engine.text.normalize import nfc

_MOST_TERMS = 96
"""Of a longer query, such as a pasted page, every nth term is taken."""
_SHORT_RUN = 4
_HALF_WIDTH = re.compile("[\uff66-\uff9f]")
_FEW_NAMES = 3
_PAIRS_THAT_ASK = (
    "什么 甚么 哪里 哪些 哪个 哪一 哪年 哪几 哪位 哪种 哪座 哪儿 为什 何时 何年 何者 为何 如何 是何 在何 于何 谁的"
    " 是谁 么时 多少 是多 怎么 怎样 是怎 几个 几年 有几 请问 是哪"
    " 在哪 的哪 于哪 为哪 和哪 及哪 由哪 了哪 有哪 是什 在什"
    " 被什 有什 了什 于什 以什 叫什 么名 么样 么是 么特 么人 なぜ どこ どう どん だれ いつ"
)
_QUESTIONS = frozenset(_PAIRS_THAT_ASK.split())
"""Folded pairs that carry a question in Chinese or Japanese and not what it is about."""


_ASKING_RUN = re.compile(
    "[是谁誰什麼么甚何哪位为何人物的呢吗嗎吧啊这這那个個一はがとのってでもですかなんにだれどんいう者さん様]*"
)
"""A run of Chinese or Japanese that asks who or what somebody is."""


@dataclass(frozen=True, slots=True)
class Term:
    """A gram that is looked for."""

    gram: str
    is_dense: bool
    """From text without spaces between its words."""
    is_prefix: bool = False
    """Any gram that begins so will do: a single character."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    folded: str
    terms: tuple[Term, ...]
    """Each once, in the order they were typed; none for a query without letters and digits."""
    spans: tuple[Span, ...]
    """Words and runs of the folded query."""
    run: str = ""
    """All there is, where that is one short run of three characters and more, which must stand so in the text."""
    typed_run: str = ""
    """The run as it was typed: wherever that stands, the run stands too."""
    is_sentence: bool = False
    """It holds words that only ask or join: whoever types those does not expect all words in one passage."""

    @property
    def needs_all(self) -> bool:
        """Whether a passage must hold all terms to count as found."""
        return bool(self.run) or (not self.is_sentence and (len(self.terms) <= 2 or self._is_of_names))

    @property
    def _is_of_names(self) -> bool:
        """Whether it is a few short runs apart, as names are typed: 诸葛亮 周瑜."""
        are_short = all(span.is_dense and len(span.text) <= _SHORT_RUN for span in self.spans)
        return are_short and 2 <= len(self.spans) <= _FEW_NAMES

    @property
    def least_share(self) -> float:
        """Least share of the query's weight a passage must hold to count as found."""
        # A question may share but one rare word with its answer.
        if self.needs_all:
            return 1.0
        return 0.05 if self.is_sentence else {3: 0.3, 4: 0.2}.get(len(self.terms), 0.1)


def query_from_words(typed: str) -> Query:
    """Read what was typed: any string is a query, and nothing in it is a sign of a language of queries."""
    composed = nfc(typed)
    whole = fold(composed)
    folded = whole.text
    found = tuple(spans(folded))
    runs = [span.text for span in found if span.is_dense]
    words = [span.text for span in found if not span.is_dense]
    telling = [word for word in words if not is_stop_word(word)]
    pairs = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
    telling_pairs = [pair for pair in pairs if pair not in _QUESTIONS]
    if not telling_pairs and not telling:
        telling, telling_pairs = words, pairs
    # In the order they were typed, words and runs apart: only words that follow each other are looked for together.
    terms = dict.fromkeys(
        [*(Term(word_gram(word), False) for word in telling), *(Term(pair, True) for pair in telling_pairs)]
    )
    if not terms:
        terms = dict.fromkeys(Term(run, True, is_prefix=True) for run in runs)
    run = runs[0] if len(found) == 1 and runs and 3 <= len(runs[0]) <= _SHORT_RUN else ""
    # Half-width kana may be one character with the mark behind them.
    typed_run = "" if whole.shifts or not run else composed[found[0].start : found[0].end]
    typed_run = run if _HALF_WIDTH.search(typed_run) else typed_run or run
    is_sentence = len(telling) < len(words) or len(telling_pairs) < len(pairs) or folded.rstrip().endswith("?")
    return Query(folded, _thinned(tuple(term for term in terms if term.gram)), found, run, typed_run, is_sentence)


def asks_only(words: str) -> bool:
    """Say whether words only ask, such as what is left of "Who is Ilse?" without the name."""
    return all(
        bool(_ASKING_RUN.fullmatch(span.text)) if span.is_dense else is_stop_word(span.text)
        for span in spans(fold(nfc(words)).text)
    )


def _thinned(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    step = -(-len(terms) // _MOST_TERMS)
    return terms[:: max(1, step)]
