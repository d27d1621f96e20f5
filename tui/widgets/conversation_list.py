"""The conversations about a work: one a line, the one changed last first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.domain.conversations import Conversation, ConversationKind
from engine.translate import _, ngettext
from tui.keys import key_name
from tui.render.line_edit import LineEdit
from tui.render.wiki_bits import one_line
from tui.widgets.row_list import RowList


class ConversationList(RowList):
    """A line that finds words in titles, questions and answers, and what it finds."""

    DEFAULT_CSS = "ConversationList { height: 1fr; width: 1fr; color: $foreground; background: $background; }"
    head_rows = 2

    @dataclass
    class Pressed(Message):
        """A key that is not the list's own, and the conversation under the cursor."""

        key: str
        here: Conversation | None

    @dataclass
    class Searched(Message):
        """Conversations that hold some words are wanted."""

        words: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[Conversation] = ()
        self._line = LineEdit()
        self._is_typing = False
        self._is_read = False

    def show(self, conversations: Sequence[Conversation]) -> None:
        """List these, the cursor on the one it stood on."""
        before = self.here
        self._all, self._is_read = conversations, True
        same = (at for at, each in enumerate(conversations) if before is not None and each.id == before.id)
        self.move_to(next(same, min(self.cursor, max(0, len(conversations) - 1))))
        self.refresh()

    @property
    def words(self) -> str:
        """What is searched for."""
        return self._line.text

    @property
    def here(self) -> Conversation | None:
        """The conversation under the cursor."""
        return self._all[self.cursor] if self.cursor < len(self._all) else None

    @property
    def row_count(self) -> int:
        """How many there are."""
        return len(self._all)

    def choose(self) -> None:
        """Open the one under the cursor."""
        self.post_message(self.Pressed("enter", self.here))

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Type into the line, move, or tell."""
        key = key_name(textual_key, character)
        if self._is_typing:
            self._typed(key, character)
        elif key == "/":
            self._is_typing = True
        elif key == "escape" and self._line.text:
            self._line.set("")
            self.post_message(self.Searched(""))
        elif not self.moved_by(key):
            self.post_message(self.Pressed(key, self.here))
        self.refresh()
        return True

    def _typed(self, key: str, character: str | None) -> None:
        before = self._line.text
        if key in ("enter", "escape", "down"):
            self._is_typing = False
        else:
            self._line.feed(key, character)
        if self._line.text != before:
            self.post_message(self.Searched(self._line.text))

    def on_paste(self, event: events.Paste) -> None:
        """Search for what was pasted."""
        event.stop()
        self._is_typing = True
        self._line.insert(event.text)
        self.post_message(self.Searched(self._line.text))

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw what is searched for, or how many there are."""
        faint = self.get_component_rich_style("list--faint")
        if y:
            return self.two_sided("", "", width)
        if self._is_typing or self._line.text:
            words = _("search: {text}").format(text=self._line.text) + ("_" if self._is_typing else "")
            return self.two_sided(words, "", width, self.get_component_rich_style("list--accent"))
        if self._is_read and not self._all:
            return self.two_sided(_("No conversation yet. a, on the page, begins one."), "", width, faint)
        hints = _("Enter open   n new   R name   d delete   / search   Esc back")
        return self.two_sided(hints, "", width, faint, faint)

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a conversation: its name, how many questions, and when."""
        each = self._all[row]
        title = one_line(each.title) or _("(no words)")
        if each.kind is ConversationKind.RECAP:
            title = _("The story so far: {title}").format(title=title)
        count = ngettext("{n} question", "{n} questions", each.turns).format(n=each.turns)
        state = f"{_('waits for you')} · " if each.is_waiting else ""
        return self.two_sided(title, f"{state}{count} · {each.changed[:10]}", width, ink, faint)
