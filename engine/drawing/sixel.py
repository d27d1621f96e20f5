"""A picture in the sixels of DEC's VT340: six rows of pixels a line, one pass a colour.

The format: VT330/VT340 Programmer Reference Manual, volume 2, chapter 14.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

_BAND = 6
_FIRST = 63
"""The character that means no pixel; each of its six neighbours upwards in binary is one more row."""
_SHIFTED = bytes((value & 63) + _FIRST for value in range(256))
_RUN = re.compile(rb"(.)\1{3,}", re.DOTALL)


def sixel_bytes(width: int, height: int, indices: bytes, palette: Sequence[tuple[int, int, int]]) -> bytes:
    """Return a picture as the whole sequence a terminal takes.

    Args:
        width: Pixels.
        height: Pixels.
        indices: One byte a pixel, row after row: its colour's number.
        palette: Red, green and blue from 0 to 255; at most 256.
    """
    head = b'\x1bP0;1;0q"1;1;%d;%d' % (width, height)
    colours = b"".join(
        b"#%d;2;%d;%d;%d" % (number, *(round(value * 100 / 255) for value in colour))
        for number, colour in enumerate(palette)
    )
    rows = [indices[at : at + width] for at in range(0, width * height, width)]
    bands = [b"$".join(_passes(rows[top : top + _BAND], width)) for top in range(0, height, _BAND)]
    return head + colours + b"-".join(bands) + b"\x1b\\"


def _passes(rows: Sequence[bytes], width: int) -> Iterator[bytes]:
    """Return a band, one colour after another."""
    for colour in sorted(set().union(*rows)):
        bits = 0
        # As one large number each: a loop over pixels would take seconds.
        for row, line in enumerate(rows):
            bits |= int.from_bytes(line.translate(_picked(colour, row)), "big")
        drawn = bits.to_bytes(width, "big").translate(_SHIFTED).rstrip(b"?")
        yield b"#%d" % colour + _RUN.sub(_counted, drawn)


def _counted(run: re.Match[bytes]) -> bytes:
    return b"!%d%b" % (len(run[0]), run[1])


@cache  # six for each of at most 256 colours
def _picked(colour: int, row: int) -> bytes:
    """Return what turns the pixels of a colour into the bit of a row, all others into nothing."""
    table = bytearray(256)
    table[colour] = 1 << row
    return bytes(table)
