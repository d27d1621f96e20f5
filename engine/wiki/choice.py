"""Which passages show best who somebody is, chosen by rule and read from the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from engine.domain.book import ChapterKind
from engine.domain.locator import Pos, volume_ord_of
from engine.domain.wiki import PointId
from engine.retrieval.known import KnownWork
from engine.retrieval.where import Whereabouts
from engine.store.points import MentionRow
from engine.wiki.defining import TELLING, defining_score, subject_score
from engine.wiki.describing import describing_score, thinness
from engine.wiki.formulas import Formulas
from engine.wiki.passages import (
    LONGEST_LATIN,
    LONGEST_WIDE,
    Passage,
    Passages,
    is_wide_script,
)

_FIRST_MENTIONS = 24
"""Looked at for a sentence that introduces."""
_FIRST_OF_NAME = 2
_MOST_EARLY = 40
_FEWEST_HERE = 6
"""Mentions in the volume somebody is met in that are enough to choose from."""
_LAST_MENTIONS = 8
_FIRST_FEW = 16
_LEAST_LATIN, _LEAST_WIDE = 60, 18
"""Characters of a passage that is worth its place."""
_THIN = 2.0
"""From here on a passage tells too little to be quoted where there is another."""
_OF_OTHERS = -2.0
"""Below, a sentence is a title or about somebody else, whatever it describes."""
_SAID_TWICE = 0.5
"""What a description adds to a sentence that introduces already."""
_DENSEST = 4
"""Chapters quoted for how often they name somebody."""
_WINDOW_CHARS = 600
_MOST_WEIGHED = 6
"""Passages of a thick stretch that are compared."""
_MOST_KEY = 6
_MOST_TELLING = 3
"""Passages that introduce, quoted under the one at the top."""
_EARLY_BONUS = 3.0
_CUT_MALUS = 1.5
"""For words that begin in the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage and how well it introduces."""

    passage: Passage
    score: float
    """As the words say it."""
    rank: float
    """The same, the earlier the higher."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a page quotes of somebody; every passage ends in a paragraph that has been read."""

    first: Passage
    """Where the reader meets the name."""
    defining: Passage
    """The sentence that introduces best; often the first."""
    last: Passage
    """The last one so far."""
    key: tuple[Passage, ...]
    """Others worth reading, in story order."""


def choose(known: KnownWork, passages: Passages, point: PointId) -> Choice | None:
    """Choose what to quote of a point; None while no paragraph that names it has been read to its end.

    Args:
        known: The work at a boundary.
        passages: Its text up to the same boundary.
        point: Who or what.
    """
    positions = _story_of(known, known.positions(point))
    early = _early(known, point)
    judge = _Judge(Formulas(known))
    late = known.mentions(point, positions[-_LAST_MENTIONS:][0]) if positions else []
    first = _first_readable(early, passages)
    if first is None:
        return None
    # The last few may all stand in a paragraph that is being read.
    last = _first_readable(reversed(late), passages) or _first_readable(reversed(early), passages) or first
    telling = _telling(_introducing(early, passages, judge), judge)
    best = telling[0] if telling else _first_worth_quoting(early, passages, judge) or first
    dense = _dense(known, passages, point, positions, judge)
    worth = [*filter(judge.is_worth_quoting, [first]), *telling[:_MOST_TELLING], *dense]
    key = _key(best, [*worth, *_last_worth_quoting(late, passages, judge)])
    # Where nothing is worth it, what there is: the page would else say less than it could.
    return Choice(first, best, last, key or _key(best, filter(judge.is_long_enough, (first, last))))


def introduction(known: KnownWork, passages: Passages, point: PointId) -> Passage | None:
    """Return the sentence among the first mentions that introduces best; None while none has been read."""
    early = _early(known, point)
    judge = _Judge(Formulas(known))
    telling = _telling(_introducing(early, passages, judge), judge)
    return telling[0] if telling else _first_worth_quoting(early, passages, judge)


class _Judge:
    """Says how well passages of a work speak of whom they name."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas

    def score(self, passage: Passage) -> float:
        """Return how well a passage introduces; from `TELLING` on it says who or what somebody is."""
        at = passage.name_start - passage.start, passage.name_end - passage.start
        built = defining_score(passage.words, *at, is_heading=passage.block.is_heading)
        made = describing_score(passage.words, *at)
        both = max(built, made) + _SAID_TWICE * max(0.0, min(built, made)) if built > _OF_OTHERS else built
        return both - thinness(passage.words, *at)

    def subject(self, passage: Passage) -> float:
        """Return how much a passage speaks of whom it names."""
        start = passage.start
        score = subject_score(passage.words, passage.name_start - start, passage.name_end - start)
        return score - _CUT_MALUS if passage.is_cut_before else score

    def interest(self, passage: Passage) -> float:
        """Return how much a passage tells, by its length and its form: a long plain sentence before a short cry."""
        longest = LONGEST_WIDE if is_wide_script(passage.words) else LONGEST_LATIN
        return self.score(passage) + self.subject(passage) + 3 * min(1.0, len(passage.words) / (longest // 2))

    def is_worth_quoting(self, passage: Passage) -> bool:
        """Say whether a passage is more than a title, a call, a line of verse or how chapters end."""
        if not self.is_long_enough(passage):
            return False
        at = passage.name_start - passage.start, passage.name_end - passage.start
        return thinness(passage.words, *at) < _THIN and not self.is_formula(passage)

    def is_long_enough(self, passage: Passage) -> bool:
        """Say whether a passage is more than a title or a call."""
        least = _LEAST_WIDE if is_wide_script(passage.words) else _LEAST_LATIN
        return not passage.block.is_heading and len(passage.words) >= least

    def is_formula(self, passage: Passage) -> bool:
        """Say whether a passage is how chapters of this work begin or end."""
        return self._formulas.holds(passage)


def _first_worth_quoting(early: Sequence[MentionRow], passages: Passages, judge: _Judge) -> Passage | None:
    """Return the first passage that speaks of whom it names and is more than a call, else the first at all."""
    found = [each for mention in early[:_FIRST_FEW] if (each := passages.around(mention)) is not None]
    worth = [each for each in found if judge.is_worth_quoting(each)]
    # The first of the best: `max` keeps the earlier of two.
    by_interest: Callable[[Passage], float] = lambda each: judge.score(each) + judge.subject(each)  # noqa: E731  (a key)
    return max(worth, key=by_interest, default=None) or _first_readable(early, passages)


def _last_worth_quoting(late: Sequence[MentionRow], passages: Passages, judge: _Judge) -> Iterator[Passage]:
    """Yield the last passage that tells something of whom it names, if one does."""
    found = (each for mention in reversed(late) if (each := passages.around(mention)) is not None)
    yield from islice((each for each in found if judge.is_worth_quoting(each) and judge.subject(each) > 0), 1)


def _early(known: KnownWork, point: PointId) -> list[MentionRow]:
    """Return the first mentions in the story, and the first of each name; without any, those outside it."""
    some = {row.pos: row for row in known.mentions(point, limit=2 * _FIRST_MENTIONS)}
    some |= {row.pos: row for row in known.first_of_each_name(point, _FIRST_OF_NAME)}
    rows = [some[pos] for pos in sorted(some)]
    story = [row for row in rows if _is_story(known.where, row.pos)] or rows
    # Another volume may tell of a namesake, and what it tells is not how one is introduced.
    here = [row for row in story if volume_ord_of(row.pos) == volume_ord_of(story[0].pos)] if story else []
    return (here if len(here) >= _FEWEST_HERE else story)[:_MOST_EARLY]


def _story_of(known: KnownWork, positions: list[Pos]) -> list[Pos]:
    """Return the positions within the story; all of them when none is."""
    inside = [group for index, group in _by_chapter(known.where, positions) if _tells_story(known.where, index)]
    return list(chain.from_iterable(inside)) or positions


def _by_chapter(where: Whereabouts, positions: Sequence[Pos]) -> Iterator[tuple[int, Sequence[Pos]]]:
    """Yield the index of each chapter that is named in with the positions there."""
    at = 0
    while at < len(positions):
        border = where.next_border(positions[at])
        end = len(positions) if border is None else bisect_left(positions, border, at + 1)
        yield where.index_at(positions[at]), positions[at:end]
        at = end


def _is_story(where: Whereabouts, pos: Pos) -> bool:
    return _tells_story(where, where.index_at(pos))


def _tells_story(where: Whereabouts, index: int) -> bool:
    return index >= 0 and where.chapters[index].kind is ChapterKind.BODY


def _telling(candidates: Iterable[Candidate], judge: _Judge) -> list[Passage]:
    """Return the passages that say something about whom they name, best first."""
    telling = [each for each in candidates if each.score >= TELLING and not judge.is_formula(each.passage)]
    return [each.passage for each in sorted(telling, key=lambda each: -each.rank)]


def _first_readable(mentions: Iterable[MentionRow], passages: Passages) -> Passage | None:
    """Return the passage of the first mention outside titles, else of the first at all."""
    title: Passage | None = None
    for mention in mentions:
        found = passages.around(mention)
        if found is not None and not found.block.is_heading:
            return found
        title = title or found
    return title


def _introducing(early: Sequence[MentionRow], passages: Passages, judge: _Judge) -> list[Candidate]:
    """Return the passages of the first mentions with how well they introduce."""
    found = []
    for number, mention in enumerate(early):
        passage = passages.around(mention)
        if passage is not None:
            score = judge.score(passage)
            found.append(Candidate(passage, score, score + _EARLY_BONUS * (1 - number / len(early))))
    return found


def _dense(
    known: KnownWork, passages: Passages, point: PointId, positions: Sequence[Pos], judge: _Judge
) -> list[Passage]:
    """Return a passage from the thick of each of the chapters that name the point most, if one there is worth it."""
    chapters = [group for _index, group in _by_chapter(known.where, positions) if len(group) > 1]
    found = []
    for group in sorted(chapters, key=lambda each: (-len(each), each[0]))[:_DENSEST]:
        there = known.mentions(point, _thickest(group), limit=_MOST_WEIGHED)
        near = [passage for each in there if (passage := passages.around(each)) and judge.is_worth_quoting(passage)]
        found += [max(near, key=judge.interest)] if near else []
    return found


def _thickest(positions: Sequence[Pos]) -> Pos:
    """Return where the mentions stand closest together."""
    best, end, most = positions[0], 0, 0
    for start, pos in enumerate(positions):
        while end < len(positions) and positions[end] - pos < _WINDOW_CHARS:
            end += 1
        if end - start > most:
            best, most = pos, end - start
    return best


def _key(best: Passage, worth: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages in story order, a paragraph once, the best one left out: it stands at the top already."""
    chosen: dict[tuple[int, int], Passage] = {}
    for passage in worth:
        if _place(passage) != _place(best) and len(chosen) < _MOST_KEY:
            chosen.setdefault(_place(passage), passage)
    by_pos: Callable[[Passage], Pos] = lambda passage: passage.pos  # noqa: E731  (a key)
    return tuple(sorted(chosen.values(), key=by_pos))


def _place(passage: Passage) -> tuple[int, int]:
    return passage.block.document, passage.block.start
