"""Find one's way in an outline."""

from __future__ import annotations

import pytest

from engine.domain.book import BookId, ChapterId, ChapterKind, DocumentId, VolumeId, WorkId
from engine.domain.locator import Pos, pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, DocumentOutline, PageLabel, VolumeOutline, WorkOutline


def _chapter(number: int, volume: int, start: int, end: int, document: int, level: int = 0) -> Chapter:
    return Chapter(
        ChapterId(number),
        number,
        f"chapter {number}",
        level,
        ChapterKind.BODY,
        DocumentId(document),
        0,
        pos_of(volume, start),
        pos_of(volume, end),
    )


def _volume(ord_: int, first_document: int) -> VolumeOutline:
    """Two documents of 100 and 50 characters, three entries, of which the first holds the second."""
    documents = (
        DocumentOutline(DocumentId(first_document), BookId(1), 0, 0, 100, is_linear=True),
        DocumentOutline(DocumentId(first_document + 1), BookId(1), 1, 101, 50, is_linear=True),
        DocumentOutline(DocumentId(first_document + 2), BookId(1), 2, 152, 30, is_linear=False),
    )
    chapters = (
        _chapter(1, ord_, 0, 0, first_document),
        _chapter(2, ord_, 0, 101, first_document, level=1),
        _chapter(3, ord_, 101, 151, first_document + 1),
    )
    pages = (PageLabel("iv", pos_of(ord_, 10), DocumentId(first_document), 10),)
    return VolumeOutline(VolumeId(ord_), ord_, f"volume {ord_}", 151, documents, chapters, pages, f"sha{ord_}")


@pytest.fixture
def index() -> OutlineIndex:
    """A work of two volumes."""
    return OutlineIndex(WorkOutline(WorkId(1), "work", (), "en", (_volume(0, 10), _volume(1, 20))))


def test_the_innermost_chapter_is_found(index: OutlineIndex) -> None:
    chapter = index.chapter_at(pos_of(0, 50))
    assert chapter is not None
    assert chapter.title == "chapter 2"


def test_the_next_chapter_may_be_in_the_next_volume(index: OutlineIndex) -> None:
    chapter = index.chapter_from(pos_of(0, 120), 1)
    assert chapter is not None
    assert chapter.pos == pos_of(1, 0)


@pytest.mark.parametrize(
    ("here", "there"),
    [(pos_of(0, 120), pos_of(0, 101)), (pos_of(0, 101), pos_of(0, 0)), (pos_of(1, 0), pos_of(0, 101))],
)
def test_the_way_back_stops_at_the_start_of_the_chapter_first(index: OutlineIndex, here: Pos, there: Pos) -> None:
    chapter = index.chapter_from(here, -1)
    assert chapter is not None
    assert chapter.pos == there


def test_before_the_first_chapter_there_is_none(index: OutlineIndex) -> None:
    assert index.chapter_from(pos_of(0, 0), -1) is None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.49, 0.5, 0.77, 1.0])
def test_a_share_of_the_work_and_its_pos_agree(index: OutlineIndex, share: float) -> None:
    assert index.work_share(index.pos_at_work_share(share)) == pytest.approx(share, abs=0.01)


def test_a_pos_lies_in_its_document(index: OutlineIndex) -> None:
    assert index.place_of(pos_of(1, 111)) == (DocumentId(21), 10)


def test_a_pos_behind_the_end_is_the_end(index: OutlineIndex) -> None:
    assert index.place_of(pos_of(1, 5000)) == (DocumentId(21), 50)


def test_a_document_and_its_identity_agree(index: OutlineIndex) -> None:
    assert index.book_of(DocumentId(21)) == ("sha1", 1)
    assert index.document_of("sha1", 1) == DocumentId(21)


def test_a_printed_page_is_found_in_the_volume_at_hand(index: OutlineIndex) -> None:
    page = index.page_called("IV", pos_of(1, 0))
    assert page is not None
    assert page.pos == pos_of(1, 10)


@pytest.mark.parametrize(
    ("end", "start", "is_joined"),
    [
        (pos_of(0, 40), pos_of(0, 41), True),
        (pos_of(0, 40), pos_of(0, 10), True),
        (pos_of(0, 40), pos_of(0, 90), False),
        (pos_of(0, 150), pos_of(1, 0), True),
        (pos_of(0, 100), pos_of(1, 0), False),
    ],
)
def test_reading_joins_without_a_gap_only(index: OutlineIndex, end: Pos, start: Pos, is_joined: bool) -> None:
    assert index.joins(end, start) is is_joined
