"""Ambiguous characters (“ — … · ①, Greek, Cyrillic, lines, blocks): one cell wide, or two as in East Asian terminals.

What Textual draws is measured by rich, so rich must be told too. Its tables are the process's,
and so is this switch: a process has one terminal.

Source: UAX #11, revision 43: characters of class A are wide in an East Asian context.
"""

from __future__ import annotations

from collections.abc import Iterator

import rich.cells
from rich._unicode_data import load
from rich.cells import CellTable

from tui.render import cells

_BLOCKS = (
    range(0xA1, 0x3000),
    range(0x3248, 0x3250),
    range(0xE000, 0xF900),
    range(0xFFFD, 0xFFFE),
    range(0x1F100, 0x1F1AD),
)
"""Where ambiguous characters are."""


def is_drawn_wide() -> bool:
    """Say whether ambiguous characters count as two cells."""
    return cells.is_ambiguous_wide()


def draw_ambiguous_wide(is_wide: bool) -> bool:
    """Count ambiguous characters as two cells from now on, or as one; say whether that is a change.

    Whatever was laid out or drawn before must be laid out and drawn again.
    """
    if is_wide == is_drawn_wide():
        return False
    wide = _ambiguous() if is_wide else frozenset()
    cells.count_wide(wide)
    table = _widened(load(), wide)
    names = vars(rich.cells)
    names["load_cell_table"] = lambda _unicode_version="auto": table
    names["_is_single_cell_widths"] = rich.cells._SINGLE_CELLS.difference(wide).issuperset
    rich.cells.get_character_cell_size.cache_clear()
    rich.cells.cached_cell_len.cache_clear()
    return True


def _ambiguous() -> frozenset[str]:
    """Return all ambiguous characters that take a cell; what combines with others takes none anywhere."""
    from unicodedata import east_asian_width  # only where it is needed

    chars = (chr(code) for block in _BLOCKS for code in block)
    size = rich.cells.get_character_cell_size
    return frozenset(char for char in chars if east_asian_width(char) == "A" and size(char) == 1)


def _widened(table: CellTable, wide: frozenset[str]) -> CellTable:
    """Return a table in which these characters take two cells, also where a variation selector follows."""
    rows = [*table.widths, *((first, last, 2) for first, last in _ranges(wide))]
    return table._replace(widths=sorted(rows), narrow_to_wide=table.narrow_to_wide - wide)


def _ranges(chars: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Return the first and the last code point of each run."""
    first = last = -2
    for code in sorted(map(ord, chars)):
        if code != last + 1:
            if last >= 0:
                yield first, last
            first = code
        last = code
    if last >= 0:
        yield first, last
