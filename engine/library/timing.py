"""The half of the library that knows how long and how fast she reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.library.texts import Texts
from engine.store import sittings
from engine.text.measure import reading_seconds

if TYPE_CHECKING:
    from engine.domain.pace import ReadingTime, Sitting
    from engine.store.connection import Connection

_TELLING_S = 180.0
"""Less reading says nothing of a pace."""
_SLOWEST, _FASTEST = 0.2, 5.0


class Timing(Texts):
    """Sittings and pace. They stay in the library and say nothing unless asked."""

    def keep_sitting(self, sitting: Sitting) -> None:
        """Keep a sitting, or how it has grown."""
        with self._store.write() as w:
            sittings.put_sitting(w, sitting)

    def pace(self, language: str) -> float:
        """Return how many times faster than the average she reads a language; 1 while that is not known."""
        with self._store.read() as r:
            return pace_of(r, language)

    def reading_time(self, work: WorkId) -> ReadingTime:
        """Return what was read of a work in all its sittings."""
        with self._store.read() as r:
            return sittings.reading_time(r, work)


def pace_of(r: Connection, language: str) -> float:
    """Return how many times faster than the average a language is read here; 1 while that is not known."""
    characters, seconds = sittings.pace_in(r, language)
    if seconds < _TELLING_S:
        return 1.0
    return min(_FASTEST, max(_SLOWEST, reading_seconds(characters, language) / seconds))
