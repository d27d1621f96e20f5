"""The number a chapter's title prints."""

from __future__ import annotations

import pytest

from engine.text.numbers import printed_label, printed_number


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("CHAPTER XLII.", 42),
        ("Chapter 7", 7),
        ("Letter 4", 4),
        ("XIV", 14),
        ("12. The End", 12),
        ("第七十三回 玄德进位汉中王", 73),
        ("第一百二十回", 120),
        ("第一百零八章", 108),
        ("第二十話　雪", 20),
        ("第１２章", 12),
        ("三", 3),
        ("二〇", None),
        ("In the beginning", None),
        ("MIX it", None),
        ("Civil", None),
        ("一念", None),
        ("", None),
    ],
)
def test_the_number_of_a_title(title: str, number: int | None) -> None:
    assert printed_number(title) == number


@pytest.mark.parametrize(
    ("title", "label"),
    [("第七十三回 玄德进位汉中王", "第七十三回"), ("第 二十 話", "第二十話"), ("CHAPTER I.", ""), ("三", "")],
)
def test_a_han_title_is_told_by_the_number_as_it_is_printed(title: str, label: str) -> None:
    assert printed_label(title) == label
