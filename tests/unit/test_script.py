"""Which script a text is in, and how long it takes to read."""

from __future__ import annotations

import pytest

from engine.text.measure import reading_seconds
from engine.text.script import Script, dominant_script, script_of


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("字", Script.HAN),
        ("々", Script.HAN),
        ("𠮷", Script.HAN),
        ("あ", Script.KANA),
        ("ー", Script.KANA),
        ("ｶ", Script.KANA),
        ("・", Script.COMMON),
        ("é", Script.LATIN),
        ("Ａ", Script.LATIN),
        ("한", Script.HANGUL),
        ("я", Script.OTHER),
        ("ก", Script.OTHER),
        ("7", Script.COMMON),
        ("。", Script.COMMON),
    ],
)
def test_a_character_belongs_to_a_script(char: str, expected: Script) -> None:
    assert script_of(char) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“你好，Hello。”", Script.HAN),
        ("彼女は騎士団長だった。", Script.KANA),
        ("他在东京学会了一个词，叫做「の」，从此再也没有忘记过它的用法。", Script.HAN),
        ("She kept the lamp 灯 burning.", Script.LATIN),
        ("Привет, мир", Script.OTHER),
        ("그는 웃었다", Script.HANGUL),
        ("1984 …", Script.COMMON),
        ("", Script.COMMON),
    ],
)
def test_the_script_of_a_text_is_that_of_most_of_it(text: str, expected: Script) -> None:
    assert dominant_script(text) is expected


@pytest.mark.parametrize(
    ("language", "minutes"), [("zh", 10.0), ("zh-Hant", 10.0), ("ZH_CN", 10.0), ("ja", 8.125), ("en-GB", 2.786)]
)
def test_reading_takes_longer_where_a_character_says_more(language: str, minutes: float) -> None:
    assert reading_seconds(3900, language) / 60 == pytest.approx(minutes, abs=0.001)


def test_a_reader_twice_as_fast_takes_half_the_time() -> None:
    assert reading_seconds(1000, "en", pace=2) == reading_seconds(1000, "en") / 2


def test_nothing_left_takes_no_time() -> None:
    assert reading_seconds(-5, "en") == 0
