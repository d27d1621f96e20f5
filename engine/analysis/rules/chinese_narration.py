"""A Chinese text outside of what people say in it: where the narrator himself names somebody."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.analysis.rules.chinese_stated import Passage

_OPENING, _CLOSING = "“「『‘", "”」』’"


@dataclass(frozen=True, slots=True)
class Told:
    """Places of some forms in the narration."""

    places: Sequence[int]
    """Offsets in the joined text, ascending."""

    def within(self, start: int, end: int) -> int:
        """Count the places in [start, end)."""
        return bisect_left(self.places, end) - bisect_left(self.places, start)


class Narration:
    """The text outside of speeches."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.starts: list[int] = []
        """Where each passage begins in the joined text."""
        at = 0
        for passage in passages:
            self.starts.append(at)
            at += len(passage.text) + 1
        self._text = _without_speech("\n".join(passage.text for passage in passages))

    def told(self, forms: Iterable[str]) -> Told:
        """Return where the narrator uses any of some forms."""
        pattern = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
        return Told([match.start() for match in pattern.finditer(self._text)])

    def times(self, forms: Iterable[str], start: int, end: int) -> int:
        """Return how often the narrator uses any of some forms in [start, end), those within others twice; quick."""
        part = self._text[max(0, start) : end]
        return sum(map(part.count, forms))

    def passage_at(self, place: int) -> Passage:
        """Return the passage that holds an offset of the joined text."""
        return self.passages[bisect_left(self.starts, place + 1) - 1]


def _without_speech(text: str) -> str:
    """Return a text of the same length with blanks for what people say."""
    parts: list[str] = []
    depth, done = 0, 0
    for match in re.finditer(f"[{_OPENING}{_CLOSING}\n]", text):
        start = match.start()
        parts.append(" " * (start - done) if depth else text[done:start])
        parts.append(match[0])
        done = start + 1
        depth = 0 if match[0] == "\n" else depth + 1 if match[0] in _OPENING else max(0, depth - 1)
    parts.append(" " * (len(text) - done) if depth else text[done:])
    return "".join(parts)
