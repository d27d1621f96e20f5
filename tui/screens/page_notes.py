"""Highlight, comment on and excerpt what is selected; open what was kept. What does it is imported when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from engine.config import Settings
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.translate import _
from tui.messages import WorkFailed
from tui.screens.page_selection import PageSelection
from tui.session import ReadingSession
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from engine.domain.book import WorkId
    from engine.domain.locator import Locator
    from engine.domain.notes import Note, ShownNote
    from tui.render.selection import Selection
    from tui.screens.note_control import NoteControl
    from tui.widgets.selectable_text import SelectableText

_ACTIONS = frozenset({"select-highlight", "select-comment", "select-excerpt"})


@dataclass
class NotesArrived(Message):
    """What she keeps of the work was read."""

    source: ReadingSource
    notes: tuple[ShownNote, ...]
    said: str = ""
    """What to say of it."""
    taken: tuple[ShownNote, ...] = ()
    """What was taken away, to be brought back."""


@dataclass
class NotesSettled(Message):
    """What was to be kept is on disk, or could not be."""


class PageNotes(PageSelection):
    """The part that keeps what the reader marks in the text."""

    @dataclass
    class NotesWanted(Message):
        """The reader wants to see all that she keeps."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._made_notes: NoteControl | None = None
        self.dropped_notes: list[Note] = []
        """Taken away, here or in the list of all, the last one at the end."""
        self.is_keeping = False
        """Something is being kept; what is typed behind it waits for that."""
        self._noted_source: ReadingSource | None = None
        """Whose notes were asked for."""

    @property
    def _notes(self) -> NoteControl:
        if self._made_notes is None:
            from tui.screens.note_control import NoteControl

            self._made_notes = NoteControl(self)
        return self._made_notes

    @property
    def is_awaiting(self) -> bool:
        """Whether what is typed is meant for what comes first."""
        return super().is_awaiting or self.is_keeping

    @on(NotesSettled)
    def _go_on(self) -> None:
        self.is_keeping = False
        self.arrived()

    @on(TextView.PageMoved)
    def _look_for_notes(self) -> None:
        """Ask for the notes of a work when its first page stands."""
        if self._noted_source is not self.session.source:
            self._noted_source = self.session.source
            self.read_notes()

    def read_notes(self, said: str = "") -> None:
        """Bring the notes of the work, as after some were changed elsewhere."""
        source = self.session.source
        self.run_worker(lambda: self._read(source, said), thread=True, group="notes", exit_on_error=False)

    def _read(self, source: ReadingSource, said: str) -> None:
        try:
            self.post_message(NotesArrived(source, source.notes(), said))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(NotesArrived)
    def _take_notes(self, event: NotesArrived) -> None:
        if event.source is self.session.source and (event.notes or self._made_notes is not None):
            self._notes.take(event)

    # what the keys ask for

    def act_on_selection(self, action: str, selection: Selection) -> bool:
        """Highlight, comment on or excerpt what is selected."""
        if action not in _ACTIONS:
            return super().act_on_selection(action, selection)
        self._notes.act(action, selection)
        return True

    def open_highlight(self) -> bool:
        """Show the first highlight of the page with its comment; False when there is none, or a link is in focus."""
        return self.page.link_focus is None and self._made_notes is not None and self._notes.open_first()

    def open_first_highlight(self) -> None:
        """Show the first highlight of the page, or say that there is none."""
        if self._made_notes is None or not self._notes.open_first():
            self.notice(_("Nothing is highlighted on this page. v selects words, h highlights them."))

    def on_selectable_text_touched(self, event: SelectableText.Touched) -> None:
        """Show the highlight that was clicked."""
        if self._made_notes is not None:
            self._notes.open_at(event.document, event.offset)

    def show_notes(self) -> None:
        """Show all that she keeps, over the whole screen."""
        self.post_message(self.NotesWanted())

    def go_to_passage(self, at: Locator) -> None:
        """Show a passage and mark it; the way back leads here."""
        self.remember_here()
        self.has_landed = True
        self.show_words(at.document, at.start, at.end)

    def here_in_words(self) -> tuple[WorkId, str]:
        """Return the work being read and its title."""
        outline = self.session.index.outline
        return outline.id, outline.title
