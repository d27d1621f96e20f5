"""How many pixels a picture has, from its first bytes, without decoding it."""

from __future__ import annotations

import re

HEAD_BYTES = 262_144
"""A photograph may carry a preview and colour tables before it says its size."""
_MOST_PIXELS = 100_000
_ROOM_PIXELS = 1_200
"""Longest side of a drawing that has only proportions."""
_ROOT_WITHIN = 16_384
_ROOT = re.compile(rb"<(?:\w{1,20}:)?svg\b([^<>]{0,8000})>")
_SIDE = re.compile(
    rb"""(?<![\w:-])(width|height)\s*=\s*["']\s*(\d{1,6}(?:\.\d{0,6})?)\s*(px|pt|pc|mm|cm|in|em|ex|)\s*["']"""
)
_BOX = re.compile(rb"""(?<![\w:-])viewBox\s*=\s*["']\s*([-+.\deE\s,]{7,80})["']""")
_PIXELS_A_UNIT = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
    "em": 16.0,
    "ex": 8.0,
}
_JPEG_SIZES = frozenset((0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF))
_JPEG_BARE = frozenset((0x01, *range(0xD0, 0xD8)))

Size = tuple[int, int]


def size_of_picture(head: bytes) -> Size:
    """Return width and height in pixels; (0, 0) for what is no PNG, JPEG, GIF, WebP, BMP or SVG, or lies about it."""
    width, height = _size(head)
    return (width, height) if 0 < width <= _MOST_PIXELS and 0 < height <= _MOST_PIXELS else (0, 0)


def _size(head: bytes) -> Size:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return _big(head[16:20]), _big(head[20:24])
    if head.startswith((b"GIF87a", b"GIF89a")):
        return _little(head[6:8]), _little(head[8:10])
    if head.startswith(b"\xff\xd8"):
        return _size_of_jpeg(head)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _size_of_webp(head)
    if head.startswith(b"BM"):
        return _little(head[18:22]), _little(head[22:26])
    return _size_of_drawing(head[:_ROOT_WITHIN])


def _size_of_jpeg(head: bytes) -> Size:
    at = 2
    while at + 9 < len(head):
        if head[at] != 0xFF:
            return 0, 0
        kind = head[at + 1]
        if kind == 0xFF:
            at += 1
        elif kind in _JPEG_BARE:
            at += 2
        elif kind in _JPEG_SIZES:
            return _big(head[at + 7 : at + 9]), _big(head[at + 5 : at + 7])
        else:
            at += 2 + max(2, _big(head[at + 2 : at + 4]))
    return 0, 0


def _size_of_webp(head: bytes) -> Size:
    kind = head[12:16]
    if kind == b"VP8X":
        return 1 + _little(head[24:27]), 1 + _little(head[27:30])
    if kind == b"VP8L":
        bits = _little(head[21:25])
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF
    return 0, 0


def _size_of_drawing(head: bytes) -> Size:
    root = _ROOT.search(head)
    if root is None:
        return 0, 0
    sides = {name: float(number) * _PIXELS_A_UNIT[unit.decode()] for name, number, unit in _SIDE.findall(root[1])}
    width, height = sides.get(b"width", 0.0), sides.get(b"height", 0.0)
    wide, high = _proportions(root[1])
    if not (width or height):
        width = _ROOM_PIXELS * wide / max(wide, high, 1e-9)
    if wide and high:
        width, height = width or height * wide / high, height or width * high / wide
    return round(width), round(height)


def _proportions(attributes: bytes) -> tuple[float, float]:
    """Return width and height of the field a drawing is made in; (0, 0) when it does not say."""
    box = _BOX.search(attributes)
    try:
        _left, _top, wide, high = map(float, box[1].replace(b",", b" ").split()) if box else (0.0,) * 4
    except ValueError:
        return 0.0, 0.0
    return (wide, high) if 0 < wide < _MOST_PIXELS and 0 < high < _MOST_PIXELS else (0.0, 0.0)


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
