"""Rare words of a sentence and where they first stand, in three languages."""

from __future__ import annotations

import pytest

from engine.analysis.rarity import Rarity, find_word
from tests.builders import make_text_blocks

_EN = Rarity(
    make_text_blocks(
        *["The lamp burned and they waited for the train."] * 300,
        "A murderer carried the ledgers away.",
        *["The lamp burned and they waited for the train."] * 100,
        "He murdered him again.",
    )
)
_EN_LATE = 300 * len("The lamp burned and they waited for the train.\n")
_ZH = Rarity(
    make_text_blocks(*["顾迟把档案放在桌上，转身离开了。"] * 300, "钟声里藏著偽造的遺囑。", *["裴照看着档案。"] * 100)
)
_ZH_LATE = 300 * len("顾迟把档案放在桌上，转身离开了。\n")
_JA = Rarity(
    make_text_blocks(
        *["千景は傘を店に預けた。雨が降っていた。"] * 300, "ハルトは遺言書をカバンに隠した。", "雨がやんだ。"
    )
)
_JA_LATE = 300 * len("千景は傘を店に預けた。雨が降っていた。\n")


def _words(rarity: Rarity, sentence: str, late: int) -> dict[str, int]:
    """Return rare words with the offset, from the late paragraph on, at which their first occurrence ends."""
    return {word: pos - late for word, pos in rarity.rare_words(sentence).items()}


@pytest.mark.parametrize(
    ("sentence", "rare"),
    [
        ("She is a murderer.", {"murderer": 10}),
        ("He carries a ledger.", {"ledger": 30}),  # everybody carries something
        ("LEDGERS", {"ledger": 30}),
        ("The lamp burned for the train.", {}),  # in every paragraph
        ("A dragon came.", {}),  # nowhere
        ("They should become people again.", {}),  # common in any book
    ],
)
def test_english_words_count_by_their_stem(sentence: str, rare: dict[str, int]) -> None:
    assert _words(_EN, sentence, _EN_LATE) == rare


@pytest.mark.parametrize(
    ("sentence", "rare"),
    [
        ("顾迟伪造了遗嘱。", {"伪造": 7, "遗嘱": 10}),  # the text is in traditional characters there
        ("顾迟把档案放在桌上。", {}),
        ("他自己也明白。", {}),
        ("顾迟杀龙。", {}),
    ],
)
def test_chinese_words_count_from_two_characters_on(sentence: str, rare: dict[str, int]) -> None:
    assert _words(_ZH, sentence, _ZH_LATE) == rare


@pytest.mark.parametrize(
    ("sentence", "rare"),
    [
        ("ハルトが遺言書を書いた。", {"ハルト": 3, "遗言": 6}),
        ("千景は傘を預けた。", {}),
        ("カバンの中", {"カバン": 11}),
    ],
)
def test_japanese_words_are_runs_of_kanji_and_katakana(sentence: str, rare: dict[str, int]) -> None:
    assert _words(_JA, sentence, _JA_LATE) == rare


def test_a_word_of_one_paragraph_is_rare_in_a_short_work() -> None:
    assert Rarity(make_text_blocks("One.", "A ledger.")).rare_words("the ledger") == {"ledger": 13}


def test_of_overlapping_pairs_the_more_usual_is_the_word() -> None:
    rarity = Rarity(make_text_blocks(*["档案在此。裴照在此。"] * 3, *["无关。"] * 400, "案裴"))
    assert "案裴" not in rarity.rare_words("档案裴照")


def test_characters_that_only_chance_brings_together_are_no_word() -> None:
    rarity = Rarity(make_text_blocks(*["屋里有墨，墨香；心里有字，字里有墨。"] * 300, "墨里浮出遗嘱。", "无关。"))
    assert set(rarity.rare_words("他从墨里听见遗嘱。")) == {"遗嘱"}


def test_a_particle_is_no_part_of_a_word() -> None:
    rarity = Rarity(make_text_blocks(*["他的家，她的伞。"] * 300, "卷尾有他的押名。", "无关。"))
    assert set(rarity.rare_words("他的押名")) == {"押名"}


@pytest.mark.parametrize(
    ("rarity", "sentence", "telling"),
    [
        (_EN, "The ledgers were waited for by a dragon.", {"ledger": "ledgers"}),
        (_ZH, "裴照的遗嘱在钟声里。", {"遗嘱": "遗嘱", "钟声": "钟声"}),
        (_JA, "ハルトの傘", {"ハルト": "ハルト"}),
    ],
)
def test_a_telling_word_stands_in_few_paragraphs(rarity: Rarity, sentence: str, telling: dict[str, str]) -> None:
    assert rarity.telling_words(sentence) == telling


@pytest.mark.parametrize(
    ("word", "text", "at"),
    [
        ("ledger", "Two Ledgers lay there.", 4),
        ("ledger", "The lodger slept.", None),
        ("遗嘱", "偽造的遺囑。", 3),
        ("ハルト", "あのハルトが", 2),
        ("ハルト", "はるとが", None),
    ],
)
def test_a_telling_word_is_found_however_it_is_written(word: str, text: str, at: int | None) -> None:
    assert find_word(word, text) == at
