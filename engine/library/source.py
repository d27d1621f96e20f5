"""An imported work as a reading screen sees it."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import DocumentId, Footnote, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.marks import Mark, ShownMark
from engine.domain.reading import LinkTarget, Place, ShownPlace, Slice, SliceKey, WorkOutline
from engine.domain.search import HitRun, PosRange, TextQuery
from engine.spoilers.policy import FRONTIER, Reach, Upto

if TYPE_CHECKING:
    from engine.domain.corrections import Act, MadeCorrection
    from engine.domain.finds import Finds, Sought
    from engine.domain.notes import Note, NoteId, ShownNote
    from engine.domain.pace import Sitting
    from engine.domain.wiki import KnowledgeState, NameInText, NameMatch, Page, PageKey, Revealed, StatementId
    from engine.library.door import Library


class StoredWork:
    """A `ReadingSource` over one work of the library.

    It remembers the counters of the places it has seen, so that a window which was overtaken
    by another does not silently overwrite the other's place.
    """

    def __init__(self, library: Library, work: WorkId) -> None:
        self._library = library
        self.work = work
        self._lock = threading.Lock()
        self._counters: dict[str, int] = {}

    def outline(self) -> WorkOutline:
        """Return volumes, documents, chapters and printed pages."""
        return self._library.outline(self.work)

    def slice_at(self, document: DocumentId, offset: int) -> Slice:
        """Return the slice that holds an offset; the offset is clamped to the document."""
        return self._library.slice_at(document, offset)

    def slice_of(self, key: SliceKey) -> Slice:
        """Return a slice by key; ord -1 is the document's last."""
        return self._library.slice_of(key)

    def text_of(self, document: DocumentId, start: int, end: int) -> str:
        """Return canonical text; offsets are clamped."""
        return self._library.text_of(document, start, end)

    def footnote(self, document: DocumentId, note: str) -> Footnote | None:
        """Return the note a `NoteRef` of that document points to."""
        return self._library.footnote(document, note)

    def link_target(self, document: DocumentId, target: str) -> LinkTarget | None:
        """Resolve the target of a link span; None when it leads nowhere."""
        return self._library.link_target(document, target)

    def resource(self, document: DocumentId, href: str) -> bytes:
        """Return a picture's bytes, at most 64 MB."""
        return self._library.resource(document, href)

    def book_of(self, document: DocumentId) -> tuple[str, int]:
        """Return (sha256 of the book, spine index)."""
        return self._library.book_of(document)

    def document_of(self, book_sha256: str, spine_index: int) -> DocumentId | None:
        """Return the document with that identity, None when this library has none."""
        return self._library.document_of(book_sha256, spine_index)

    def place(self) -> ShownPlace | None:
        """Return where the reader was, None when the work was never opened."""
        shown, counters = self._library.place_and_counters(self.work)
        with self._lock:
            self._counters.update(counters)
        return shown

    def save_place(self, place: Place) -> int:
        """Keep the place; it is on disk when this returns. Returns its new counter."""
        with self._lock:
            known = place.counter or self._counters.get(place.book_sha256, 0)
            counter = self._library.save_place(replace(place, counter=known))
            self._counters[place.book_sha256] = counter
        return counter

    def frontier(self) -> Pos:
        """Return how far she has read; 0 when nothing was."""
        return self._library.frontier(self.work)

    def advance_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Move the frontier forwards to an offset; a smaller one changes nothing. Returns the frontier."""
        return self._library.advance_frontier(self.work, document, offset)

    def set_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Put the frontier exactly here, also backwards. Returns it."""
        self._library.set_frontier(self.work, document, offset)
        return self.frontier()

    def search(
        self,
        query: TextQuery,
        spoilers: SpoilerMode,
        *,
        within: Sequence[PosRange] = (),
        shown: PosRange | None = None,
    ) -> Generator[HitRun | None, None, None]:
        """Yield what is found up to where the reader has read; see `ReadingSource`."""
        return self._library.scan(self.work, query, spoilers, within=within, shown=shown)

    def is_found_beyond(self, query: TextQuery, spoilers: SpoilerMode) -> bool:
        """Say whether there is more behind the boundary, where that may be told."""
        return self._library.is_found_beyond(self.work, query, spoilers)

    def marks(self) -> tuple[ShownMark, ...]:
        """Return marks and bookmarks in story order."""
        return self._library.shown_marks(self.work)

    def keep_mark(self, mark: Mark) -> int:
        """Keep a mark; it is on disk when this returns. Returns its id."""
        return self._library.keep_mark(mark, self._library.book_hashes(self.work))

    def drop_mark(self, mark: int) -> None:
        """Take a mark away; one that is not there is no error."""
        self._library.drop_mark(mark)

    def trail(self) -> tuple[tuple[ShownMark, ...], tuple[ShownMark, ...]]:
        """Return the way back and the way ahead, oldest first."""
        return self._library.shown_trail(self.work)

    def save_trail(self, back: Sequence[Mark], ahead: Sequence[Mark]) -> None:
        """Keep the way back and the way ahead over what was kept before."""
        self._library.save_trail(self._library.book_hashes(self.work), back, ahead)

    def notes(self) -> tuple[ShownNote, ...]:
        """Return what she keeps of the work, in story order; what has no place comes last."""
        return self._library.notes(self.work)

    def keep_note(self, note: Note) -> ShownNote:
        """Keep a note that is not kept yet; it is on disk when this returns."""
        return self._library.keep_note(note)

    def change_note(self, note: Note) -> ShownNote:
        """Keep another comment, kind or tone of a note; what another window changed meanwhile stays beside it."""
        return self._library.change_note(note)

    def search_notes(self, words: str, spoilers: SpoilerMode) -> tuple[ShownNote, ...]:
        """Return the notes that hold all of some words, in story order; none of a passage beyond the boundary."""
        return self._library.search_notes(self.work, words, spoilers=spoilers)

    def find(self, sought: Sought, spoilers: SpoilerMode) -> Finds:
        """Find words in text, wiki, chapters and notes; see `ReadingSource`."""
        return self._library.find_everywhere(self.work, sought, spoilers)

    def pace(self, language: str) -> float:
        """Return how many times faster than the average she reads a language; 1 while that is not known."""
        return self._library.pace(language)

    def keep_sitting(self, sitting: Sitting) -> None:
        """Keep how long she reads this time, or how that has grown."""
        self._library.keep_sitting(sitting)

    def drop_note(self, note: NoteId) -> None:
        """Take a note away; one that is not there is no error."""
        self._library.drop_note(note)

    def page(self, key: PageKey, revealed: frozenset[StatementId] = frozenset()) -> Page:
        """Return a page of the work's wiki, as far as she has read; see `ReadingSource`."""
        return self._library.page(self.work, key, revealed)

    def reveal(self, statement: StatementId) -> Revealed:
        """Show a statement before its time; that the reader asked for it is written down."""
        return self._library.reveal(self.work, statement)

    def correct(self, act: Act, read_to: Locator | None = None) -> MadeCorrection:
        """Set something right among the points she knows; see `ReadingSource`."""
        return self._library.correct(self.work, act, _upto(read_to))

    def undo_correction(self) -> MadeCorrection | None:
        """Take the last correction that stands back and return it; None when there is none."""
        return self._library.undo_correction(self.work)

    def knowledge_state(self) -> KnowledgeState:
        """Return whether the names of the work are known, being looked for, or neither."""
        return self._library.knowledge_state(self.work)

    def names_in(
        self, document: DocumentId, start: int, end: int, spoilers: SpoilerMode, read_to: Locator | None = None
    ) -> tuple[NameInText, ...]:
        """Return the names she may know in a stretch of a document; see `ReadingSource`."""
        return self._library.names_in(document, start, end, _upto(read_to), spoilers)

    def is_named_beyond(self, text: str, spoilers: SpoilerMode, read_to: Locator | None = None) -> bool:
        """Say whether more comes under a name than she knows of; see `ReadingSource`."""
        return self._library.is_named_beyond(self.work, text, _upto(read_to), spoilers)

    def resolve(
        self, text: str, spoilers: SpoilerMode, at: Locator | None = None, read_to: Locator | None = None
    ) -> tuple[NameMatch, ...]:
        """Return whom and what a selection may mean, best first; see `ReadingSource`."""
        return self._library.resolve(self.work, text, at, _upto(read_to), spoilers)


def _upto(read_to: Locator | None) -> Upto:
    return FRONTIER if read_to is None else Upto(Reach.PLACE, read_to)
