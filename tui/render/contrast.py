"""Colours of a book on the paper of a theme: as they are where they can be read, else mixed with the ink.

Source: WCAG 2.2, relative luminance and contrast ratio.
"""

from __future__ import annotations

from functools import lru_cache

LEAST = 4.5
_STEPS = 8

_Rgb = tuple[int, int, int]


@lru_cache(maxsize=512)
def readable(colour: str, paper: str, ink: str) -> str:
    """Return a colour moved towards the ink until it can be read on the paper; all as "#rrggbb"."""
    own, ground, goal = _rgb(colour), _rgb(paper), _rgb(ink)
    for step in range(_STEPS + 1):
        share = step / _STEPS
        mixed = tuple(round(a + (b - a) * share) for a, b in zip(own, goal, strict=True))
        if contrast(mixed, ground) >= LEAST:
            return "#{:02x}{:02x}{:02x}".format(*mixed)
    return ink


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(rgb: tuple[int, ...]) -> float:
    parts = [part / 255 for part in rgb]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb(colour: str) -> _Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
