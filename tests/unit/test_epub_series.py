from __future__ import annotations

import pytest

from engine.domain.book import ChapterKind, ParsedChapter, VolumePart
from engine.epub.series import guess_series, number_of, omnibus_parts


@pytest.mark.parametrize(
    ("title", "series", "index"),
    [
        ("刀剑神域 第三卷", "刀剑神域", 3),
        ("三国演义 第1卷", "三国演义", 1),
        ("平凡的世界（第二部）", "平凡的世界", 2),
        ("86―エイティシックス― 第十二巻", "86―エイティシックス―", 12),
        ("薬屋のひとりごと(3)", "薬屋のひとりごと", 3),
        ("無職転生 ～異世界行ったら本気だす～ （１２）", "無職転生 ～異世界行ったら本気だす～", 12),
        ("本好きの下剋上③", "本好きの下剋上", 3),
        ("海辺のカフカ (上)", "海辺のカフカ", 1),
        ("红与黑（下册）", "红与黑", 3),
        ("ノルウェイの森 下巻", "ノルウェイの森", 3),
        ("Ashfall Station, Vol. 2", "Ashfall Station", 2),
        ("Ashfall Station, Volume III: The Quiet Line", "Ashfall Station", 3),
        ("Ashfall Station: Volume Four", "Ashfall Station", 4),
        ("Spice and Wolf, Vol. 10.5", "Spice and Wolf", 10.5),
        ("Overlord v07", "Overlord", 7),
        ("The Saga #5", "The Saga", 5),
        ("The Saga, Book Two", "The Saga", 2),
        ("Volume 3 - The Saga", "The Saga", 3),
        ("第二十一卷 斗破苍穹", "斗破苍穹", 21),
        ("狼と香辛料 卷十", "狼と香辛料", 10),
    ],
)
def test_series_and_volume_are_read_from_a_title(title: str, series: str, index: float) -> None:
    guess = guess_series(title)

    assert guess is not None
    assert (guess.series, guess.index, guess.is_sure) == (series, index, True)


@pytest.mark.parametrize(
    ("title", "series", "index"),
    [
        ("薬屋のひとりごと 3", "薬屋のひとりごと", 3),
        ("凡人修仙传12", "凡人修仙传", 12),
        ("The Saga 4", "The Saga", 4),
        ("狼と香辛料Ⅳ", "狼と香辛料", 4),
    ],
)
def test_a_bare_number_at_the_end_is_only_a_guess(title: str, series: str, index: float) -> None:
    guess = guess_series(title)

    assert guess is not None
    assert (guess.series, guess.index, guess.is_sure) == (series, index, False)


@pytest.mark.parametrize(
    "title",
    [
        "红楼梦",
        "Moby-Dick",
        "1984",
        "第三卷",
        "Vol. 2",
        "A Tale of Two Cities",
        "吾輩は猫である",
        "Volume",
        "",
        "山下",
        "2001",
        "三体",
    ],
)
def test_a_title_without_a_volume_names_no_series(title: str) -> None:
    assert guess_series(title) is None


@pytest.mark.parametrize("title", ["Catch-22", "Fahrenheit 451", "Nineteen Eighty-Four", "Blade Runner 2049"])
def test_numbers_that_belong_to_a_name_are_never_sure(title: str) -> None:
    guess = guess_series(title)

    assert guess is None or not guess.is_sure


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("１２", 12),
        ("10.5", 10.5),
        ("二十一", 21),
        ("十", 10),
        ("百二", 102),
        ("〇", 0),
        ("一九", 19),
        ("IV", 4),
        ("Ⅻ", 12),
        ("③", 3),
        ("⑴", 1),
        ("seven", 7),
        ("x9", None),
        ("", None),
    ],
)
def test_numbers_are_read_in_every_script(text: str, number: float | None) -> None:
    assert number_of(text) == number


def _nested(*volumes: tuple[str, int, int]) -> list[ParsedChapter]:
    """Contents of volumes as (title, first document, chapters)."""
    return [
        chapter
        for title, first, count in volumes
        for chapter in (
            ParsedChapter(title, 0, first, 0),
            *(ParsedChapter(f"Chapter {n}", 1, first + n, 0) for n in range(count)),
        )
    ]


def test_an_omnibus_is_divided_at_its_volumes() -> None:
    contents = [
        ParsedChapter("Cover", 0, 0, 0, ChapterKind.FRONT),
        *_nested(("第一卷 晨", 1, 3), ("第二卷 昏", 4, 3)),
        ParsedChapter("后记", 0, 7, 0, ChapterKind.AFTERWORD),
    ]

    assert omnibus_parts(contents, 8, "全集") == (
        VolumePart("第一卷 晨", 0, 3),
        VolumePart("第二卷 昏", 4, 7),
    )


def test_volumes_named_by_the_series_and_a_number_are_volumes() -> None:
    parts = omnibus_parts(_nested(("Overlord 1", 0, 3), ("Overlord 2", 3, 3), ("Overlord 3", 6, 3)), 9, "Overlord")

    assert [(part.first_spine, part.last_spine) for part in parts] == [(0, 2), (3, 5), (6, 8)]


@pytest.mark.parametrize(
    "contents",
    [
        pytest.param([], id="nothing"),
        pytest.param(_nested(("第一卷", 0, 3)), id="only-one"),
        pytest.param(_nested(("Part 1", 0, 3), ("Part 2", 3, 3)), id="parts-of-one-book"),
        pytest.param(_nested(("第一章", 0, 3), ("第二章", 3, 3)), id="chapters"),
        pytest.param([ParsedChapter(f"Vol. {n}", 0, n, 0) for n in range(4)], id="without-chapters"),
        pytest.param(
            [
                ParsedChapter("Vol. 1", 0, 0, 0),
                ParsedChapter("1", 1, 0, 5),
                ParsedChapter("Vol. 2", 0, 0, 90),
                ParsedChapter("1", 1, 0, 95),
            ],
            id="inside-one-document",
        ),
    ],
)
def test_other_books_are_one_volume(contents: list[ParsedChapter]) -> None:
    assert omnibus_parts(contents, 6, "Book") == (VolumePart("Book", 0, 5),)
