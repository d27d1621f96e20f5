"""Pictures as half blocks: how many cells one takes, and a row of it as the terminal takes it."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color, ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

_PIXELS_A_CELL = 8
"""Of a picture that is not made smaller; so wide is a character on the screens books are made for."""
_LEAST_ROWS = 2
_HALF = "▀"
_RESET = "\x1b[0m"


def fitting_cells(width: int, height: int, columns: int, rows: int) -> tuple[int, int]:
    """Return (columns, rows) for a picture of so many pixels in a field, its proportions kept; (0, 0) for none."""
    if min(width, height, columns, rows) <= 0:
        return 0, 0
    scale = min(columns / width, 2 * rows / height, 1 / _PIXELS_A_CELL)
    wide, high = round(width * scale), round(height * scale / 2)
    return max(1, min(columns, wide)), max(_LEAST_ROWS, min(rows, high)) if rows >= _LEAST_ROWS else rows


class ArtStrip(Strip):
    """A row of a picture: two colours a cell, said only where they change."""

    def __init__(self, pixels: list[tuple[int, int, int, int, int, int]], left: int, width: int, ink: Style) -> None:
        """Take red, green and blue of the upper and the lower pixel of each cell, and the blanks around them."""
        self._pixels = pixels
        self._left, self._ink = left, ink
        self._right = max(0, width - left - len(pixels))
        inner = [Segment(_HALF, _style(pixel)) for pixel in pixels]
        super().__init__([Segment(" " * left, ink), *inner, Segment(" " * self._right, ink)], width)

    def render(self, console: Console) -> str:
        """Return the row as the terminal takes it."""
        if console._color_system is not ColorSystem.TRUECOLOR:
            return super().render(console)
        if self._render_cache is None:
            blank = Strip.render_style(self._ink, "x", ColorSystem.TRUECOLOR).partition("x")[0]
            parts = [blank, " " * self._left]
            upper = lower = None
            for r, g, b, s, h, c in self._pixels:
                changes = []
                if upper != (r, g, b):
                    upper = r, g, b
                    changes.append(f"38;2;{r};{g};{b}")
                if lower != (s, h, c):
                    lower = s, h, c
                    changes.append(f"48;2;{s};{h};{c}")
                parts.append((f"\x1b[{';'.join(changes)}m" if changes else "") + _HALF)
            self._render_cache = "".join(parts) + _RESET + blank + " " * self._right + _RESET
        return self._render_cache


@lru_cache(maxsize=8192)
def _style(pixel: tuple[int, int, int, int, int, int]) -> Style:
    return Style(color=Color.from_rgb(*pixel[:3]), bgcolor=Color.from_rgb(*pixel[3:]))


def art_strip(rgb: bytes, columns: int, row: int, left: int, width: int, ink: Style) -> Strip:
    """Return a row of a picture.

    Args:
        rgb: Three bytes a pixel, `columns` pixels a line, two lines a row.
        columns: Width of the picture.
        row: Which row of it.
        left: Blank cells before it.
        width: Cells of the strip.
        ink: Style of the blanks.
    """
    line = 3 * columns
    above, below = rgb[2 * row * line : (2 * row + 1) * line], rgb[(2 * row + 1) * line : (2 * row + 2) * line]
    # Fewer shades change less often: half the bytes, and nobody sees it in cells.
    above, below = above.translate(_SHADES), below.translate(_SHADES)
    cells = [(*above[n : n + 3], *below[n : n + 3]) for n in range(0, min(len(above), len(below)), 3)]
    return ArtStrip(cells, left, width, ink)


_SHADES = bytes(min(255, (value + 4) // 8 * 8) for value in range(256))
