"""The chat over the whole screen."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult

from engine.translate import _
from tui.keys import CHATTING, READING_ACTIONS, key_name
from tui.screens.chat_control import ChatControl
from tui.widgets.answering import Answering
from tui.widgets.chat_view import ChatView
from tui.widgets.top_line import TopLine


class ChatScreen(Answering[None]):
    """The conversation of the page below, until the reader goes back to the text."""

    DEFAULT_CSS = """
    ChatScreen { background: $background; color: $foreground; }
    ChatScreen TopLine { margin-bottom: 1; }
    """
    BLANK = True

    def __init__(self, control: ChatControl, *, is_ascii: bool = False) -> None:
        super().__init__()
        self._control = control
        self._view = ChatView(is_ascii=is_ascii, id="whole-chat")
        self._view.has_bar = False

    def compose(self) -> ComposeResult:
        """Lay the conversation under the line that names it."""
        yield TopLine(id="top")
        yield self._view

    def on_mount(self) -> None:
        """Show the conversation as it stands beside the text."""
        self.query_one(TopLine).left = (_("Chat"), self._control.work_title)
        self.set_focus(self._view)
        self._control.use_view(self._view)

    @property
    def view(self) -> ChatView:
        """What shows the conversation."""
        return self._view

    @on(ChatView.Wanted)
    def _see_to(self, event: ChatView.Wanted) -> None:
        self._control.see_to(event.wish)

    def on_key(self, event: events.Key) -> None:
        """Go back to the text, or show the keys."""
        key = key_name(event.key, event.character)
        if key in ("escape", "q", "A"):
            event.stop()
            self.dismiss(None)
        elif key in ("?", "f1"):
            event.stop()
            self._show_keys()

    def _show_keys(self) -> None:
        from tui.modals.help_page import HelpPage  # not before it is asked for

        actions = [action for action in READING_ACTIONS if action.mode == CHATTING]
        self.app.push_screen(HelpPage(actions, self._control.sequences))
