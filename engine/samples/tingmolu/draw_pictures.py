"""Draw the pictures of the series anew: `python engine/samples/tingmolu/draw_pictures.py`.

Run by hand after a change; the PNGs are committed. Needs Pillow, which the program does not.
No lettering: the same picture on every machine, whatever fonts it has.
"""

from __future__ import annotations

from pathlib import Path

from engine.samples.sheet import Point, Sheet

_HERE = Path(__file__).parent
_PAPER, _INK, _FAINT, _SEAL = "#f1ece0", "#26272b", "#9a958a", "#a63a2b"
_DUSK, _RIVER, _SNOW, _BRONZE, _LAMP = "#39465a", "#2a3545", "#e6e9ec", "#4f6a5e", "#f0cf86"


def _bell(sheet: Sheet, top: Point, height: float, colour: str) -> None:
    """Draw a bell hanging from `top`."""
    x, y = top
    half = [(0.05, 0.0), (0.20, 0.05), (0.29, 0.16), (0.32, 0.60), (0.37, 0.84), (0.46, 1.0)]
    right: list[Point] = [(x + dx * height, y + dy * height) for dx, dy in half]
    left: list[Point] = [(x - dx * height, y + dy * height) for dx, dy in reversed(half)]
    sheet.area([*right, *left], colour)
    sheet.line([(x, y - height * 0.12), (x, y)], colour, height * 0.06)


def _tower(sheet: Sheet) -> None:
    """Draw the bell tower of the sixth sluice on its dike."""
    sheet.area([(0, 560), (480, 530), (480, 720), (0, 720)], _SNOW)
    sheet.area([(112, 250), (240, 180), (368, 250), (368, 262), (112, 262)], _INK)
    sheet.area([(112, 250), (240, 180), (368, 250), (240, 196)], _SNOW)
    for x in (136, 188, 292, 344):
        sheet.line([(x, 258), (x, 552)], _INK, 11)
    sheet.line([(120, 500), (360, 500)], _INK, 6)


def _snowfall(sheet: Sheet) -> None:
    """Strew flakes by a fixed rule, so that each drawing is the same."""
    for i in range(90):
        sheet.dot((i * 197 % 480, i * 131 % 520), 1.2 + i % 3 * 0.7, _SNOW)


def draw_cover_one() -> None:
    """Draw the tower in snow; the bell has no tongue."""
    sheet = Sheet(480, 720, _DUSK)
    sheet.area([(0, 430), (480, 410), (480, 570), (0, 570)], _RIVER)
    _snowfall(sheet)
    _tower(sheet)
    _bell(sheet, (240, 290), 150, _BRONZE)
    sheet.dot((420, 500), 8, _LAMP)
    sheet.line([(420, 506), (420, 536)], _INK, 3)
    sheet.save(_HERE / "1/images/cover.png")


def draw_cover_two() -> None:
    """Draw the tower at night, the tongue in its place, the sound going out over the water."""
    sheet = Sheet(480, 720, "#1f2733")
    sheet.area([(0, 430), (480, 410), (480, 570), (0, 570)], "#18202b")
    for i in range(5):
        radius = 130 + i * 42
        for angles in ((150, 210), (330, 390)):
            sheet.arc((240, 400), (radius, radius * 0.8), angles, _LAMP, 2.6 - i * 0.4)
    _tower(sheet)
    sheet.line([(240, 400), (256, 452)], _LAMP, 8)
    sheet.dot((258, 456), 12, _LAMP)
    _bell(sheet, (240, 290), 150, _BRONZE)
    for i in range(16):
        sheet.dot((18 + i * 30, 590 + i % 4 * 9), 4.5, _LAMP)
        sheet.line([(18 + i * 30, 596 + i % 4 * 9), (18 + i * 30, 620 + i % 4 * 9)], _INK, 6)
    sheet.save(_HERE / "2/images/cover.png")


def draw_bell() -> None:
    """Draw the page of the founder's notebook: the bell cut open, and the ring where it was sawn."""
    sheet = Sheet(480, 420, _PAPER)
    _bell(sheet, (170, 80), 270, _INK)
    _bell(sheet, (170, 94), 262, _PAPER)
    sheet.line([(46, 350), (294, 350)], _FAINT, 1)
    sheet.arc((170, 118), (15, 20), (20, 160), _INK, 6)
    sheet.dot((350, 150), 84, _INK)
    sheet.dot((350, 150), 81, _PAPER)
    sheet.arc((350, 130), (44, 58), (10, 68), _INK, 17)
    sheet.arc((350, 130), (44, 58), (112, 170), _INK, 17)
    for x in (364, 336):
        sheet.line([(x, 172), (x, 204)], _SEAL, 2)
    sheet.line([(190, 124), (268, 140)], _FAINT, 1.5)
    for i in range(4):
        sheet.line([(310, 300 + i * 18), (430 - i * 22, 300 + i * 18)], _FAINT, 2)
    sheet.save(_HERE / "1/images/bell.png")


def draw_thumb() -> None:
    """Draw the thumbprint on the receipt: ring in ring, and a line across."""
    sheet = Sheet(360, 360, _PAPER)
    for i in range(9):
        sheet.arc((180, 186), (10 + i * 11, 14 + i * 15), (0, 360), _SEAL, 5)
    sheet.line([(70, 196), (292, 170)], _PAPER, 9)
    sheet.line([(24, 330), (200, 330)], _FAINT, 2)
    sheet.line([(24, 344), (150, 344)], _FAINT, 2)
    sheet.save(_HERE / "2/images/thumb.png")


if __name__ == "__main__":
    draw_cover_one()
    draw_cover_two()
    draw_bell()
    draw_thumb()
