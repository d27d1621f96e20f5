"""Of a long passage the sentences are quoted that hold what was asked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agent.passage_part import telling_part

_EN = (
    "She sat down upon the bed. “What is that?” said Mr. Tull. “That is the Low Star,” said Tobias Marrow. "
    "“It comes up about this time.” He busied himself with a pan, and Tobias said no more."
)
_ZH = "顾迟站在门口，没有动。“汤没有凉。”裴照说。灯灭了。没有人回答。"
_JA = "お綾は灯を数えた。誰も何も言わなかった。「雨です」と庄太が言った。"


@pytest.mark.parametrize(
    ("text", "words", "cells", "part"),
    [
        (_EN, ["Low Star"], 60, "“That is the Low Star,” said Tobias Marrow."),
        (_EN, ["Tull"], 60, "“What is that?” said Mr. Tull."),
        (_EN, ["Star", "time"], 90, "“That is the Low Star,” said Tobias Marrow. “It comes up about this time.”"),
        (_EN, ["Tobias"], 200, "“That is the Low Star,” said Tobias Marrow."),  # the shorter of two that hold as much
        (_EN, [], 60, "She sat down upon the bed. “What is that?” said Mr. Tull."),
        (_EN, [], 5, "She sat down upon the bed."),
        (_ZH, ["汤"], 40, "“汤没有凉。”裴照说。"),
        (_JA, ["庄太"], 40, "「雨です」と庄太が言った。"),
    ],
)  # fmt: skip
def test_the_sentences_are_taken_that_hold_most(text: str, words: list[str], cells: int, part: str) -> None:
    marks = [match.span() for word in words for match in re.finditer(word, text)]
    start, end = telling_part(text, marks, cells)
    assert text[start:end] == part


@given(st.text(alphabet="ab .!“”。灯\n", max_size=80), st.integers(1, 60), st.data())
def test_whatever_the_text_a_part_of_it_is_taken(text: str, cells: int, data: st.DataObject) -> None:
    ends = st.integers(0, len(text))
    marks = [(a, b) for a, b in data.draw(st.lists(st.tuples(ends, ends), max_size=4)) if a < b]
    start, end = telling_part(text, marks, cells)
    assert 0 <= start <= end <= len(text)
    assert text[start:end].strip() == text[start:end]
    assert text[start:end] or marks or not text.strip()
