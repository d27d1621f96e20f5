"""Imprints, licences and notes on the edition are no story: they give no names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.analysis.rules.analyst import analyse
from engine.analysis.rules.colophons import without_colophons
from engine.domain.book import ChapterKind
from engine.domain.knowledge import TextBlock
from engine.epub.kinds import kind_of
from tests.builders import make_text_blocks

STORY = ("“Come in,” said Lucy Hale.", "Lucy Hale went to the window.", "Mr. Vane waited for Lucy Hale.")


def texts_of(*texts: str) -> list[str]:
    return [block.text for block in without_colophons(make_text_blocks(*texts))]


def test_a_text_without_an_imprint_stays_as_it_is() -> None:
    blocks = make_text_blocks(*STORY)

    assert without_colophons(blocks) == blocks


def test_what_stands_before_and_after_a_licences_lines_is_taken_out() -> None:
    texts = texts_of(
        "The Project Gutenberg eBook of Old Mills, by Ada Marsh",
        "*** START OF THE PROJECT GUTENBERG EBOOK OLD MILLS ***",
        *STORY,
        "*** END OF THE PROJECT GUTENBERG EBOOK OLD MILLS ***",
        "Michael Reed is the founder of the project.",
    )

    assert texts == ["", "", *STORY, "", ""]


def test_the_notes_at_the_end_of_a_japanese_edition_are_taken_out() -> None:
    texts = texts_of(
        "お鈴は笑った。",
        "底本：「旧い水車」灯火文庫、灯火社",
        "　　　1986（昭和61）年10月20日初版1刷発行",
        "入力：丘野晴",
        "このファイルは、有志の手で作られました。",
    )

    assert texts == ["お鈴は笑った。", "", "", "", ""]


@pytest.mark.parametrize(
    "line",
    [
        "图源：林间小鹿",
        "校对：风中的猫、阿月",
        "翻譯：夜讀",
        "入力：丘野晴",
        "Translator: Quiet Hill",
        "Source: https://example.org/book/1",
        "Produced by Ann Marsh and the Proofreading Team",
        "This eBook is for the use of anyone anywhere at no cost.",
    ],
)
def test_a_line_that_credits_who_made_the_edition_is_taken_out(line: str) -> None:
    assert texts_of("Lucy laughed.", line, "Lucy wept.") == ["Lucy laughed.", "", "Lucy wept."]


@pytest.mark.parametrize(
    "line",
    [
        "“Produced by whom?” asked Lucy Hale.",
        "他把书的作者问了一遍，没有人知道。",
        "底本を開いたまま、お鈴は眠っていた。",
        "校对的人说：这里错了。",
    ],
)
def test_a_line_of_the_story_that_only_looks_like_one_stays(line: str) -> None:
    assert texts_of("Lucy laughed.", line) == ["Lucy laughed.", line]


def test_a_chapter_that_is_no_story_gives_no_names() -> None:
    afterword = [replace(block, is_story=False) for block in make_text_blocks("“Thanks,” says Ada Marsh.", chapter=1)]

    roster = analyse([*make_text_blocks(*STORY), *_after(STORY, afterword)], "en")

    assert {point.name for point in roster.points} == {"Lucy Hale", "Mr. Vane"}


def test_a_list_of_characters_in_the_front_matter_is_read() -> None:
    front = [
        replace(block, is_story=False)
        for block in make_text_blocks(
            "# Dramatis Personae", "Lucy Hale: a baker", "Tobias Reed: a miller", "Ada Marsh: his aunt", chapter=0
        )
    ]
    story = make_text_blocks("Tobias Reed slept.", *STORY, chapter=1, pos=500)

    roster = analyse([*front, *story], "en")

    assert "Tobias Reed" in {point.name for point in roster.points if point.is_listed}


def test_numbers_and_places_of_the_blocks_stay() -> None:
    blocks = make_text_blocks("Lucy laughed.", "校对：阿月", "Lucy wept.")

    assert [block.pos for block in without_colophons(blocks)] == [block.pos for block in blocks]


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("底本・注記", ChapterKind.AFTERWORD),
        ("底本について", ChapterKind.AFTERWORD),
        ("The Full Project Gutenberg License", ChapterKind.FRONT),
        ("Transcriber’s Notes", ChapterKind.AFTERWORD),
        ("校对说明", ChapterKind.FRONT),
        ("校对后记", ChapterKind.AFTERWORD),
        ("第一章 校对的人", ChapterKind.BODY),
        ("The Transcriber", ChapterKind.BODY),
    ],
)
def test_a_chapter_about_the_edition_is_known_by_its_title(title: str, kind: ChapterKind) -> None:
    assert kind_of(title) is kind


def _after(texts: tuple[str, ...], blocks: list[TextBlock]) -> list[TextBlock]:
    base = sum(len(text) + 1 for text in texts)
    return [replace(block, pos=block.pos + base) for block in blocks]
