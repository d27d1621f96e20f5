"""The words of a sentence that say something: what a claim adds to its evidence, and what the two have in common."""

from __future__ import annotations

import re
from functools import cache

from engine.analysis.common_words import common_words
from engine.text.fold import fold_words
from engine.text.script import HAN
from engine.text.stem import stem

_WORD = re.compile(r"[^\W\d_\u2e80-\uffff]{2,}(?:'[^\W\d_\u2e80-\uffff]+)?")
_HAN_RUN = re.compile(f"[{HAN}]+")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_GRAMMAR = frozenset(
    "的了是在不我你他她它们这那有和与就都而及或也还没被把给对从向之其所以于者着过吗呢吧啊得地一上下中来去到说"
    "为什么怎样谁哪何"
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# "one" is more often a word for somebody than a number.
_NUMBER_WORDS = {
    **{word: str(n) for n, word in enumerate(_UNITS) if word != "one"},
    **{word: str(10 * n) for n, word in enumerate(_TENS, 2)},
    "hundred": "100",
    "thousand": "1000",
}
_ORDINALS = {
    "third": "3",
    "fifth": "5",
    "eighth": "8",
    "ninth": "9",
    "twelfth": "12",
    **{
        f"{word}th": n
        for word, n in _NUMBER_WORDS.items()
        if word not in ("zero", "two", "three", "five", "eight", "nine", "twelve")
    },
    **{f"{word[:-1]}ieth": _NUMBER_WORDS[word] for word in _TENS},
}
"""Without the first and the second, which are seldom numbers."""
_UNIT_WORDS = (*_UNITS[2:10], "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})[- ]({'|'.join(sorted(_UNIT_WORDS, key=len, reverse=True))})\b")
# A single 一 is more often a word for somebody than a number; several digits are one whatever follows.
_HAN_NUMBER = re.compile(
    "[零一二三四五六七八九十百千万两〇兩萬]{2,}|[二三四五六七八九十百千万两兩萬](?=[个個人年月日岁歲次天里名章回口只隻匹両円歳])"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot|refus\w+|den(?:y|ie[sd])|fail\w*)\b|n[’']t\b"
    "|不|没|沒|未|无|無|非|莫|勿|别|拒|否|ない|ぬ|ず|まい|なかっ|ません",
    re.IGNORECASE,
)


@cache
def _common() -> frozenset[str]:
    return frozenset(stem(fold_words(word)) for word in common_words()) | common_words()


def content_words(text: str) -> frozenset[str]:
    """Return the telling words of a text: Latin ones by their stem, Han in pairs of characters, katakana in runs."""
    folded = fold_words(text)
    words = {stem(word.removesuffix("'s")) for word in _WORD.findall(folded)}
    for run in _HAN_RUN.findall(folded):
        words |= {run[i : i + 2] for i in range(len(run) - 1) if not _GRAMMAR & set(run[i : i + 2])}
    words |= set(_KATAKANA.findall(folded))
    return frozenset(words - _common())


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text, those in English words and before Chinese measure words included."""
    lowered = text.lower()
    found = {number.strip(".,:") for number in _NUMBER.findall(text)}
    for tens, units in _COMPOUND.findall(lowered):
        found.add(str(int(_NUMBER_WORDS[tens]) + int(_NUMBER_WORDS.get(units) or _ORDINALS[units])))
    words = _WORD.findall(_COMPOUND.sub(" ", lowered))
    found |= {_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS}
    found |= {_ORDINALS[word] for word in words if word in _ORDINALS}
    found |= set(_HAN_NUMBER.findall(text))
    return frozenset(found)


def is_negated(text: str) -> bool:
    """Say whether a sentence denies something."""
    return _NEGATION.search(text) is not None
