"""A small book, and a library that holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import make_epub
from tests.commands import FERRY, records, run_command


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """One small book of two chapters."""
    return make_epub(
        tmp_path / "ferry.epub",
        title=FERRY,
        chapters=[("Low Water", "<p>The rope was wet.</p><p>Nobody rang.</p>"), ("High Water", "<p>It rose.</p>")],
    )


@pytest.fixture
def shelf(book: Path) -> str:
    """Import that book and return its id."""
    done = run_command("import", "--json", str(book))
    assert done.returncode == 0, done.stderr
    return str(records(done.stdout)[0]["work"])
