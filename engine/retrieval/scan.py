"""Search the text itself, by words or by pattern, from one end of a range to the other.

The folded text of five million characters is looked through in 20 ms, see
docs/decisions/0012-search-in-the-text.md, so plain searches need no index.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from engine.domain.locator import Pos
from engine.domain.search import HitRun, TextQuery
from engine.errors import PatternInvalidError, PatternSlowError
from engine.store.folded import Stretch
from engine.text.fold import Folded, fold_pattern, fold_words

PATTERN_S = 2.0
"""Longest a pattern may run in one search."""
_BLANKS = str.maketrans("\n\t", "  ")

Matcher: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]
"""Finds (start, end) in a folded text, in order and apart."""


def make_matcher(query: TextQuery, *, limit_s: float = PATTERN_S) -> Matcher:
    """Return what finds a query in folded text.

    Args:
        query: What is looked for; blanks in words stand for any white space.
        limit_s: Longest a pattern may run, over all texts the matcher is given.

    Raises:
        PatternInvalidError: it is no regular expression.
    """
    return _pattern_matcher(query.words, limit_s) if query.is_pattern else _words_matcher(fold_words(query.words))


def _words_matcher(words: str) -> Matcher:
    has_blanks = " " in words

    def find(text: str) -> Iterator[tuple[int, int]]:
        if has_blanks:
            text = text.translate(_BLANKS)
        at = text.find(words) if words else -1
        while at >= 0:
            yield at, at + len(words)
            at = text.find(words, at + len(words))

    return find


def _pattern_matcher(pattern: str, limit_s: float) -> Matcher:
    import regex  # 15 ms; most searches are by words

    try:
        compiled = regex.compile(fold_pattern(pattern), flags=regex.MULTILINE)
    except regex.error as error:
        raise PatternInvalidError(pattern, str(error)) from error
    until = time.monotonic() + limit_s

    def find(text: str) -> Iterator[tuple[int, int]]:
        left = until - time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            # `concurrent` lets the page be drawn meanwhile, `timeout` ends what would never end.
            for match in compiled.finditer(text, timeout=left, concurrent=True):
                if match.end() > match.start():
                    yield match.span()
        except TimeoutError as error:
            raise PatternSlowError(pattern) from error

    return find


def scan(stretches: Iterable[Stretch], matcher: Matcher, upto: Pos) -> Iterator[HitRun | None]:
    """Yield the hits of each stretch, None for one without, so that a caller can stop between two.

    A paragraph that was divided between slices is searched as a whole.

    Args:
        stretches: Where to look, in the order of pos.
        matcher: From `make_matcher`.
        upto: End of what may be shown.

    Raises:
        PatternSlowError: the pattern took too long; what was yielded before stands.
    """
    for stretch in _joined(stretches):
        found = _found(stretch.folded, matcher)
        if stretch.readings:
            found = sorted({*found, *_found_in_readings(stretch, matcher)})
        yield _run(stretch, found, upto) if found else None


def _joined(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Put stretches between which nothing stands, not even a newline, together again."""
    held: Stretch | None = None
    for stretch in stretches:
        if held is not None and held.document == stretch.document and held.end == stretch.start:
            held = _join(held, stretch)
            continue
        if held is not None:
            yield held
        held = stretch
    if held is not None:
        yield held


def _join(first: Stretch, second: Stretch) -> Stretch:
    gap = second.start - first.start
    folded = _chained(first.folded, second.folded, gap)
    return replace(first, end=second.end, folded=folded, readings=first.readings + second.readings)


def _chained(first: Folded, second: Folded, gap: int) -> Folded:
    """Chain two folded texts; the source of the second begins `gap` characters after that of the first."""
    length = len(first.text)
    moved = [(index + length, shift + gap - length) for index, shift in ((0, 0), *second.shifts)]
    return Folded(first.text + second.text, (*first.shifts, *moved))


def _found(folded: Folded, matcher: Matcher) -> list[tuple[int, int]]:
    """Return hits as indices of the source."""
    if not folded.shifts:
        return list(matcher(folded.text))
    return [(folded.source_start(a), folded.source_end(b)) for a, b in matcher(folded.text)]


def _found_in_readings(stretch: Stretch, matcher: Matcher) -> list[tuple[int, int]]:
    """Return hits in the text as it is spoken that touch what has a reading, which is taken in whole."""
    hits = list(matcher(stretch.spoken_text))
    if not hits:
        return []
    spoken = stretch.spoken
    rubies = [(start - stretch.start, end - stretch.start) for start, end, _reading in stretch.readings]
    found = []
    for start, end in ((spoken.source_start(a), spoken.source_end(b)) for a, b in hits):
        touched = [ruby for ruby in rubies if ruby[0] < end and start < ruby[1]]
        if touched:
            found.append((min(start, touched[0][0]), max(end, touched[-1][1])))
    return found


def _run(stretch: Stretch, found: list[tuple[int, int]], upto: Pos) -> HitRun:
    starts = array("q", [stretch.start + start for start, _end in found])
    ends = array("q", [stretch.start + end for _start, end in found])
    return HitRun(stretch.document, stretch.base, starts, ends, upto - stretch.base)
