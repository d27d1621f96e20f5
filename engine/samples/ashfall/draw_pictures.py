"""Draw the pictures of the series anew: `python engine/samples/ashfall/draw_pictures.py`.

Run by hand after a change; the PNGs are committed. Needs Pillow, which the program does not.
"""

from __future__ import annotations

from pathlib import Path

from engine.samples.sheet import Point, Sheet

_HERE = Path(__file__).parent
_PAPER, _INK, _FAINT = "#f3ecdc", "#2b2a33", "#8d8678"
_NIGHT, _RIDGE, _SNOW, _LIGHT, _RED = "#1d2536", "#0f1420", "#c9d0d8", "#f6d88a", "#9c3b2e"


def _mountains(sheet: Sheet, base: float, colour: str) -> None:
    """Draw a ridge across the sheet with the notch of the Saddle right of the middle."""
    w = sheet.width
    ridge = [(0, 0.86), (0.10, 0.70), (0.22, 0.80), (0.38, 0.42), (0.50, 0.20), (0.58, 0.34), (0.62, 0.62)]
    ridge += [(0.66, 0.62), (0.70, 0.30), (0.78, 0.12), (0.90, 0.44), (1.0, 0.36)]
    points: list[Point] = [(x * w, base * (0.45 + y * 0.55)) for x, y in ridge]
    sheet.area([*points, (w, sheet.height), (0, sheet.height)], colour)


def _tower(sheet: Sheet, foot: Point, height: float, colour: str, light: str) -> None:
    """Draw the lamp tower standing on `foot`."""
    x, y = foot
    for side in (-1, 1):
        sheet.line([(x + side * height * 0.16, y), (x + side * height * 0.10, y - height * 0.7)], colour, 3)
    for i in range(4):
        low, high = y - height * 0.17 * i, y - height * 0.17 * (i + 1)
        sheet.line([(x - height * 0.14, low), (x + height * 0.12, high)], colour, 1.5)
    sheet.box((x - height * 0.17, y - height * 0.92), (height * 0.34, height * 0.24), colour)
    sheet.box((x - height * 0.13, y - height * 0.88), (height * 0.26, height * 0.14), light)
    sheet.area([(x - height * 0.2, y - height * 0.92), (x + height * 0.2, y - height * 0.92), (x, y - height)], colour)


def _cover_ground(number: str, title: str, sky: str) -> Sheet:
    sheet = Sheet(480, 720, sky, colours=32)
    sheet.text((240, 80), "ASHFALL STATION", 30, _SNOW)
    sheet.line([(170, 112), (310, 112)], _SNOW, 1)
    sheet.text((240, 146), f"{number}   {title}", 24, _LIGHT)
    return sheet


def draw_cover_one() -> None:
    """Draw the tower, the lamp's beam and the light in the notch."""
    sheet = _cover_ground("1", "The Thaw", _NIGHT)
    _mountains(sheet, 520, _RIDGE)
    sheet.dot((307, 398), 3.5, _LIGHT)
    sheet.area([(150, 520), (300, 404), (312, 414)], "#3a4152")
    sheet.area([(0, 640), (480, 610), (480, 720), (0, 720)], _SNOW)
    _tower(sheet, (140, 640), 140, _INK, _LIGHT)
    for i in range(12):
        sheet.line([(120 + i * 34, 676 - i * 1.6), (146 + i * 34, 676 - i * 1.6)], _FAINT, 4)
    for shift in (0, 12):
        sheet.line([(0, 672 + shift), (480, 648 + shift)], _INK, 2)
    sheet.save(_HERE / "1/images/cover.png")


def draw_cover_two() -> None:
    """Draw the repeater whose needle has begun to move."""
    sheet = _cover_ground("2", "The Quiet Line", "#23302f")
    sheet.dot((240, 410), 170, _LIGHT)
    sheet.dot((240, 410), 162, _PAPER)
    for i, word in enumerate(("IN", "OUT")):
        sheet.text((150 + i * 180, 346), word, 30, _INK)
    sheet.line([(240, 450), (128, 388)], _INK, 5)
    sheet.dot((240, 450), 13, _INK)
    sheet.box((140, 606), (200, 40), _LIGHT)
    sheet.text((240, 627), "HALLOW LAMP", 21, _INK)
    sheet.line([(0, 690), (480, 690)], _SNOW, 1)
    for x in (60, 420):
        sheet.line([(x, 650), (x, 720)], _SNOW, 3)
        sheet.line([(x - 14, 664), (x + 14, 664)], _SNOW, 3)
    sheet.save(_HERE / "2/images/cover.png")


def draw_cover_three() -> None:
    """Draw a carriage with its door open and light on the snow."""
    sheet = _cover_ground("3", "Whoever May Still Come", "#2b2433")
    _mountains(sheet, 430, "#1c1722")
    sheet.dot((307, 330), 3.5, _LIGHT)
    sheet.area([(0, 570), (480, 570), (480, 720), (0, 720)], _SNOW)
    sheet.box((0, 400), (480, 150), "#5c2f2a")
    sheet.box((0, 392), (480, 12), _INK)
    for x in (18, 98, 330, 410):
        sheet.box((x, 424), (56, 54), _LIGHT)
    sheet.box((200, 412), (84, 138), _LIGHT)
    sheet.box((284, 412), (30, 138), "#7a423a")
    sheet.area([(200, 570), (284, 570), (340, 700), (144, 700)], "#efe2b8")
    for x in (60, 140, 340, 420):
        sheet.dot((x, 560), 20, _INK)
    sheet.box((0, 578), (480, 4), _INK)
    sheet.save(_HERE / "3/images/cover.png")


def draw_map() -> None:
    """Draw the line at Ashfall as it hangs in the lamp room."""
    sheet = Sheet(520, 560, _PAPER, colours=32)
    sheet.box((12, 12), (496, 536), _PAPER, _FAINT)
    ashfall, corrow, hallow = (250.0, 340.0), (86.0, 150.0), (404.0, 158.0)
    river: list[Point] = [(20, 300), (90, 282), (150, 262), (196, 250), (250, 216), (300, 150), (330, 60), (336, 14)]
    sheet.line(river, "#7d95a6", 5)
    sheet.line([(250, 530), (246, 450), ashfall, (190, 268), (150, 226), corrow], _INK, 3.5)
    sheet.line([(216, 264), (170, 218)], _PAPER, 1)
    sheet.dashes(ashfall, hallow, _INK, 16, 3)
    for x, y in ((300, 96), (352, 70), (440, 62), (486, 100), (40, 80), (66, 60)):
        sheet.line([(x - 22, y + 26), (x, y - 14), (x + 22, y + 26)], _FAINT, 2)
    sheet.line([(366, 106), (384, 74), (398, 104), (410, 104), (424, 72), (442, 106)], _INK, 2.5)
    for place in (ashfall, corrow, hallow, (250.0, 530.0)):
        sheet.dot(place, 7, _INK)
        sheet.dot(place, 4, _PAPER)
    sheet.dot(ashfall, 4, _RED)
    labels = [
        ((320, 346), "ASHFALL", 18),
        ((86, 124), "CORROW", 16),
        ((446, 184), "HALLOW", 16),
        ((404, 52), "The Saddle", 14),
    ]
    labels += [
        ((304, 518), "to Merrin", 14),
        ((104, 226), "High Sill", 14),
        ((312, 226), "the Sill", 14),
        ((360, 262), "closed", 13),
    ]
    for centre, words, size in labels:
        sheet.text(centre, words, size, _INK)
    sheet.text((440, 500), "N", 16, _INK)
    sheet.line([(440, 488), (440, 440)], _INK, 2)
    sheet.area([(434, 448), (440, 430), (446, 448)], _INK)
    sheet.save(_HERE / "1/images/map.png")


def draw_ticket() -> None:
    """Draw the half of a ticket from Merrin to Corrow."""
    sheet = Sheet(520, 260, _PAPER, colours=32)
    sheet.box((30, 30), (440, 200), "#d9b98c", _INK)
    sheet.box((42, 42), (416, 176), "#d9b98c", _FAINT)
    sheet.area(
        [(470, 20), (474, 240), (430, 240), (446, 200), (424, 160), (448, 120), (428, 80), (450, 40), (440, 20)], _PAPER
    )
    sheet.text((230, 72), "LINE OFFICE", 20, _INK)
    sheet.text((230, 116), "MERRIN  to  CORROW", 26, _INK)
    sheet.text((170, 158), "Third class   One adult, one chi", 17, _INK)
    sheet.text((120, 196), "No. 0023", 16, _RED)
    sheet.text((300, 196), "19 JAN", 18, _INK)
    sheet.dot((384, 196), 11, _PAPER)
    sheet.save(_HERE / "2/images/ticket.png")


def draw_lamp() -> None:
    """Draw the signal lamp with its three glasses and the open plate in its foot."""
    sheet = Sheet(420, 560, _PAPER, colours=32)
    sheet.area([(160, 530), (260, 530), (240, 330), (180, 330)], _INK)
    sheet.box((130, 526), (160, 16), _INK)
    sheet.box((192, 430), (36, 54), _PAPER)
    sheet.box((196, 434), (28, 46), "#4a4854")
    sheet.box((140, 312), (140, 22), _INK)
    sheet.box((150, 150), (120, 164), _INK)
    sheet.area([(140, 152), (280, 152), (236, 100), (184, 100)], _INK)
    sheet.box((196, 70), (28, 34), _INK)
    sheet.dot((210, 232), 50, _LIGHT)
    sheet.dot((210, 232), 40, "#fbf0c9")
    sheet.area([(200, 256), (220, 256), (224, 234), (210, 202), (196, 234)], "#e0902f")
    for centre, colour in (((92.0, 232.0), _RED), ((328.0, 232.0), "#3f7a4e")):
        sheet.dot(centre, 44, _INK)
        sheet.dot(centre, 36, colour)
    sheet.line([(136, 232), (150, 232)], _INK, 6)
    sheet.line([(270, 232), (284, 232)], _INK, 6)
    for angle in (-60, -20, 20):
        sheet.line([(210 + angle, 52), (210 + angle * 1.6, 18)], _FAINT, 2)
    sheet.save(_HERE / "3/images/lamp.png")


def main() -> None:
    """Draw everything."""
    for draw in (draw_cover_one, draw_cover_two, draw_cover_three, draw_map, draw_ticket, draw_lamp):
        draw()


if __name__ == "__main__":
    main()
