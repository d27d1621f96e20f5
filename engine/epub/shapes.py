"""What a stylesheet says of the place of a block and the colour of its text, in the measure of a terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.domain.book import Align, BlockStyle

_LENGTH = re.compile(r"(-?\d{0,4}(?:\.\d{1,4})?)\s*(em|rem|ex|ch|px|pt|%|)")
_EM = {"em": 1.0, "rem": 1.0, "ex": 0.5, "ch": 0.5, "px": 1 / 16, "pt": 1 / 12, "%": 0.34}
"""Of a column of 68 cells, two of which are an em, one part in a hundred is a third of an em."""
_CELLS_OF_EM = 2
_MOST_CELLS = 24
_SMALL_EM = 0.86
_SMALL_WORDS = frozenset(("smaller", "small", "x-small", "xx-small"))
_ALIGNS = {
    "left": Align.LEFT,
    "start": Align.LEFT,
    "right": Align.RIGHT,
    "end": Align.RIGHT,
    "center": Align.CENTER,
    "-webkit-center": Align.CENTER,
    "justify": Align.JUSTIFY,
}
_BREAKS = frozenset(("always", "page", "left", "right", "recto", "verso"))
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/].*)?\)")
_NAMED = {
    "red": "#ff0000", "darkred": "#8b0000", "maroon": "#800000", "crimson": "#dc143c", "firebrick": "#b22222",
    "orange": "#ffa500", "brown": "#a52a2a", "gold": "#ffd700", "green": "#008000", "darkgreen": "#006400",
    "olive": "#808000", "teal": "#008080", "blue": "#0000ff", "navy": "#000080", "darkblue": "#00008b",
    "purple": "#800080", "indigo": "#4b0082", "gray": "#808080", "grey": "#808080", "silver": "#c0c0c0",
    "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9", "dimgray": "#696969", "dimgrey": "#696969",
}  # fmt: skip
"""The names books use; black and white are the page's own ink and paper."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a block stands and how it looks; None where nothing is said."""

    align: Align | None = None
    indent: int | None = None
    """Of the first line, in cells."""
    margin: int | None = None
    """At the left, in cells."""
    padding: int | None = None
    colour: str | None = None
    """"#rrggbb", or empty for the page's own."""
    is_small: bool | None = None
    is_page_start: bool | None = None

    def under(self, later: Shape) -> Shape:
        """Return this with what a later rule says laid over it."""
        if later is NO_SHAPE:
            return self
        if self is NO_SHAPE:
            return later
        pairs = ((getattr(self, name), getattr(later, name)) for name in self.__slots__)
        return Shape(*(new if new is not None else old for old, new in pairs))

    @property
    def inset(self) -> int:
        """Cells at the left."""
        return max(0, min(_MOST_CELLS, (self.margin or 0) + (self.padding or 0)))


NO_SHAPE = Shape()


def shape_of(name: str, value: str) -> Shape:  # noqa: PLR0911  (one line a property reads best)
    """Return what one declaration says.

    Args:
        name: Property, in lower case and without a vendor's prefix.
        value: In lower case.
    """
    match name:
        case "text-align" | "text-align-last":
            return Shape(align=_ALIGNS.get(value)) if value in _ALIGNS and name == "text-align" else NO_SHAPE
        case "text-indent":
            return Shape(indent=_cells(value))
        case "margin-left" | "margin-inline-start":
            return Shape(margin=_cells(value))
        case "padding-left" | "padding-inline-start":
            return Shape(padding=_cells(value))
        case "margin":
            return Shape(margin=_cells(_left_of(value)))
        case "padding":
            return Shape(padding=_cells(_left_of(value)))
        case "color":
            return Shape(colour=_colour(value))
        case "font-size":
            return Shape(is_small=_is_small(value))
        case "page-break-before" | "break-before":
            return Shape(is_page_start=value in _BREAKS)
        case _:
            return NO_SHAPE


def _cells(value: str) -> int | None:
    em = _em(value)
    return None if em is None else max(-_MOST_CELLS, min(_MOST_CELLS, round(em * _CELLS_OF_EM)))


def _em(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    if match is None or match[1] in ("", "-"):
        return None
    number = float(match[1])
    return number * _EM[match[2]] if match[2] else (0.0 if number == 0 else None)


def _left_of(value: str) -> str:
    """Return the left one of one to four lengths."""
    lengths = value.split()
    return lengths[{1: 0, 2: 1, 3: 1, 4: 3}[len(lengths)]] if 1 <= len(lengths) <= 4 else ""


def _is_small(value: str) -> bool | None:
    if value in _SMALL_WORDS:
        return True
    if value.endswith("%"):
        number = value[:-1].strip()
        return float(number) < 100 * _SMALL_EM if number.replace(".", "", 1).isdecimal() and len(number) < 8 else None
    if not value.endswith("em"):
        return None  # pixels and points are small to nobody here
    em = _em(value)
    return None if em is None else em < _SMALL_EM


def _colour(value: str) -> str | None:
    if match := _HEX.fullmatch(value):
        digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
        return _unless_ink(tuple(int(digits[n : n + 2], 16) for n in (0, 2, 4)))
    if match := _RGB.fullmatch(value):
        return _unless_ink(tuple(min(255, int(part)) for part in match.groups()))
    if value in ("black", "white", "windowtext", "initial", "currentcolor"):
        return ""
    return _NAMED.get(value)


def _unless_ink(rgb: tuple[int, ...]) -> str:
    """Return a colour; none for what is as good as black or white."""
    is_extreme = max(rgb) - min(rgb) < 24 and (max(rgb) < 72 or min(rgb) > 224)
    return "" if is_extreme else f"#{rgb[0]:02x}{rgb[1]:02x}{rgb[2]:02x}"


def styled(around: BlockStyle | None, shape: Shape) -> BlockStyle | None:
    """Return the style of a block within another; how lines stand is handed down, insets add up."""
    outer = around or _NO_STYLE
    style = BlockStyle(
        outer.align if shape.align is None else shape.align,
        outer.indent if shape.indent is None else shape.indent,
        min(_MOST_CELLS, outer.margin + shape.inset),
    )
    return None if style == _NO_STYLE else style


_NO_STYLE = BlockStyle()
