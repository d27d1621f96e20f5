"""The gates of entities.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.entities import print_books, print_places


@pytest.mark.parametrize("language", ["english", "chinese", "japanese"])
def test_people_of_whole_novels_are_found_under_their_names(corpora: Path, language: str) -> None:
    assert print_books(corpora, language)


def test_places_are_found_with_half_the_error_of_capitals_alone(corpora: Path) -> None:
    assert print_places(corpora)
