"""A picture over the whole screen, in pixels where the terminal shows them, else in half blocks; any key closes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from rich.segment import Segment
from textual import events, on, work
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.worker import get_current_worker

from engine.translate import _
from tui.render.art import art_strip, fitting_cells
from tui.render.cells import cell_width, fit_cells
from tui.terminal.graphics import (
    KITTY_BROKEN_OFF,
    Graphics,
    GraphicsKind,
    PixelTerminal,
    kitty_sending,
    kitty_showing,
    kitty_taking_away,
    sixel_showing,
)
from tui.terminal.told import GraphicsKnown
from tui.widgets.answering import Answering

_ENLARGED = 1_000
"""So many times its pixels: over the whole screen a small picture is made larger too."""
_NUMBERS = count(7_100)
"""Kitty's pictures have numbers; others' pictures in the same terminal begin at 1."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture in pixels, as the terminal takes it."""

    width: int
    """Pixels."""
    height: int
    """Pixels."""
    data: bytes
    """A PNG for kitty, the whole sequence for sixel."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """What the view is told of a picture. Both functions take their time."""

    width: int
    """Pixels."""
    height: int
    """Pixels."""
    words: str
    """Its description; may be empty."""
    draw: Callable[[int, int], bytes]
    """Returns three bytes a pixel for columns and rows of cells, nothing where that fails."""
    encode: Callable[[int, int, GraphicsKind], Drawing | None]
    """Returns it within a width and height in pixels."""


class PictureView(ModalScreen[None], Answering[None]):
    """Shows one picture as large as the screen, its description below."""

    DEFAULT_CSS = "PictureView { background: $background; color: $faint; }"

    @dataclass
    class Drawn(Message):
        """The picture was drawn in cells for a size."""

        columns: int
        rows: int
        rgb: bytes

    @dataclass
    class Encoded(Message):
        """The picture was drawn in pixels, and the terminal has what it needs to show it."""

        showing: str

    def __init__(self, picture: ShownPicture, terminal: PixelTerminal | None) -> None:
        """Take the picture.

        Args:
            picture: What to show.
            terminal: Asked whether it shows pixels; None for cells only.
        """
        super().__init__()
        self._picture = picture
        self._terminal = terminal
        self._graphics = Graphics()
        self._drawn: PictureView.Drawn | None = None
        self._kitty_number = 0
        """Of the picture that the terminal has; 0 for none."""
        self._is_in_pixels = False
        """It stands outside the cells, which are blank."""

    @property
    def _room(self) -> int:
        return max(1, self.size.height - (1 if self._picture.words else 0))

    def on_resize(self, event: events.Resize) -> None:
        """Have it drawn for the new size."""
        self._take_away()
        self._draw()
        if self._graphics.kind is not GraphicsKind.NONE:
            self._encode(self._graphics)
        elif self._terminal is not None:
            self._terminal.ask_graphics()

    @on(GraphicsKnown)
    def _take_graphics(self, event: GraphicsKnown) -> None:
        if event.graphics != self._graphics:
            self._graphics = event.graphics
            self._encode(self._graphics)

    # in cells

    @work(thread=True, exclusive=True, group="picture", exit_on_error=False)
    def _draw(self) -> None:
        picture = self._picture
        wide, high = picture.width * _ENLARGED, picture.height * _ENLARGED
        columns, rows = fitting_cells(wide, high, self.size.width, self._room)
        self.post_message(self.Drawn(columns, rows, picture.draw(columns, rows)))

    @on(Drawn)
    def _show(self, event: Drawn) -> None:
        self._drawn = event
        self.refresh()

    # in pixels

    @work(thread=True, exclusive=True, group="pixels", exit_on_error=False)
    def _encode(self, graphics: Graphics) -> None:
        if self._terminal is None or graphics.kind is GraphicsKind.NONE:
            return
        columns, rows = self.size.width, self._room
        drawn = self._picture.encode(columns * graphics.cell_width, rows * graphics.cell_height, graphics.kind)
        if drawn is None or get_current_worker().is_cancelled:
            return
        is_sixel = graphics.kind is GraphicsKind.SIXEL
        # Kitty draws a picture out to the field; a sixel has the size it has.
        scale = (
            1.0
            if is_sixel
            else min(columns * graphics.cell_width / drawn.width, rows * graphics.cell_height / drawn.height)
        )
        wide = min(columns, max(1, round(drawn.width * scale / graphics.cell_width)))
        high = min(rows, max(1, round(drawn.height * scale / graphics.cell_height)))
        at = (columns - wide) // 2, (rows - high) // 2
        if is_sixel:
            self.post_message(self.Encoded(sixel_showing(drawn.data, at)))
        elif number := self._sent(drawn.data):
            self.post_message(self.Encoded(kitty_showing(number, at, (wide, high))))

    def _sent(self, png: bytes) -> int:
        """Give the terminal a picture, and return its number; 0 when nobody waits for it any more."""
        assert self._terminal is not None
        worker = get_current_worker()
        number = self._kitty_number = next(_NUMBERS)
        for sequence in kitty_sending(png, number):
            if worker.is_cancelled:
                self._terminal.tell_terminal(KITTY_BROKEN_OFF + kitty_taking_away(number))
                return 0
            self._terminal.tell_terminal(sequence)
        return number

    @on(Encoded)
    def _show_pixels(self, event: Encoded) -> None:
        self._is_in_pixels = True
        self.refresh()
        self.call_after_refresh(self._place, event.showing)

    def _place(self, showing: str) -> None:
        if self._is_in_pixels and self._terminal is not None:
            self._terminal.tell_terminal(showing)

    def _take_away(self) -> None:
        """Leave nothing of it on the screen but cells, which are drawn anew."""
        number, self._kitty_number = self._kitty_number, 0
        if number and self._terminal is not None:
            self._terminal.tell_terminal(kitty_taking_away(number))
        self._is_in_pixels = False

    def on_unmount(self) -> None:
        """Take the picture away."""
        self._take_away()

    # closing

    def on_key(self, event: events.Key) -> None:
        """Close."""
        event.stop()
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Close."""
        event.stop()
        self.dismiss(None)

    # rows

    def render_line(self, y: int) -> Strip:
        """Draw a row of the picture, or the words below it."""
        width, height = self.size
        drawn = self._drawn
        rows = drawn.rows if drawn is not None and drawn.rgb else 1
        top = max(0, (self._room - rows) // 2)
        if drawn is not None and drawn.rgb and not self._is_in_pixels and top <= y < top + rows:
            return art_strip(drawn.rgb, drawn.columns, y - top, (width - drawn.columns) // 2, width, self.rich_style)
        words = self._picture.words if y == height - 1 else ""
        if y == top and not self._is_in_pixels and (drawn is None or not drawn.rgb):
            words = _("one moment") if drawn is None else _("This picture cannot be drawn.")
        words = fit_cells(words, width)
        left = (width - cell_width(words)) // 2
        return Strip([Segment(" " * left + words + " " * (width - left - cell_width(words)), self.rich_style)], width)
