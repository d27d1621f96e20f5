"""Screens with a row for words of the program: what it says, what failed, a card over the page."""

from __future__ import annotations

from textual import on
from textual.screen import ScreenResultType

from tui.messages import WorkFailed
from tui.widgets.answering import Answering
from tui.widgets.notice_line import NoticeLine


class Noticing(Answering[ScreenResultType]):
    """A screen that lays a `NoticeLine` over its last row."""

    def say(self, words: str) -> None:
        """Say something in the last row; nothing to clear it."""
        self.query_one(NoticeLine).say(words)

    def show_card(self, text: str) -> None:
        """Show a text over the page until a key is pressed."""
        from tui.modals.note_card import NoteCard  # not before it is asked for

        self.app.push_screen(NoteCard(text))

    @on(WorkFailed)
    def _say_failure(self, event: WorkFailed) -> None:
        event.stop()
        self.say(event.error.message)
