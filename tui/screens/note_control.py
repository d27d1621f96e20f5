"""What is done with notes on a reading screen: made from a selection, drawn, opened. Imported when there are any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.domain.book import DocumentId
from engine.domain.locator import Locator, select_quote
from engine.domain.notes import MOST_PASSAGE_CHARS, Anchor, Note, NoteId, NoteKind, ShownNote, Tone
from engine.domain.outline import OutlineIndex
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.errors.notes import NoteRefusedError
from engine.translate import _
from tui.messages import WorkFailed
from tui.modals.comment_card import CardAct, CommentCard
from tui.modals.comment_editor import CommentEditor
from tui.render.highlights import Highlights
from tui.render.layers import Layer
from tui.render.selection import Reach, Selection
from tui.screens.page_notes import NotesArrived, NotesSettled

if TYPE_CHECKING:
    from tui.screens.page_notes import PageNotes

_AROUND_CHARS = 64


class NoteControl:
    """The notes of one reading screen."""

    def __init__(self, screen: PageNotes) -> None:
        """Take the screen."""
        self._screen = screen
        self._highlights = Highlights(())
        self._tone = Tone.MARK
        """Of the next highlight: the one chosen last."""
        self._opened: ShownNote | None = None

    def take(self, event: NotesArrived) -> None:
        """Draw the notes that were read."""
        self._screen.dropped_notes += (shown.note for shown in event.taken)
        self._highlights = Highlights(event.notes, is_ascii=self._screen.is_ascii)
        source = self._highlights.overlays if len(self._highlights) else None
        self._screen.page.lay_over(Layer.HIGHLIGHTS, source)
        if event.said:
            self._screen.notice(event.said)

    # from a selection

    def act(self, action: str, selection: Selection) -> None:
        """Highlight, comment on or excerpt what is selected."""
        reach = selection.reach
        self._screen.select_nothing()
        if action == "select-comment":
            self._with_words(reach)
        elif action == "select-excerpt":
            self._keep(NoteKind.EXCERPT, reach, _("Kept as an excerpt. gN shows all."))
        else:
            self._keep(NoteKind.HIGHLIGHT, reach, _("Highlighted. Enter shows it, h there changes its colour."))

    def _with_words(self, reach: Reach, unkept: str = "", reason: str = "") -> None:
        """Ask for a comment; the passage is shown as its first words. What could not be kept is asked for again."""
        piece = self._screen.page.piece_at(reach.first.document, reach.first.offset)
        end = reach.last.offset if reach.last.document == reach.first.document else MOST_PASSAGE_CHARS
        words = "" if piece is None else piece.text[reach.first.offset - piece.start : end - piece.start]

        def answered(comment: str | None) -> None:
            if comment is not None and comment.strip():
                self._keep(NoteKind.ANNOTATION, reach, _("Kept. Enter on the passage shows the comment."), comment)

        self._screen.app.push_screen(CommentEditor(words, "", unkept, reason), answered)

    def _keep(self, kind: NoteKind, reach: Reach, said: str, comment: str = "") -> None:
        index, tone = self._screen.session.index, self._tone
        pos = reach.first.base + reach.first.offset
        chapter = index.chapter_at(pos)
        about = (index.outline.title, chapter.title if chapter is not None else "")

        def keep(source: ReadingSource) -> None:
            note = Note(kind, _anchor(source, index, reach), comment, tone, title=about[0], chapter=about[1])
            source.keep_note(note)

        self._change(keep, said, again=(lambda reason: self._with_words(reach, comment, reason)) if comment else None)

    def _change(
        self,
        write: Callable[[ReadingSource], object],
        said: str,
        taken: tuple[ShownNote, ...] = (),
        again: Callable[[str], object] | None = None,
    ) -> None:
        """Write in a worker thread, then read the notes anew; where it cannot be written, `again` is told why."""
        source = self._screen.session.source

        def written() -> None:
            try:
                write(source)
                self._screen.post_message(NotesArrived(source, source.notes(), said, taken))
            except UnderstoryError as error:
                self._screen.post_message(WorkFailed(error))
                if again is not None:
                    self._screen.call_later(again, error.message)
            finally:  # whatever happened, what is typed meanwhile must go on
                self._screen.post_message(NotesSettled())

        self._screen.is_keeping = True
        self._screen.run_worker(written, thread=True, group="notes", exit_on_error=False)

    # opening one

    def open_first(self) -> bool:
        """Show the first highlight of the page; False when there is none."""
        shown = self._on_page()
        if shown:
            self._open(shown[0])
        return bool(shown)

    def open_at(self, document: DocumentId, offset: int) -> bool:
        """Show the highlight that holds a character; False when there is none."""
        found = self._highlights.between(document, offset, offset + 1)
        if found:
            self._open(found[-1])
        return bool(found)

    def _on_page(self) -> list[ShownNote]:
        page = self._screen.page
        rows = [(ref.key.document, page.flow.row(ref)) for ref in page.refs]
        found = (
            shown
            for document, row in rows
            if row.start < row.end
            for shown in self._highlights.between(document, row.start, row.end)
        )
        return list({shown.note.id: shown for shown in found}.values())

    def _open(self, shown: ShownNote) -> None:
        self._opened = shown
        at = shown.locator
        if at is not None:
            self._screen.show_words(at.document, at.start, at.end)
        card = CommentCard(shown.note, is_ascii=self._screen.is_ascii, is_above=self._stands_low(shown))
        self._screen.app.push_screen(card, self._answered)

    def _stands_low(self, shown: ShownNote) -> bool:
        """Say whether a passage begins in the lower half of the page."""
        page, at = self._screen.page, shown.locator
        rows = [(y, ref.key.document, page.flow.row(ref)) for y, ref in enumerate(page.refs)]
        found = (
            y
            for y, document, row in rows
            if at is not None and document == at.document and row.start <= at.start < row.end
        )
        return next(found, 0) >= page.page_rows // 2

    def _answered(self, act: CardAct | None) -> None:
        shown = self._opened
        self._screen.page.lay_over(Layer.LANDING, None)
        if shown is None or act is None:
            return
        note = shown.note
        if act is CardAct.EDIT:
            self.edit(shown)
        elif act is CardAct.TONE:
            tones = list(Tone)
            self._tone = tones[(tones.index(note.tone) + 1) % len(tones)]
            changed = replace(note, tone=self._tone)
            self._change(lambda source: source.change_note(changed), _("Its colour is another now."))
        elif act is CardAct.DROP:
            self._change(lambda source: source.drop_note(note.id), _("Taken away. u in gN brings it back."), (shown,))
        elif act is CardAct.UNDO:
            self.bring_back()
        else:
            self._step(shown, 1 if act is CardAct.NEXT else -1)

    def _step(self, shown: ShownNote, step: int) -> None:
        """Open the next (+1) or the previous highlight of the page."""
        on_page = self._on_page()
        ids = [each.note.id for each in on_page]
        if shown.note.id in ids:
            self._open(on_page[(ids.index(shown.note.id) + step) % len(ids)])

    def edit(self, shown: ShownNote, unkept: str = "", reason: str = "") -> None:
        """Let the reader change the comment of a note; without words an annotation is a highlight again."""
        note = shown.note

        def answered(comment: str | None) -> None:
            if comment is not None and comment != note.comment:
                changed = with_comment(note, comment)
                self._change(
                    lambda source: source.change_note(changed),
                    _("Kept."),
                    again=lambda reason: self.edit(shown, comment, reason),
                )

        passage = note.anchor.quote.exact if note.anchor is not None else ""
        self._screen.app.push_screen(CommentEditor(passage, note.comment, unkept, reason), answered)

    def bring_back(self) -> None:
        """Bring back what was taken away last."""
        if not self._screen.dropped_notes:
            self._screen.notice(_("Nothing to bring back."))
            return
        dropped = self._screen.dropped_notes.pop()
        note = replace(dropped, id=NoteId(0))
        self._change(
            lambda source: source.keep_note(note),
            _("Brought back."),
            again=lambda _reason: self._screen.dropped_notes.append(dropped),
        )


def with_comment(note: Note, comment: str) -> Note:
    """Return a note with another comment; a highlight with words is an annotation, one without them is none."""
    kind = note.kind
    if kind in (NoteKind.HIGHLIGHT, NoteKind.ANNOTATION):
        kind = NoteKind.ANNOTATION if comment.strip() else NoteKind.HIGHLIGHT
    return replace(note, comment=comment, kind=kind)


def _anchor(source: ReadingSource, index: OutlineIndex, reach: Reach) -> Anchor:
    """Return the anchor of a stretch, of its first document where it goes over several.

    Raises:
        NoteRefusedError: it is too long, or of another work.
    """
    book = index.book_of(reach.first.document)
    if book is None:
        raise NoteRefusedError.of_no_passage()
    at = _first_part(source, reach)
    if at.end - at.start > MOST_PASSAGE_CHARS:
        raise NoteRefusedError.of_long_passage(MOST_PASSAGE_CHARS)
    first = max(0, at.start - _AROUND_CHARS)
    text = source.text_of(at.document, first, at.end + _AROUND_CHARS)
    end = min(at.end, first + len(text))
    return Anchor(*book, at.start, end, select_quote(text, at.start, end, text_offset=first))


def _first_part(source: ReadingSource, reach: Reach) -> Locator:
    document, start = reach.first.document, reach.first.offset
    if reach.last.document == document:
        return Locator(document, start, reach.last.offset)
    return Locator(document, start, start + len(source.text_of(document, start, start + MOST_PASSAGE_CHARS)))
