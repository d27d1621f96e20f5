"""From a selection, or typed words, to the points it may mean: exact, folded, alias, title, contained, fuzzy.

Nothing here joins anything: a match is an offer. Only names known at the boundary are in the
index at all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.domain.knowledge import AliasKind
from engine.domain.locator import Locator, Pos
from engine.domain.wiki import MatchHow, NameMatch, PointId
from engine.retrieval.known import KnownWork
from engine.retrieval.titles import Parsed, is_no_name, parse_name
from engine.store.points import AliasRow
from engine.text.fold import fold_words

_MOST_MATCHES = 12
_LONGEST_CHARS = 100
"""A selection longer than this is no name."""
_FUZZY_RATIO = 80.0
_FUZZY_CHARS = 4
"""Shorter names are alike by chance: no ratio tells 蕾娜 and 蕾娜斯 apart."""
_GRAM_SHARE = 0.35
"""Least share of a name's runs of letters that one at a ratio of 80 shares, in practice."""
_LENGTH_SHARE = _FUZZY_RATIO / (200.0 - _FUZZY_RATIO)
"""A ratio of 80 needs the shorter name to be two thirds of the longer."""
_SEGMENT = re.compile(r"[·=゠]")
"""Between the segments of a folded name: アンナ・カレーニナ."""
_ORDER = {how: number for number, how in enumerate(MatchHow)}


@dataclass(frozen=True, slots=True)
class Found:
    """An alias that fits."""

    alias: AliasRow
    how: MatchHow
    ratio: float


class NameIndex:
    """The names of a work known up to a pos, by all that a look-up asks for. Not thread-safe while it grows."""

    def __init__(self) -> None:
        self.upto: Pos = -1
        self._parsed: list[Parsed] = []
        self._cores: list[str] = []
        self._rows: list[AliasRow] = []
        self._by_form: dict[str, list[int]] = defaultdict(list)
        self._by_norm: dict[str, list[int]] = defaultdict(list)
        self._by_core: dict[str, list[int]] = defaultdict(list)
        self._by_token: dict[str, list[int]] = defaultdict(list)
        self._by_segment: dict[str, list[int]] = defaultdict(list)
        self._by_gram: dict[str, list[int]] = defaultdict(list)

    def extend(self, rows: Iterable[AliasRow], upto: Pos) -> None:
        """Take in the names that become known up to a pos, beyond the present one."""
        for row in rows:
            number = len(self._rows)
            parsed = parse_name(row.norm)
            self._rows.append(row)
            self._parsed.append(parsed)
            self._by_form[row.form].append(number)
            self._by_norm[row.norm].append(number)
            self._by_core[parsed.core].append(number)
            for token in set(parsed.tokens):
                self._by_token[token].append(number)
            for segment in _segments(row.norm):
                self._by_segment[segment].append(number)
            self._cores.append(parsed.core)
            for gram in {gram for size in _gram_sizes(parsed.core) for gram in _grams(parsed.core, size)}:
                self._by_gram[gram].append(number)
        self.upto = max(self.upto, upto)

    def find(self, text: str) -> list[Found]:
        """Return the aliases that fit a text, each once, best first."""
        wanted = " ".join(text.split())
        norm = fold_words(wanted)
        if not any(char.isalnum() for char in norm) or len(norm) > _LONGEST_CHARS:
            return []
        found: dict[int, Found] = {}
        for number, how, ratio in self._fitting(wanted, norm):
            found.setdefault(number, Found(self._rows[number], how, ratio))
        return sorted(found.values(), key=lambda each: (_ORDER[each.how], -each.ratio, each.alias.known_pos))

    def _fitting(self, wanted: str, norm: str) -> Iterator[tuple[int, MatchHow, float]]:
        same = [*self._by_form.get(wanted, ()), *self._by_norm.get(norm, ())]
        for number in same:
            yield number, MatchHow.EXACT if self._rows[number].form == wanted else MatchHow.FOLDED, 100.0
        parsed = parse_name(norm)
        if not all(is_no_name(token) for token in parsed.tokens):
            related = [*self._titled(parsed), *self._containing(norm, parsed)]
            # Whoever only bears the same family name is no answer where the very name is known.
            yield from (each for each in related if not same or not self._is_bare_family(each[0]))
        if not same:
            yield from self._alike(parsed)

    def _is_bare_family(self, number: int) -> bool:
        row = self._rows[number]
        return row.kind is AliasKind.FAMILY and row.is_shared

    def _titled(self, parsed: Parsed) -> Iterator[tuple[int, MatchHow, float]]:
        """Yield the same name under another title or under none, and with or without an article."""
        for number in self._by_core.get(parsed.core, ()):
            other = self._parsed[number]
            if parsed.agrees_with(other):
                how = MatchHow.TITLE if parsed.has_title or other.has_title else MatchHow.FOLDED
                yield number, how, 100.0

    def _containing(self, norm: str, parsed: Parsed) -> Iterator[tuple[int, MatchHow, float]]:
        """Yield names that hold all words wanted, or are held by them, in a run; and those with the same segment."""
        for number in self._by_segment.get(norm, ()):
            yield number, MatchHow.CONTAINED, _share(norm, self._rows[number].norm)
        for segment in _segments(norm):
            for number in self._by_norm.get(segment, ()):
                yield number, MatchHow.CONTAINED, _share(norm, segment)
        rarest = min((self._by_token.get(token, []) for token in parsed.tokens), key=len, default=[])
        for number in {*rarest, *self._held(parsed)}:
            other = self._parsed[number]
            if parsed.agrees_with(other) and (
                _is_run(parsed.tokens, other.tokens) or _is_run(other.tokens, parsed.tokens)
            ):
                yield number, MatchHow.CONTAINED, _share(parsed.core, other.core)

    def _held(self, parsed: Parsed) -> Iterator[int]:
        """Yield names that begin with one of several words wanted."""
        for token in parsed.tokens if len(parsed.tokens) > 1 else ():
            if not is_no_name(token):
                yield from (n for n in self._by_token.get(token, ()) if self._parsed[n].tokens[0] == token)

    def _alike(self, parsed: Parsed) -> Iterator[tuple[int, MatchHow, float]]:
        core = parsed.core
        if len(core) < _FUZZY_CHARS:
            return
        from rapidfuzz import fuzz, process  # a native library; most look-ups find the very name

        near = self._candidates(core)
        alike = process.extract(
            core,
            [self._cores[number] for number in near],
            scorer=fuzz.ratio,
            processor=None,
            score_cutoff=_FUZZY_RATIO,
            limit=_MOST_MATCHES * 2,
        )
        for _core, ratio, index in alike:
            if parsed.agrees_with(self._parsed[near[index]]):
                yield near[index], MatchHow.FUZZY, ratio

    def _candidates(self, core: str) -> list[int]:
        """Return names of a like length that share one of the rarer runs of letters.

        Whatever shares `_GRAM_SHARE` of the runs has one of the others left out, so the commonest need no look.
        """
        grams = sorted(_grams(core, _gram_sizes(core)[0]), key=lambda gram: len(self._by_gram.get(gram, ())))
        rarest = grams[: len(grams) - max(1, int(len(grams) * _GRAM_SHARE)) + 1]
        least, most = max(_FUZZY_CHARS, len(core) * _LENGTH_SHARE), len(core) / _LENGTH_SHARE
        near: set[int] = set().union(*(self._by_gram.get(gram, ()) for gram in rarest))
        return [number for number in near if least <= len(self._cores[number]) <= most]


def resolve(known: KnownWork, index: NameIndex, text: str, at: Locator | None = None) -> tuple[NameMatch, ...]:
    """Return the points a text may mean, each once, best first.

    Args:
        known: What may be known; decides what each is called.
        index: Of the same work, no further than the bound.
        text: As selected or typed.
        at: Where it was selected: the point named there comes before other bearers of the name.
    """
    here = _named_at(known, at)
    matches: dict[PointId, NameMatch] = {}
    for found in index.find(text):
        point = known.members(found.alias.point)[0]
        if point in matches:
            continue
        match = _match(known, point, found)
        if match is not None:
            matches[point] = match
    for point, form in here.items():
        if point not in matches and (known_point := known.point(point)) is not None:
            matches[point] = NameMatch(
                point, known_point.kind, known_point.name, form, MatchHow.CONTAINED, _share(fold_words(text), form)
            )
    ordered = sorted(matches.values(), key=lambda match: (_ORDER[match.how], match.point not in here))
    return tuple(ordered[:_MOST_MATCHES])


def _match(known: KnownWork, point: PointId, found: Found) -> NameMatch | None:
    head = known.head(point)
    if head is None:  # hidden by the reader
        return None
    kind, name = head
    how = found.how
    if how in (MatchHow.EXACT, MatchHow.FOLDED) and found.alias.form != name:
        how = MatchHow.ALIAS
    return NameMatch(point, kind, name, found.alias.form, how, found.ratio)


def _named_at(known: KnownWork, at: Locator | None) -> dict[PointId, str]:
    """Return the points named in a range, each with the form that stands there."""
    if at is None or at.end - at.start > _LONGEST_CHARS:
        return {}
    return {
        name.point: known.text_of(at.document, name.start, name.end)
        for name in known.names_in(at.document, at.start, at.end)
    }


def _segments(norm: str) -> tuple[str, ...]:
    parts = tuple(part for part in _SEGMENT.split(norm) if part)
    return parts if len(parts) > 1 else ()


def _gram_sizes(core: str) -> tuple[int, ...]:
    """Return the lengths of the runs of letters a name is listed under; it is looked for by the first.

    Pairs of Latin letters are shared by too many names, runs of three by too few short ones.
    """
    if len(core) < _FUZZY_CHARS:
        return ()
    if max(core) >= "\u2e80":
        return (2,)
    return (2, 3) if len(core) < 6 else (3, 2) if len(core) < 8 else (3,)


def _grams(core: str, size: int) -> set[str]:
    return {core[i : i + size] for i in range(len(core) - size + 1)}


def _is_run(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    """Say whether some words stand next to each other, in their order, among more."""
    size = len(few)
    return 0 < size < len(many) and any(many[i : i + size] == few for i in range(len(many) - size + 1))


def _share(a: str, b: str) -> float:
    """Return how much of the longer of two strings the shorter is, 0-100."""
    return 100.0 * min(len(a), len(b)) / max(len(a), len(b), 1)
