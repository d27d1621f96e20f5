"""The short run of wrapping.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.wrapping import SAMPLES, count_faults, from_novels, made_up

LOOKED_AT = {"rows", "characters", "torn, no other way"}


@pytest.mark.parametrize("language", SAMPLES)
def test_made_up_paragraphs_are_broken_without_a_fault(language: str) -> None:
    assert set(count_faults(made_up(language, 40), range(2, 201, 7))) <= LOOKED_AT


@pytest.mark.parametrize("language", SAMPLES)
def test_paragraphs_of_novels_are_broken_without_a_fault(corpora: Path, language: str) -> None:
    paragraphs = from_novels(corpora, language, 60)
    assert len(paragraphs) == 60
    assert set(count_faults(paragraphs, range(2, 201, 11))) <= LOOKED_AT
