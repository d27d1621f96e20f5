"""The contents as rows: which entries show under a filter and folded branches, and what stands beside each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.outline import OutlineIndex
from engine.text.measure import reading_seconds

_LONG_ITEMS = 60
"""More than two screens."""


class ContentsItem(NamedTuple):
    """A line of the contents: a volume or a chapter. A tuple, since a work may have thousands."""

    title: str
    level: int
    """Depth from 0."""
    document: DocumentId
    offset: int
    pos: Pos
    pos_end: Pos
    """Where the next item of this level or above begins."""
    has_children: bool


def contents_items(index: OutlineIndex) -> tuple[ContentsItem, ...]:
    """Return every volume and chapter in order; a work of one volume shows chapters only."""
    volumes = index.outline.volumes
    entries: list[tuple[str, int, DocumentId, int, Pos]] = []
    for volume in volumes:
        depth = 0
        if len(volumes) > 1:
            start = index.place_of(volume.ord << 40)
            if start is not None:
                entries.append((volume.title, 0, *start, volume.ord << 40))
                depth = 1
        entries += [(c.title, c.level + depth, c.document, c.offset, c.pos) for c in volume.chapters]
    levels = [entry[1] for entry in entries]
    ends = _ends(levels, [entry[4] for entry in entries])
    are_parents = [below > level for level, below in pairwise([*levels, -1])]
    return tuple(
        ContentsItem(*entry, end, is_parent) for entry, end, is_parent in zip(entries, ends, are_parents, strict=True)
    )


def _ends(levels: list[int], starts: list[Pos]) -> list[Pos]:
    """Return for each item the start of the next one that is not below it; -1 at the end of the work."""
    ends = [-1] * len(levels)
    open_items: list[int] = []
    for i, level in enumerate(levels):
        while open_items and levels[open_items[-1]] >= level:
            ends[open_items.pop()] = starts[i]
        open_items.append(i)
    return ends


def length_of(item: ContentsItem, index: OutlineIndex) -> int:
    """Return the characters of an item."""
    chars = round(index.work_share(item.pos_end) * index.length) if item.pos_end >= 0 else index.length
    return max(0, chars - round(index.work_share(item.pos) * index.length))


def folded_at_first(items: Sequence[ContentsItem], pos: Pos) -> frozenset[int]:
    """Return what is folded when the contents open: in a long work every volume but the one of a pos."""
    if len(items) <= _LONG_ITEMS:
        return frozenset()
    return frozenset(
        i
        for i, item in enumerate(items)
        if item.level == 0
        and item.has_children
        and not item.pos <= pos < (item.pos_end if item.pos_end >= 0 else pos + 1)
    )


def visible_items(
    items: Sequence[ContentsItem], folded: frozenset[int], wanted: str, title_of: Callable[[ContentsItem], str]
) -> Sequence[int]:
    """Return the indices to show: those not inside a folded item, or, while filtering, those whose title fits.

    Args:
        items: All of them.
        folded: Indices of the folded ones.
        wanted: What titles are filtered by, empty for nothing.
        title_of: Returns the title as the reader sees it.
    """
    if wanted.strip():
        from engine.text.fold import fold_words  # its tables take 2 ms, and most readers never filter

        key = fold_words(wanted)
        return [i for i, item in enumerate(items) if key in fold_words(title_of(item))]
    if not folded:
        return range(len(items))
    shown: list[int] = []
    hidden_below = -1
    for i, item in enumerate(items):
        if hidden_below >= 0 and item.level > hidden_below:
            continue
        hidden_below = item.level if i in folded else -1
        shown.append(i)
    return shown


def innermost(items: Sequence[ContentsItem], pos: Pos) -> int | None:
    """Return the index of the last item that begins at or before a pos."""
    at = bisect_right(items, pos, key=_pos_of) - 1
    return at if at >= 0 else None


def _pos_of(item: ContentsItem) -> Pos:
    return item.pos


def reading_minutes(item: ContentsItem, index: OutlineIndex) -> int:
    """Return the minutes an item takes to read, at least 1; 0 for an empty one."""
    length = length_of(item, index)
    return max(1, round(reading_seconds(length, index.outline.language, pace=index.pace) / 60)) if length else 0


def share_read(item: ContentsItem, index: OutlineIndex, pos: Pos) -> int:
    """Return the percentage of an item that lies before a pos, in [0, 100]."""
    length = length_of(item, index)
    if length <= 0:
        return 0
    before = round((index.work_share(pos) - index.work_share(item.pos)) * index.length)
    return min(100, max(0, before * 100 // length))
