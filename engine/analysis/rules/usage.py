"""What stands around names in this very text, learned from the strings that are surely names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.analysis.rules.grams import EDGE, Gram

_LIMIT = 2.5
"""No single neighbour says more than this, in nats."""
_SMOOTHING = 50.0
_AS_GOOD_AS_EXPECTED = 20
"""So many sure names tell as much as what is known of the language beforehand."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Log odds of each neighbouring character: how much likelier beside a name than beside any string."""

    before: Mapping[str, float]
    after: Mapping[str, float]
    followers: frozenset[str]
    """Characters that follow many different names: no name ends in them by chance."""
    leaders: frozenset[str]
    """Characters that stand before many different names."""

    def score(self, gram: Gram) -> float:
        """Return how much a string is used like the names, in nats: the mean of both sides, added."""
        return _mean(self.before, gram.before, gram.count) + _mean(self.after, gram.after, gram.count)


def learn_usage(
    names: Iterable[Gram],
    others: Iterable[Gram],
    *,
    expected_before: Mapping[str, float],
    expected_after: Mapping[str, float],
) -> Usage:
    """Learn from strings that surely are names, against strings of all sorts.

    A string counts by the root of its frequency, so that the hero's habits are not the rule.
    Where few names are sure, what is expected of the language fills in.

    Args:
        names: Sure ones; a few will do, some twenty count as much as what is expected.
        others: Strings that are bounded like words.
        expected_before: Log odds of the character before a name, in nats; a missing one is 0.
        expected_after: Likewise of the character after it.
    """
    sure, rest = list(names), list(others)
    trust = len(sure) / (len(sure) + _AS_GOOD_AS_EXPECTED)
    return Usage(
        before=_blend(_log_odds((g.before for g in sure), (g.before for g in rest)), expected_before, trust),
        after=_blend(_log_odds((g.after for g in sure), (g.after for g in rest)), expected_after, trust),
        followers=_widespread(g.after for g in sure),
        leaders=_widespread(g.before for g in sure),
    )


def _blend(learned: Mapping[str, float], expected: Mapping[str, float], trust: float) -> dict[str, float]:
    chars = learned.keys() | expected.keys()
    return {char: trust * learned.get(char, 0.0) + (1 - trust) * expected.get(char, 0.0) for char in chars}


def _pool(sides: Iterable[Mapping[str, float]]) -> Counter[str]:
    pooled: Counter[str] = Counter()
    for side in sides:
        weight = 1 / math.sqrt(sum(side.values()) or 1)
        for char, n in side.items():
            pooled[char] += n * weight  # type: ignore[assignment]  # Counter sums fractions as well
    return pooled


def _log_odds(names: Iterable[Mapping[str, float]], others: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return log(share among names / share among others), drawn to 0 where little was seen."""
    seen, background = _pool(names), _pool(others)
    total, total_others = sum(seen.values()), sum(background.values()) + 1.0
    odds: dict[str, float] = {}
    for char in seen.keys() | background.keys():
        usual = (background.get(char, 0.0) + 0.5) / total_others
        share = (seen.get(char, 0.0) + _SMOOTHING * usual) / (total + _SMOOTHING)
        odds[char] = max(-_LIMIT, min(_LIMIT, math.log(share / usual)))
    return odds


def _widespread(sides: Iterable[Mapping[str, float]]) -> frozenset[str]:
    seen: Counter[str] = Counter()
    names = 0
    for side in sides:
        names += 1
        seen.update(char for char, n in side.items() if char != EDGE)
    return frozenset(char for char, n in seen.items() if n >= max(4, names * 0.1))


def _mean(odds: Mapping[str, float], side: Mapping[str, float], count: int) -> float:
    return sum(odds.get(char, 0.0) * n for char, n in side.items()) / count
