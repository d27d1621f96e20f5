"""The short run of hostile_bytes.py."""

from __future__ import annotations

from pathlib import Path

from tests.quality.hostile_bytes import make_book, read_through, strings


def test_no_byte_of_a_book_drives_the_terminal(tmp_path: Path) -> None:
    pages, _size, found = read_through(make_book(tmp_path / "hostile.epub", strings(300)), tmp_path / "home")
    assert pages > 3
    assert found == []
