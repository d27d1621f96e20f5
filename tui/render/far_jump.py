"""The question after a far jump."""

from __future__ import annotations

from engine.domain.book import ChapterKind
from engine.domain.locator import Pos
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, VolumeOutline
from engine.text.measure import reading_seconds
from engine.translate import _

_LEAST_CHAPTER_S = 240
"""Entries within others that take less to read on the average are sections of a chapter, not chapters of a part."""


def chapter_number(volume: VolumeOutline, chapter: Chapter, language: str) -> int:
    """Return a chapter's number among the story's chapters of its volume, from 1; 0 before the first.

    Of nested contents the entries of one level are the chapters: the deepest whose entries are long enough.
    """
    level = _chapter_level(volume, language)
    entries = volume.chapters
    following = (*entries[1:], None)
    return sum(
        1
        for each, after in zip(entries, following, strict=False)
        if each.kind is ChapterKind.BODY and each.pos <= chapter.pos and _counts(each, after, level)
    )


def _counts(entry: Chapter, after: Chapter | None, level: int) -> bool:
    """Say whether an entry is a chapter: of the level of chapters, or above it and not divided."""
    is_divided = after is not None and after.level > entry.level
    if entry.level == level:
        return is_divided or entry.pos_end > entry.pos
    return entry.level < level and not is_divided and entry.pos_end > entry.pos


def _chapter_level(volume: VolumeOutline, language: str) -> int:
    counts: dict[int, int] = {}
    lengths: dict[int, int] = {}
    for entry in volume.chapters:
        if entry.kind is ChapterKind.BODY:
            counts[entry.level] = counts.get(entry.level, 0) + 1
            for level in range(entry.level + 1):
                lengths[level] = lengths.get(level, 0) + entry.pos_end - entry.pos
    levels = sorted(counts)
    for level in reversed(levels[1:]):
        if reading_seconds(lengths[level] // counts[level], language) >= _LEAST_CHAPTER_S:
            return level
    return levels[0] if levels else 0


def question_words(index: OutlineIndex, frontier: Pos, pos: Pos) -> tuple[str, str]:
    """Ask whether what lies between was read, in the numbers of chapters: at length, and in short.

    Args:
        index: Of the work.
        frontier: How far was read.
        pos: Of the page, behind the frontier.
    """
    here = _numbered(index, pos)
    if here is None:
        asked = _("Count everything before this page as read?")
        return asked, asked
    asked = _asked(index, _numbered(index, _last_read(frontier)), here)
    where = read_words(index, frontier)
    return (
        _("You have read to {chapter}. {question}").format(chapter=where, question=asked) if where else asked
    ), asked


def place_words(index: OutlineIndex, pos: Pos) -> str:
    """Return "chapter 7" or "volume 2, chapter 7" for a pos; the empty string before the story begins."""
    numbered = _numbered(index, pos)
    return _chapter_words(index, *numbered) if numbered is not None else ""


def read_words(index: OutlineIndex, frontier: Pos) -> str:
    """Return the chapter that was read last, as `place_words` does."""
    return place_words(index, _last_read(frontier))


def _last_read(frontier: Pos) -> Pos:
    """Return the pos of the last character read: at the start of a chapter nothing of it is."""
    return max(0, frontier - 1)


def _asked(index: OutlineIndex, last_read: tuple[int, int] | None, here: tuple[int, int]) -> str:
    volume, number = here
    if last_read is not None and last_read[0] == volume and number > last_read[1]:
        first = last_read[1] + 1
        if first == number:
            return _("Count chapter {n} as read?").format(n=number)
        return _("Count chapters {first}-{last} as read?").format(first=first, last=number)
    return _("Count everything up to {chapter} as read?").format(chapter=_chapter_words(index, volume, number))


def _numbered(index: OutlineIndex, pos: Pos) -> tuple[int, int] | None:
    """Return (place of the volume among the volumes, number of the chapter); None before the story begins."""
    volume, chapter = index.volume_at(pos), index.chapter_at(pos)
    if volume is None or chapter is None:
        return None
    number = chapter_number(volume, chapter, index.outline.language)
    return (index.outline.volumes.index(volume), number) if number else None


def _chapter_words(index: OutlineIndex, volume: int, number: int) -> str:
    if len(index.outline.volumes) == 1:
        return _("chapter {n}").format(n=number)
    return _("volume {volume}, chapter {n}").format(volume=volume + 1, n=number)
