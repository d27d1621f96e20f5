"""Sets of words, written as one line."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(text.split())
