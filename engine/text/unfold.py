"""The way back from a folded Han character, kana or Hangul sign: which characters become it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain

from engine.text.fold import fold_character
from engine.text.hanzi import OTHER_FORMS, simplify
from engine.text.kanji import MODERN_FORMS, join_forms

_COMPATIBLE = (
    (0x2E80, 0x2FE0),  # radicals
    (0x3036, 0x303B),
    (0x30A1, 0x30FF),  # katakana
    (0x3131, 0x31A0),  # Hangul letters, signs beside Chinese verse
    (0x3200, 0x3400),  # in brackets, circles, squares
    (0xF900, 0xFB00),
    (0xFF66, 0xFFDD),  # half width
    (0x1F200, 0x1F252),
    (0x2F800, 0x2FA1E),
)
"""Where Unicode keeps other forms of these characters, beside those the tables of Han characters name."""


def respell(text: str, chars: str) -> str:
    """Return a text with every other form of some folded Han characters, kana or Hangul signs as these themselves.

    Each of them then stands where `fold` would put it, in any text of which `fold` takes one character at a time.
    """
    others = _others()
    for char in dict.fromkeys(chars):
        for other in others.get(char, ""):
            text = text.replace(other, char)
    return text


@cache
def _others() -> Mapping[str, str]:
    """Return the other forms by folded character; 8 ms, made when first asked for."""
    # The characters of the tables have no forms but these, so they are folded all at once.
    pairs = [(char, join_forms(simplify(char))) for char in OTHER_FORMS + MODERN_FORMS]
    pairs += [(char, fold_character(char)) for char in map(chr, chain(*(range(*each) for each in _COMPATIBLE)))]
    found: dict[str, str] = {}
    for char, folded in dict.fromkeys(pairs):
        if folded != char and len(folded) == 1:
            found[folded] = found.get(folded, "") + char
    return found
