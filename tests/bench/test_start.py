"""The start within its budget; what a busy machine makes dearer is measured against Textual alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.start import measure
from tests.pace import allowance


def test_the_first_page_stands_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    cost = measure(tmp_path, 5)
    room = allowance()
    assert cost.early_ms <= max(8 * room, 0.047 * cost.textual_ms)
    assert cost.running_ms <= max(320 * room, 1.7 * cost.textual_ms)
    assert cost.running_bytes < 1000, "the page was sent twice"
