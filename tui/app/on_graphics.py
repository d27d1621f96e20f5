"""The program and pictures in pixels: asks the terminal once, when the first is wanted."""

from __future__ import annotations

import os

from textual import on

from tui.app.on_terminal import TerminalApp
from tui.terminal.graphics import Graphics, cell_of_window, graphics_questions, graphics_told
from tui.terminal.told import CellTold, DeviceTold, GraphicsKnown, KittyTold


class GraphicsApp(TerminalApp):
    """Knows whether the terminal shows pixels, and hands it sequences."""

    graphics: Graphics | None = None
    """What the terminal can do; None until it was asked and has answered."""
    _is_kitty = False
    _cell = (0, 0)

    def tell_terminal(self, sequence: str) -> None:
        """Write a sequence to the terminal; waits while the line is full, so long ones belong in a worker."""
        driver = self._driver
        if driver is not None and sequence:
            getattr(driver, "tell", driver.write)(sequence)

    def ask_graphics(self) -> None:
        """Ask what the terminal can do, unless that is known; `GraphicsKnown` goes to the screen on top."""
        if self.graphics is not None:
            self.screen.post_message(GraphicsKnown(self.graphics))
        elif questions := graphics_questions(os.environ):
            self._cell = cell_of_window()
            self.tell_terminal(questions)

    @on(KittyTold)
    def _take_kitty(self, event: KittyTold) -> None:
        self._is_kitty = event.is_able

    @on(CellTold)
    def _take_cell(self, event: CellTold) -> None:
        self._cell = event.width, event.height

    @on(DeviceTold)
    def _take_device(self, event: DeviceTold) -> None:
        self.graphics = graphics_told(is_kitty=self._is_kitty, attributes=event.attributes, cell=self._cell)
        self.screen.post_message(GraphicsKnown(self.graphics))
