"""Reduce text to what a search compares, with the way back to the offsets it came from.

Two spellings of one word give the same key: full and half width, capitals, compatibility
forms, both kana, traditional, simplified and Japanese forms of Han characters, typographic and typed quotes,
hyphens and middle dots. Soft hyphens and joiners, which nobody types into a search, are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from engine.text.hanzi import simplify
from engine.text.kanji import join_forms
from engine.text.normalize import nfc

_DROPPED = "\u00ad\u200b-\u200d\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Soft hyphen, joiners, no-width blanks, variation selectors."""
_SEQUENCE = re.compile(f"[\uff66-\uff9d][\uff9e\uff9f]|[{_DROPPED}]+")
"""What cannot be folded one character at a time: half-width kana with a voicing mark, and what is dropped."""
_SPELLED = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2022\u2027\u22c5\u30fb", "\u00b7"),
    }
)
_KEPT = "\u2026\n\t"
"""An ellipsis would become three dots, and with them every offset in a Chinese novel would move."""
_KATAKANA, _KATAKANA_END, _KATAKANA_MARKS = 0x30A1, 0x30F7, "\u30fd\u30fe"
_TO_HIRAGANA = 0x60
_ESCAPE = re.compile(r"(\\[pPN]\{[^}]*\}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.)", re.DOTALL)


Reading: TypeAlias = tuple[int, int, str]
"""(start, end, folded reading): source indices of what it stands beside."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and where its characters come from."""

    text: str
    shifts: tuple[tuple[int, int], ...] = ()
    """(folded index, shift) in order: from that index on, the source index is the folded one plus the shift.
    Empty where the two run alike."""

    def source_start(self, index: int) -> int:
        """Return where in the source the character at a folded index begins."""
        at = bisect_right(self.shifts, index, key=_index_of) - 1 if self.shifts else -1
        return index + (self.shifts[at][1] if at >= 0 else 0)

    def source_end(self, index: int) -> int:
        """Return where in the source a stretch ends that ends before a folded index of 1 and more."""
        return max(self.source_start(index), self.source_start(index - 1) + 1)

    def folded_index(self, source: int) -> int:
        """Return the first folded index whose character begins at or behind a source index."""
        if not self.shifts:
            return min(max(0, source), len(self.text))
        at = bisect_left(self.shifts, source, key=sum)  # the first run that begins at or behind it
        reached = source - (self.shifts[at - 1][1] if at else 0)
        return min(max(0, reached), self.shifts[at][0] if at < len(self.shifts) else len(self.text))


def _index_of(shift: tuple[int, int]) -> int:
    return shift[0]


def fold(text: str) -> Folded:
    """Fold a text that is in normal form C."""
    if text.isascii():
        return Folded(text.lower())
    table = _table()
    folded = text.translate(table)
    if _SEQUENCE.search(text) is None and table.longer.isdisjoint(text):
        return Folded(folded)
    return _fold_in_pieces(text, table)


def spoken_text(folded: Folded, readings: Sequence[Reading]) -> str:
    """Return a folded text with readings in the place of the characters they stand beside.

    Args:
        folded: The text.
        readings: In order, apart.
    """
    parts: list[str] = []
    at = 0
    for start, end, reading in readings:
        parts += (folded.text[at : folded.folded_index(start)], reading)
        at = folded.folded_index(end)
    return "".join((*parts, folded.text[at:]))


def spoken(folded: Folded, readings: Sequence[Reading], source_length: int) -> Folded:
    """Return `spoken_text` with the way back: a reading comes from the start of what it stands beside."""
    fabric = _Fabric()
    at = 0
    for start, end, reading in readings:
        fabric.add_folded(part(folded, at, start), at)
        fabric.add_at(reading, start)
        at = end
    fabric.add_folded(part(folded, at, source_length), at)
    return fabric.finish(source_length)


def part(folded: Folded, first: int, last: int) -> Folded:
    """Return what comes from source indices `first` to `last`, its source counted from `first`."""
    left, right = folded.folded_index(first), folded.folded_index(last)
    moved = [(index - left, shift + left - first) for index, shift in folded.shifts if index < right]
    reached = [shift for index, shift in moved if index <= 0] or [left - first]
    shifts = ((0, reached[-1]), *(pair for pair in moved if pair[0] > 0))
    return Folded(folded.text[left:right], shifts if any(shift for _index, shift in shifts) else ())


def fold_words(typed: str) -> str:
    """Return the key of words typed into a search: folded, blanks at the ends gone and those inside single."""
    return " ".join(fold(nfc(typed)).text.split())


def fold_pattern(pattern: str) -> str:
    r"""Fold the letters of a regular expression for folded text; escapes such as \W or \p{Lu} stay as they are."""
    return "".join(part if part.startswith("\\") else fold(nfc(part)).text for part in _ESCAPE.split(pattern))


class _Table(dict[int, str]):
    """Folds of single characters, made when one is first met; `str.translate` asks it."""

    def __init__(self) -> None:
        super().__init__()
        self.longer: set[str] = set()
        """Characters met whose fold has another length than 1."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = fold_character(char)
        if len(folded) != 1:
            self.longer.add(char)
        self[code] = folded
        return folded


@cache
def _table() -> _Table:
    return _Table()


def fold_character(char: str) -> str:
    """Fold a character that stands by itself."""
    if char in _KEPT:
        return char
    spelled = char.translate(_SPELLED)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", spelled).casefold()).translate(_SPELLED)
    return join_forms(simplify("".join(map(_to_hiragana, folded))))


def _to_hiragana(char: str) -> str:
    if _KATAKANA <= ord(char) < _KATAKANA_END or char in _KATAKANA_MARKS:
        return chr(ord(char) - _TO_HIRAGANA)
    return char


class _Fabric:
    """Puts a folded text together, left to right, and remembers where it came from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._shifts: list[tuple[int, int]] = []
        self._length = 0

    def add(self, folded: str, source: int) -> None:
        """Add characters of which the first comes from a source index, the next from the one after it."""
        if folded:
            self._turn(source)
            self._parts.append(folded)
            self._length += len(folded)

    def add_at(self, folded: str, source: int) -> None:
        """Add characters that all come from one source index."""
        for char in folded:
            self.add(char, source)

    def add_folded(self, folded: Folded, source: int) -> None:
        """Add a text folded before, whose source begins at a source index."""
        cuts = [0, *(index for index, _shift in folded.shifts), len(folded.text)]
        for start, end in pairwise(cuts):
            self.add(folded.text[start:end], source + folded.source_start(start))

    def finish(self, source_length: int) -> Folded:
        """Return what was put together."""
        self._turn(source_length)
        return Folded("".join(self._parts), tuple(self._shifts))

    def _turn(self, source: int) -> None:
        if source - self._length != (self._shifts[-1][1] if self._shifts else 0):
            self._shifts.append((self._length, source - self._length))


def _fold_in_pieces(text: str, table: _Table) -> Folded:
    """Fold a text some of whose characters become more or fewer; `table` has met them all."""
    fabric = _Fabric()
    at = 0
    longer = "".join(map(re.escape, sorted(table.longer)))
    odd = re.compile(f"{_SEQUENCE.pattern}|[{longer}]" if longer else _SEQUENCE.pattern)
    for match in odd.finditer(text):
        fabric.add(text[at : match.start()].translate(table), at)
        fabric.add_at(_SEQUENCE.sub(_fold_sequence, match[0]).translate(table), match.start())
        at = match.end()
    fabric.add(text[at:].translate(table), at)
    return fabric.finish(len(text))


def _fold_sequence(match: re.Match[str]) -> str:
    """Compose kana and voicing mark; drop the rest."""
    return unicodedata.normalize("NFKC", match[0]) if "\uff66" <= match[0][0] <= "\uff9d" else ""
