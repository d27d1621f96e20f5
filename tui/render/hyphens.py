"""Rows filled by dividing words, where a dictionary says that they may be divided.

The dictionaries are pyphen's, an extra: without it words stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from tui.render.dress import HYPHEN
from tui.render.wrap import next_row

Points = Callable[[str], tuple[int, ...]]
"""Returns where a word may be divided."""

_LEAST_WORD = 6
_LEAST_BEFORE, _LEAST_BEHIND = 2, 3
_WORD = re.compile(r"[^\W\d_]+")


@cache  # 70 ms for the first language, 10 for another
def points_of(language: str) -> Points | None:
    """Return where words of a language may be divided; None where nobody knows."""
    try:
        import pyphen
    except ImportError:
        return None
    known = pyphen.language_fallback(language.replace("-", "_")) if language else None
    if known is None:
        return None
    dictionary = pyphen.Pyphen(lang=known, left=_LEAST_BEFORE, right=_LEAST_BEHIND)

    @lru_cache(maxsize=4096)
    def points(word: str) -> tuple[int, ...]:
        return tuple(int(point) for point in dictionary.positions(word))

    return points


def wrap_hyphenated(
    text: str, start: int, end: int, width: int, room: int, points: Points
) -> tuple[list[int], frozenset[int]]:
    """Return where the rows of a part of a text begin, and the numbers of those that end in a divided word.

    Args:
        text: Plain, of narrow characters only, and without newlines from `start` to `end`.
        start: First character.
        end: Exclusive.
        width: Cells of a row, at least 1.
        room: Cells of the first row, at least 1.
        points: Where a word may be divided.
    """
    rows = [start]
    divided: list[int] = []
    while start + room < end:
        following = next_row(text, start, start + room, end)
        if following >= end:
            break
        cut = _divided_at(text, start, following, end, room, points)
        if cut:
            divided.append(len(rows) - 1)
            following = cut
        rows.append(following)
        start, room = following, width
    return rows, frozenset(divided)


def _divided_at(text: str, start: int, following: int, end: int, room: int, points: Points) -> int:
    """Return where to divide the word that begins the next row, so that its beginning fits; 0 for nowhere."""
    free = room - (following - start) - len(HYPHEN)
    if free < _LEAST_BEFORE:
        return 0
    word = _WORD.match(text, following, end)
    if word is None or len(word[0]) < _LEAST_WORD or word.end() - following <= free:
        return 0
    fitting = [point for point in points(word[0]) if _LEAST_BEFORE <= point <= free]
    return following + fitting[-1] if fitting and len(word[0]) - fitting[-1] >= _LEAST_BEHIND else 0
