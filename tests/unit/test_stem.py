"""English words reduced to stems."""

from __future__ import annotations

import pytest

from engine.text.stem import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lamp", "lamps"),
        ("lamp's", "lamps"),
        ("carry", "carried"),
        ("carries", "carrying"),
        ("stop", "stopped"),
        ("hope", "hoping"),
        ("kiss", "kisses"),
        ("box", "boxes"),
        ("church", "churches"),
        ("betray", "betrayed"),
        ("call", "called"),
        ("quiet", "quietly"),
        ("letter", "letters"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("lamp", "lamb"), ("letter", "lettuce"), ("his", "hiss"), ("bus", "bu"), ("sing", "s"), ("red", "r")],
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["s", "'s", "ed", "y", "", "ss", "灯"])
def test_a_short_word_is_left_a_word(word: str) -> None:
    assert isinstance(stem(word), str)
