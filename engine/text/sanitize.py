"""The boundary between outside text and everything that shows or writes it.

Text of a book, a file name or a model passes through here before it reaches a terminal, a
log, an export or the library. What could drive a terminal, reverse a line or hide a message
does not come out again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

REPLACEMENT = "\ufffd"
"""Shown where a character was that must not be shown."""

_PLANE_ENDS = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef" + _PLANE_ENDS
# Bidi marks, embeddings, overrides and isolates; the deprecated U+206A-F; tag characters.
_INVISIBLE = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\U000e0000-\U000e007f"

_ANY_HOSTILE = re.compile(f"[{_CONTROLS}{_INVISIBLE}]")
_ANY_ATTACK = re.compile(f"[{_CONTROLS}\u202a-\u202e\u2066-\u206f\U000e0000-\U000e007f]")
_ANY_CONTROL = re.compile(f"[{_CONTROLS}]")
_ANY_INVISIBLE = re.compile(f"[{_INVISIBLE}]+")
_LINE_ENDS = re.compile("\r\n?")
# U+200C and U+200D shape words of many scripts and join emoji; elsewhere they only hide.
_JOINER_RUN = re.compile("([\u200c\u200d])[\u200c\u200d]+")
_STRAY_JOINER = re.compile(r"(?<!\S)[\u200c\u200d]|[\u200c\u200d](?!\S)")
_ANY_JOINER = re.compile("[\u200c\u200d]")
_BLANKS = re.compile(r"\s+")
_HINTS = re.compile("[\u00ad\u200b\u2060\ufeff]")


def is_clean(text: str) -> bool:
    """Say whether `text` holds no control, bidi, tag or broken character."""
    return _ANY_HOSTILE.search(text) is None


def is_suspicious(text: str) -> bool:
    """Say whether `text` holds more than the marks texts written from right to left have by right."""
    return _ANY_ATTACK.search(text) is not None


def blank_hostile(text: str, blank: Callable[[str], str]) -> str:
    """Return `text` with each hostile character replaced by what `blank` makes of it; the last gate of a screen."""
    return _ANY_HOSTILE.sub(lambda match: blank(match[0]), text)


def sanitize(text: str) -> str:
    """Make outside text safe to show, print, log and export.

    Control characters but newline and tab, lone surrogates and noncharacters become U+FFFD;
    carriage returns become newlines; bidi controls, tag characters and joiners outside words
    are dropped. Joiners inside words and variation selectors stay. Idempotent.
    """
    if _ANY_HOSTILE.search(text) is not None:
        text = _LINE_ENDS.sub("\n", text)
        text = _ANY_INVISIBLE.sub("", text)
        text = _ANY_CONTROL.sub(REPLACEMENT, text)
    if _ANY_JOINER.search(text) is not None:
        text = _JOINER_RUN.sub(r"\1", text)
        text = _STRAY_JOINER.sub("", text)
    return text


def sanitize_line(text: str) -> str:
    """Make outside text safe as one line: like `sanitize`, with every run of white space one blank.

    Hints to a typesetter (soft hyphen, word joiner ...) are left out: terminals disagree on their width.
    """
    return _BLANKS.sub(" ", _HINTS.sub("", sanitize(text))).strip()


def sanitize_in_place(text: str) -> str:
    """Make outside text safe without moving an offset: each hostile character becomes one U+FFFD.

    A carriage return becomes a blank. The result has the length of `text`. Idempotent.
    """
    if _ANY_HOSTILE.search(text) is None:
        return text
    return _ANY_HOSTILE.sub(REPLACEMENT, text.replace("\r", " "))
