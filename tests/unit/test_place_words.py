"""The place in words: work, volume, part and chapter."""

from __future__ import annotations

import pytest

from engine.domain.book import BookId, ChapterId, ChapterKind, DocumentId, VolumeId, WorkId
from engine.domain.locator import pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, DocumentOutline, VolumeOutline, WorkOutline
from tui.render.place_words import top_line_words, where_words

ONE = [("Part I", 0), ("I", 1), ("II", 1), ("Part II", 0), ("I", 1), ("a", 2), ("Epilogue", 0)]


def index_of(work: str, *volumes: tuple[str, list[tuple[str, int]]]) -> OutlineIndex:
    """Build a work from the titles of its volumes and (title, level) of their entries, each ten characters long."""
    return OutlineIndex(
        WorkOutline(WorkId(1), work, (), "en", tuple(_volume(ord_, *volume) for ord_, volume in enumerate(volumes)))
    )


def _volume(ord_: int, title: str, entries: list[tuple[str, int]]) -> VolumeOutline:
    document = DocumentOutline(DocumentId(ord_ + 1), BookId(1), 0, 0, 10 * len(entries), is_linear=True)
    chapters = tuple(
        Chapter(
            ChapterId(number),
            number,
            name,
            level,
            ChapterKind.BODY,
            document.id,
            10 * number,
            pos_of(ord_, 10 * number),
            pos_of(ord_, 10 * number + 10),
        )
        for number, (name, level) in enumerate(entries)
    )
    return VolumeOutline(VolumeId(ord_), ord_, title, document.length, (document,), chapters, (), f"sha{ord_}")


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (0, ("Part I",)),
        (15, ("Part I", "I")),
        (25, ("Part I", "II")),
        (45, ("Part II", "I")),
        (55, ("Part II", "I", "a")),
        (65, ("Epilogue",)),
    ],
)
def test_a_chapter_is_told_with_the_part_it_belongs_to(offset: int, expected: tuple[str, ...]) -> None:
    assert where_words(index_of("work", ("volume", ONE)), pos_of(0, offset)) == ("work", "volume", *expected)


@pytest.mark.parametrize(
    ("work", "volume", "chapter"), [("红楼梦", "第一卷", "第一回"), ("半七捕物帳", "春の雪解", "一")]
)
def test_the_second_volume_is_told_with_its_own_chapters(work: str, volume: str, chapter: str) -> None:
    index = index_of(work, ("上", [("甲", 0), ("乙", 1)]), (volume, [(chapter, 1)]))
    assert where_words(index, pos_of(1, 5)) == (work, volume, chapter)


def test_a_name_is_told_once() -> None:
    index = index_of("Alice", ("Alice", [("Alice", 0), ("I", 1)]))
    assert where_words(index, pos_of(0, 15)) == ("Alice", "I")


PAGE, SHARE, TIME = "page 254", "93 %", "15 min left in chapter"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (80, ("Work · The Empty Hook", "page 254   93 %   15 min left in chapter")),
        (60, ("The Empty Hook", "page 254   93 %   15 min left in chapter")),
        (50, ("The Empty Hook", "93 %   15 min left in chapter")),
        (36, ("Work · The Empty Hook", "93 %")),
        (16, ("The Empty…", "93 %")),
        (6, ("", "93 %")),
        (2, ("", "9…")),
    ],
)
def test_the_chapter_is_named_before_page_and_minutes_are_told(cells: int, expected: tuple[str, str]) -> None:
    left, right = top_line_words(("Work", "The Empty Hook"), (PAGE, SHARE, TIME), cells)
    assert (left, right) == expected


@pytest.mark.parametrize(
    "name", ["The King of the Golden River or the Black Brothers", "久世くんは傘をささない久世くんは傘をささない"]
)
def test_a_long_name_leaves_half_the_line_to_how_far(name: str) -> None:
    left, right = top_line_words((name,), ("", SHARE, TIME), 76)
    assert right == f"{SHARE}   {TIME}"
    assert left.startswith(name[:10])


def test_nothing_at_the_right_leaves_the_whole_line() -> None:
    assert top_line_words(("Wiki", "Ilse Marrow"), (), 18) == ("Wiki · Ilse Marrow", "")
