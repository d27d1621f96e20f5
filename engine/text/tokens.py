"""How many tokens a text costs, estimated from its characters.

Calibrated by least squares against the vocabulary of Qwen (`qwen.tiktoken` of the `dashscope` wheel, with tiktoken) on
159 pieces of 8 000 characters from Chinese, Japanese and English novels: bias under 0.5 % in each language, standard
deviation 5 %, 3 % and 2 %. `tests/quality/tokens.py` measures it again where those two packages are installed.
"""

from __future__ import annotations

import math
import re

from engine.text.script import HAN, HANGUL, KANA

_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}{HANGUL}]")
_LETTER = re.compile(r"[A-Za-z]")
_WORD = re.compile(r"[A-Za-z]+")
_DIGIT = re.compile(r"\d")
_WIDE_SIGN = re.compile("[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20“”‘’…—·]")
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_PER_HAN, _PER_KANA, _PER_LETTER, _PER_WORD = 0.626, 0.634, 0.134, 0.626
_PER_DIGIT, _PER_WIDE_SIGN, _PER_SIGN, _PER_OTHER = 0.854, 1.885, 0.643, 0.9


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text is, at least 1 for any that is not empty."""
    if not text:
        return 0
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    letters, words = len(_LETTER.findall(text)), len(_WORD.findall(text))
    digits, wide, signs = len(_DIGIT.findall(text)), len(_WIDE_SIGN.findall(text)), len(_SIGN.findall(text))
    letters_of_others = sum(char.isalpha() for char in text) - han - kana - letters if not text.isascii() else 0
    total = (
        han * _PER_HAN
        + kana * _PER_KANA
        + letters * _PER_LETTER
        + words * _PER_WORD
        + digits * _PER_DIGIT
        + wide * _PER_WIDE_SIGN
        + signs * _PER_SIGN
        + max(0, letters_of_others) * _PER_OTHER
    )
    return max(1, math.ceil(total))
