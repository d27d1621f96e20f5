"""Where a pos is, in the reader's words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from engine.domain.book import ChapterKind
from engine.domain.locator import Pos, pos_of, volume_ord_of
from engine.domain.reading import Chapter, WorkOutline
from engine.text.numbers import printed_label, printed_number
from engine.translate import _


class Whereabouts:
    """The chapters of a work that hold text, numbered within their volume as readers count them."""

    def __init__(self, outline: WorkOutline) -> None:
        self.outline = outline
        self.chapters: tuple[Chapter, ...] = tuple(
            chapter for volume in outline.volumes for chapter in volume.chapters if chapter.pos_end > chapter.pos
        )
        self.starts: list[Pos] = [chapter.pos for chapter in self.chapters]
        self._numbers = self._count()
        self._labels = self._printed()
        self._volume_numbers = {volume.ord: number for number, volume in enumerate(outline.volumes, 1)}
        self._borders = sorted({*self.starts, *(pos_of(volume.ord, 0) for volume in outline.volumes)})

    def _count(self) -> list[int]:
        numbers: list[int] = []
        volume, number = -1, 0
        for chapter in self.chapters:
            if volume_ord_of(chapter.pos) != volume:
                volume, number = volume_ord_of(chapter.pos), 0
            number += chapter.kind is ChapterKind.BODY
            numbers.append(number if chapter.kind is ChapterKind.BODY else 0)
        return numbers

    def _printed(self) -> list[str]:
        """Return the numbers the book prints, where it numbers each chapter of a volume once; they go before ours."""
        labels = [""] * len(self.chapters)
        by_volume: dict[int, list[int]] = {}
        for index, chapter in enumerate(self.chapters):
            if chapter.kind is ChapterKind.BODY:
                by_volume.setdefault(volume_ord_of(chapter.pos), []).append(index)
        for indices in by_volume.values():
            printed = {index: printed_number(self.chapters[index].title) for index in indices}
            told = [number for number in printed.values() if number is not None]
            if not told or not all(told) or len(set(told)) < len(told) or len(told) * 2 < len(indices):
                continue
            for index, number in printed.items():
                self._numbers[index] = number or 0  # the others have none to be told by
                labels[index] = printed_label(self.chapters[index].title)
        return labels

    def index_at(self, pos: Pos) -> int:
        """Return the index of the chapter a pos lies in; -1 before the first of its volume."""
        index = bisect_right(self.starts, pos) - 1
        if index < 0 or volume_ord_of(self.starts[index]) != volume_ord_of(pos):
            return -1
        return index

    @property
    def end(self) -> Pos:
        """Where the work ends."""
        last = self.outline.volumes[-1]
        return pos_of(last.ord, last.length)

    def chapters_by_volume(self, upto: Pos) -> tuple[int, ...]:
        """Return how many chapters that hold text each volume begun before a pos has, at least the first one's."""
        return tuple(
            sum(chapter.pos_end > chapter.pos for chapter in volume.chapters)
            for number, volume in enumerate(self.outline.volumes)
            if number == 0 or pos_of(volume.ord, 0) < upto
        )

    def numbers_at(self, pos: Pos) -> tuple[int, int]:
        """Return (index of the volume, index of the chapter in it) at a pos; chapter 0 before the first."""
        volume = max(0, self._volume_numbers.get(volume_ord_of(pos), 1) - 1)
        index = self.index_at(pos)
        first = bisect_left(self.starts, pos_of(volume_ord_of(pos), 0))
        return volume, max(0, index - first)

    def next_border(self, pos: Pos) -> Pos | None:
        """Return where the next chapter or volume begins behind a pos; None in the last."""
        index = bisect_right(self._borders, pos)
        return self._borders[index] if index < len(self._borders) else None

    def chapter_range(self, pos: Pos) -> tuple[Pos, Pos]:
        """Return start and end of the chapter, or the part before the first chapter, that a pos lies in."""
        index = bisect_right(self._borders, pos) - 1
        start = self._borders[index] if index >= 0 else 0
        following = self.next_border(pos)
        return start, pos_of(volume_ord_of(pos) + 1, 0) if following is None else following

    def short(self, pos: Pos) -> str:
        """Return "ch 7", or "vol 2 ch 3" in a work of several volumes; a title where no chapter is numbered.

        Numbers are those the book prints, where it prints any: 第七十三回.
        """
        return self._words(pos, _("ch {n}"), _("vol {n}"), _("{volume} {chapter}"), with_title=True)

    def long(self, pos: Pos) -> str:
        """Return "chapter 7", or "volume 2, chapter 3" in a work of several volumes; never a title."""
        return self._words(pos, _("chapter {n}"), _("volume {n}"), _("{volume}, {chapter}"), with_title=False)

    def _words(self, pos: Pos, chapter: str, volume: str, between: str, *, with_title: bool) -> str:
        index = self.index_at(pos)
        volume_words = chapter_words = ""
        if len(self._volume_numbers) > 1 and (number := self._volume_numbers.get(volume_ord_of(pos))):
            volume_words = volume.format(n=number)
        if index >= 0:
            number = self._numbers[index]
            if self._labels[index]:
                chapter_words = self._labels[index]
            elif number:
                chapter_words = chapter.format(n=number)
            elif with_title:
                chapter_words = self.chapters[index].title
        if volume_words and chapter_words:
            return between.format(volume=volume_words, chapter=chapter_words)
        return volume_words or chapter_words
