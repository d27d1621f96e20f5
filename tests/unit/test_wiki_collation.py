"""Where names stand in an index."""

from __future__ import annotations

import pytest

from engine.wiki.collation import index_key, pinyin_initial


@pytest.mark.parametrize(
    ("name", "language", "letter"),
    [
        ("Ilse Marrow", "en", "I"),
        ("the Hatter", "en", "H"),
        ("A Tiny Woman", "en", "T"),
        ("Élise", "fr", "E"),
        ("“Button”", "en", "B"),
        ("6.40", "en", "#"),
        ("曹操", "zh", "C"),
        ("諸葛亮", "zh-Hant", "Z"),
        ("荀彧", "zh", "X"),
        ("曾国藩", "zh", "Z"),
        ("单雄信", "zh", "S"),
        ("卡西安·洛特", "zh", "K"),
        ("Alice 愛麗絲", "zh", "A"),
        ("ガラス", "ja", "か"),
        ("はると", "ja", "は"),
        ("ｱﾘｽ", "ja", "あ"),
        ("ヴァン", "ja", "あ"),
        ("ん", "ja", "わ"),
        ("綾", "ja", "漢"),
        ("!?", "en", "#"),
    ],
)
def test_a_name_stands_under_its_letter(name: str, language: str, letter: str) -> None:
    assert index_key(name, language).letter == letter


def test_a_reading_puts_a_name_in_its_row_of_kana() -> None:
    assert index_key("相沢千景", "ja", "あいざわちかげ").letter == "あ"


def test_letters_come_before_kana_kana_before_other_characters() -> None:
    names = ["綾", "あや", "Aya", "!"]
    assert sorted(names, key=lambda name: index_key(name, "ja")) == ["Aya", "あや", "綾", "!"]


def test_chinese_names_are_sorted_by_their_reading() -> None:
    names = ["周瑜", "曹操", "赵云", "陈宫", "张飞"]
    assert sorted(names, key=lambda name: index_key(name, "zh")) == ["曹操", "陈宫", "张飞", "赵云", "周瑜"]


@pytest.mark.parametrize(("char", "letter"), [("劉", "L"), ("鄢", "Y"), ("龘", ""), ("あ", "")])
def test_the_initial_of_a_character_is_that_of_its_simplified_form_or_none(char: str, letter: str) -> None:
    assert pinyin_initial(char) == letter
