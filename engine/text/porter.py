"""Reduce an English word to its stem as search engines do, so that a question finds the form the story uses."""

from __future__ import annotations

import re
from functools import lru_cache

_SHAPES = str.maketrans({**dict.fromkeys("aeiou", "v"), **dict.fromkeys("bcdfghjklmnpqrstvwxz", "c")})
_MEASURE = re.compile("v+c+")
_SHORT_END = re.compile("cvc$")

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_BY_LENGTH_4 = tuple(sorted(_STEP_4, key=len, reverse=True))


@lru_cache(maxsize=1 << 15)
def porter_stem(word: str) -> str:
    """Return the Porter stem of a lower-case word; words with other letters than a-z come back as they are.

    Source: M. F. Porter, An algorithm for suffix stripping, Program 14 (1980), with the two later changes
    of its author (bli, logi).
    """
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    return _trimmed(_without_ending(word))


def _shape(word: str) -> str:
    """Return the word in the letters c and v; a y behind a consonant is a vowel."""
    shape = word.translate(_SHAPES)
    while "y" in shape:
        at = shape.index("y")
        is_vowel = at > 0 and shape[at - 1] == "c"
        shape = f"{shape[:at]}{'v' if is_vowel else 'c'}{shape[at + 1 :]}"
    return shape


def _measure(word: str) -> int:
    return len(_MEASURE.findall(_shape(word)))


def _is_short(word: str) -> bool:
    """Say whether a word ends in consonant, vowel, consonant, the last none of w, x and y."""
    return bool(_SHORT_END.search(_shape(word))) and word[-1] not in "wxy"


def _is_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word:
            return _mended(root) if "v" in _shape(root) else word
    return word


def _mended(root: str) -> str:
    if root.endswith(("at", "bl", "iz")):
        return f"{root}e"
    if _is_double(root) and root[-1] not in "lsz":
        return root[:-1]
    return f"{root}e" if _measure(root) == 1 and _is_short(root) else root


def _replaced(word: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for ending, other in pairs:
        if word.endswith(ending):
            root = word[: -len(ending)]
            return root + other if _measure(root) > 0 else word
    return word


def _without_ending(word: str) -> str:
    for ending in _BY_LENGTH_4:
        if word.endswith(ending):
            root = word[: -len(ending)]
            is_whole = _measure(root) > 1 and (ending != "ion" or root.endswith(("s", "t")))
            return root if is_whole else word
    return word


def _trimmed(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
