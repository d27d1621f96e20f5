"""The gates of entities_cjk.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.entities_cjk import print_hand_checked, print_language, print_swapped


@pytest.mark.parametrize("language", ["chinese", "japanese"])
def test_people_of_each_work_are_found_with_and_without_the_extra(corpora: Path, language: str) -> None:
    assert print_language(corpora, language)


def test_names_chosen_by_reading_are_found(corpora: Path) -> None:
    assert print_hand_checked(corpora)


def test_invented_foreign_names_are_found(corpora: Path) -> None:
    assert print_swapped(corpora)
