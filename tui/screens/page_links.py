"""Follow the links and open the notes of a page."""

from __future__ import annotations

from textual import on, work

from engine.domain.book import DocumentId
from engine.errors import UnderstoryError
from engine.translate import _
from tui.messages import LinkResolved, NoteArrived, WorkFailed
from tui.screens.page import PageScreen
from tui.widgets.text_view import TextView


class PageLinks(PageScreen):
    """The part that leads to where links point."""

    def open_link(self) -> None:
        """Open the link or note in focus, a highlight, or the only link of the page; among several put one in focus."""
        if self.open_highlight():
            return
        count = self.text.open_link()
        if count == 0:
            self.notice(_("No link or note on this page."))
        elif count > 1:
            self.notice(_("{n} on this page:  f next  F before  Enter open").format(n=count))

    def focus_link(self, step: int) -> None:
        """Put the next (positive) or a previous link or note of the page in focus, some of them on."""
        if self.text.focus_link(step) is None:
            self.notice(_("No link or note on this page."))

    @on(TextView.LinkOpened)
    def _look_up_link(self, event: TextView.LinkOpened) -> None:
        if event.link.note:
            self._load_note(event.document, event.link.note)
        elif not event.link.target[:1].isdigit():
            self.notice(_("This leads out of the book: {address}").format(address=event.link.target))
        else:
            self._load_link(event.document, event.link.target)

    @work(thread=True, exclusive=True, group="link", exit_on_error=False)
    def _load_note(self, document: DocumentId, note: str) -> None:
        try:
            self.post_message(NoteArrived(self.session.source.footnote(document, note)))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @work(thread=True, exclusive=True, group="link", exit_on_error=False)
    def _load_link(self, document: DocumentId, target: str) -> None:
        try:
            self.post_message(LinkResolved(self.session.source.link_target(document, target)))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(NoteArrived)
    def _show_note(self, event: NoteArrived) -> None:
        if event.note is None:
            self.notice(_("The book does not hold this note."))
        else:
            from tui.modals.note_card import NoteCard  # not before it is asked for

            self.app.push_screen(NoteCard(event.note.text), self._go_on_among_notes)

    def _go_on_among_notes(self, step: int | None) -> None:
        """Open the next or the previous note of the page, as the card was asked for."""
        if step and self.text.focus_note(step):
            self.text.open_link()

    @on(LinkResolved)
    def _follow_link(self, event: LinkResolved) -> None:
        if event.target is None:
            self.notice(_("This link leads nowhere in the book."))
        else:
            self.land(event.target.document, event.target.offset)
