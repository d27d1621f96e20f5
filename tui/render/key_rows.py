"""The list of keys as rows of a width: keys at the left, what they do beside them, nothing cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest

from tui.render.cells import cell_width
from tui.render.wrap import wrap

_NARROW = 64
_KEY_CELLS, _NARROW_KEY_CELLS = 24, 14
_INDENT = 4
_BETWEEN = "   "


def key_rows(entries: Sequence[tuple[str, Sequence[str], str]], width: int) -> list[tuple[str, bool]]:
    """Return (row, whether it is a heading) for a list of keys.

    Args:
        entries: (heading, key sequences, description) of each action, those of a heading together.
        width: Cells of a row.
    """
    keys_cells = _NARROW_KEY_CELLS if width < _NARROW else _KEY_CELLS
    rows: list[tuple[str, bool]] = []
    heading = ""
    for above, keys, description in entries:
        if above != heading:
            heading = above
            rows += [("", False), (f"  {heading}", True)]
        left = _joined(keys, keys_cells - 2)
        right = _wrapped(description, max(1, width - _INDENT - keys_cells))
        for key, words in zip_longest(left, right, fillvalue=""):
            row = " " * _INDENT + key + " " * (keys_cells - cell_width(key)) + words
            rows.append((row.rstrip(), False))
    return rows


def _joined(keys: Sequence[str], cells: int) -> list[str]:
    """Return keys side by side, in as many rows as they need; only a key longer than a row is divided."""
    rows: list[str] = []
    for key in keys:
        if rows and cell_width(rows[-1] + _BETWEEN + key) <= cells:
            rows[-1] += _BETWEEN + key
        else:
            rows += _wrapped(key, cells)
    return rows


def _wrapped(text: str, cells: int) -> list[str]:
    starts = [*wrap(text, cells), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(starts)]
