"""Find a name in a text as a reader would: whole, not inside another word."""

from __future__ import annotations

from collections.abc import Iterator


def name_spans(text: str, form: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each place at which a form stands whole; scripts without blanks have no word edges."""
    at = text.find(form) if form else -1
    while at >= 0:
        end = at + len(form)
        if not _joins(text[at - 1 : at], form[0]) and not _joins(form[-1], text[end : end + 1]):
            yield at, end
            at = text.find(form, end)
        else:
            at = text.find(form, at + 1)


def _joins(a: str, b: str) -> bool:
    """Say whether two neighbours are of one word."""
    return bool(a and b) and a.isalnum() and b.isalnum() and a < "\u2e80" and b < "\u2e80"
