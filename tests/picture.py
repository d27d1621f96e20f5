"""Draw a terminal's screen cell by cell as a PNG, so that a person can look at it.

Needs Pillow and the fonts DejaVu Sans Mono and WenQuanYi Zen Hei (Debian: fonts-dejavu, fonts-wqy-zenhei).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

_WIDE_FONT = "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"
_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
_BOLD = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"
_NAMED = {
    "black": "000000", "red": "cd3131", "green": "0dbc79", "brown": "e5e510", "blue": "2472c8",
    "magenta": "bc3fbc", "cyan": "11a8cd", "white": "e5e5e5",
}  # fmt: skip
_PAPER, _INK = "101010", "d8d8d8"
_EIGHTHS = "▏▎▍▌▋▊▉█"
"""Blocks that fill a cell from the left; the font's leave a gap between rows."""


def draw(cells: list[list[Any]], path: Path, *, cell_height: int = 20) -> None:
    """Write a PNG of pyte's cells.

    Args:
        cells: Rows of pyte characters; the second half of a wide one has empty data.
        path: Where to.
        cell_height: Pixels; a cell is half as wide.
    """
    cell = cell_height // 2
    fonts = {
        False: ImageFont.truetype(_FONT, cell_height - 5),
        True: ImageFont.truetype(_BOLD, cell_height - 5),
    }
    wide = ImageFont.truetype(_WIDE_FONT, cell_height - 4, index=1)
    image = Image.new("RGB", (len(cells[0]) * cell, len(cells) * cell_height), f"#{_PAPER}")
    pen = ImageDraw.Draw(image)
    for y, row in enumerate(cells):
        for x, char in enumerate(row):
            is_wide = x + 1 < len(row) and row[x + 1].data == ""
            ink, paper = _colour(char.fg, _INK), _colour(char.bg, _PAPER)
            if char.reverse:
                ink, paper = paper, ink
            box = (x * cell, y * cell_height, (x + (2 if is_wide else 1)) * cell - 1, (y + 1) * cell_height - 1)
            if char.data == "":
                continue
            pen.rectangle(box, fill=paper)
            if char.data in _EIGHTHS:
                filled = cell * (_EIGHTHS.index(char.data) + 1) // len(_EIGHTHS)
                pen.rectangle((box[0], box[1], box[0] + max(1, filled) - 1, box[3]), fill=ink)
            elif char.data == "▀":
                pen.rectangle((box[0], box[1], box[2], (box[1] + box[3]) // 2), fill=ink)
            elif char.data != " ":
                middle = ((box[0] + box[2] + 1) / 2, (box[1] + box[3] + 1) / 2)
                pen.text(middle, char.data, font=wide if is_wide else fonts[char.bold], fill=ink, anchor="mm")
                if is_wide and char.bold:  # the font has no bold
                    pen.text((middle[0] + 1, middle[1]), char.data, font=wide, fill=ink, anchor="mm")
            if char.underscore:
                pen.line((box[0], box[3] - 1, box[2], box[3] - 1), fill=ink)
            if char.strikethrough:
                pen.line((box[0], (box[1] + box[3]) // 2, box[2], (box[1] + box[3]) // 2), fill=ink)
    image.save(path)


def _colour(name: str, default: str) -> str:
    if name == "default":
        return f"#{default}"
    return f"#{_NAMED.get(name.removeprefix('bright'), name)}"
