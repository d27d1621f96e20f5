"""Where a row may end: UAX #14, the rules of East Asian typesetting, and characters that stay whole.

Two neighbours that may be parted whatever stands around them are *sure*: they are told at a
glance, and spare the walk through UAX #14. Two that may not, whatever it says, are *torn*.

Source: UAX #14 revision 55; JIS X 4051 for characters that may not begin or end a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from engine.text.segment import next_grapheme
from tui.render.cells import VARIATION_16, WIDE

FIRST_WIDE = "\u2e80"
"""In plain text all wide characters come from here on, all narrow ones before."""
_NO_START = frozenset(
    " 、。，．・：；？！…‥）〕］｝〉》」』】〗〙〛〟｠”’»›)]},.!?:;%％℃°′″～〜·•‧゛゜"
    "ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ"
    "｡｣､･ｰｧｨｩｪｫｬｭｮｯﾞﾟ¹²³⁰⁴⁵⁶⁷⁸⁹"
)
_NO_END = frozenset("（〔［｛〈《「『【〖〘〚〝｟“‘«‹([{$£￥＄＃№｢")
_PAIRED = frozenset("…‥⋯—―─")
_APOSTROPHES = frozenset("’”»›")
NOT_BEFORE_BREAK = frozenset("〈《「『【〔〖〘〚〝〵＃＄％（［｛｟￠￡￥￦")
"""Wide characters after which a row may not end, or not always."""
NOT_AFTER_BREAK = frozenset(
    "\u3000、。々〉》」』】〕〗〙〛〜〞〟〵〻〼ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠ァィゥェォッャュョヮヵヶ・ーヽヾ"
    "！＄％），．：；？］｝～｠￠￡￥￦"
)
"""Wide characters with which a row may not begin, or not always."""
_BEFORE_SPACE = frozenset(",.;:!?”’…")
"""Narrow signs, besides letters and digits, after which and a space a row may surely end."""
_NEAR = 16
"""Characters in which a place is nearly always found."""


@cache  # made when first needed: compiling takes 8 ms, and plain text does without
def _sure_pattern() -> re.Pattern[str]:
    """Return the pattern of a character before which `is_sure` holds, in any text."""
    before = f"[{WIDE}](?<![{''.join(sorted(NOT_BEFORE_BREAK))}])"
    after = f"(?![{''.join(sorted(NOT_AFTER_BREAK))}])[{WIDE}]"
    narrow = "[0-9A-Za-z]"
    return re.compile(
        f"(?<={before})(?:{after}|{narrow})"
        f"|(?<={narrow}){after}"
        f"|(?:(?<=[0-9A-Za-z{''.join(sorted(_BEFORE_SPACE))}] )|(?<={before} ))(?:{after}|{narrow})"
    )


def is_torn(before: str, after: str) -> bool:
    """Say whether two neighbours may not be parted by the end of a row, whatever UAX #14 says."""
    if before == " " and after in _APOSTROPHES:
        return False
    return (
        after in _NO_START
        or before in _NO_END
        or (before == after and after in _PAIRED)
        or (after == "—" and " " != before < FIRST_WIDE)
    )


def is_sure(text: str, place: int) -> bool:
    """Say whether in a plain text a row may end before `place`, whatever stands around the characters there."""
    after = text[place]
    if after >= FIRST_WIDE:
        if after in NOT_AFTER_BREAK:
            return False
    elif not (after.isascii() and after.isalnum()):
        return False
    before = text[place - 1]
    if before == " " and place > 1:
        before = text[place - 2]
        return before in _BEFORE_SPACE or _ends_row(before)
    return _ends_row(before) and (before >= FIRST_WIDE or after >= FIRST_WIDE)


def _ends_row(char: str) -> bool:
    return char not in NOT_BEFORE_BREAK if char >= FIRST_WIDE else char.isascii() and char.isalnum()


def last_sure(text: str, start: int, upto: int) -> int:
    """Return the last place in (start, upto] of any text of which `is_sure` would hold, or `start`."""
    low = max(start, upto - _NEAR)
    while True:
        last = start
        for match in _sure_pattern().finditer(text, low + 1, upto + 1):
            last = match.start()
        if last > start or low == start:
            return last
        low = start


def begins_row(text: str, widths: Sequence[int], place: int) -> bool:
    """Say whether a character can stand first; one without a width of its own belongs to what is before it."""
    return widths[place] > 0 and text[place] != VARIATION_16


def bounds_to_cut(text: str, widths: Sequence[int], start: int, fit: int) -> list[int]:
    """List where characters as seen begin in (start, fit]; the first one after `start` when none does."""
    bounds: list[int] = []
    place = next_grapheme(text, start)
    while place <= fit or not bounds:
        if place >= len(text):
            return bounds or [len(text)]
        if begins_row(text, widths, place):
            bounds.append(place)
        place = next_grapheme(text, place)
    return bounds
