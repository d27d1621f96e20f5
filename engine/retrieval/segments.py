"""Cut a work into segments, and have somebody choose among them who cannot search by meaning.

Short chapters are put together and long ones divided, between blocks, into 15 to 40 thousand
characters; the last of a volume may be shorter. The cuts are those of the whole work, so that a segment keeps its
number while the reader goes on; what lies beyond the boundary is then taken away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.domain.locator import Locator, Pos, pos_of, volume_ord_of
from engine.domain.reading import Chapter, VolumeOutline
from engine.domain.search import PosRange
from engine.domain.segments import Segment
from engine.domain.statements import Role
from engine.domain.wiki import Plain
from engine.retrieval.known import KnownWork
from engine.retrieval.where import Whereabouts
from engine.spoilers import masks
from engine.spoilers.policy import Bound
from engine.store import passage_search, reading
from engine.store.connection import Connection
from engine.text.tokens import estimate_tokens

_LEAST, _ENOUGH, _MOST = 15_000, 25_000, 40_000
_OPENING_CHARS = 160
"""Of each chapter for which nothing is written."""
_SUMMARY_CHARS = 1_500
_BATCH_TOKENS = 30_000
_MOST_CHOSEN = 5
"""Of a batch."""


def segments_of(r: Connection, where: Whereabouts, bound: Bound, known: KnownWork | None) -> tuple[Segment, ...]:
    """Return the segments of a work that begin before the boundary, the last of them cut there.

    Args:
        r: The library, inside one snapshot.
        where: The chapters of the work.
        bound: Of the request.
        known: What is known of the work under the same bound; None before anything is.
    """
    upto = masks.hit_upto(bound)
    cuts = _cuts(where, passage_search.slice_starts(r, where.outline.id))
    recaps = _recaps(known)
    return tuple(
        _segment(_Seen(r, where, bound, recaps), number, PosRange(start, min(end, upto)))
        for number, (start, end) in enumerate(cuts, 1)
        if start < upto
    )


# Cutting


def _cuts(where: Whereabouts, slice_starts: Sequence[Pos]) -> list[tuple[Pos, Pos]]:
    """Return (start, end) of each segment of the whole work."""
    found: list[tuple[Pos, Pos]] = []
    for volume in where.outline.volumes:
        found += _joined(list(_parts(volume, where.starts, slice_starts)))
    return found


def _parts(volume: VolumeOutline, chapter_starts: Sequence[Pos], slice_starts: Sequence[Pos]) -> Iterator[PosRange]:
    """Yield what is never cut: a chapter, or a slice of a long one."""
    first, last = pos_of(volume.ord, 0), pos_of(volume.ord, volume.length)
    borders = [first, *(start for start in chapter_starts if first < start < last), last]
    for start, end in pairwise(borders):
        inner: list[Pos] = []
        if end - start > _ENOUGH:
            inner = [each for each in slice_starts if start < each < end]
        yield from (PosRange(a, b) for a, b in pairwise([start, *inner, end]) if a < b)


def _joined(parts: Sequence[PosRange]) -> list[tuple[Pos, Pos]]:
    found: list[tuple[Pos, Pos]] = []
    for part in parts:
        length = found[-1][1] - found[-1][0] if found else 0
        if found and (length < _LEAST or (length < _ENOUGH and length + part.end - part.start <= _MOST)):
            found[-1] = (found[-1][0], part.end)
        else:
            found.append((part.start, part.end))
    if len(found) > 1 and found[-1][1] - found[-1][0] < _LEAST and found[-1][1] - found[-2][0] <= _MOST:
        found[-2:] = [(found[-2][0], found[-1][1])]
    return found


# Telling of each


def _recaps(known: KnownWork | None) -> list[tuple[Pos, str]]:
    """Return what was written of the story, by where it happens; nothing the reader may not read."""
    if known is None:
        return []
    return [
        (statement.evidence[0].pos, statement.run.text)
        for statement in known.statements()
        if statement.role is Role.RECAP and statement.evidence and isinstance(statement.run, Plain)
    ]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What may be told of the segments of a work."""

    r: Connection
    where: Whereabouts
    bound: Bound
    recaps: Sequence[tuple[Pos, str]]

    def chapters(self, within: PosRange) -> Sequence[Chapter]:
        """Return the chapters that have text in a range."""
        first = max(0, self.where.index_at(within.start))
        return [each for each in self.where.chapters[first:] if each.pos < within.end and each.pos_end > within.start]

    def locators(self, within: PosRange) -> Iterator[Locator]:
        """Yield a range document by document."""
        volume = next(each for each in self.where.outline.volumes if each.ord == volume_ord_of(within.start))
        for document in sorted(volume.documents, key=lambda each: each.base):
            base = pos_of(volume.ord, document.base)
            start, end = max(0, within.start - base), min(document.length, within.end - base)
            if document.is_linear and start < end:
                yield Locator(document.id, start, end)

    def opening(self, within: PosRange) -> str:
        """Return how a range begins."""
        for each in self.locators(within):
            end = min(each.end, each.start + _OPENING_CHARS)
            if words := " ".join(reading.text_of(self.r, each.document, each.start, end).split()):
                return words
        return ""


def _segment(seen: _Seen, number: int, within: PosRange) -> Segment:
    chapters = seen.chapters(within)
    titles = [masks.mask_chapter_title(each.title, each.pos, seen.bound) for each in chapters]
    ends = dict.fromkeys([*titles[:1], *titles[-1:]])
    starts = [max(within.start, each.pos) for each in chapters] or [within.start]
    summary = "\n".join(_summary(seen, PosRange(start, end)) for start, end in pairwise([*starts, within.end]))
    return Segment(
        number,
        " – ".join(filter(None, ends)),
        seen.where.short(starts[0]),
        summary[:_SUMMARY_CHARS].strip(),
        within.start,
        within.end,
        tuple(seen.locators(within)),
    )


def _summary(seen: _Seen, within: PosRange) -> str:
    """Return what is written of a chapter, else how it begins."""
    told = [words for pos, words in seen.recaps if within.start <= pos < within.end]
    return " ".join(told) or seen.opening(within)


# Choosing


def choose_segments(
    segments: Sequence[Segment],
    question: str,
    ask: Callable[[str], str],
    *,
    budget_tokens: int = _BATCH_TOKENS,
    most: int = _MOST_CHOSEN,
) -> tuple[Segment, ...]:
    """Have segments chosen that are likeliest to hold what a question asks for.

    Args:
        segments: All that may be seen.
        question: What is looked for.
        ask: Is given the question and numbered summaries, returns words with the numbers chosen, the
            likeliest first. Numbers it was not shown, repeated ones, and those after the first few do not count.
        budget_tokens: What a call may take, estimated.
        most: How many it may choose at a time.

    Returns:
        The chosen ones in story order.

    Raises:
        Whatever `ask` raises.
    """
    chosen: set[int] = set()
    for batch in _batches(segments, question, budget_tokens):
        shown = {each.number for each in batch}
        listing = "\n\n".join(map(_line, batch))
        named = dict.fromkeys(int(found) for found in re.findall(r"\d{1,9}", ask(f"{question}\n\n{listing}")))
        chosen.update([number for number in named if number in shown][:most])
    return tuple(each for each in segments if each.number in chosen)


def _line(segment: Segment) -> str:
    head = " · ".join(filter(None, (segment.where, segment.title)))
    return f"{segment.number}. {head}\n{segment.summary}"


def _batches(segments: Sequence[Segment], question: str, budget_tokens: int) -> Iterator[list[Segment]]:
    """Yield segments in order, as many at a time as fit the budget, at least one."""
    batch: list[Segment] = []
    taken = whole = estimate_tokens(question)
    for segment in segments:
        tokens = estimate_tokens(_line(segment))
        if batch and taken + tokens > budget_tokens:
            yield batch
            batch, taken = [], whole
        batch.append(segment)
        taken += tokens
    if batch:
        yield batch
