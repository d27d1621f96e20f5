"""How long she reads, and how fast: what a sitting counts, and what becomes of many."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.locator import Pos, volume_ord_of

_LONGEST_PAGE_S = 180.0
"""A page that stands longer was not read all the time."""
_FASTEST_CHARS_S = 80.0
"""Faster than that pages are turned, not read: three times a quick reader of an alphabet."""
_MOST_SKIPPED_CHARS = 400
"""Beyond the end of a page the next one may begin: blank rows, a heading."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One time of reading a book, from opening it to leaving it."""

    id: str
    """The same each time it is kept."""
    book_sha256: str
    language: str
    seconds: float
    """Spent with pages that were read on from."""
    characters: int
    """Read in them."""
    began_at: str = ""
    """ISO 8601 in UTC; given when it is first kept."""


@dataclass(frozen=True, slots=True)
class ReadingTime:
    """What was read of a work in all its sittings."""

    sittings: int
    seconds: float
    characters: int
    first_at: str
    last_at: str


class PaceMeter:
    """Counts what is read, page by page. Knows no clock and no disk."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.characters = 0
        self._page: tuple[float, Pos, Pos] | None = None
        """When the page was turned to, its first pos and its last."""

    def turned(self, now_s: float, first: Pos, last: Pos) -> None:
        """Be told that another page stands.

        Only a page that was read on from counts: going back, jumping away and leafing through tell nothing of a pace.

        Args:
            now_s: Of a clock that only goes forward.
            first: Pos of its first character.
            last: Pos of its end.
        """
        before, self._page = self._page, (now_s, first, last)
        if before is None:
            return
        at_s, old_first, old_last = before
        if first == old_first:  # told once more, as when its end has grown
            self._page = (at_s, first, last)
            return
        read = first - old_first
        is_on = volume_ord_of(first) == volume_ord_of(old_first) and first - old_first > 0
        seconds = min(now_s - at_s, _LONGEST_PAGE_S)
        if is_on and first <= old_last + _MOST_SKIPPED_CHARS and seconds * _FASTEST_CHARS_S >= read:
            self.seconds += seconds
            self.characters += read
