"""What pictures of the sample books are drawn on, for their scripts alone. Needs Pillow, which the program does not.

No font of the machine's: the same picture everywhere.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

_SCALE = 3  # drawn three times as large and reduced, for smooth edges
Point = tuple[float, float]


class Sheet:
    """A picture drawn in points, enlarged inside and reduced when saved."""

    def __init__(self, width: int, height: int, ground: str, *, colours: int = 64) -> None:
        self.width, self.height = width, height
        self._colours = colours
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), ground)
        self._pen = ImageDraw.Draw(self._image)

    def line(self, points: list[Point], colour: str, width: float = 1.5) -> None:
        """Draw connected strokes, `width` in points."""
        self._pen.line(_scaled(points), fill=colour, width=round(width * _SCALE), joint="curve")

    def dashes(self, start: Point, end: Point, colour: str, count: int, width: float = 1.5) -> None:
        """Draw a straight line of `count` dashes."""
        step = ((end[0] - start[0]) / count, (end[1] - start[1]) / count)
        for i in range(count):
            begin = (start[0] + step[0] * i, start[1] + step[1] * i)
            self.line([begin, (begin[0] + step[0] * 0.6, begin[1] + step[1] * 0.6)], colour, width)

    def area(self, points: list[Point], colour: str) -> None:
        """Fill a polygon."""
        self._pen.polygon(_scaled(points), fill=colour)

    def dot(self, centre: Point, radius: float, colour: str) -> None:
        """Fill a circle."""
        self._pen.ellipse(_square(centre, radius, radius), fill=colour)

    def arc(self, centre: Point, radii: Point, angles: tuple[int, int], colour: str, width: float) -> None:
        """Draw part of an ellipse, from angle to angle in degrees, clockwise from the right."""
        self._pen.arc(_square(centre, *radii), *angles, fill=colour, width=round(width * _SCALE))

    def box(self, corner: Point, size: Point, colour: str, outline: str | None = None) -> None:
        """Fill a rectangle."""
        opposite = (corner[0] + size[0], corner[1] + size[1])
        self._pen.rectangle(_scaled([corner, opposite]), fill=colour, outline=outline, width=_SCALE)

    def text(self, centre: Point, words: str, size: float, colour: str) -> None:
        """Write `words` around `centre`, in the type Pillow brings along."""
        font = ImageFont.load_default(size * _SCALE)
        self._pen.text(_scaled([centre])[0], words, fill=colour, font=font, anchor="mm")

    def save(self, path: Path) -> None:
        """Write the picture, in few colours so that it stays small."""
        small = self._image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        path.parent.mkdir(parents=True, exist_ok=True)
        small.quantize(self._colours, dither=Image.Dither.NONE).save(path, optimize=True)


def _scaled(points: list[Point]) -> list[Point]:
    return [(x * _SCALE, y * _SCALE) for x, y in points]


def _square(centre: Point, across: float, down: float) -> list[Point]:
    x, y = centre
    return _scaled([(x - across, y - down), (x + across, y + down)])
