"""Outlines of works that have no text: chapters of 100 characters."""

from __future__ import annotations

from engine.domain.book import BookId, ChapterId, ChapterKind, DocumentId, VolumeId, WorkId
from engine.domain.locator import pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, DocumentOutline, VolumeOutline, WorkOutline

FRONT, BODY = ChapterKind.FRONT, ChapterKind.BODY


def _volume(ord_: int, kinds: tuple[ChapterKind, ...]) -> VolumeOutline:
    """Return a volume whose chapters have 100 characters each, a document each."""
    first = 10 * (ord_ + 1)
    documents = tuple(
        DocumentOutline(DocumentId(first + n), BookId(1), n, 100 * n, 100, is_linear=True) for n in range(len(kinds))
    )
    chapters = tuple(
        Chapter(
            ChapterId(first + n), n, f"title {ord_}.{n}", 0, kind, DocumentId(first + n), 0,
            pos_of(ord_, 100 * n), pos_of(ord_, 100 * n + 100),
        )
        for n, kind in enumerate(kinds)
    )  # fmt: skip
    return VolumeOutline(VolumeId(ord_), ord_, f"volume {ord_}", 100 * len(kinds), documents, chapters)


def index_of(*volumes: tuple[ChapterKind, ...]) -> OutlineIndex:
    """Return an outline of volumes whose chapters are of these kinds."""
    made = tuple(_volume(ord_, kinds) for ord_, kinds in enumerate(volumes))
    return OutlineIndex(WorkOutline(WorkId(1), "work", (), "en", made))
