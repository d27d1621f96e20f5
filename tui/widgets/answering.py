"""Screens that answer once; keys typed behind the answer go on to whoever shows then."""

from __future__ import annotations

from textual import events
from textual.await_complete import AwaitComplete
from textual.message_pump import MessagePump
from textual.screen import Screen, ScreenResultType

from tui.widgets.compositor import WholeCharacterCompositor
from tui.widgets.keys_in_turn import type_again


class Answering(Screen[ScreenResultType]):
    """A screen laid over another, until it answers.

    Keys come in bursts: what is typed behind the key that answers, or that lays one more screen
    over this one, reaches this screen all the same. Textual would close whichever screen is on top.
    """

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        self._compositor = WholeCharacterCompositor()

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Answer and go; nothing once another screen shows."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    async def on_event(self, event: events.Event) -> None:
        """Take an event; a key that is not ours any more goes on."""
        if isinstance(event, events.Key) and not self.is_active:
            hand_on(self, event)
        else:
            await super().on_event(event)


def hand_on(taker: MessagePump, key: events.Key) -> None:
    """Send a key on to the screen that shows now."""
    key.stop()
    key.prevent_default()
    type_again(taker.app, [key])
