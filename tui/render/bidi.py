"""The order in which the characters of a row are drawn where right-to-left scripts stand in it.

Text is stored, searched and copied in the order it is read. A terminal that does not turn it
itself is given the order it is seen in. Marks that force a direction never come this far (the
sanitiser takes them out), so only the implicit rules are here, and no pairs of brackets (N0).
Letters are not joined: who draws them does that.

Source: UAX #9 revision 50, rules P2-P3, W1-W7, N1-N2, I1-I2, L1-L2, L4.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from tui.render.cells import cell_width, cells_of_any
from tui.render.layout import Piece
from tui.render.rows import Link, Row, RowKind, Run

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")
_NEUTRAL = frozenset(("B", "S", "WS", "ON"))
_TURNING = ("VTE_VERSION", "KONSOLE_VERSION", "MLTERM")


def turns_itself(environ: Mapping[str, str]) -> bool:
    """Say whether a terminal draws right-to-left text in the order it is seen, by what it says of itself."""
    return any(environ.get(name) for name in _TURNING) or environ.get("TERM_PROGRAM") == "Apple_Terminal"


def has_right_to_left(text: str, start: int = 0, end: int | None = None) -> bool:
    """Say whether something in a text is read from right to left."""
    return _RIGHT_TO_LEFT.search(text, start, len(text) if end is None else end) is not None


def base_level(text: str) -> int:
    """Return 1 for a paragraph whose first letter is read from right to left, else 0."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return 0 if kind == "L" else 1
    return 0


def levels_of(text: str, base: int) -> list[int]:
    """Return the level of each character: odd where it is read from right to left."""
    kinds = [unicodedata.bidirectional(char) or "ON" for char in text]
    edge = "R" if base else "L"
    _resolve_weak(kinds, edge)
    _resolve_neutral(kinds, edge)
    levels = []
    for kind in kinds:
        if base % 2 == 0:
            levels.append(base + {"R": 1, "AN": 2, "EN": 2}.get(kind, 0))
        else:
            levels.append(base + (kind in ("L", "AN", "EN")))
    at = len(text)
    while at and text[at - 1] == " ":  # L1
        at -= 1
        levels[at] = base
    return levels


def _resolve_weak(kinds: list[str], edge: str) -> None:
    before, strong = edge, edge
    for n, kind in enumerate(kinds):
        own = before if kind == "NSM" else kind  # W1
        if own in ("L", "R", "AL"):
            strong = own
        before = kinds[n] = "AN" if own == "EN" and strong == "AL" else own  # W2
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for n in range(1, len(kinds) - 1):  # W4
        left, kind, right = kinds[n - 1 : n + 2]
        if left == right and ((kind == "ES" and left == "EN") or (kind == "CS" and left in ("EN", "AN"))):
            kinds[n] = left
    for at, run in _runs(kinds):  # W5
        beside = kinds[at - 1 : at] + kinds[at + run : at + run + 1]
        if kinds[at] == "ET" and "EN" in beside:
            kinds[at : at + run] = ["EN"] * run
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS", "BN") else kind for kind in kinds]  # W6
    strong = edge
    for n, kind in enumerate(kinds):  # W7
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[n] = "L"


def _resolve_neutral(kinds: list[str], edge: str) -> None:
    at = 0
    for is_neutral, group in groupby(list(kinds), key=lambda kind: kind in _NEUTRAL):
        run = len(list(group))
        if is_neutral:  # N1, N2
            left = kinds[at - 1] if at else edge
            right = kinds[at + run] if at + run < len(kinds) else edge
            left, right = ("R" if kind in ("EN", "AN") else kind for kind in (left, right))
            kinds[at : at + run] = [left if left == right else edge] * run
        at += run


def _runs(kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Return (start, length) of stretches of one kind."""
    runs, at = [], 0
    for _kind, group in groupby(kinds):
        length = len(list(group))
        runs.append((at, length))
        at += length
    return runs


def seen_order(levels: Sequence[int], text: str) -> list[int]:
    """Return the indices of the characters in the order they are drawn (L2); marks stay behind their letter."""
    widths = cells_of_any(text)
    units: list[list[int]] = []
    for n in range(len(text)):
        if units and not widths[n]:
            units[-1].append(n)
        else:
            units.append([n])
    for level in range(max(levels, default=0), 0, -1):
        turned: list[list[int]] = []
        high: list[list[int]] = []
        for unit in units:
            if levels[unit[0]] >= level:
                high.append(unit)
            else:
                turned += [*reversed(high), unit]
                high = []
        units = [*turned, *reversed(high)]
    return [n for unit in units for n in unit]


def seen_row(row: Row, base: int, width: int) -> Row:
    """Return a row as it is seen; one of a right-to-left paragraph stands at the right."""
    levels = levels_of(row.text, base)
    indent = max(0, width - row.indent - cell_width(row.text)) if base else row.indent
    if not any(levels):
        return row
    order = seen_order(levels, row.text)
    place = {n: at for at, n in enumerate(order)}
    drawn = "".join(row.text[n].translate(_MIRRORED) if levels[n] % 2 else row.text[n] for n in order)
    return replace(
        row,
        indent=indent,
        text=drawn,
        offsets=tuple(row.offset_of(n) for n in order),
        runs=tuple(
            Run(at, end, run.kinds, run.colour)
            for run in row.runs
            for at, end in _stretches(sorted(place[n] for n in range(run.start, run.end)))
        ),
        links=tuple(
            Link(at, end, link.offset, link.target, link.note)
            for link in row.links
            for at, end in _stretches(sorted(place[n] for n in range(link.start, link.end)))
        ),
    )


def _stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return (start, end) of places that follow each other."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place:
            found[-1] = found[-1][0], place + 1
        else:
            found.append((place, place + 1))
    return found


class SeenPiece:
    """A piece whose rows are drawn in the order they are seen."""

    __slots__ = ("_base", "_inner", "_width", "block", "count", "start")

    def __init__(self, inner: Piece, text: str, width: int) -> None:
        """Take a piece, the text of its block and the cells between the edges."""
        self._inner = inner
        self._base = base_level(text)
        self._width = width
        self.block, self.start, self.count = inner.block, inner.start, inner.count

    def row_of(self, offset: int) -> int:
        """Return the number of the row that holds a document offset."""
        return self._inner.row_of(offset)

    def row(self, number: int) -> Row:
        """Make a row, counted from 0."""
        row = self._inner.row(number)
        return seen_row(row, self._base, self._width) if row.kind is RowKind.TEXT else row
