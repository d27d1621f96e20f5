"""Columns of the command line line up, whatever the script."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from engine.text.width import padded, width_cells


@pytest.mark.parametrize(
    "text", ["", "plain", "café", "红楼梦", "銀河鉄道の夜", "ﾊﾝｶｸ", "e\u0301tude", "“quoted” — so…", "👩‍👩‍👧", "한국어"]
)
def test_width_is_what_the_terminal_library_counts(text: str) -> None:
    assert width_cells(text) == cell_len(text)


@pytest.mark.parametrize(("text", "expected"), [("ab", "ab  "), ("红", "红  "), ("红楼梦", "红楼梦")])
def test_padding_counts_cells(text: str, expected: str) -> None:
    assert padded(text, 4) == expected


def test_padding_at_the_left_sets_flush_right() -> None:
    assert padded("红", 4, is_right=True) == "  红"
