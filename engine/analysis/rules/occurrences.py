"""Where given forms stand in a text: the longest at each place, never a part of a word."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine.analysis.rules.checks import GoOn, carry_on
from engine.domain.knowledge import TextBlock

_FOLDS = str.maketrans({
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u3000": " ", "\n": " ", "\t": " ",
    "‘": "'", "’": "'", "ʼ": "'", "‐": "-", "‑": "-",
    "·": "・", "•": "・", "‧": "・", "⋅": "・", "･": "・", "＝": "=", "゠": "=",
})  # fmt: skip
_BLOCKS_A_SEARCH = 400
"""Blocks joined for one search: a call costs more than a hundred characters."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A form in a block."""

    block: int
    start: int
    end: int
    form: str


def fold_for_matching(text: str) -> str:
    """Return `text` with one sign for each kind of blank, apostrophe, hyphen and name separator; same length."""
    return text.translate(_FOLDS)


def find_occurrences(blocks: Sequence[TextBlock], forms: Collection[str], go_on: GoOn = carry_on) -> list[Occurrence]:
    """Find the forms in text order, leftmost and then longest, without overlaps.

    A form that begins or ends with a letter of a spaced script does so at the edge of a word.
    Forms that differ only in what `fold_for_matching` folds are found under the first of them.
    """
    import ahocorasick_rs  # a native library the reading process never needs

    by_folded: dict[str, str] = {}
    for form in forms:
        if _is_searchable(form):
            by_folded.setdefault(fold_for_matching(form), form)
    if not by_folded:
        return []
    names = list(by_folded.values())
    automaton = ahocorasick_rs.AhoCorasick(list(by_folded), matchkind=ahocorasick_rs.MatchKind.Standard)
    found: list[Occurrence] = []
    for first in range(0, len(blocks), _BLOCKS_A_SEARCH):
        go_on()
        part = blocks[first : first + _BLOCKS_A_SEARCH]
        text = fold_for_matching("\x00".join(block.text for block in part))
        hits = sorted(
            ((start, -end, which) for which, start, end in automaton.find_matches_as_indexes(text, overlapping=True)),
        )
        found.extend(_place(_keep_longest(text, hits), part, first, names))
    return found


def _is_searchable(form: str) -> bool:
    """Say whether a form can be a name: one sign will do only where signs are words."""
    letters = [char for char in form if char.isalnum()]
    return len(letters) > 1 or any(char >= "\u2e80" for char in letters)


def _keep_longest(text: str, hits: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, which) of the hits that stand at word edges and do not overlap an earlier one."""
    done = 0
    for start, minus_end, which in hits:
        if start >= done and _is_whole(text, start, -minus_end):
            done = -minus_end
            yield start, done, which


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (start > 0 and _joins(text[start - 1], text[start])) and not (
        end < len(text) and _joins(text[end - 1], text[end])
    )


def _joins(a: str, b: str) -> bool:
    """Say whether two neighbours are of one word: letters of a script with blanks between words, or katakana."""
    if "ァ" <= a <= "ー" and "ァ" <= b <= "ー":
        return "・" not in (a, b)
    return a.isalnum() and b.isalnum() and a < "\u2e80" and b < "\u2e80"


def _place(
    hits: Iterator[tuple[int, int, int]], part: Sequence[TextBlock], first: int, names: Sequence[str]
) -> Iterator[Occurrence]:
    """Turn offsets of the joined text into offsets of blocks."""
    block, base = 0, 0
    for start, end, which in hits:
        while start >= base + len(part[block].text) + 1:
            base += len(part[block].text) + 1
            block += 1
        yield Occurrence(first + block, start - base, end - base, names[which])
