"""The rule by which lists of characters are scored, found ones against a list made by people.

Main characters speak ten times at least; where nobody counted who speaks, their names stand 30
times in the text (or as often as the book's own file says). A found point counts from as many
mentions on. Found and listed characters are matched one to one, by the mentions of the names they
share; F1 is of the share of main characters found and the share of found points that match. A found
point none of whose names is a listed character's, but that the list knows as a further person,
counts neither way. Pair F is over pairs of names that both sides know: same person or not. Names
that two listed characters bear are left out of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_PUNCTUATION = re.compile(r"[.,;:!?\"()\[\]]")
_TEXT_PUNCTUATION = re.compile(r"[.,;:!?\"()\[\]_“”‘-]|--|—")


@dataclass(frozen=True, slots=True)
class Listed:
    """A character of the list."""

    name: str
    aliases: tuple[str, ...]
    quotes: int | None
    """How often the character speaks; None when nobody counted."""


@dataclass(frozen=True, slots=True)
class Found:
    """A person the analyst found."""

    name: str
    aliases: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Score:
    """How one book went."""

    recall: float
    precision: float
    same_right: int
    """Pairs of names rightly joined."""
    same_wrong: int
    same_missed: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    doubled: tuple[str, ...]

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision."""
        return f_of(self.precision, self.recall)


def f_of(precision: float, recall: float) -> float:
    """Return the harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def pair_f(scores: Iterable[Score]) -> float:
    """Return the pair F over all pairs of all books."""
    those = list(scores)
    right, wrong, missed = (sum(getattr(s, field) for s in those) for field in _PAIR_FIELDS)
    return f_of(right / max(1, right + wrong), right / max(1, right + missed))


_PAIR_FIELDS = ("same_right", "same_wrong", "same_missed")


def folded(name: str) -> str:
    """Return a name as the rule compares it."""
    name = " ".join(_PUNCTUATION.sub(" ", name.replace("’", "'").replace("_", " ")).split()).casefold()
    return name.removesuffix("'s").removeprefix("the ")


def score(
    text: str, listed: Sequence[Listed], found: Sequence[Found], *, floor: int, also: Collection[str] = frozenset()
) -> Score:
    """Score one book.

    Args:
        text: The whole text.
        listed: All characters of the list.
        found: All people found.
        floor: Mentions from which a found person counts, and a character nobody counted quotes of is a main one.
        also: Folded names of further people.
    """
    gold = [(each, frozenset(_comparable(each))) for each in listed]
    counts = _occurrences(text, {form for _each, forms in gold for form in forms})
    gold = [(each, frozenset(f for f in forms if counts[f])) for each, forms in gold]
    gold = [(each, forms) for each, forms in gold if forms]
    is_counted = any(each.quotes for each, _forms in gold)
    main = {
        i
        for i, (each, forms) in enumerate(gold)
        if ((each.quotes or 0) >= 10 if is_counted else sum(counts[f] for f in forms) >= floor)
    }
    mine = [frozenset(folded(form) for form in (each.name, *each.aliases)) - {""} for each in found]
    matches, candidates = _match([forms for _each, forms in gold], mine, counts)
    kept = [
        j for j, each in enumerate(found) if each.count >= floor and (j in candidates or not mine[j] & frozenset(also))
    ]
    right, wrong, missed = _pairs(main, [forms for _each, forms in gold], mine, found)
    hit = [j for j in kept if j in matches.values()]
    return Score(
        recall=len(main & matches.keys()) / max(1, len(main)),
        precision=len(hit) / max(1, len(kept)),
        same_right=right,
        same_wrong=wrong,
        same_missed=missed,
        missed=tuple(gold[i][0].name for i in sorted(main - matches.keys())),
        wrong=tuple(found[j].name for j in kept if j not in candidates),
        doubled=tuple(found[j].name for j in kept if j in candidates and j not in hit),
    )


def _comparable(listed: Listed) -> Iterator[str]:
    """Yield the folded names that are names: with a capital, or not in Latin letters."""
    for alias in (*listed.aliases, listed.name):
        if (
            alias.startswith("_")
            or alias.lower() in {"narrator", "unknown"}
            or not re.search(r"[A-Z]|[^\x00-\x7f]", alias)
        ):
            continue
        if folded(alias) and not (_CJK.search(alias) and len(alias) < 2):
            yield folded(alias)


def _occurrences(text: str, forms: Collection[str]) -> Counter[str]:
    """Count whole-word occurrences, the longest form first at each place."""
    if any(_CJK.search(form) for form in forms):
        longest_first = sorted(forms, key=len, reverse=True)
        return Counter(match[0] for match in re.finditer("|".join(map(re.escape, longest_first)), text))
    words = _TEXT_PUNCTUATION.sub(" ", text.replace("’", "'")).casefold().replace("'s ", " ").split()
    by_first: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
    for form in sorted(forms, key=len, reverse=True):
        parts = form.replace("-", " ").split()
        by_first[parts[0]].append((parts, form))
    counts: Counter[str] = Counter()
    i = 0
    while i < len(words):
        hit = next(((p, f) for p, f in by_first.get(words[i], ()) if words[i : i + len(p)] == p), None)
        i += len(hit[0]) if hit else 1
        counts.update([hit[1]] if hit else [])
    return counts


def _match(
    gold: Sequence[frozenset[str]], mine: Sequence[frozenset[str]], counts: Mapping[str, int]
) -> tuple[dict[int, int], set[int]]:
    """Return (listed → found, one to one and heaviest first; all found that share a name with any listed)."""
    bearers: dict[str, list[int]] = defaultdict(list)
    for i, forms in enumerate(gold):
        for form in forms:
            bearers[form].append(i)
    pairs: list[tuple[float, int, int]] = []
    for j, forms in enumerate(mine):
        weights: dict[int, float] = defaultdict(float)
        for form in forms:
            for i in bearers.get(form, ()):
                weights[i] += counts[form] / len(bearers[form])
        pairs.extend((weight, i, j) for i, weight in weights.items())
    matches: dict[int, int] = {}
    for _weight, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if i not in matches and j not in matches.values():
            matches[i] = j
    return matches, {j for _weight, _i, j in pairs}


def _pairs(
    main: Collection[int], gold: Sequence[frozenset[str]], mine: Sequence[frozenset[str]], found: Sequence[Found]
) -> tuple[int, int, int]:
    """Return (rightly joined, wrongly joined, missed) pairs of names of main characters."""
    bearers: dict[str, list[int]] = defaultdict(list)
    for i, forms in enumerate(gold):
        for form in forms:
            bearers[form].append(i)
    owner: dict[str, int] = {}
    for j in sorted(range(len(mine)), key=lambda j: -found[j].count):
        for form in mine[j]:
            owner.setdefault(form, j)
    shared = [f for f, those in bearers.items() if len(those) == 1 and those[0] in main and f in owner]
    tally: Counter[tuple[bool, bool]] = Counter(
        (bearers[a][0] == bearers[b][0], owner[a] == owner[b]) for a, b in combinations(shared, 2)
    )
    return tally[True, True], tally[False, True], tally[True, False]
