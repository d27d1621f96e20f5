"""What is done with a list of conversations, wherever it stands: read, searched, named, deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.message import Message
from textual.screen import Screen

from engine.domain.book import WorkId
from engine.domain.conversations import Conversation, ConversationKind
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.messages import WorkFailed
from tui.widgets.conversation_list import ConversationList

_SHOWN = (ConversationKind.CHAT, ConversationKind.RECAP)


@dataclass
class ConversationsRead(Message):
    """The conversations were read; `words` is what they were searched by."""

    words: str
    conversations: tuple[Conversation, ...]
    said: str = ""


class ConversationsDesk:
    """Keeps one list of the conversations about a work."""

    def __init__(
        self,
        screen: Screen[Any],  # Any: what it answers is of no account here
        library: Library,
        work: WorkId,
        shown: ConversationList,
        say: Callable[[str], None],
    ) -> None:
        """Take the list.

        Args:
            screen: The list's; is told what was read (`ConversationsRead`).
            library: Holds the conversations.
            work: Whose.
            shown: The list.
            say: Tells the reader something.
        """
        self._screen = screen
        self._library = library
        self._work = work
        self._list = shown
        self._say = say
        self._asked: Conversation | None = None
        """About to be deleted, when she says so once more."""

    def read(self, words: str | None = None, act: Callable[[], object] | None = None, said: str = "") -> None:
        """Read the list anew, after something was done with it."""
        wanted = self._list.words if words is None else words

        def run() -> None:
            try:
                if act is not None:
                    act()
                found = self._library.conversations(self._work, wanted, _SHOWN)
            except UnderstoryError as error:
                self._screen.post_message(WorkFailed(error))
                return
            self._screen.post_message(ConversationsRead(wanted, found, said))

        self._screen.run_worker(run, thread=True, group="conversations", exit_on_error=False)

    def show(self, event: ConversationsRead) -> None:
        """List what was read; what is searched for meanwhile is on its way."""
        if event.words == self._list.words:
            self._list.show(event.conversations)
        if event.said:
            self._say(event.said)

    def take(self, event: ConversationList.Pressed) -> bool:
        """Take a key that names or deletes; say whether it was one."""
        asked, self._asked = self._asked, None
        self._say("")
        here = event.here
        if here is None:
            return False
        if event.key == "R":
            self._rename(here)
        elif event.key == "y" and asked is not None:
            gone = asked.id
            self.read(None, lambda: self._library.delete_conversation(gone), _("Deleted."))
        elif event.key == "d":
            self._asked = here
            self._say(_("Delete this conversation for good?   y yes"))
        else:
            return False
        return True

    def _rename(self, here: Conversation) -> None:
        from tui.modals.line_prompt import LinePrompt  # not before it is asked for

        def take(name: str | None) -> None:
            if name is not None:
                self.read(None, lambda: self._library.rename_conversation(here.id, name, here.version))

        self._screen.app.push_screen(LinePrompt(_("name: "), text=here.title), take)
