"""What is searched for in the text, and what is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from engine.domain.book import DocumentId
from engine.domain.locator import Pos

PATTERN_SIGN = "/"

PassageId = NewType("PassageId", int)
"""Document id << 20 | number in the document."""
PASSAGE_SHIFT = 20


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Words, or a regular expression."""

    words: str
    """As typed; for a pattern without the slashes around it."""
    is_pattern: bool = False


def query_from_text(typed: str) -> TextQuery:
    """Read what was typed into a search: words, or `/pattern/`, the closing slash optional."""
    if not typed.startswith(PATTERN_SIGN) or len(typed) < 2:
        return TextQuery(typed)
    pattern = typed[1:]
    if pattern.endswith(PATTERN_SIGN) and not pattern.endswith("\\/") and len(pattern) > 1:
        pattern = pattern[:-1]
    return TextQuery(pattern, is_pattern=True)


@dataclass(frozen=True, slots=True)
class PosRange:
    """A stretch of a work."""

    start: Pos
    end: Pos
    """Exclusive."""


@dataclass(frozen=True, slots=True)
class HitRun:
    """Hits that follow each other in one document."""

    document: DocumentId
    base: Pos
    """Pos of the document's first character."""
    starts: Sequence[int]
    """Document offsets, growing."""
    ends: Sequence[int]
    """Exclusive; as many as `starts`."""
    limit: int
    """Document offset up to which the text around a hit may be shown."""
