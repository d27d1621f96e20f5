"""The card that answers a look-up: at the bottom of the page, never over what is selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.domain.wiki import NameMatch
from tui.render.lookup_rows import CardContent, CardRow, Tone, card_rows
from tui.widgets.row_widget import RowWidget

_MOST_MATCHES = 5
_PAGE_SHARE = 3
"""The matches take at most a third of the page."""
_NOTHING = CardContent(())


class LookupCard(RowWidget):
    """Who may be meant, and the keys for the selection. The page keeps the keys; it is told what to do."""

    DEFAULT_CSS = """
    LookupCard { layer: card; dock: bottom; width: 100%; display: none; color: $foreground; background: $background; }
    LookupCard > .card--faint { color: $faint; background: $background; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"card--faint"}

    @dataclass
    class Chosen(Message):
        """The entry of a match is wanted."""

        match: NameMatch

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._is_ascii = is_ascii
        self._content = _NOTHING
        self._chosen = 0
        self._first = 0
        self._most = _MOST_MATCHES
        self._rows: list[CardRow] = []
        self._is_at_top = False

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return bool(self.display)

    @property
    def match(self) -> NameMatch | None:
        """The match Enter opens; None when there is none."""
        matches = self._content.matches
        return matches[self._chosen] if matches else None

    def show(self, content: CardContent, page: tuple[int, int], selected: tuple[int, int] | None) -> int:
        """Open over the page.

        Args:
            content: What to show.
            page: Its width and height.
            selected: First and last row of it that hold something selected.

        Returns:
            The rows of the bottom of the page it lies over, 0 when it lies at the top.
        """
        self._content, self._chosen, self._first = content, 0, 0
        self.display = True
        return self.place(page, selected)

    def place(self, page: tuple[int, int], selected: tuple[int, int] | None) -> int:
        """Lie where nothing selected is covered, as the page is now; arguments and result as for `show`."""
        width, height = page
        self._most = max(1, min(_MOST_MATCHES, height // _PAGE_SHARE))
        self._rows = self._drawn(width)
        rows = len(self._rows) + 1  # a blank one towards the text
        is_in_the_way = selected is not None and selected[1] >= height - rows
        self._is_at_top = is_in_the_way and selected is not None and selected[0] >= rows
        self.styles.dock = "top" if self._is_at_top else "bottom"
        self.styles.height = rows
        self.refresh()
        return 0 if self._is_at_top else rows

    def close(self) -> None:
        """Go away."""
        self.display = False

    def choose(self, step: int) -> None:
        """Choose the match some places on."""
        last = len(self._content.matches) - 1
        self._chosen = min(max(0, self._chosen + step), max(0, last))
        self._first = min(max(self._first, self._chosen - self._most + 1), self._chosen)
        self._rows = self._drawn(self.size.width)
        self.refresh()

    def _drawn(self, width: int) -> list[CardRow]:
        return card_rows(self._content, self._chosen, self._first, self._most, width, is_ascii=self._is_ascii)

    def on_resize(self, event: events.Resize) -> None:
        """Draw for another width; keys that do not fit any more are cut off below."""
        self._rows = self._drawn(event.size.width)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Open the entry of the match under the pointer."""
        event.stop()
        number = self._first + event.y - (0 if self._is_at_top else 1)
        if 0 <= number < min(len(self._content.matches), self._first + self._most):
            self.choose(number - self._chosen)
            self.post_message(self.Chosen(self._content.matches[number]))

    def render_line(self, y: int) -> Strip:
        """Draw a row: a blank one towards the text, then what the card says."""
        width = self.size.width
        number = y - (0 if self._is_at_top else 1)
        if not 0 <= number < len(self._rows):
            return Strip([Segment(" " * width, self.base)], width)
        styles = {
            Tone.INK: self.base,
            Tone.STRONG: self.base + Style(bold=True),
            Tone.FAINT: self.get_component_rich_style("card--faint"),
        }
        segments = [Segment(words, styles[tone]) for words, tone in self._rows[number] if words]
        return Strip(segments).adjust_cell_length(width, self.base)
