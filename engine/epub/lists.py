"""The signs before list items."""

from __future__ import annotations

from dataclasses import dataclass

_BULLETS = "•◦▪"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MOST_ROMAN = 4_000
_MOST = 1_000_000


@dataclass(slots=True)
class ListState:
    """An open list and the number of its next item."""

    is_ordered: bool
    depth: int
    """From 1."""
    style: str = "1"
    """1, a, A, i or I."""
    number: int = 1
    step: int = 1
    is_unmarked: bool = False

    def next_marker(self, value: str = "") -> str:
        """Return the sign of the next item; `value` is the number it gives itself."""
        if not self.is_ordered:
            return "" if self.is_unmarked else _BULLETS[min(self.depth, len(_BULLETS)) - 1]
        self.number = number_from(value, self.number)
        marker = f"{_written(self.number, self.style)}."
        self.number += self.step
        return "" if self.is_unmarked else marker


def list_state(name: str, attributes: dict[str, str], depth: int, items: int, *, is_unmarked: bool) -> ListState:
    """Return the state of a list that opens.

    Args:
        name: Element name.
        attributes: start, type and reversed are looked at.
        depth: Lists around it, itself included.
        items: Number of its items, where a reversed list begins.
        is_unmarked: Styled without signs.
    """
    is_reversed = "reversed" in attributes
    return ListState(
        is_ordered=name == "ol",
        depth=depth,
        style=attributes.get("type", "1")[:1] or "1",
        number=number_from(attributes.get("start", ""), items if is_reversed else 1),
        step=-1 if is_reversed else 1,
        is_unmarked=is_unmarked,
    )


def number_from(text: str, default: int) -> int:
    """Read a whole number, `default` when there is none or it is beyond a million."""
    text = text.strip()
    if not text.removeprefix("-").isdecimal() or len(text) > 7:
        return default
    return max(-_MOST, min(_MOST, int(text)))


def _written(number: int, style: str) -> str:
    if number < 1 or style not in "aAiI":
        return str(number)
    if style in "iI":
        written = _roman(number) if number < _MOST_ROMAN else str(number)
    else:
        written = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            written = chr(ord("a") + rest) + written
    return written.upper() if style.isupper() else written


def _roman(number: int) -> str:
    written = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        written += sign * count
    return written
