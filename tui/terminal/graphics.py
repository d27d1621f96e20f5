"""Pictures in pixels: what a terminal is asked, what it said, and the sequences that show one and take it away.

Kitty's protocol (sw.kovidgoyal.net/kitty/graphics-protocol) and DEC's sixel. Inside tmux only sixel, which newer tmux
draws itself; kitty's sequences would become the name of the window there.
"""

from __future__ import annotations

import base64
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

if sys.platform != "win32":
    import fcntl
    import termios

_QUIET_TERMS = ("linux", "vt", "dumb", "cons", "screen")
"""They print what they do not know, or hand it to another terminal."""
_KITTY_QUESTION = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
_CELL_QUESTION = "\x1b[16t"
_DEVICE_QUESTION = "\x1b[c"
"""Answered by all, and last: what has not been answered before it never will be."""
_SIXEL = 4
_CHUNK_CHARS = 4096
"""Of base64 in one sequence; kitty takes no more."""
_LEAST_CELL, _MOST_CELL = 3, 200


class GraphicsKind(StrEnum):
    """By what means a terminal shows pixels."""

    NONE = "none"
    KITTY = "kitty"
    SIXEL = "sixel"


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a terminal can do."""

    kind: GraphicsKind = GraphicsKind.NONE
    cell_width: int = 0
    """Pixels."""
    cell_height: int = 0
    """Pixels."""


@runtime_checkable
class PixelTerminal(Protocol):
    """Who stands between a screen and the terminal."""

    def ask_graphics(self) -> None:
        """Have `GraphicsKnown` sent to the screen on top; it never comes where the terminal may not be asked."""

    def tell_terminal(self, sequence: str) -> None:
        """Write a sequence; waits while the line is full, so long ones belong in a worker."""


def cell_of_window() -> tuple[int, int]:
    """Return the pixels of a cell as the line to the terminal tells them; zeros where it does not."""
    if sys.platform == "win32":
        return 0, 0
    try:
        rows, columns, width, height = struct.unpack("HHHH", fcntl.ioctl(1, termios.TIOCGWINSZ, bytes(8)))
    except OSError:
        return 0, 0
    return (width // columns, height // rows) if columns and rows else (0, 0)


def graphics_questions(environ: Mapping[str, str]) -> str:
    """Return what to write to learn it; empty where nothing may be asked.

    Args:
        environ: Tells which terminal this is.
    """
    term = environ.get("TERM", "")
    is_tmux = bool(environ.get("TMUX")) or term.startswith("tmux")
    if not term or "STY" in environ or (term.startswith(_QUIET_TERMS) and not is_tmux):
        return ""
    may_be_kitty = not is_tmux and environ.get("TERM_PROGRAM") != "Apple_Terminal"
    return (_KITTY_QUESTION if may_be_kitty else "") + _CELL_QUESTION + _DEVICE_QUESTION


def graphics_told(*, is_kitty: bool, attributes: frozenset[int], cell: tuple[int, int]) -> Graphics:
    """Return what the answers say; nothing where the size of a cell is not known, for a picture could not be fitted.

    Args:
        is_kitty: It takes kitty's sequences.
        attributes: As in `DeviceTold`.
        cell: Width and height in pixels.
    """
    kind = GraphicsKind.KITTY if is_kitty else GraphicsKind.SIXEL if _SIXEL in attributes else GraphicsKind.NONE
    if kind is GraphicsKind.NONE or not all(_LEAST_CELL <= side <= _MOST_CELL for side in cell):
        return Graphics()
    return Graphics(kind, *cell)


def kitty_sending(png: bytes, number: int) -> Iterator[str]:
    """Yield the sequences that give a terminal a picture without showing it; other output may go between them."""
    text = base64.b64encode(png).decode("ascii")
    for at in range(0, len(text), _CHUNK_CHARS):
        first = f"a=t,f=100,t=d,i={number},q=2," if at == 0 else ""
        is_more = int(at + _CHUNK_CHARS < len(text))
        yield f"\x1b_G{first}m={is_more};{text[at : at + _CHUNK_CHARS]}\x1b\\"


KITTY_BROKEN_OFF = "\x1b_Gm=0;\x1b\\"
"""Ends a picture that is not sent to its end."""


def kitty_showing(number: int, at: tuple[int, int], cells: tuple[int, int]) -> str:
    """Return what shows a picture that was sent.

    Args:
        number: Of the picture.
        at: Column and row of its left upper corner, counted from 0.
        cells: Columns and rows it is drawn out to.
    """
    return _at(at, f"\x1b_Ga=p,i={number},c={cells[0]},r={cells[1]},q=2,C=1\x1b\\")


def kitty_taking_away(number: int) -> str:
    """Return what takes a picture from the screen and from the terminal's memory."""
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"


def sixel_showing(sixel: bytes, at: tuple[int, int]) -> str:
    """Return what draws a picture with its left upper corner in a column and row, counted from 0."""
    return _at(at, sixel.decode("ascii"))


def _at(at: tuple[int, int], sequence: str) -> str:
    return f"\x1b7\x1b[{at[1] + 1};{at[0] + 1}H{sequence}\x1b8"
