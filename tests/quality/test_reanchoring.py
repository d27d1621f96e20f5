"""The short run of reanchoring.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.reanchoring import LANGUAGES, measure, novel


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_stand_where_they_should_in_another_edition(corpora: Path, tmp_path: Path, language: str) -> None:
    tally = measure(novel(corpora, language, 300), language, 33, tmp_path)
    assert tally.wrong == []
    assert tally.is_content
