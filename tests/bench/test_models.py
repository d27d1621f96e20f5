"""Whoever gives a call up is free within its budget, and a call costs no more than its own."""

from __future__ import annotations

from pathlib import Path

from tests.bench.models import measure


def test_calls_are_given_up_and_made_within_their_budgets(tmp_path: Path) -> None:
    assert [str(line) for line in measure(tmp_path) if not line.is_kept] == []
