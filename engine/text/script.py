"""Which script a text is written in, as far as setting, searching and reading it need to know."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

HAN = "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
"""Han characters, as ranges for a pattern."""
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Kana of both kinds, full and half width, with the sign for a long vowel; not the middle dot."""
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"


class Script(StrEnum):
    """What a character belongs to."""

    HAN = "han"
    KANA = "kana"
    HANGUL = "hangul"
    LATIN = "latin"
    OTHER = "other"
    """Letters of all other scripts."""
    COMMON = "common"
    """Digits, punctuation, spaces and signs, which belong to none."""


_RANGES = {Script.HAN: HAN, Script.KANA: KANA, Script.HANGUL: HANGUL, Script.LATIN: LATIN}
_DENSE = frozenset((Script.HAN, Script.KANA, Script.HANGUL))
_LETTERS_PER_SIGN = 2
_KANA_SHARE = 0.05
"""Japanese prose is half kana; Chinese quotes a word of it now and then."""


@cache
def _patterns() -> dict[Script, re.Pattern[str]]:
    """Return a pattern for each script; made when first asked for, which takes 4 ms."""
    return {script: re.compile(f"[{ranges}]") for script, ranges in _RANGES.items()}


def script_of(char: str) -> Script:
    """Return the script of one character."""
    for script, pattern in _patterns().items():
        if pattern.match(char):
            return script
    return Script.OTHER if char.isalpha() else Script.COMMON


def dominant_script(text: str) -> Script:
    """Return the script most letters of a text are of; COMMON when there are none.

    Kana wins over Han as soon as it is more than a quotation, for Japanese has as many Han
    characters as kana. Two letters of an alphabet weigh as much as one Han character, kana or
    Hangul syllable.
    """
    counts = {script: len(pattern.findall(text)) for script, pattern in _patterns().items()}
    if counts[Script.KANA] > _KANA_SHARE * (counts[Script.HAN] + counts[Script.KANA]):
        counts[Script.KANA] += counts[Script.HAN]
        counts[Script.HAN] = 0
    known = sum(counts.values())
    other = sum(char.isalpha() for char in text) - known if not text.isascii() else 0
    counts = {**counts, Script.OTHER: other}
    weighted = {script: count / (1 if script in _DENSE else _LETTERS_PER_SIGN) for script, count in counts.items()}
    best = max(weighted, key=lambda script: weighted[script])
    return best if weighted[best] > 0 else Script.COMMON
