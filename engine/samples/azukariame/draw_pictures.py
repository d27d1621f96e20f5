"""Draw the pictures of the book anew: `python engine/samples/azukariame/draw_pictures.py`.

Run by hand after a change; the PNGs are committed. Needs Pillow, which the program does not.
No lettering: the same picture on every machine, whatever fonts it has.
"""

from __future__ import annotations

import math
from pathlib import Path

from engine.samples.sheet import Point, Sheet

_HERE = Path(__file__).parent
_ROOM, _BEAM, _RAIN, _INK, _TAG = "#2f3a48", "#201f24", "#8fa6b8", "#1d2026", "#e8dcc0"
_WATER, _WHITE, _RED = "#7fb4cf", "#f6f4ee", "#b8392f"
_HANGING = ("#15171c", "#3f5470", "#c9a13b", "#6b5178", "#15171c", "#7fb4cf", "#4a6b57", "#b9bfc4")


def _closed_umbrella(sheet: Sheet, top: Point, length: float, colour: str) -> None:
    """Draw an umbrella hanging by its tip, its tag beside it."""
    x, y = top
    body = length * 0.72
    sheet.line([(x, y - 14), (x, y + length)], _INK, 3)
    sheet.area([(x - 3, y), (x + 3, y), (x + 15, y + body), (x, y + body - 7), (x - 15, y + body)], colour)
    sheet.line([(x, y + length), (x + 4, y + length + 8), (x + 12, y + length + 5)], _INK, 3)
    sheet.line([(x + 9, y + body * 0.4), (x + 19, y + body * 0.62)], _TAG, 1)
    sheet.area([(x + 14, y + body * 0.6), (x + 24, y + body * 0.6), (x + 24, y + body), (x + 14, y + body)], _TAG)


def _rim(centre: Point, radius: float, panels: int) -> list[Point]:
    """Return the corners of an umbrella seen from above."""
    x, y = centre
    turns = [2 * math.pi * i / panels + math.pi / panels for i in range(panels)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def draw_cover() -> None:
    """Draw the shop: umbrellas under the beam, and a red one open in the doorway."""
    sheet = Sheet(480, 720, _ROOM)
    sheet.area([(96, 250), (384, 250), (384, 720), (96, 720)], "#cdbb92")
    sheet.area([(96, 640), (384, 640), (384, 720), (96, 720)], "#8d8066")
    for i in range(44):
        x, y = 104 + i * 67 % 272, 262 + i * 113 % 350
        sheet.line([(x, y), (x - 5, y + 22)], _RAIN, 1.4)
    for x in (96, 240, 384):
        sheet.line([(x, 240), (x, 700)], _BEAM, 7)
    for y in (330, 420, 510):
        sheet.line([(96, y), (170, y)], _BEAM, 3)
        sheet.line([(310, y), (384, y)], _BEAM, 3)
    sheet.area([(212, 560), (312, 470), (412, 560), (378, 548), (345, 562), (312, 548), (279, 562), (246, 548)], _RED)
    sheet.line([(312, 466), (312, 664)], _INK, 4)
    sheet.area([(0, 0), (480, 0), (480, 34), (0, 34)], _BEAM)
    for i, colour in enumerate(_HANGING * 2):
        _closed_umbrella(sheet, (22 + i * 29, 48 + i * 53 % 34), 118 + i * 37 % 44, colour)
    sheet.save(_HERE / "1/images/cover.png")


def draw_whale() -> None:
    """Draw number 214 from above: light blue, a white whale, half a tag."""
    sheet = Sheet(420, 400, _WHITE)
    middle = (200.0, 196.0)
    rim = _rim(middle, 160, 8)
    sheet.area(rim, _WATER)
    for corner in rim:
        sheet.line([middle, corner], "#5f93af", 1.5)
    back: list[Point] = [(120, 214), (136, 182), (176, 164), (222, 168), (252, 190), (270, 182), (276, 162), (290, 178)]
    belly: list[Point] = [(310, 172), (296, 194), (276, 206), (250, 226), (200, 240), (150, 236)]
    sheet.area([*back, *belly], _WHITE)
    sheet.dot((150, 204), 3.5, _INK)
    for lean in (-14, 0, 14):
        sheet.line([(178, 158), (178 + lean, 134)], _WHITE, 3)
    sheet.line([(322, 288), (346, 312)], _INK, 1.5)
    sheet.area([(340, 306), (384, 316), (376, 340), (380, 348), (370, 354), (372, 366), (328, 356)], _TAG)
    for i in range(3):
        sheet.line([(344 - i * 3, 320 + i * 11), (368 - i * 3, 325 + i * 11)], "#9a8f76", 1.5)
    sheet.save(_HERE / "1/images/whale.png")


if __name__ == "__main__":
    draw_cover()
    draw_whale()
