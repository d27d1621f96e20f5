"""Wrap a few words of the program's own into rows."""

from __future__ import annotations

from tui.render.wrap import wrap


def wrapped_lines(text: str, cells: int) -> list[str]:
    """Return the rows of a text of one or more lines at so many cells; an empty line is one empty row."""
    rows: list[str] = []
    for line in text.split("\n"):
        starts = wrap(line, max(1, cells))
        rows += [line[a:b].rstrip() for a, b in zip(starts, [*starts[1:], len(line)], strict=True)] or [""]
    return rows
