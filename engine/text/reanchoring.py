"""Find a quoted passage again, from its first character to its last, in a text that may have changed.

What is found is certain or it is not found: a note under the wrong words is worse than one that is listed as lost.
Stricter than `engine.text.anchoring`, which looks for the nearest place to go on reading from.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from engine.domain.locator import QuoteSelector
from engine.text.anchoring import NO_LETTERS, common_start, occurrences, signs_of

_LETTERS = re.compile(r"[^\W_]+")
_TELLING = 36
"""Letters of the passage and of its surroundings that must agree together."""
_TELLING_HAN = 16
"""The same where the passage is Chinese or Japanese: a character there says as much as a syllable and more."""
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_EDGE = 12
"""Letters at either end of a changed passage by which its ends are found."""
_LEAST_EDGE = 8
"""The least of them that is looked for alone."""
_LEAST_MENDED = 4
"""Letters of the shortest passage that is looked for though something in it was changed."""
_LEAST_ALIKE = 75.0
"""Least likeness of a changed passage to what stands between the ends found, 0-100."""
_NEAR = 300
"""Letters from where a passage is expected that are close to it."""
_LEAST_ALONE = 6
"""Letters of the shortest changed passage that is looked for without its surroundings, where it is expected."""
_LEAST_ALIKE_ALONE = 85.0
_SLIPS = (0, 1, -1, 2, -2)
_CLEARLY_ALIKE = 15.0
"""By so much must such a one be more alike than anything else there."""
_MOST_AROUND = 64
"""Letters of the surroundings that count beside the likeness of a changed passage."""
_CLEARLY = 3
"""Letters by which the best of several places must agree better than the next."""
_GROWN = 1.3
"""Most a passage may have grown or shrunk."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a passage stands."""

    start: int
    end: int
    """Exclusive."""


class Letters:
    """A text as its letters alone, with the way back to offsets; made once for many passages."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self.text = text
        self.letters = NO_LETTERS.sub("", text)
        runs = [(match.start(), match.end()) for match in _LETTERS.finditer(text)]
        self._starts: list[int] = []
        """Number of the first letter of each run."""
        self._offsets = [start for start, _end in runs]
        at = 0
        for start, end in runs:
            self._starts.append(at)
            at += end - start

    def offset(self, letter: int) -> int:
        """Return the offset of a letter by its number."""
        run = bisect_right(self._starts, letter) - 1
        return self._offsets[run] + letter - self._starts[run]

    def number(self, offset: int) -> int:
        """Return how many letters stand before an offset."""
        return len(NO_LETTERS.sub("", self.text[:offset])) if offset < len(self.text) else len(self.letters)


def find_passage(
    where: Letters, quote: QuoteSelector, expected: int | None = None, *, may_be_mended: bool = True
) -> Found | None:
    """Return where a passage stands in a text, None when it is not certain.

    First the very words with their surroundings. Then the same letters, whatever became of
    spaces and punctuation. Of several places the one whose surroundings agree clearly better
    than those of any other; where they agree alike, as in a refrain, the one clearly nearest to
    where it is expected. Last a passage in which words were mended: both
    ends are found by the letters next to them, and what lies between must be alike.

    Args:
        where: The text.
        quote: The passage's own words and those around it.
        expected: Offset at which it should begin; None where that is not known.
        may_be_mended: Letters of it may have changed.
    """
    if not quote.exact:
        return None
    text, whole = where.text, quote.prefix + quote.exact + quote.suffix
    very = [at + len(quote.prefix) for at in occurrences(text, whole)]
    if len(very) == 1:
        return Found(very[0], very[0] + len(quote.exact))
    if very:
        nearest = _clearly_nearest(very, expected)
        return None if nearest is None else Found(nearest, nearest + len(quote.exact))
    wanted = _Wanted(*(NO_LETTERS.sub("", part) for part in (quote.prefix, quote.exact, quote.suffix)))
    if not wanted.exact:
        return None
    found = _same_letters(where, wanted, expected)
    if found is None and may_be_mended and len(wanted.exact) >= _LEAST_MENDED:
        found = _mended(where, wanted, expected)
    if found is None and may_be_mended and len(wanted.exact) >= _LEAST_ALONE and expected is not None:
        found = _alike_near(where, wanted.exact, where.number(expected))
    return None if found is None else _with_signs(where.text, found, quote.exact)


def letters_found(text: str, words: str) -> Found | None:
    """Return the first place where words stand, whatever spaces and punctuation are between their letters."""
    at = text.find(words) if words else -1
    if at >= 0:
        return Found(at, at + len(words))
    wanted = NO_LETTERS.sub("", words)
    if not wanted:
        return None
    where = Letters(text)
    letter = where.letters.find(wanted)
    if letter < 0:
        return None
    return _with_signs(text, Found(where.offset(letter), where.offset(letter + len(wanted) - 1) + 1), words.strip())


def near_words(text: str, words: str, expected: int) -> int | None:
    """Return where some words stand nearest to an offset; None where they are nowhere."""
    return min(occurrences(text, words), key=lambda at: abs(at - expected), default=None)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The letters of a passage and of what stood around it."""

    prefix: str
    exact: str
    suffix: str


def _same_letters(where: Letters, wanted: _Wanted, expected: int | None) -> Found | None:
    letters, size = where.letters, len(wanted.exact)
    scored = [(_around(letters, at, at + size, wanted), at) for at in occurrences(letters, wanted.exact)]
    best = _best(scored, where, expected)
    if best is None:
        return None
    score, at = best
    if score < min(_telling(wanted, where, at, expected) - size, len(wanted.prefix) + len(wanted.suffix)):
        return None
    return Found(where.offset(at), where.offset(at + size - 1) + 1)


def _best(scored: list[tuple[int, int]], where: Letters, expected: int | None) -> tuple[int, int] | None:
    """Return the (score, letter) that is clearly the best; among equals the one clearly nearest."""
    if not scored:
        return None
    top = max(score for score, _at in scored)
    rivals = [(score, at) for score, at in scored if top - score < _CLEARLY]
    if len(rivals) == 1:
        return rivals[0]
    if expected is None:
        return None
    nearest = _clearly_nearest([at for _score, at in rivals], where.number(expected))
    return next(((score, at) for score, at in rivals if at == nearest), None)


def _around(letters: str, start: int, end: int, wanted: _Wanted) -> int:
    """Return how many letters before and behind a place agree with what stood around the passage."""
    before = letters[max(0, start - len(wanted.prefix)) : start]
    after = letters[end : end + len(wanted.suffix)]
    return common_start(before[::-1], wanted.prefix[::-1]) + common_start(after, wanted.suffix)


def _mended(where: Letters, wanted: _Wanted, expected: int | None) -> Found | None:
    """Find a passage in which something was changed by its surroundings and its own edges."""
    from rapidfuzz import fuzz  # only where a passage has changed

    letters, size = where.letters, len(wanted.exact)
    edge = min(_EDGE, size // 2)
    starts = _edges(letters, wanted.prefix, wanted.exact[:edge])
    ends = _edges(letters, wanted.exact[-edge:], wanted.suffix)
    alike: list[tuple[int, int, int]] = []
    for start in starts:
        least, most = (bisect_left(ends, start + size * part) for part in (1 / _GROWN, _GROWN))
        for end in ends[max(0, least - 1) : most + 1]:
            ratio = fuzz.ratio(wanted.exact, letters[start:end])
            around = _around(letters, start, end, wanted)
            telling = min(_telling(wanted, where, start, expected), size + len(wanted.prefix) + len(wanted.suffix))
            if ratio >= _LEAST_ALIKE and around + size * ratio / 100 >= telling:
                # Likeness before surroundings: a paragraph put in before the passage is none of it.
                alike.append((min(around, _MOST_AROUND) + 4 * round(ratio), start, end))
    best = _best([(score, start) for score, start, _end in alike], where, expected)
    if best is None:
        return None
    ways = {end for score, start, end in alike if (score, start) == best}
    end = ways.pop()
    return None if ways else Found(where.offset(best[1]), where.offset(end - 1) + 1)


def _telling(wanted: _Wanted, where: Letters, at: int, expected: int | None) -> int:
    """Return how many letters must agree; half as many where the passage is expected."""
    telling = _TELLING_HAN if _HAN.search(wanted.exact) else _TELLING
    is_near = expected is not None and abs(where.number(expected) - at) <= _NEAR
    return telling // 2 if is_near else telling


def _alike_near(where: Letters, exact: str, expected: int) -> Found | None:
    """Find a changed passage whose surroundings have changed too, close to where it is expected."""
    from rapidfuzz import fuzz  # only where a passage has changed

    first = max(0, expected - _NEAR)
    window = where.letters[first : expected + len(exact) + _NEAR]
    best = fuzz.partial_ratio_alignment(exact, window, score_cutoff=_LEAST_ALIKE_ALONE)
    if best is None or best.dest_end - best.dest_start < _LEAST_ALONE - 1:
        return None
    # The alignment is as long as the passage was; what was put in or left out moves one of its ends.
    starts = [at for n in _SLIPS if window.startswith(exact[:2], at := max(0, best.dest_start + n))]
    ends = [at for n in _SLIPS if window.endswith(exact[-2:], 0, at := max(0, best.dest_end + n))]
    if not starts or not ends or starts[0] >= ends[0]:
        return None
    start, end = starts[0], ends[0]
    rest = window[:start] + "\n" * len(exact) + window[end:]
    rival = fuzz.partial_ratio(exact, rest)
    if rival > best.score - _CLEARLY_ALIKE:
        return None
    return Found(where.offset(first + start), where.offset(first + end - 1) + 1)


def _edges(letters: str, before: str, after: str) -> list[int]:
    """Return where `before` ends and `after` begins: both are there, or one of them in full."""
    before, after = before[-_EDGE:], after[:_EDGE]
    both = [at + len(before) for at in occurrences(letters, before + after)] if before or after else []
    if both:
        return both
    found = [at + len(before) for at in occurrences(letters, before)] if len(before) >= _LEAST_EDGE else []
    found += list(occurrences(letters, after)) if len(after) >= _LEAST_EDGE else []
    return sorted(set(found))


def _with_signs(text: str, found: Found, exact: str) -> Found:
    """Take the signs at both ends of a passage, such as quotation marks, in again."""
    start, end = found.start, found.end
    lead = exact[: len(exact) - len(exact.lstrip(signs_of(exact)))]
    tail = exact[len(exact.rstrip(signs_of(exact))) :]
    if lead and text[:start].endswith(lead):
        start -= len(lead)
    if tail and text.startswith(tail, end):
        end += len(tail)
    return Found(start, end)


def _clearly_nearest(places: Iterable[int], expected: int | None) -> int | None:
    """Return the place nearest to where one is expected; None when another is nearly as near."""
    if expected is None:
        return None
    by_distance = sorted(places, key=lambda at: abs(at - expected))
    nearest, second = (abs(at - expected) for at in by_distance[:2]) if len(by_distance) > 1 else (0, 1)
    return by_distance[0] if nearest * 3 < second else None
