"""The chat over the whole screen."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal

from engine.translate import _
from tui.keys import CHATTING, READING_ACTIONS, key_name
from tui.screens.chat_control import ChatControl
from tui.screens.conversations_desk import ConversationsRead
from tui.widgets.answering import Answering
from tui.widgets.chat_view import ChatView
from tui.widgets.chat_wishes import BeginAnew, ListThem
from tui.widgets.conversation_list import ConversationList
from tui.widgets.top_line import TopLine

WIDE_COLUMNS = 160
"""From here on the conversations stand beside the one that is shown."""


class ChatScreen(Answering[None]):
    """The conversation of the page below, until the reader goes back to the text."""

    DEFAULT_CSS = """
    ChatScreen { background: $background; color: $foreground; }
    ChatScreen TopLine { margin-bottom: 1; }
    ChatScreen Horizontal { height: 1fr; background: $background; }
    ChatScreen ConversationList { width: 44; margin-right: 2; display: none; }
    ChatScreen ChatView { width: 1fr; }
    ChatScreen.-wide ConversationList { display: block; }
    """
    BLANK = True

    def __init__(self, control: ChatControl, *, is_ascii: bool = False) -> None:
        super().__init__()
        self._control = control
        self._view = ChatView(is_ascii=is_ascii, id="whole-chat")
        self._view.has_bar = False
        self._list = ConversationList(id="conversations-beside")
        self._desk = control.desk_of(self, self._list)

    def compose(self) -> ComposeResult:
        """Lay the conversation under the line that names it, beside the others where there is room."""
        yield TopLine(id="top")
        with Horizontal():
            yield self._list
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

    @property
    def _has_list(self) -> bool:
        return self.has_class("-wide")

    def on_resize(self, event: events.Resize) -> None:
        """List the conversations where there is room for them."""
        had_list = self._has_list
        self.set_class(event.size.width >= WIDE_COLUMNS, "-wide")
        if self._has_list and not had_list:
            self._desk.read()
        elif not self._has_list and self._list.has_focus:
            self.set_focus(self._view)

    @on(ChatView.Wanted)
    def _see_to(self, event: ChatView.Wanted) -> None:
        if isinstance(event.wish, ListThem) and self._has_list:
            self.set_focus(self._list)
            self._desk.read()
        else:
            self._control.see_to(event.wish)

    @on(ConversationsRead)
    def _show(self, event: ConversationsRead) -> None:
        self._desk.show(event)

    @on(ConversationList.Searched)
    def _search(self, event: ConversationList.Searched) -> None:
        self._desk.read(event.words)

    @on(ConversationList.Pressed)
    def _act(self, event: ConversationList.Pressed) -> None:
        if self._desk.take(event):
            return
        if event.key in ("escape", "q", "C", "n", "enter"):
            self.set_focus(self._view)
        if event.key == "n":
            self._control.see_to(BeginAnew())
        elif event.key == "enter" and event.here is not None:
            self._control.open_conversation(event.here.id)

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
