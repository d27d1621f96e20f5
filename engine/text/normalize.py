"""Unicode normal form for canonical text."""

from __future__ import annotations

import unicodedata

# CPython sorts combining marks by insertion: 32 000 alternating marks take 0.8 s, a million hours.
# In pieces of this size the worst case is 0.4 s a million.
_PIECE = 512
_LOOK_BACK = 64
_HANGUL_VOWELS_ON = "\u1160"


def nfc(text: str) -> str:
    """Return `text` in Unicode normal form C.

    Time is linear in the length; only inside an unbroken run of more than 500 combining
    marks can the result differ from the standard's.
    """
    if len(text) <= _PIECE or text.isascii():
        return unicodedata.normalize("NFC", text)
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = _safe_cut(text, start, min(start + _PIECE, len(text)))
        pieces.append(unicodedata.normalize("NFC", text[start:end]))
        start = end
    return "".join(pieces)


def join_nfc(before: str, after: str) -> tuple[str, str]:
    """Return (before, after) so that their concatenation is in normal form C, given that each is.

    Marks at the start of `after` may move into the last letter of `before`.
    """
    if not before or not after or after[0] < "\u0300":
        return before, after
    pair = before[-1] + after[0]
    # Of several marks, a later one may belong to the letter before all of them.
    has_mark = unicodedata.combining(before[-1]) or unicodedata.combining(after[0])
    if not has_mark and unicodedata.normalize("NFC", pair) == pair:
        return before, after
    low = max(0, len(before) - _LOOK_BACK)
    cut = next((at for at in range(len(before) - 1, low, -1) if _begins_letter(before[at])), low)
    return before[:cut], nfc(before[cut:] + after)


def _safe_cut(text: str, start: int, end: int) -> int:
    """Return a place in (start, end] where text can be cut without touching a composed letter."""
    if end >= len(text):
        return end
    for cut in range(end, max(start, end - _LOOK_BACK), -1):
        if _begins_letter(text[cut]):
            return cut
    return end


def _begins_letter(char: str) -> bool:
    if char < "\u0300":
        return True
    if unicodedata.combining(char) or unicodedata.category(char)[0] == "M":
        return False
    return not _HANGUL_VOWELS_ON <= char <= "\u11ff"
