"""How many cells text takes in a terminal, for columns of the command line.

The rows of a page are measured by the terminal's own table in the tui, never here.
"""

from __future__ import annotations


def width_cells(text: str) -> int:
    """Return the cells one line of clean text takes; wide East Asian characters take two."""
    if text.isascii():
        return len(text)
    from apsw.unicode import text_width  # 15 ms; a line of ASCII does without

    return max(0, text_width(text))


def padded(text: str, width: int, *, is_right: bool = False) -> str:
    """Fill one line of clean text with blanks to a width in cells; a longer one stays as it is."""
    blanks = " " * (width - width_cells(text))
    return blanks + text if is_right else text + blanks
