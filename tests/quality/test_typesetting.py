"""The short run of typesetting.py."""

from __future__ import annotations

from pathlib import Path

from tests.quality.typesetting import SLOWEST_MS, check


def test_books_are_laid_out_without_a_fault(corpora: Path) -> None:
    result = check(sorted((corpora / "epub").rglob("*.epub")), every=8)
    assert result.slices > 50
    assert result.faults == {}
    assert result.slowest_ms < SLOWEST_MS
