"""The short run of file_size.py."""

from __future__ import annotations

from pathlib import Path

from tests.bench.file_size import MOST, measure, novels


def test_half_a_million_characters_add_at_most_three_times_their_text(corpora: Path) -> None:
    found = measure(novels(corpora, "zh"), 500_000, "zh")
    print(f"library file {found.added:.2f} x the text of half a million characters, budget {MOST}")
    assert found.added <= MOST
