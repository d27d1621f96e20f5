"""The conversations about a work, over the whole screen."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult

from engine.domain.book import WorkId
from engine.domain.conversations import ConversationId
from engine.library import Library
from engine.translate import _
from tui.screens.conversations_desk import ConversationsDesk, ConversationsRead
from tui.screens.noticing import Noticing
from tui.widgets.conversation_list import ConversationList
from tui.widgets.notice_line import NoticeLine
from tui.widgets.top_line import TopLine

NEW = ConversationId(0)
"""The answer for a new conversation."""


class ChatListScreen(Noticing[ConversationId | None]):
    """Answers with the conversation to open, `NEW` for a new one; None when the reader goes back."""

    DEFAULT_CSS = """
    ChatListScreen { background: $background; color: $foreground; layers: base notice; }
    ChatListScreen TopLine { margin-bottom: 1; }
    ChatListScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    def __init__(self, library: Library, work: WorkId, title: str) -> None:
        """Take the work.

        Args:
            library: Holds the conversations.
            work: Whose.
            title: Of the work.
        """
        super().__init__()
        self._title = title
        self._list = ConversationList(id="conversations")
        self._desk = ConversationsDesk(self, library, work, self._list, self.say)

    def compose(self) -> ComposeResult:
        """Lay the list under the line that names the work."""
        yield TopLine(id="top")
        yield self._list
        yield NoticeLine(id="notice")

    def on_mount(self) -> None:
        """Read the conversations."""
        self.query_one(TopLine).left = (_("Conversations"), self._title)
        self.set_focus(self._list)
        self._desk.read()

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
        if event.key in ("escape", "q", "C"):
            self.dismiss(None)
        elif event.key == "n":
            self.dismiss(NEW)
        elif event.key == "enter" and event.here is not None:
            self.dismiss(event.here.id)
