"""The line of a dialog in which the reader types."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.widgets import Input

from engine.text.sanitize import sanitize_in_place
from tui.widgets.answering import hand_on


class PromptLine(Input):
    """A line without a frame, which shows no character that could drive the terminal.

    What is typed stays as it is, for a file may have any name.
    """

    DEFAULT_CSS = "PromptLine { width: 1fr; background: $background; color: $foreground; }"

    def __init__(self) -> None:
        super().__init__(select_on_focus=False, compact=True)

    @property
    def _value(self) -> Text:
        return Text(sanitize_in_place(self.value), no_wrap=True, overflow="ignore", end="")

    async def on_event(self, event: events.Event) -> None:
        """Take an event; a key typed behind the one that closed the dialog goes on."""
        if isinstance(event, events.Key) and not self.screen.is_active:
            hand_on(self, event)
        else:
            await super().on_event(event)
