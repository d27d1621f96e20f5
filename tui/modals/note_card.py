"""Show a note of the book over the bottom of the page, until any key."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from tui.render.cells import cell_width
from tui.render.lines import wrapped_lines
from tui.widgets.answering import Answering


class _NoteText(Widget):
    """The note's text, wrapped."""

    DEFAULT_CSS = "_NoteText { height: auto; width: 100%; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._rows: list[str] = []

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return the number of rows at this width."""
        self._rows = wrapped_lines(self._text, width - 4)
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width = self.size.width
        row = f"  {self._rows[y]}" if y < len(self._rows) else ""
        return Strip([Segment(row + " " * max(0, width - cell_width(row)), self.rich_style)], width)


class NoteCard(ModalScreen[int], Answering[int]):
    """A note of the book. Arrows scroll a long one, f and F go on to the next note; every other key closes it.

    Answers +1 for the next note of the page, -1 for the one before, 0 when it is closed.
    """

    DEFAULT_CSS = """
    NoteCard { background: transparent; align: center bottom; }
    NoteCard > VerticalScroll { width: 100%; max-width: 76; height: auto; max-height: 60%; margin-bottom: 3;
        padding: 1 2 0 2; background: $background; color: $foreground; border-top: solid $faint;
        scrollbar-size: 0 0; }
    NoteCard.-short > VerticalScroll { margin-bottom: 2; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012  (no class variable where it comes from)
    """The row of notices below the card stands one row lower where the progress bar has one row."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the text into a scroll of at most half the page."""
        with VerticalScroll():
            yield _NoteText(self._text)

    def on_key(self, event: events.Key) -> None:
        """Scroll by arrows and page keys, go on by f, else close."""
        event.stop()
        event.prevent_default()
        scroll = self.query_one(VerticalScroll)
        moves = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 8, "space": 8, "pageup": -8}
        step = moves.get(event.key)
        if step is not None and scroll.max_scroll_y > 0:
            scroll.scroll_relative(y=step, animate=False)
        else:
            self.dismiss({"f": 1, "F": -1}.get(event.character or "", 0))

    def on_click(self) -> None:
        """Close."""
        self.dismiss(0)
