"""The words of a passage that fit into one row, what was found marked among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.domain.book import PICTURE_CHAR
from engine.text.snippet import densest_mark
from tui.render.cells import ELLIPSIS, cell_width, cut_cells

Marks = Sequence[tuple[int, int]]
"""(start, end) in a text, apart and in order."""
Part = tuple[str, bool]
"""Words, and whether they are what was found."""

_BLANKS = re.compile(rf"[\s{PICTURE_CHAR}]")
_BEFORE_SHARE = 3
"""A third of the row stands before the first mark."""


def fit_snippet(text: str, marks: Marks, cells: int) -> list[Part]:
    """Return the part of a passage to show in so many cells, where most of what is marked stands.

    White space and pictures become blanks; an ellipsis stands where something was cut away.
    """
    line = _BLANKS.sub(" ", text)
    start = len(line) - len(line.lstrip())
    end = len(line.rstrip())
    if cell_width(line[start:end]) > cells:
        start, end = _window(line, marks, start, end, cells)
    head, tail = ELLIPSIS if line[:start].strip() else "", ELLIPSIS if line[end:].strip() else ""
    return [(words, is_marked) for words, is_marked in _parts(line, marks, start, end, head, tail) if words]


def _window(line: str, marks: Marks, first: int, last: int, cells: int) -> tuple[int, int]:
    """Return what to show of a line that is too long."""
    chars = cells * (last - first) // max(1, cell_width(line[first:last]))
    anchor = densest_mark(marks, chars * 2 // 3)
    room = max(1, cells - 2 * cell_width(ELLIPSIS))
    behind = cell_width(line[anchor:last])
    wanted = max(room // _BEFORE_SHARE, room - behind)
    start = anchor
    while start > first and cell_width(line[start - 1 : anchor]) <= wanted:
        start -= 1
    if start > first and line[start - 1].isalnum() and line[start - 1].isascii():
        blank = line.find(" ", start, anchor)
        start = blank + 1 if blank >= 0 else start
    while start < anchor and line[start] == " ":
        start += 1
    return start, start + len(cut_cells(line[start:last], room))


def _parts(line: str, marks: Marks, start: int, end: int, head: str, tail: str) -> list[Part]:
    parts: list[Part] = [(head, False)]
    at = start
    for first, last in marks:
        a, b = max(first, at), min(last, end)
        if a < b:
            parts += [(line[at:a], False), (line[a:b], True)]
            at = b
    return [*parts, (line[at:end], False), (tail, False)]
