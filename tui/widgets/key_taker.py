"""A widget that takes keys, those typed before it had the focus included."""

from __future__ import annotations

from textual import events

from tui.widgets.row_widget import RowWidget


class KeyTaker(RowWidget, can_focus=True):
    """The base of what is typed into or chosen from.

    A key goes to whatever has the focus when it arrives. In a burst such as "t j j Enter" all
    of them go to the page before the first has opened anything; the page hands on to the
    focused widget what that has not seen.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._seen: events.Key | None = None

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Take a key; say whether it meant something here.

        Args:
            textual_key: The key as Textual names it.
            character: What it types; None for nothing.
        """
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Take a key; what is not ours goes on to the screen."""
        self._seen = event
        if self.take_key(event.key, event.character):
            event.stop()
            event.prevent_default()

    def has_missed(self, event: events.Key) -> bool:
        """Say whether a key went elsewhere first."""
        return event is not self._seen
