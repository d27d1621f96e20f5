"""Set marks and bookmarks, go to them, list them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from engine.config import Settings
from engine.domain.marks import MarkKind, ShownMark
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.translate import _
from tui.messages import WorkFailed
from tui.screens.page import PageScreen
from tui.session import ReadingSession

if TYPE_CHECKING:
    from tui.widgets.mark_list import MarkList

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_BACK_SIGN = "'"


@dataclass
class MarksArrived(Message):
    """The marks of the work were read."""

    source: ReadingSource
    marks: tuple[ShownMark, ...]
    said: str = ""
    """What to say of it."""
    letter: str = ""
    """The mark to go to."""


class PageMarks(PageScreen):
    """The part that keeps what the reader marks."""

    def __init__(self, session: ReadingSession, settings: Settings) -> None:
        super().__init__(session, settings)
        self._letter_for: Callable[[str], None] | None = None
        """What the next letter is for."""
        self._dropped: list[ShownMark] = []

    # by letter

    def ask_letter(self, *, is_to_set: bool) -> None:
        """Take the next key as the letter of a mark to set, or to go to."""
        self._letter_for = self._set_letter if is_to_set else self._go_to_letter
        self.notice(_("mark: a-z") if is_to_set else _("to mark: a-z, or ' to go back"))

    def takes_letter(self, key: str) -> bool:
        """Take a key that was waited for; any other than a letter ends the waiting. Say whether it was taken."""
        act, self._letter_for = self._letter_for, None
        if act is None:
            return False
        self.notice("")
        if key in _LETTERS:
            act(key)
        elif key == _BACK_SIGN and not self.walk_trail(-1):
            self.notice(_("No jump to go back to."))
        return True

    def _set_letter(self, letter: str) -> None:
        mark = self.mark_here(MarkKind.LETTER, letter)
        if mark is not None:
            self._change(lambda source: source.keep_mark(mark.mark), _("Marked {letter}.").format(letter=letter))

    def _go_to_letter(self, letter: str) -> None:
        self._change(None, letter=letter)

    # bookmarks

    def toggle_bookmark(self) -> None:
        """Mark the first line of the page, or take its bookmark away."""
        here, (_start, end) = self.mark_here(MarkKind.BOOKMARK), self.text.top_row
        if here is not None:
            source, row = self.session.source, range(here.offset, max(here.offset + 1, end))
            self.run_worker(lambda: self._toggle(source, here, row), thread=True, group="marks", exit_on_error=False)

    def _toggle(self, source: ReadingSource, here: ShownMark, row: range) -> None:
        try:
            bookmarks = [shown for shown in source.marks() if shown.mark.kind is MarkKind.BOOKMARK]
            there = [shown for shown in bookmarks if shown.document == here.document and shown.offset in row]
            for shown in there:
                source.drop_mark(shown.mark.id)
            if not there:
                source.keep_mark(here.mark)
            said = _("Bookmark taken away.") if there else _("Bookmark set. B lists them.")
            self.post_message(MarksArrived(source, source.marks(), said))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    # the list

    def read_marks(self) -> None:
        """Bring the marks for the list."""
        self._change(None)

    def on_mark_list_dropped(self, event: MarkList.Dropped) -> None:
        """Take a mark away."""
        event.stop()
        self._dropped.append(event.mark)
        self._change(lambda source: source.drop_mark(event.mark.mark.id), _("Taken away. u brings it back."))

    def on_mark_list_undo_asked(self, event: MarkList.UndoAsked) -> None:
        """Bring the mark back that was taken away last."""
        event.stop()
        if not self._dropped:
            self.notice(_("Nothing to bring back."))
            return
        mark = self._dropped.pop()
        self._change(lambda source: source.keep_mark(mark.mark), _("Brought back."))

    def on_mark_list_chosen(self, event: MarkList.Chosen) -> None:
        """Go to a mark."""
        event.stop()
        self.panel_done()
        self.land(event.mark.document, event.mark.offset)

    def _change(self, write: Callable[[ReadingSource], object] | None, said: str = "", *, letter: str = "") -> None:
        """Write in a worker thread, then read the marks anew."""
        source = self.session.source
        self.run_worker(
            lambda: self._written(source, write, said, letter), thread=True, group="marks", exit_on_error=False
        )

    def _written(
        self, source: ReadingSource, write: Callable[[ReadingSource], object] | None, said: str, letter: str
    ) -> None:
        try:
            if write is not None:
                write(source)
            self.post_message(MarksArrived(source, source.marks(), said, letter))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(MarksArrived)
    def _take_marks(self, event: MarksArrived) -> None:
        if event.source is not self.session.source:
            return
        self.show_marks(event.marks)
        if event.said:
            self.notice(event.said)
        if event.letter:
            named = (shown for shown in event.marks if shown.mark.kind is MarkKind.LETTER)
            found = next((shown for shown in named if shown.mark.name == event.letter), None)
            if found is not None:
                self.land(found.document, found.offset)
            else:
                self.notice(_("Nothing is marked {letter}.").format(letter=event.letter))
