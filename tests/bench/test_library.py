"""A work of half a million characters is imported and opened again within its share of the budgets."""

from __future__ import annotations

from pathlib import Path

from tests.bench.library import measure


def test_a_large_work_is_imported_and_opened_within_its_budgets(tmp_path: Path) -> None:
    lines = measure(tmp_path, 500_000)
    assert [str(line) for line in lines if not line.is_kept] == []
