"""The number a title prints: 第七十三回, CHAPTER XLII., Letter 4, 三."""

from __future__ import annotations

import re

_DIGITS = "〇一二三四五六七八九"
_TENS = {"十": 10, "百": 100, "千": 1000}
_NUMBER = "[〇零一二三四五六七八九十百千两兩0-9０-９]{1,7}"
_UNITS = "[回章話话節节幕集]"
_LABEL = re.compile(rf"^第\s*({_NUMBER})\s*{_UNITS}")
_RULES = (
    _LABEL,
    re.compile(
        r"^(?:chapter|chap\.?|letter|book|part|stave|canto|act)\s+([0-9]{1,4}|[ivxlcdm]{1,9})(?=$|[\s.:,;—–-])",
        re.IGNORECASE,
    ),
    re.compile(r"^([0-9０-９]{1,4})(?:[.．。、:：]|(?=\s)|$)"),
    re.compile(r"^([IVXLCDM]{1,9}|[一二三四五六七八九十百]{1,5})(?:[.．。、:：](?=\s|$)|$)"),
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def printed_number(title: str) -> int | None:
    """Return the number a chapter's title begins with; None for a title without one."""
    found = next((match for rule in _RULES if (match := rule.match(title.strip()))), None)
    return None if found is None else _value(found.group(1))


def printed_label(title: str) -> str:
    """Return the number as a Han title prints it, such as 第七十三回; empty for any other title."""
    found = _LABEL.match(title.strip())
    return "" if found is None else "".join(found.group(0).split())


def _value(words: str) -> int:
    if words.isdecimal():
        return int(words)
    if words.isascii():
        return _roman(words.lower())
    total, digit = 0, 0
    for char in words.replace("零", "〇").replace("两", "二").replace("兩", "二"):
        if char in _TENS:
            total += (digit or 1) * _TENS[char]
            digit = 0
        elif char in _DIGITS:
            digit = digit * 10 + _DIGITS.index(char)
    return total + digit


def _roman(words: str) -> int:
    values = [_ROMAN[char] for char in words]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
