"""Chapters by the words of their titles."""

from __future__ import annotations

from collections.abc import Iterator

from engine.domain.book import WorkId
from engine.domain.finds import ChapterFind
from engine.domain.locator import Locator, Pos
from engine.domain.reading import WorkOutline
from engine.text.fold import Folded, fold, fold_words
from engine.text.normalize import nfc


def chapters_titled(work: WorkId, outline: WorkOutline, words: str, upto: Pos) -> Iterator[ChapterFind]:
    """Yield the chapters whose titles hold all words, in any spelling, in the order of the story.

    Args:
        work: Whose outline it is.
        outline: Volumes and chapters.
        words: As typed.
        upto: Chapters that begin at or behind this pos are passed over.
    """
    wanted = fold_words(words).split()
    if not wanted:
        return
    for volume in outline.volumes:
        for chapter in volume.chapters:
            if chapter.pos >= upto:
                continue
            title = nfc(chapter.title)
            folded = fold(title)
            if all(word in folded.text for word in wanted):
                start = Locator(chapter.document, chapter.offset, chapter.offset)
                yield ChapterFind(work, outline.title, title, _marks(folded, wanted), start, chapter.pos)


def _marks(folded: Folded, wanted: list[str]) -> tuple[tuple[int, int], ...]:
    """Return where the words stand in what was folded, apart and in order."""
    found = []
    for word in wanted:
        at = folded.text.find(word)
        while at >= 0:
            found.append((folded.source_start(at), folded.source_end(at + len(word))))
            at = folded.text.find(word, at + len(word))
    apart: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return tuple(apart)
