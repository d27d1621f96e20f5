"""Pages of the wiki of a work of 40 volumes are made within their budgets."""

from __future__ import annotations

from pathlib import Path

from tests.bench.wiki import measure


def test_pages_of_a_long_work_are_made_within_their_budgets(tmp_path: Path) -> None:
    assert [str(line) for line in measure(tmp_path) if not line.is_kept] == []
