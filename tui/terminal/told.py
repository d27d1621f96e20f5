"""What the terminal tells the program besides keys."""

from __future__ import annotations

from textual.message import Message

from tui.terminal.graphics import Graphics


class LineDown(Message):
    """The terminal is gone."""


class WidthTold(Message):
    """The terminal told how wide it draws an ambiguous character."""

    def __init__(self, is_wide: bool) -> None:
        super().__init__()
        self.is_wide = is_wide
        """Two cells, not one."""


class PasteCut(Message):
    """More was pasted than is taken."""

    def __init__(self, kept_chars: int) -> None:
        super().__init__()
        self.kept_chars = kept_chars
        """What was taken."""


class KittyTold(Message):
    """The terminal answered whether it takes pictures by the protocol of kitty."""

    def __init__(self, *, is_able: bool) -> None:
        super().__init__()
        self.is_able = is_able


class CellTold(Message):
    """The terminal told the size of a cell."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.width, self.height = width, height
        """Pixels."""


class DeviceTold(Message):
    """The terminal told what it can do (primary device attributes); every terminal answers this."""

    def __init__(self, attributes: frozenset[int]) -> None:
        super().__init__()
        self.attributes = attributes
        """Numbers as the VT series has them; 4 is sixel."""


class GraphicsKnown(Message):
    """The terminal has told all it can do with pictures."""

    def __init__(self, graphics: Graphics) -> None:
        super().__init__()
        self.graphics = graphics
