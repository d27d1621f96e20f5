"""Strings that recur in an unspaced text, and what stands before and after them."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.analysis.rules.checks import GoOn, carry_on, checked

EDGE = ""
"""Stands in the neighbour counts for whatever is no Han character: punctuation, a blank, the end."""

_LONGEST = 7
_SPANS_A_CHECK = 2000
_FORMS_A_CHECK = 500
_FINDS_A_CHECK = 50_000
"""60 ms of work each."""


@dataclass(frozen=True, slots=True)
class Gram:
    """A recurring string with its neighbours."""

    form: str
    count: int
    before: Mapping[str, float]
    """Character before, `EDGE` where there is no Han character."""
    after: Mapping[str, int]
    """Character after, likewise."""
    after_pairs: Mapping[str, int]
    """The two characters after, as they stand, punctuation included."""
    entropy_before: float
    """How unforeseeable the character before is, in nats."""
    entropy_after: float
    """How unforeseeable the character after is, in nats."""

    @property
    def free_before(self) -> float:
        """Share of occurrences that begin a clause, in [0, 1]."""
        return self.before.get(EDGE, 0) / self.count

    @property
    def free_after(self) -> float:
        """Share of occurrences that end a clause, in [0, 1]."""
        return self.after.get(EDGE, 0) / self.count


def make_gram(form: str, before: Mapping[str, float], after: Mapping[str, int], after_pairs: Mapping[str, int]) -> Gram:
    """Return a string with its neighbours, counted."""
    count = sum(after_pairs.values())
    return Gram(form, count, before, after, after_pairs, _entropy(before, count), _entropy(after, count))


def count_grams(
    text: str, barriers: str, *, min_count: int, longest: int = _LONGEST, go_on: GoOn = carry_on
) -> dict[str, Gram]:
    """Count the strings of 2 to `longest` Han characters that occur at least `min_count` times.

    A string is looked at only if both its parts that are one character shorter are frequent enough.

    Args:
        text: Any text.
        barriers: Characters no string may hold; their neighbours still see them.
        min_count: At least 2.
        longest: In characters.
        go_on: Asked on the way.
    """
    runs = re.finditer(rf"[^{re.escape(barriers)}\W\da-zA-Z_ぁ-ヿ]{{2,}}", text)
    spans = [m.span() for m in checked(runs, go_on, _FINDS_A_CHECK)]
    counts = _frequent_counts(text, spans, min_count, longest, go_on)
    return _with_neighbours(text, spans, counts, longest, go_on)


def grams_of(text: str, places: Iterable[tuple[int, int]], min_count: int) -> dict[str, Gram]:
    """Count the strings at given places (start, end) of a text, with their neighbours."""
    before: dict[str, Counter[str]] = defaultdict(Counter)
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    for start, end in places:
        form = text[start:end]
        before[form][text[max(0, start - 1) : start]] += 1
        pairs[form][text[end : end + 2]] += 1
    return {form: _gram(form, side, pairs[form]) for form, side in before.items() if side.total() >= min_count}


def without_followers(gram: Gram, char: str) -> Gram:
    """Return a string's neighbours without the occurrences that `char` follows; those before are scaled."""
    share = 1 - gram.after.get(char, 0) / gram.count
    return make_gram(
        gram.form,
        {before: n * share for before, n in gram.before.items()},
        {after: n for after, n in gram.after.items() if after != char},
        {pair: n for pair, n in gram.after_pairs.items() if pair[:1] != char},
    )


def _frequent_counts(
    text: str, spans: list[tuple[int, int]], min_count: int, longest: int, go_on: GoOn
) -> dict[str, int]:
    pairs: Counter[str] = Counter()
    for start, end in checked(spans, go_on, _SPANS_A_CHECK):
        pairs.update([text[i : i + 2] for i in range(start, end - 1)])
    shorter = {form: n for form, n in pairs.items() if n >= min_count}
    kept = dict(shorter)
    for size in range(3, longest + 1):
        counts: dict[str, int] = {}
        for start, end in checked(spans, go_on, _SPANS_A_CHECK):
            for i in range(start, end - size + 1):
                if text[i : i + size - 1] in shorter and text[i + 1 : i + size] in shorter:
                    form = text[i : i + size]
                    counts[form] = counts.get(form, 0) + 1
        shorter = {form: n for form, n in counts.items() if n >= min_count}
        kept.update(shorter)
    return kept


def _with_neighbours(
    text: str, spans: list[tuple[int, int]], counts: Mapping[str, int], longest: int, go_on: GoOn
) -> dict[str, Gram]:
    starts: dict[str, array[int]] = {form: array("I") for form in counts}
    for start, end in checked(spans, go_on, _SPANS_A_CHECK):
        for i in range(start, end - 1):
            for stop in range(i + 2, min(end, i + longest) + 1):
                places = starts.get(text[i:stop])
                if places is None:  # then nothing longer that begins here is
                    break
                places.append(i)
    previous = "\n" + text
    grams: dict[str, Gram] = {}
    for form in checked(counts, go_on, _FORMS_A_CHECK):
        those, size = starts.pop(form), len(form)
        pairs = Counter([text[i + size : i + size + 2] for i in those])
        grams[form] = _gram(form, Counter(map(previous.__getitem__, those)), pairs)
    return grams


def _gram(form: str, before: Counter[str], pairs: Counter[str]) -> Gram:
    after: dict[str, int] = {}
    for pair, n in pairs.items():
        char = pair[:1] if is_han(pair[:1]) else EDGE
        after[char] = after.get(char, 0) + n
    left: dict[str, float] = {}
    for previous, n in before.items():
        char = previous if is_han(previous) else EDGE
        left[char] = left.get(char, 0) + n
    return make_gram(form, left, after, pairs)


def is_han(char: str) -> bool:
    """Say whether one character is a Han character; False for an empty string."""
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000" or char == "〇"


def _entropy(counts: Mapping[str, float], total: int) -> float:
    return -sum(n / total * math.log(n / total) for n in counts.values()) if total else 0.0
