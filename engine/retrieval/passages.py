"""Cut text into passages, the units that are searched: along blocks and scenes, never across chapters.

Whoever changes where text is cut raises INDEX_REV.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.domain.book import Block, BlockKind
from engine.text.script import HAN, HANGUL, KANA
from engine.text.segment import is_abbreviated, parts_of_sentences
from engine.text.slices import Piece

_DENSE_WEIGHT = 1.8
"""A Han character, kana or Hangul syllable says as much as so many letters: 500 characters weigh 900."""
_MOST, _AIM = 900.0, 660.0
_LONG_BLOCK = 260.0
"""A heavier block may be cut between its sentences."""
_SCENE_BONUS, _SENTENCE_MALUS, _HEADING_MALUS = 120.0, 90.0, 400.0
_DENSE = re.compile(f"[{HAN}{KANA}{HANGUL}]")


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """A passage in offsets of its document."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never cut: a block, a sentence of a long one, a part of a sentence without an end."""

    start: int
    end: int
    weight: float
    """In letters."""
    malus: float
    """How bad a cut before it is, in letters; below 0 for a good one."""
    goes_on: bool = False
    """The sentence before it has not ended: Mr. | Darcy."""


def cut_passages(piece: Piece, chapter_starts: Sequence[int]) -> list[PassageSpan]:
    """Cut a slice into passages of 300 to 900 letters (300 to 500 characters of Chinese or Japanese).

    Shorter is only what a chapter or the slice leaves no more for. Each letter and digit of the slice
    is in exactly one passage; of what stands between them only scene breaks, pictures and blanks are in none.

    Args:
        piece: The slice.
        chapter_starts: Document offsets at which chapters begin, growing.

    Returns:
        The passages in order, apart; the same for the same text in every run.
    """
    passages: list[PassageSpan] = []
    for units in _stretches(piece, chapter_starts):
        passages.extend(_cut_stretch(units))
    return passages


def _stretches(piece: Piece, chapter_starts: Sequence[int]) -> Iterator[list[_Unit]]:
    """Yield the units between one start of a chapter and the next."""
    units: list[_Unit] = []
    is_behind_break = False
    previous: Block | None = None
    for block in piece.blocks:
        for start, end in _parts(block, chapter_starts):
            text = piece.text[start - piece.start : end - piece.start]
            if units and _has_start(chapter_starts, units[-1].start, start):
                yield units
                units = []
            if not any(char.isalnum() for char in text):
                is_behind_break = is_behind_break or block.kind is not BlockKind.PICTURE
                continue
            malus = -_SCENE_BONUS if is_behind_break or block.kind is BlockKind.HEADING else 0.0
            if previous is not None and previous.kind is BlockKind.HEADING:
                malus = _HEADING_MALUS
            units.extend(_units(text, start, malus))
            is_behind_break, previous = False, block
    if units:
        yield units


def _parts(block: Block, chapter_starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield a block in the parts into which chapters that begin inside it divide it."""
    first, last = bisect_left(chapter_starts, block.start + 1), bisect_left(chapter_starts, block.end)
    borders = [block.start, *chapter_starts[first:last], block.end]
    for start, end in pairwise(borders):
        if start < end:
            yield start, end


def _has_start(chapter_starts: Sequence[int], after: int, upto: int) -> bool:
    at = bisect_left(chapter_starts, after + 1)
    return at < len(chapter_starts) and chapter_starts[at] <= upto


def _weight(text: str) -> float:
    return len(text) + (_DENSE_WEIGHT - 1) * (0 if text.isascii() else len(_DENSE.findall(text)))


def _units(text: str, start: int, malus: float) -> Iterator[_Unit]:
    weight = _weight(text)
    if weight <= _LONG_BLOCK:
        yield _Unit(start, start + len(text), weight, malus)
        return
    goes_on = False
    for a, b in parts_of_sentences(text):
        for c, d in _bearable(text, a, b):
            if text[c:d].strip():
                cost = malus if c == 0 else _SENTENCE_MALUS
                yield _Unit(start + c, start + d, _weight(text[c:d]), cost, goes_on and c == a)
        goes_on = b < len(text) and is_abbreviated(text, a, b)


def _bearable(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence in parts of at most 450 letters, at blanks where there are any."""
    step = int(_MOST / 2 / max(1.0, _weight(text[start:end]) / max(1, end - start)))
    while end - start > step:
        blank = text.rfind(" ", start + step // 2, start + step)
        middle = start + step if blank < 0 else blank + 1
        yield start, middle
        start = middle
    yield start, end


def _cut_stretch(units: Sequence[_Unit]) -> Iterator[PassageSpan]:
    """Cut into parts of about the same weight, each cut where it is best near the place that evenness asks for."""
    ends: list[float] = []
    total = 0.0
    for unit in units:
        total += unit.weight
        ends.append(total)
    cuts = [0]
    while True:
        first = cuts[-1]
        begun = ends[first - 1] if first else 0.0
        left = total - begun
        if left <= _MOST or first == len(units) - 1:
            break
        cuts.append(_best_cut(units, ends, first, begun + left / -int(-left // _AIM), begun + _MOST))
    cuts = [*_at_ends(units, ends, cuts), len(units)]
    for first, cut in pairwise(cuts):
        yield PassageSpan(units[first].start, units[cut - 1].end)


def _at_ends(units: Sequence[_Unit], ends: Sequence[float], cuts: Sequence[int]) -> Iterator[int]:
    """Yield cuts, those that part a title from its name moved to the nearer end of the sentence, where there is room.

    Each is moved by itself: the others stay where they are.
    """
    weights = [0.0, *ends]
    last = 0
    for number, cut in enumerate(cuts):
        before = behind = cut
        while before > last + 1 and units[before].goes_on:
            before -= 1
        limit = cuts[number + 1] if number + 1 < len(cuts) else len(units)
        while behind < limit - 1 and units[behind].goes_on:
            behind += 1
        good = [
            at
            for at in (before, behind)
            if not units[at].goes_on and weights[limit] - weights[at] <= _MOST and weights[at] - weights[last] <= _MOST
        ]
        last = min(good, key=lambda at: abs(weights[at] - weights[cut]), default=cut) if cut else 0
        yield last


def _best_cut(units: Sequence[_Unit], ends: Sequence[float], first: int, ideal: float, most: float) -> int:
    """Return the index of the unit before which to cut."""
    near = max(first + 1, bisect_left(ends, ideal - _AIM / 2, first))
    best, best_cost = near, float("inf")
    for at in range(near, len(units)):
        if ends[at - 1] > most:
            break
        cost = abs(ends[at - 1] - ideal) + units[at].malus
        if cost < best_cost:
            best, best_cost = at, cost
    return best
