"""A picture made small enough for its place, in a process of its own.

Decoders are large and meet hostile bytes. Here they have limits of memory and time, nothing of the
reader's to spoil, and their memory is gone with them; the process that draws the page loads none.

It reads a line of JSON (the fields of `Request`) and the bytes of the picture from
standard input, and writes a line of JSON (`width`, `height`) and the picture: three bytes a pixel (`rgb`, drawn out to
exactly that size), a file (`png`, `png256`) or a terminal's sequence (`sixel`), these within that size.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

_NICENESS = 10
_MOST_BYTES_OF_MEMORY = 1 << 30
_MOST_SECONDS = 10
_MOST_PIXELS = 40_000_000
"""120 MB when decoded; a JPEG is decoded at a fraction of its size and may have more."""
_MOST_PIXELS_OF_A_JPEG = 400_000_000
_LEAST_CLEAR, _MOST_COLOUR, _LEAST_APART = 0.1, 30, 80
"""Share of what is transparent, saturation, distance in light (of 255): then ink has the colour of the paper."""
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_CELLS = "rgb"
_PNG_COLOURS, _SIXEL_COLOURS = 256, 128
REFUSED = 3
"""Exit code for what is no picture, or too large a one."""


def main() -> int:
    """Draw one picture; return the exit code."""
    _limit()
    line, _newline, data = sys.stdin.buffer.read().partition(b"\n")
    wanted = json.loads(line)
    try:
        small, drawn = drawn_within(data, Request(**wanted))
    except Exception as error:
        # A decoder may raise anything at all; what it says is of use to nobody.
        sys.stderr.write(f"{type(error).__name__}\n")
        return REFUSED
    sys.stdout.buffer.write(json.dumps({"width": small.width, "height": small.height}).encode() + b"\n" + drawn)
    return 0


def _limit() -> None:
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            os.nice(_NICENESS)
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES_OF_MEMORY, _MOST_BYTES_OF_MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))


@dataclass(frozen=True, slots=True)
class Request:
    """How a picture is wanted."""

    width: int
    """Pixels."""
    height: int
    """Pixels."""
    form: str
    """Written how."""
    paper: str
    """"#rrggbb", seen through what is transparent."""
    is_multiplied: bool
    """White becomes the paper."""
    most_bytes: int
    """Of what is written; a picture that takes more is made smaller. 0 for any number."""


def drawn_within(data: bytes, wanted: Request) -> tuple[Image.Image, bytes]:
    """Return a picture and how it is written.

    Raises:
        ValueError: as `scaled` and `encoded` do.
    """
    small = scaled(data, wanted)
    drawn = encoded(small, wanted.form)
    while wanted.most_bytes and len(drawn) > wanted.most_bytes:
        scale = max(0.5, sqrt(wanted.most_bytes / len(drawn)) * 0.9)
        small = small.resize((max(1, int(small.width * scale)), max(1, int(small.height * scale))))
        drawn = encoded(small, wanted.form)
    return small, drawn


def scaled(data: bytes, wanted: Request) -> Image.Image:
    """Return a PNG, JPEG, GIF, WebP, BMP or SVG in the size that is wanted.

    Raises:
        ValueError: too many pixels, or a drawing of nothing. Pillow, lxml and resvg raise more for what they
            cannot read.
    """
    from io import BytesIO

    from PIL import Image, ImageChops

    from engine.drawing.vector import drawn_png, is_drawing

    Image.MAX_IMAGE_PIXELS = _MOST_PIXELS_OF_A_JPEG
    size = wanted.width, wanted.height
    is_drawn = is_drawing(data)
    if is_drawn:
        data = drawn_png(data, 4 * size[0], 4 * size[1])
    image: Image.Image = Image.open(BytesIO(data), formats=_FORMATS)
    image.draft("RGB", (2 * size[0], 2 * size[1]))
    if image.width * image.height > _MOST_PIXELS:
        raise ValueError("too large")
    if wanted.form != _CELLS:  # pixels are square: what was asked for is a limit
        scale = min(size[0] / image.width, size[1] / image.height)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    image.thumbnail((4 * size[0], 4 * size[1]))
    if is_drawn and not image.getchannel("A").getbbox():
        raise ValueError("nothing to see")
    ground = Image.new("RGBA", image.size, wanted.paper)
    ground.alpha_composite(_told_from(ground, image.convert("RGBA")))
    small = ground.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    if wanted.is_multiplied:
        small = ImageChops.multiply(small, Image.new("RGB", size, wanted.paper))
    return small


def _told_from(ground: Image.Image, image: Image.Image) -> Image.Image:
    """Return a picture whose ink can be told from the paper: black lines on nothing turn white on dark paper."""
    from PIL import ImageChops, ImageStat

    alpha = image.getchannel("A")
    if alpha.histogram()[0] < _LEAST_CLEAR * alpha.width * alpha.height:
        return image
    ink, paper = image.convert("L"), ImageStat.Stat(ground.convert("L")).mean[0]
    colour = ImageStat.Stat(image.convert("RGB").convert("HSV").getchannel("S"), alpha).mean[0]
    if colour > _MOST_COLOUR or abs(ImageStat.Stat(ink, alpha).mean[0] - paper) > _LEAST_APART:
        return image
    turned = ImageChops.invert(ink).convert("RGBA")
    turned.putalpha(alpha)
    return turned


def encoded(image: Image.Image, form: str) -> bytes:
    """Return a picture in a form.

    Raises:
        ValueError: there is no such form.
    """
    if form == _CELLS:
        return image.tobytes()
    if form == "sixel":
        few = image.quantize(_SIXEL_COLOURS)
        from engine.drawing.sixel import sixel_bytes

        flat = few.getpalette() or []
        palette = [(flat[n], flat[n + 1], flat[n + 2]) for n in range(0, len(flat) - 2, 3)]
        return sixel_bytes(few.width, few.height, few.tobytes(), palette)
    if form not in ("png", "png256"):
        raise ValueError(form)
    from io import BytesIO

    written = BytesIO()
    (image if form == "png" else image.quantize(_PNG_COLOURS)).save(written, "PNG")
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
