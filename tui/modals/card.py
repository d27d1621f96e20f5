"""A card of words over the bottom of the page, or the top of it, until a key closes it."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, ScreenResultType
from textual.strip import Strip
from textual.widget import Widget

from tui.keys import key_name
from tui.render.cells import cell_width
from tui.widgets.answering import Answering

_STEPS = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 8, "space": 8, "pageup": -8}


class _Words(Widget):
    """The rows of a card."""

    DEFAULT_CSS = "_Words { height: auto; width: 100%; }"

    def __init__(self, rows_at: Callable[[int], list[str]]) -> None:
        super().__init__()
        self._rows_at = rows_at
        self._rows: list[str] = []

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return the number of rows at this width."""
        self._rows = self._rows_at(max(1, width - 4))
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width = self.size.width
        row = f"  {self._rows[y]}" if y < len(self._rows) else ""
        return Strip([Segment(row + " " * max(0, width - cell_width(row)), self.rich_style)], width)


class Card(ModalScreen[ScreenResultType], Answering[ScreenResultType]):
    """Arrows scroll what is too long; what any other key does, and whether it closes the card, is the kind's affair."""

    DEFAULT_CSS = """
    Card { background: transparent; align: center bottom; }
    Card > VerticalScroll { width: 100%; max-width: 76; height: auto; max-height: 60%; margin-bottom: 3;
        padding: 1 2 0 2; background: $background; color: $foreground; border-top: solid $faint;
        scrollbar-size: 0 0; }
    Card.-short > VerticalScroll { margin-bottom: 2; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012  (no class variable where it comes from)
    """The row of notices below the card stands one row lower where the progress bar has one row."""

    def compose(self) -> ComposeResult:
        """Lay the rows into a scroll of no more than a part of the page."""
        with VerticalScroll():
            yield _Words(self.rows_at)

    def rows_at(self, width: int) -> list[str]:
        """Return what the card says, in rows of so many cells."""
        raise NotImplementedError

    def answer_to(self, key: str) -> ScreenResultType | None:
        """Return what a key that does not scroll answers."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Scroll by arrows and page keys, else answer."""
        event.stop()
        event.prevent_default()
        key = key_name(event.key, event.character)
        scroll = self.query_one(VerticalScroll)
        step = _STEPS.get(key)
        if step is not None and scroll.max_scroll_y > 0:
            scroll.scroll_relative(y=step, animate=False)
        else:
            self.dismiss(self.answer_to(key))

    def on_click(self) -> None:
        """Close."""
        self.dismiss(self.answer_to("escape"))
