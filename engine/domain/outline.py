"""Find one's way in an outline: which chapter, how far, where a percentage lies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate

from engine.domain.book import ChapterKind, DocumentId
from engine.domain.locator import Pos, offset_in_volume_of, pos_of, volume_ord_of
from engine.domain.reading import Chapter, DocumentOutline, PageLabel, VolumeOutline, WorkOutline

VEILED_TITLE = "░░░░░░░░"
"""Stands for the title of a chapter ahead, whatever its length."""
EVERYWHERE: Pos = 1 << 62
"""Behind everything: up to here no title is veiled."""
_GAP_CHARS = 8
"""Newlines and empty blocks that may lie between the end of one page and the start of the next."""


def shown_title(title: str, pos: Pos, upto: Pos) -> str:
    """Return the title of what begins at a pos, or its veil where that lies beyond `upto`."""
    return VEILED_TITLE if title and pos > upto else title


class OutlineIndex:
    """An outline with its look-up tables; built once a work, read often."""

    def __init__(self, outline: WorkOutline) -> None:
        self.outline = outline
        self.pace = 1.0
        """How many times faster than the average she reads this language; set by whoever knows."""
        self._volume_by_ord = {volume.ord: i for i, volume in enumerate(outline.volumes)}
        self._before = [0, *accumulate(volume.length for volume in outline.volumes)]
        self.chapters: tuple[Chapter, ...] = tuple(c for volume in outline.volumes for c in volume.chapters)
        self._chapter_pos = [chapter.pos for chapter in self.chapters]
        self.pages: tuple[PageLabel, ...] = tuple(p for volume in outline.volumes for p in volume.pages)
        self._page_pos = [page.pos for page in self.pages]
        self._documents = {d.id: (volume, d) for volume in outline.volumes for d in volume.documents}
        self._books = {d.id: (volume.book_sha256, d.spine_index) for volume, d in self._documents.values()}
        self._by_book = {book: document for document, book in self._books.items()}
        self._linear = {
            volume.ord: [d for d in volume.documents if d.is_linear] or list(volume.documents)
            for volume in outline.volumes
        }

    @property
    def length(self) -> int:
        """Characters of the whole work in reading order, at least 1."""
        return max(1, self._before[-1])

    def volume_at(self, pos: Pos) -> VolumeOutline | None:
        """Return the volume a pos lies in."""
        index = self._volume_by_ord.get(volume_ord_of(pos))
        return None if index is None else self.outline.volumes[index]

    def chapter_at(self, pos: Pos) -> Chapter | None:
        """Return the innermost chapter that begins at or before a pos, in the same volume."""
        index = bisect_right(self._chapter_pos, pos) - 1
        if index < 0 or volume_ord_of(self._chapter_pos[index]) != volume_ord_of(pos):
            return None
        return self.chapters[index]

    def chapter_from(self, pos: Pos, step: int) -> Chapter | None:
        """Return the chapter to go to: the next start after `pos` (+1), or the last start before it (-1)."""
        if step > 0:
            index = bisect_right(self._chapter_pos, pos)
            return self.chapters[index] if index < len(self.chapters) else None
        here = self.chapter_at(pos)
        start = self._chapter_pos[0] if here is None and self.chapters else here.pos if here else pos
        before = [c for c in self.chapters if c.pos < start] if pos == start else [here] if here else []
        return before[-1] if before else None

    def volume_from(self, pos: Pos, step: int) -> VolumeOutline | None:
        """Return the volume after (+1) or before (-1) the one a pos lies in."""
        index = self._volume_by_ord.get(volume_ord_of(pos))
        if index is None or not 0 <= index + step < len(self.outline.volumes):
            return None
        return self.outline.volumes[index + step]

    def page_at(self, pos: Pos) -> PageLabel | None:
        """Return the printed page a pos lies on, None where the volume has none."""
        index = bisect_right(self._page_pos, pos) - 1
        if index < 0 or volume_ord_of(self._page_pos[index]) != volume_ord_of(pos):
            return None
        return self.pages[index]

    def page_called(self, label: str, near: Pos) -> PageLabel | None:
        """Return the printed page with that label, in the volume of `near` if it has one there."""
        found = [page for page in self.pages if page.label.casefold() == label.casefold()]
        same = [page for page in found if volume_ord_of(page.pos) == volume_ord_of(near)]
        return next(iter(same or found), None)

    def work_share(self, pos: Pos) -> float:
        """Return how far a pos is in the work, in [0, 1]."""
        index = self._volume_by_ord.get(volume_ord_of(pos))
        if index is None:
            return 0.0
        volume = self.outline.volumes[index]
        return (self._before[index] + min(offset_in_volume_of(pos), volume.length)) / self.length

    def volume_share(self, pos: Pos) -> float:
        """Return how far a pos is in its volume, in [0, 1]."""
        volume = self.volume_at(pos)
        return min(1.0, offset_in_volume_of(pos) / max(1, volume.length)) if volume is not None else 0.0

    def pos_at_work_share(self, share: float) -> Pos:
        """Return the pos at a share of the work, the share clamped to [0, 1]."""
        chars = round(min(1.0, max(0.0, share)) * self.length)
        index = min(bisect_right(self._before, chars) - 1, len(self.outline.volumes) - 1)
        volume = self.outline.volumes[index]
        return pos_of(volume.ord, min(chars - self._before[index], max(0, volume.length - 1)))

    def pos_at_volume_share(self, volume: VolumeOutline, share: float) -> Pos:
        """Return the pos at a share of a volume, the share clamped to [0, 1]."""
        return pos_of(volume.ord, min(round(min(1.0, max(0.0, share)) * volume.length), max(0, volume.length - 1)))

    def place_of(self, pos: Pos) -> tuple[DocumentId, int] | None:
        """Return (document, offset) of a pos in the reading order; None for a work without text."""
        volume = self.volume_at(pos)
        if volume is None or not self._linear[volume.ord]:
            return None
        documents = self._linear[volume.ord]
        offset = offset_in_volume_of(pos)
        document = documents[max(0, bisect_right(documents, offset, key=_base) - 1)]
        return document.id, min(max(0, offset - document.base), document.length)

    def pos_of(self, document: DocumentId, offset: int) -> Pos | None:
        """Return the pos of a document offset, None for a document this work does not have."""
        found = self._documents.get(document)
        return None if found is None else pos_of(found[0].ord, found[1].base + offset)

    def book_of(self, document: DocumentId) -> tuple[str, int] | None:
        """Return (sha256 of the book, spine index) of a document, its identity outside this library."""
        return self._books.get(document)

    def document_of(self, book_sha256: str, spine_index: int) -> DocumentId | None:
        """Return the document with that identity, None when this work has none."""
        return self._by_book.get((book_sha256, spine_index))

    def is_linear(self, document: DocumentId) -> bool:
        """Say whether a document belongs to the reading order."""
        found = self._documents.get(document)
        return found is not None and found[1].is_linear

    def has_story(self, start: Pos, end: Pos) -> bool:
        """Say whether something between two pos belongs to the story by its chapters; yes where there are none."""
        if not self.chapters:
            return True
        first = max(0, bisect_right(self._chapter_pos, start) - 1)
        last = bisect_left(self._chapter_pos, end)
        return any(
            chapter.kind is ChapterKind.BODY and min(chapter.pos_end, end) - max(chapter.pos, start) > _GAP_CHARS
            for chapter in self.chapters[first:last]
        )

    def joins(self, end: Pos, start: Pos) -> bool:
        """Say whether reading may go on from `end` to `start` without a gap."""
        if start <= end + _GAP_CHARS and volume_ord_of(start) == volume_ord_of(end):
            return True
        if start <= end:
            return True
        volume, following = self.volume_at(end), self.volume_from(end, 1)
        return (
            volume is not None
            and following is not None
            and following.ord == volume_ord_of(start)
            and offset_in_volume_of(end) >= volume.length - _GAP_CHARS
            and offset_in_volume_of(start) <= _GAP_CHARS
        )


_base: Callable[[DocumentOutline], int] = lambda document: document.base  # noqa: E731  (a key for bisect)
