"""The conversations about a work, over the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.message import Message

from engine.domain.book import WorkId
from engine.domain.conversations import Conversation, ConversationId, ConversationKind
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.messages import WorkFailed
from tui.screens.noticing import Noticing
from tui.widgets.conversation_list import ConversationList
from tui.widgets.notice_line import NoticeLine
from tui.widgets.top_line import TopLine

_SHOWN = (ConversationKind.CHAT, ConversationKind.RECAP)
NEW = ConversationId(0)
"""The answer for a new conversation."""


@dataclass
class ConversationsRead(Message):
    """The conversations were read; `words` is what they were searched by."""

    words: str
    conversations: tuple[Conversation, ...]
    said: str = ""


class ChatListScreen(Noticing[ConversationId | None]):
    """Answers with the conversation to open, `NEW` for a new one; None when the reader goes back."""

    DEFAULT_CSS = """
    ChatListScreen { background: $background; color: $foreground; layers: base notice; }
    ChatListScreen TopLine { margin-bottom: 1; }
    ChatListScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    def __init__(self, library: Library, work: WorkId, title: str, current: ConversationId | None) -> None:
        """Take the work.

        Args:
            library: Holds the conversations.
            work: Whose.
            title: Of the work.
            current: The one that is shown behind this screen.
        """
        super().__init__()
        self._library = library
        self._chats_of = work
        self._title = title
        self._current = current
        self._list = ConversationList(id="conversations")
        self._asked: Conversation | None = None
        """About to be deleted, when she says so once more."""

    def compose(self) -> ComposeResult:
        """Lay the list under the line that names the work."""
        yield TopLine(id="top")
        yield self._list
        yield NoticeLine(id="notice")

    def on_mount(self) -> None:
        """Read the conversations."""
        self.query_one(TopLine).left = (_("Conversations"), self._title)
        self.set_focus(self._list)
        self._read("")

    def _read(self, words: str, act: Callable[[], object] | None = None, said: str = "") -> None:
        """Read the list anew, after something was done with it."""

        def run() -> None:
            try:
                if act is not None:
                    act()
                found = self._library.conversations(self._chats_of, words, _SHOWN)
            except UnderstoryError as error:
                self.post_message(WorkFailed(error))
                return
            self.post_message(ConversationsRead(words, found, said))

        self.run_worker(run, thread=True, group="conversations", exit_on_error=False)

    @on(ConversationsRead)
    def _show(self, event: ConversationsRead) -> None:
        if event.words == self._list.words:
            self._list.show(event.conversations)
        if event.said:
            self.say(event.said)

    @on(ConversationList.Searched)
    def _search(self, event: ConversationList.Searched) -> None:
        self._read(event.words)

    @on(ConversationList.Pressed)
    def _act(self, event: ConversationList.Pressed) -> None:
        asked, self._asked = self._asked, None
        self.say("")
        here = event.here
        if event.key in ("escape", "q", "C"):
            self.dismiss(None)
        elif event.key == "n":
            self.dismiss(NEW)
        elif here is None:
            return
        elif event.key == "enter":
            self.dismiss(here.id)
        elif event.key == "R":
            self._rename(here)
        elif event.key == "y" and asked is not None:
            gone = asked.id
            self._read(self._list.words, lambda: self._library.delete_conversation(gone), _("Deleted."))
        elif event.key == "d":
            self._asked = here
            self.say(_("Delete this conversation for good?   y yes"))

    def _rename(self, here: Conversation) -> None:
        from tui.modals.line_prompt import LinePrompt  # not before it is asked for

        def take(name: str | None) -> None:
            if name is not None:
                self._read(self._list.words, lambda: self._library.rename_conversation(here.id, name, here.version))

        self.app.push_screen(LinePrompt(_("name: "), text=here.title), take)
