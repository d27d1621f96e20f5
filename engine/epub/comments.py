"""Taking comments out of a source text in one pass, however many are never closed."""

from __future__ import annotations


def without_comments(text: str, opening: str, closing: str) -> str:
    """Return `text` with each comment replaced by nothing; what an unclosed one begins stays."""
    pieces: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        pieces.append(text[at:start])
        at = end + len(closing)
    pieces.append(text[at:])
    return "".join(pieces)
