"""Draw the two scales of progress as strings of exact width."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tui.render.cells import is_ambiguous_wide

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_EACH = (1, 5, 10, 20, 50, 100)
"""Of so many chapters one gets a tick."""


@dataclass(frozen=True, slots=True)
class _Signs:
    full: str
    partial: str
    """From nothing to full, in equal steps."""
    empty: str
    line: str
    tick: str
    here: str
    mark: str


_UNICODE = _Signs("█", _EIGHTHS, "░", "┄", "┬", "●", "▲")
_ASCII = _Signs("#", " #", "-", "-", "|", "@", "^")


def _signs(is_ascii: bool) -> _Signs:
    """Return the signs to draw with: the finer ones are all ambiguous in width."""
    return _ASCII if is_ascii or is_ambiguous_wide() else _UNICODE


def work_row(share: float, cells: int, *, is_ascii: bool = False) -> str:
    """Return a bar of `cells` cells, filled for `share` of its length in steps of an eighth of a cell.

    Full only at a share of 1, empty only at 0.
    """
    signs = _signs(is_ascii)
    if cells <= 0:
        return ""
    steps = len(signs.partial) - 1
    share = _clamped(share)
    filled = int(share * cells * steps)
    if share > 0:
        filled = max(1, filled)
    whole, part = divmod(filled, steps)
    bar = signs.full * whole + (signs.partial[part] if part else "")
    return bar + signs.empty * (cells - len(bar))


def volume_row(
    share: float,
    ticks: Iterable[float],
    cells: int,
    *,
    marks: Iterable[float] = (),
    is_ascii: bool = False,
) -> str:
    """Return a line of `cells` cells with chapter ticks, marks, and the place; the place wins over both.

    Args:
        share: The place, in [0, 1].
        ticks: Starts of chapters as shares; of very many every fifth is drawn, or every tenth and so on.
        cells: Width.
        marks: Places to mark, as shares, such as where somebody appears.
        is_ascii: Draw with ASCII only, for terminals that show the other signs wide or not at all.
    """
    signs = _signs(is_ascii)
    if cells <= 0:
        return ""
    line = [signs.line] * cells
    for column in _tick_columns(ticks, cells):
        line[column] = signs.tick
    for mark in marks:
        line[_column(mark, cells)] = signs.mark
    line[_column(share, cells)] = signs.here
    return "".join(line)


def _tick_columns(ticks: Iterable[float], cells: int) -> list[int]:
    """Return the columns of ticks that are two cells apart on the average, at least."""
    shares = sorted(set(ticks))
    for step in _EACH:
        columns = sorted({_column(tick, cells) for tick in shares[::step]})
        if len(columns) * 2 <= cells:
            return columns
    return []


def share_at(column: int, cells: int) -> float:
    """Return the share that the middle of a column stands for, for a click on a bar."""
    return _clamped((column + 0.5) / cells) if cells > 0 else 0.0


def _column(share: float, cells: int) -> int:
    return min(cells - 1, int(_clamped(share) * cells))


def _clamped(share: float) -> float:
    return min(1.0, max(0.0, share)) if share == share else 0.0  # noqa: PLR0124  (nan compares unequal to itself)
