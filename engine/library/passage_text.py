"""Words of the book and of its settings as the companion is given them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agent.bearing import Stretch
from engine.agent.citations import Place
from engine.domain.book import PICTURE_CHAR
from engine.domain.locator import Pos
from engine.domain.reading import Chapter

if TYPE_CHECKING:
    from engine.library.texts import Texts


def text_around(library: Texts, place: Place, chapter: Chapter | None, boundary: Pos, reach_chars: int) -> Stretch:
    """Return the text around a place.

    Args:
        library: That has it.
        place: Whose text it is.
        chapter: Of whose text it may be; None for nothing but the place's own.
        boundary: No text behind it is returned.
        reach_chars: How far to each side.
    """
    at, base = place.locator, place.pos - place.locator.start
    start, end = at.start, at.end
    if chapter is not None:
        start = max(0, start - reach_chars, chapter.pos - base)
        end = max(end, min(end + reach_chars, chapter.pos_end - base, boundary - base))
    text = library.text_of(at.document, min(start, at.start), end)
    return Stretch(text.replace(PICTURE_CHAR, " "), min(start, at.start))


def shown_text(text: str) -> str:
    """Return text without what stands for its pictures."""
    return text.replace(PICTURE_CHAR, "")
