"""Cut a few words around what was found out of a passage."""

from __future__ import annotations

from collections.abc import Sequence

_ELLIPSIS = "…"
_REACH = 12
"""Characters within which a cut moves to the next blank."""


def cut_snippet(
    text: str, marks: Sequence[tuple[int, int]], size_chars: int
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return at most about `size_chars` characters of a text where most marks are, on one line, and the marks there.

    An ellipsis stands where something was cut away.
    """
    if len(text) <= size_chars:
        return _on_a_line(text), tuple(marks)
    start = _best_start(len(text), marks, size_chars)
    end = min(len(text), start + size_chars)
    start, end = _to_blank(text, start, 1), _to_blank(text, end, -1)
    head, tail = _ELLIPSIS if start else "", _ELLIPSIS if end < len(text) else ""
    moved = len(head) - start
    kept = tuple((max(start, a) + moved, min(end, b) + moved) for a, b in marks if a < end and b > start)
    return head + _on_a_line(text[start:end]) + tail, kept


def _on_a_line(text: str) -> str:
    return text.replace("\n", " ").replace("\t", " ")


def densest_mark(marks: Sequence[tuple[int, int]], size_chars: int) -> int:
    """Return where the mark begins from which on most is marked within so many characters; 0 without any."""
    best, most = 0, -1
    for first, _end in marks:
        held = sum(end - start for start, end in marks if start >= first and end <= first + size_chars)
        if held > most:
            best, most = first, held
    return best


def _best_start(length: int, marks: Sequence[tuple[int, int]], size: int) -> int:
    """Return where to begin so that most marked characters are inside, a quarter of the room before the first."""
    return max(0, min(densest_mark(marks, size * 3 // 4) - size // 4, length - size))


def _to_blank(text: str, at: int, step: int) -> int:
    """Move a cut inside a word of an alphabet to the nearest blank on the inner side, if one is near."""
    if at in (0, len(text)) or not (text[at - 1].isascii() and text[at].isascii()):
        return at
    for i in range(at, at + step * _REACH, step):
        if 0 < i < len(text) and text[i - 1].isspace():
            return i
    return at
