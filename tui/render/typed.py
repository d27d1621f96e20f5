"""Draw a line being typed, with its cursor."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from tui.render.cells import cell_width, cut_cells


def typed_segments(text: str, cursor: int, ink: Style, cursor_style: Style) -> list[Segment]:
    """Return the text and one blank behind it, the character at a cell in the style of the cursor.

    Args:
        text: What is seen of the line.
        cursor: Cell in it, from `LineEdit.window`.
        ink: Style of the text.
        cursor_style: Style of what the cursor stands on.
    """
    before = cut_cells(text, cursor)
    rest = text[len(before) :] + " "
    under = next((cut for cells in (1, 2) if (cut := cut_cells(rest, cells))), " ")
    behind = rest[len(under) :]
    segments = [Segment(before, ink), Segment(under, cursor_style), Segment(behind, ink)]
    return [segment for segment in segments if cell_width(segment.text)]
