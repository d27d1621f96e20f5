"""Characters as seen, words and sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.text.segment import grapheme_bounds, sentence_spans, word_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301a", ["e\u0301", "a"]),
        ("👩‍👩‍👧!", ["👩‍👩‍👧", "!"]),
        ("🇯🇵🇨🇳", ["🇯🇵", "🇨🇳"]),
        ("か\u3099な", ["か\u3099", "な"]),
        ("❤\ufe0fx", ["❤\ufe0f", "x"]),
        ("", []),
    ],
)
def test_characters_as_seen_stay_whole(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in pairwise(grapheme_bounds(text))] == expected


def test_bounds_hold_the_end_of_the_text() -> None:
    assert grapheme_bounds("e\u0301a") == [0, 2, 3]
    assert grapheme_bounds("") == [0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t go, Ilse!", ["Don’t", "go", "Ilse"]),
        ("世界は広い", ["世", "界", "は", "広", "い"]),
        ("ラーメン屋", ["ラーメン", "屋"]),
        ("  ", []),
    ],
)
def test_words_come_without_spaces_and_signs(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in word_spans(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nobody came. Nobody ever did!", ["Nobody came. ", "Nobody ever did!"]),
        ("他走了。她没有回头。", ["他走了。", "她没有回头。"]),
        ("行こう。彼は言った", ["行こう。", "彼は言った"]),
        ("She saw Mr. Fenn. He saw Dr. J. Pell.", ["She saw Mr. Fenn. ", "He saw Dr. J. Pell."]),
        ("It was I. He left.", ["It was I. ", "He left."]),
        ("No. He will not. See No. 5 there.", ["No. ", "He will not. ", "See No. 5 there."]),
        ("He is called Mr.", ["He is called Mr."]),
    ],
)
def test_sentences_are_the_whole_text(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == expected
