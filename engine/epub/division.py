"""Where to cut a block that is too long for one slice."""

from __future__ import annotations

import re
import unicodedata

_SENTENCE_END = re.compile(r"""[。！？!?…‥.]["'”’」』）)\]]*|\n""")
_BLANK = re.compile(r"\s")
_NEVER_FIRST = "\u200c\u200d\ufe0e\ufe0f\u3099\u309a\u20e3"
_CLOSING = "”’」』）)]】〉》，。、；：！？,.;:!?…—"
_LOOK_BACK = 64


def divide(text: str, size: int) -> list[int]:
    """Return offsets at which to cut `text` into pieces of at most `size` characters.

    The last quarter of each piece is searched for a line or sentence end, then for a blank; failing
    that the cut is made between two letters, never inside one.
    """
    cuts: list[int] = []
    at = 0
    while len(text) - at > size:
        at = _cut(text, at + size - size // 4, at + size)
        cuts.append(at)
    return cuts


def _cut(text: str, low: int, high: int) -> int:
    for pattern in (_SENTENCE_END, _BLANK):
        best = 0
        for match in pattern.finditer(text, low, high):
            if match.end() < high:
                best = match.end()
        if best:
            while best < high - 1 and text[best] in " \u00a0\u3000":
                best += 1
            return best
    for cut in range(high, max(low, high - _LOOK_BACK), -1):
        if _can_begin(text, cut):
            return cut
    return high


def _can_begin(text: str, cut: int) -> bool:
    char, before = text[cut], text[cut - 1]
    if char in _NEVER_FIRST or before == "\u200d" or char in _CLOSING:
        return False
    if unicodedata.category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return False
    if "\u1160" <= char <= "\u11ff":
        return False
    return not ("\U0001f1e6" <= char <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff")
