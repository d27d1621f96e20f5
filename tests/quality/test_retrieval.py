"""The gates of retrieval.py: searches by words, on questions whose passages are known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.quality.retrieval import SETS


@pytest.mark.parametrize("name", SETS)
def test_the_passage_that_answers_comes_first(corpora: Path, name: str) -> None:
    if not (corpora / "retrieval").is_dir():
        pytest.skip("UNDERSTORY_CORPORA has no folder `retrieval`")
    assert SETS[name](corpora, os.environ.get("QUALITY", "ci") == "ci")
