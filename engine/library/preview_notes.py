"""What the reader keeps of a file that is not imported yet; it waits in the library for the book to come."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import DocumentId
from engine.domain.locator import Locator, Pos
from engine.library.nameless import Nameless

if TYPE_CHECKING:
    from engine.domain.finds import Finds, Sought
    from engine.domain.notes import Note, NoteId, ShownNote
    from engine.domain.pace import Sitting
    from engine.library.door import Library


class PreviewNotes(Nameless):
    """The half of a `ReadingSource` that keeps notes, over a file."""

    sha256: str
    _library: Library

    @abstractmethod
    def document_of(self, book_sha256: str, spine_index: int) -> DocumentId | None:
        """Return the document with that identity, None when it is of another book."""

    @abstractmethod
    def _pos(self, index: int, offset: int) -> Pos: ...

    def notes(self) -> tuple[ShownNote, ...]:
        """Return what she keeps of the book, where its words stood when it was kept."""
        own = (shown for shown in self._library.notes() if shown.note.book_sha256 == self.sha256)
        return tuple(sorted(map(self._shown_here, own), key=lambda shown: (shown.locator is None, shown.pos)))

    def keep_note(self, note: Note) -> ShownNote:
        """Keep a note that is not kept yet; it is on disk when this returns."""
        return self._shown_here(self._library.keep_note(note))

    def change_note(self, note: Note) -> ShownNote:
        """Keep another comment, kind or tone of a note."""
        return self._shown_here(self._library.change_note(note))

    def search_notes(self, words: str, spoilers: SpoilerMode) -> tuple[ShownNote, ...]:
        """Return no notes: how far she has read is known when the book is imported."""
        return ()

    def find(self, sought: Sought, spoilers: SpoilerMode) -> Finds:
        """Find nothing: names, chapters and how far she has read are known when the book is imported."""
        from engine.domain.finds import Finds

        return Finds(None)

    def pace(self, language: str) -> float:
        """Return how many times faster than the average she reads a language; 1 while that is not known."""
        return self._library.pace(language)

    def keep_sitting(self, sitting: Sitting) -> None:
        """Keep how long she reads this time, or how that has grown."""
        self._library.keep_sitting(sitting)

    def drop_note(self, note: NoteId) -> None:
        """Take a note away; one that is not there is no error."""
        self._library.drop_note(note)

    def _shown_here(self, shown: ShownNote) -> ShownNote:
        anchor = shown.note.anchor
        document = None if anchor is None else self.document_of(anchor.book_sha256, anchor.spine_index)
        if anchor is None or document is None:
            return replace(shown, locator=None, pos=-1)
        at = Locator(document, anchor.start, anchor.end)
        return replace(shown, locator=at, pos=self._pos(anchor.spine_index, anchor.start))
