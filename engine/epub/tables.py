"""Tables that hold data, told from tables that only place things on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.epub.markup import local_name
from engine.epub.words import short_text
from engine.epub.wordset import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_LONGEST_CELL = 1_500
_BLOCKS_OF_PROSE = word_set("h1 h2 h3 h4 h5 h6 blockquote pre figure section")


def is_data_table(table: _Element) -> bool:
    """Say whether a table's rows belong together as rows: more than one column, short cells, no table inside."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return False
    widest = columns = 0
    for element in table.iter():
        name = local_name(element)
        if name == "tr":
            columns = 0
        elif name in ("td", "th"):
            columns += 1
            widest = max(widest, columns)
            if len(short_text(element, _LONGEST_CELL)) >= _LONGEST_CELL:
                return False
        elif name in _BLOCKS_OF_PROSE or (name == "table" and element is not table):
            return False
    return widest > 1


def is_header_row(row: _Element) -> bool:
    """Say whether all cells of a row are heading cells."""
    names = [local_name(cell) for cell in row]
    return "th" in names and "td" not in names
