"""The line in which a search of the page is typed, over the last row of the text."""

from __future__ import annotations

from typing import ClassVar, Protocol

from rich.segment import Segment
from textual import events
from textual.geometry import Offset
from textual.strip import Strip

from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.line_edit import LineEdit
from tui.render.typed import typed_segments
from tui.widgets.key_taker import KeyTaker

_HEAD = "  /"
_MOST_REMEMBERED = 50


class SearchListener(Protocol):
    """Who is told what is typed."""

    def typed(self, words: str) -> None:
        """Be told that other words are looked for."""

    def accept(self, words: str) -> None:
        """Be told that the reader is done typing; the line is closed."""

    def give_up(self) -> None:
        """Be told that the reader does not want to search; the line is closed."""


class SearchLine(KeyTaker):
    """Words being typed at the left, what they find at the right. Up and down bring back earlier ones."""

    DEFAULT_CSS = """
    SearchLine { layer: notice; dock: bottom; height: 1; width: 100%; margin-bottom: 2; display: none;
        color: $foreground; background: $background; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"search--cursor", "search--status"}

    def __init__(self, listener: SearchListener, *, id: str | None = None) -> None:
        """Take who is told at once what was typed: a message would come after the keys typed next."""
        super().__init__(id=id)
        self._listener = listener
        self._line = LineEdit()
        self._status = ""
        self._earlier: list[str] = []
        self._at = 0

    def open(self) -> None:
        """Begin with an empty line."""
        self._line.set("")
        self._status = ""
        self._at = len(self._earlier)
        self.display = True
        self.screen.set_focus(self, scroll_visible=False)
        self._redraw()

    def say(self, status: str) -> None:
        """Show at the right what was found."""
        self._status = status
        self._redraw()

    def remember(self, words: str) -> None:
        """Keep words for the up key."""
        self._earlier = [*[each for each in self._earlier if each != words][-_MOST_REMEMBERED:], words]

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Take a key while the line is open; say whether it is."""
        if not self.display:
            return False
        key = key_name(textual_key, character)
        before = self._line.text
        if key == "escape" or (key == "backspace" and not before):
            self.display = False
            self._listener.give_up()
            return True
        if key == "enter":
            self.display = False
            self._listener.accept(before)
            return True
        if key in ("up", "down"):
            self._recall(-1 if key == "up" else 1)
        else:
            self._line.feed(key, character)
        self._told(before)
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Put in what was pasted."""
        event.stop()
        before = self._line.text
        self._line.insert(event.text)
        self._told(before)

    def _recall(self, step: int) -> None:
        self._at = min(max(0, self._at + step), len(self._earlier))
        self._line.set(self._earlier[self._at] if self._at < len(self._earlier) else "")

    def _told(self, before: str) -> None:
        self._redraw()
        if self._line.text != before:
            self._listener.typed(self._line.text)

    def on_resize(self) -> None:
        """Put the terminal's cursor where the line has come up."""
        self._redraw()

    def _redraw(self) -> None:
        self.refresh()
        if self.screen.focused is self and self.size.width:
            cells = max(1, self.size.width - cell_width(_HEAD) - 1)
            column = cell_width(_HEAD) + self._line.window(cells)[1]
            self.app.cursor_position = self.region.offset + Offset(column, 0)  # where an input method writes

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width = self.size.width
        typed = cell_width(f"{_HEAD}{self._line.text}") + 6
        status = fit_cells(self._status, max(0, width // 2 - 2, width - typed))
        cells = max(1, width - cell_width(_HEAD) - cell_width(status) - 4)
        text, cursor = self._line.window(cells)
        return Strip(
            [
                Segment(_HEAD, self.get_component_rich_style("search--status")),
                *typed_segments(text, cursor, self.base, self.get_component_rich_style("search--cursor")),
                Segment(" " * max(0, width - cell_width(f"{_HEAD}{text} {status}") - 2), self.base),
                Segment(f"{status}  ", self.get_component_rich_style("search--status")),
            ]
        ).adjust_cell_length(width, self.base)
