"""What a search has found as rows: a group each for text, wiki, chapters and notes, in the order of the story."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.book import WorkId
from engine.domain.finds import Finds
from engine.domain.hits import SearchHit, SearchMode
from engine.domain.outline import OutlineIndex
from tui.render.found import Found


class Group(StrEnum):
    """What is found together."""

    TEXT = "text"
    WIKI = "wiki"
    CHAPTERS = "chapters"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Listed:
    """The answer to one search, as a list shows it."""

    words: str
    """As typed."""
    finds: Finds
    found: Found = field(default_factory=Found)
    """Places in the text that was looked through, where `finds.text` is None."""
    is_whole: bool = True
    """False while it is still looked through."""
    has_more: bool = False
    """There is more beyond what was read, and that may be said."""
    notice: str = ""
    """One sentence where the answer is not what could be expected."""

    def count(self, group: Group) -> int:
        """Return how many there are of a group, exactly; where only the best are listed, how many these are."""
        finds = self.finds
        if group is Group.TEXT and self.is_ranked:
            return 0 if self.is_nowhere else len(self.hits)
        if group is Group.TEXT:
            return finds.text.count if finds.text is not None else len(self.found)
        return {Group.WIKI: finds.entry_count, Group.CHAPTERS: len(finds.chapters), Group.NOTES: len(finds.notes)}[
            group
        ]

    def size(self, group: Group) -> int:
        """Return how many of a group are listed."""
        finds = self.finds
        if group is Group.TEXT:
            return len(finds.text.hits) if finds.text is not None else len(self.found)
        return len(finds.entries) if group is Group.WIKI else self.count(group)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is listed."""
        return not any(self.size(group) for group in Group)

    @property
    def is_ranked(self) -> bool:
        """Whether the best are listed, of more that hold something of what was typed or mean something like it."""
        text = self.finds.text
        return text is not None and (not text.is_exact or text.mode is SearchMode.SEMANTIC)

    @property
    def is_nowhere(self) -> bool:
        """Whether no passage holds what was typed, and what is listed is only near to it."""
        text = self.finds.text
        return text is not None and text.mode is not SearchMode.SEMANTIC and not text.count

    @property
    def hits(self) -> Sequence[SearchHit]:
        """The passages listed; none where the text was looked through."""
        return self.finds.text.hits if self.finds.text is not None else ()

    @property
    def mode(self) -> SearchMode | None:
        """By what the text was searched; None where it was looked through."""
        return self.finds.text.mode if self.finds.text is not None else None

    @property
    def has_all(self) -> bool:
        """Whether everything is listed that a longer search would list."""
        text = self.finds.text
        return text is None or not text.is_exact or sum(hit.holds_words for hit in text.hits) >= text.count

    @property
    def is_short(self) -> bool:
        """Whether passages that hold the words are left out."""
        text = self.finds.text
        return text is not None and text.is_exact and sum(hit.holds_words for hit in text.hits) < text.count

    def best(self) -> int:
        """Return the number of the hit to begin with: the best, or the first where all hold what was typed."""
        return next((number for number, hit in enumerate(self.hits) if self.is_ranked and hit.rank == 1), 0)


class RowKind(StrEnum):
    """What a row is."""

    GROUP = "group"
    VOLUME = "volume"
    """Or the work, where several are searched."""
    CHAPTER = "chapter"
    ITEM = "item"
    ALL = "all"
    """Leads to those left out."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of the list."""

    kind: RowKind
    group: Group
    words: str = ""
    """Of a heading."""
    count: int = 0
    """Of a heading: how many stand below it."""
    number: int = -1
    """Of an item: which of its group."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Headings, and the items below them."""

    group: Group
    heads: tuple[ListRow, ...]
    first: int
    count: int

    @property
    def rows(self) -> int:
        return len(self.heads) + self.count


class SearchList:
    """Rows that are made when somebody looks at them, for there may be 100 000."""

    def __init__(
        self,
        listed: Listed,
        index: OutlineIndex,
        work: WorkId,
        *,
        is_wide: bool = False,
        folded: Set[Group] = frozenset(),
    ) -> None:
        """Take an answer.

        Args:
            listed: The answer.
            index: Of the work being read.
            work: Which one that is.
            is_wide: Chapters stand beside the hits, not above them.
            folded: Groups of which only the heading is seen.
        """
        self.listed = listed
        self._index = index
        self._work = work
        self._is_wide = is_wide
        self._blocks = [block for group in Group for block in self._blocks_of(group, is_folded=group in folded)]
        self._firsts: list[int] = []
        self._count = 0
        for block in self._blocks:
            self._firsts.append(self._count)
            self._count += block.rows

    def __len__(self) -> int:
        return self._count

    def row(self, number: int) -> ListRow:
        """Return a row, counted from 0."""
        at = bisect_right(self._firsts, number) - 1
        block, inside = self._blocks[at], number - self._firsts[at]
        if inside < len(block.heads):
            return block.heads[inside]
        return ListRow(RowKind.ITEM, block.group, number=block.first + inside - len(block.heads))

    def row_of(self, group: Group, number: int) -> int | None:
        """Return the row of an item; None where it is not listed or folded away."""
        for first, block in zip(self._firsts, self._blocks, strict=True):
            if block.group is group and block.first <= number < block.first + block.count:
                return first + len(block.heads) + number - block.first
        return None

    def row_of_group(self, group: Group) -> int | None:
        """Return the row of a group's heading."""
        blocks = zip(self._firsts, self._blocks, strict=True)
        return next((first for first, block in blocks if block.group is group), None)

    # groups

    def _blocks_of(self, group: Group, *, is_folded: bool) -> Iterator[_Block]:
        size = self.listed.size(group)
        if not size:
            return
        heading = ListRow(RowKind.GROUP, group, count=self.listed.count(group))
        if is_folded:
            yield _Block(group, (heading,), 0, 0)
        elif group is Group.TEXT:
            heads: tuple[ListRow, ...] = (heading,)
            for block in self._text_blocks():
                yield _Block(group, heads + block.heads, block.first, block.count)
                heads = ()
            if self.listed.is_short:
                yield _Block(group, (ListRow(RowKind.ALL, group, count=self.listed.count(group)),), size, 0)
        else:
            yield _Block(group, (heading,), 0, size)

    def _text_blocks(self) -> Iterator[_Block]:
        """Yield the chapters that hold hits."""
        number, size, before = 0, self.listed.size(Group.TEXT), ""
        while number < size:
            place, chapter, after = self._chapter_from(number)
            heads = [ListRow(RowKind.VOLUME, Group.TEXT, place)] if place and place != before else []
            if not self._is_wide and chapter != place:
                heads.append(ListRow(RowKind.CHAPTER, Group.TEXT, chapter, after - number))
            yield _Block(Group.TEXT, tuple(heads), number, after - number)
            number, before = after, place

    def _chapter_from(self, number: int) -> tuple[str, str, int]:
        """Return (volume or work, chapter, number of the first hit behind it) of a hit."""
        hits = self.listed.hits
        if not hits:
            return self._found_from(number)
        hit = hits[number]
        key = (hit.work, hit.where, hit.chapter)
        after = number + 1
        while after < len(hits) and (hits[after].work, hits[after].where, hits[after].chapter) == key:
            after += 1
        return self._place_of(hit), hit.chapter or hit.where, after

    def _place_of(self, hit: SearchHit) -> str:
        return hit.work_title if self._has_others else self._volume_title(hit.pos)

    @property
    def _has_others(self) -> bool:
        """Whether hits of other works are among them; they follow those of this one."""
        hits = self.listed.hits
        return bool(hits) and (hits[0].work != self._work or hits[-1].work != self._work)

    def _volume_title(self, pos: int) -> str:
        volume = self._index.volume_at(pos)
        return volume.title if volume is not None and len(self._index.outline.volumes) > 1 else ""

    def _found_from(self, number: int) -> tuple[str, str, int]:
        found, index = self.listed.found, self._index
        pos = found.hit(number).pos
        volume, chapter = index.volume_at(pos), index.chapter_at(pos)
        end = chapter.pos_end if chapter is not None else next((c.pos for c in index.chapters if c.pos > pos), pos)
        title = chapter.title if chapter is not None else volume.title if volume is not None else ""
        return self._volume_title(pos), title, max(number + 1, found.first_from(end))

    def chapter_of(self, row: int) -> str:
        """Return the chapter to name beside a hit of the text; empty where the row above names it."""
        this = self.row(row)
        name = self._chapter_beside(this.number)
        before = self.row(row - 1) if row > 0 else None
        is_same = before is not None and before.kind is RowKind.ITEM and before.group is Group.TEXT
        is_told = before is not None and before.kind is RowKind.VOLUME and before.words == name
        return "" if is_told or (is_same and self._chapter_beside(this.number - 1) == name) else name

    def _chapter_beside(self, number: int) -> str:
        hits = self.listed.hits
        if hits:
            hit = hits[number]
            return hit.where if self._has_others else hit.chapter or hit.where
        chapter = self._index.chapter_at(self.listed.found.hit(number).pos)
        return chapter.title if chapter is not None else ""
