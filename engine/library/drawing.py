"""Pictures for cells and for terminals, drawn by a process that lives for one picture."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

_MOST_S = 15.0
_LOCK = threading.Lock()
"""One at a time: two decoders would take both cores from the page."""


class PictureForm(StrEnum):
    """How a picture is written for a terminal that shows pixels."""

    PNG = "png"
    """In all its colours."""
    SMALL_PNG = "png256"
    """In 256 colours: a third of the bytes, for a far line."""
    SIXEL = "sixel"


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture that was drawn."""

    width: int
    """Pixels; for cells, one a column."""
    height: int
    """Pixels; for cells, two a row."""
    data: bytes
    """Three bytes a pixel, or as the form says."""


def draw_picture(data: bytes, columns: int, rows: int, paper: str, *, is_multiplied: bool = False) -> Pixels | None:
    """Return a picture for a field of cells; None for what cannot be drawn, or without Pillow. Takes 0.1 s or more.

    Args:
        data: As the book has it.
        columns: Width in cells.
        rows: Height in cells.
        paper: "#rrggbb" of the page.
        is_multiplied: White becomes the paper.
    """
    wanted = {"width": columns, "height": 2 * rows, "form": "rgb", "most_bytes": 0}
    pixels = _drawn(data, {**wanted, "paper": paper, "is_multiplied": is_multiplied})
    return pixels if pixels is not None and len(pixels.data) == 3 * pixels.width * pixels.height else None


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """How a picture in pixels is wanted."""

    width: int
    """Of the field, in pixels."""
    height: int
    """Of the field, in pixels."""
    form: PictureForm
    most_bytes: int
    """Of what is written; one that takes more is made smaller."""
    paper: str
    """"#rrggbb" of the page."""
    is_multiplied: bool = False
    """White becomes the paper."""


def encode_picture(data: bytes, wanted: PictureRequest) -> Pixels | None:
    """Return a picture for a terminal that shows pixels, as large as its field allows; None as for cells."""
    return _drawn(data, asdict(wanted))


def _drawn(data: bytes, wanted: Mapping[str, object]) -> Pixels | None:
    import subprocess  # 5 ms, and not every book has a picture

    try:
        with _LOCK:
            done = subprocess.run(
                [sys.executable, "-m", "engine.drawing"],
                input=json.dumps(wanted).encode() + b"\n" + data,
                capture_output=True,
                timeout=_MOST_S,
                check=True,
            )
        line, _newline, drawn = done.stdout.partition(b"\n")
        size = json.loads(line)
        return Pixels(int(size["width"]), int(size["height"]), drawn)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None
