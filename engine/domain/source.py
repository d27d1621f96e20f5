"""What a reading screen needs of one work, whether it is imported or still a file."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Protocol

from engine.config import SpoilerMode
from engine.domain.book import DocumentId, Footnote
from engine.domain.locator import Locator, Pos
from engine.domain.marks import Mark, ShownMark
from engine.domain.reading import LinkTarget, Place, ShownPlace, Slice, SliceKey, WorkOutline
from engine.domain.search import HitRun, PosRange, TextQuery

if TYPE_CHECKING:  # the first page of a book needs none of these
    from engine.domain.corrections import Act, MadeCorrection
    from engine.domain.finds import Finds, Sought
    from engine.domain.notes import Note, NoteId, ShownNote
    from engine.domain.pace import Sitting
    from engine.domain.wiki import KnowledgeState, NameInText, NameMatch, Page, PageKey, Revealed, StatementId


class ReadingSource(Protocol):
    """One work, ready to be read. Thread-safe; every call is short enough for a worker thread.

    All methods may raise `UnderstoryError`; `PlaceUnknownError` for a document it does not have.
    """

    def outline(self) -> WorkOutline:
        """Return volumes, documents, chapters and printed pages."""
        ...

    def slice_at(self, document: DocumentId, offset: int) -> Slice:
        """Return the slice that holds an offset; the offset is clamped to the document."""
        ...

    def slice_of(self, key: SliceKey) -> Slice:
        """Return a slice by key; ord -1 is the document's last."""
        ...

    def text_of(self, document: DocumentId, start: int, end: int) -> str:
        """Return canonical text; offsets are clamped."""
        ...

    def footnote(self, document: DocumentId, note: str) -> Footnote | None:
        """Return the note a `NoteRef` of that document points to."""
        ...

    def link_target(self, document: DocumentId, target: str) -> LinkTarget | None:
        """Resolve the target of a link span, "<spine index>#<anchor>"; None when it leads nowhere."""
        ...

    def resource(self, document: DocumentId, href: str) -> bytes:
        """Return a picture's bytes, at most 64 MB."""
        ...

    def place(self) -> ShownPlace | None:
        """Return where the reader was, None when the work was never opened."""
        ...

    def save_place(self, place: Place) -> int:
        """Keep the place; it is on disk when this returns. Returns its new counter."""
        ...

    def frontier(self) -> Pos:
        """Return how far she has read; 0 when nothing was."""
        ...

    def advance_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Move the frontier forwards to an offset; a smaller one changes nothing. Returns the frontier."""
        ...

    def set_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Put the frontier exactly here, also backwards. Returns it."""
        ...

    def search(
        self,
        query: TextQuery,
        spoilers: SpoilerMode,
        *,
        within: Sequence[PosRange] = (),
        shown: PosRange | None = None,
    ) -> Generator[HitRun | None, None, None]:
        """Yield what is found of a query up to where the reader has read, range by range in order of pos.

        Nothing behind that boundary is looked at. Each step is a few milliseconds at most, None
        for one that found nothing, so that the caller can stop between two; the generator must
        be used and closed in one thread.

        Args:
            query: Words or a pattern.
            spoilers: How far the reader wants to see.
            within: Ranges to look in, one after another; none for the whole work.
            shown: What stands on the page now, which may be searched wherever it is.

        Raises:
            PatternInvalidError: the pattern is no regular expression.
            PatternSlowError: it takes too long; what was yielded before stands.
        """
        ...

    def is_found_beyond(self, query: TextQuery, spoilers: SpoilerMode) -> bool:
        """Say whether a query finds anything behind the boundary, where the reader may be told that.

        Raises:
            PatternInvalidError: the pattern is no regular expression.
        """
        ...

    def marks(self) -> tuple[ShownMark, ...]:
        """Return marks and bookmarks in story order; those whose document is gone are left out."""
        ...

    def keep_mark(self, mark: Mark) -> int:
        """Keep a mark; it is on disk when this returns. Returns its id. A letter is moved, not doubled."""
        ...

    def drop_mark(self, mark: int) -> None:
        """Take a mark away; one that is not there is no error."""
        ...

    def trail(self) -> tuple[tuple[ShownMark, ...], tuple[ShownMark, ...]]:
        """Return the way back and the way ahead, oldest first."""
        ...

    def save_trail(self, back: Sequence[Mark], ahead: Sequence[Mark]) -> None:
        """Keep the way back and the way ahead over what was kept before."""
        ...

    def notes(self) -> tuple[ShownNote, ...]:
        """Return what she keeps of the work, in story order; what has no place comes last."""
        ...

    def keep_note(self, note: Note) -> ShownNote:
        """Keep a note that is not kept yet; it is on disk when this returns.

        Raises:
            NoteRefusedError: the passage is too long, or there are no words.
        """
        ...

    def change_note(self, note: Note) -> ShownNote:
        """Keep another comment, kind or tone of a note; what another window changed meanwhile stays beside it.

        Raises:
            NoteGoneError: it was taken away meanwhile.
            NoteRefusedError: there are no words.
        """
        ...

    def drop_note(self, note: NoteId) -> None:
        """Take a note away; one that is not there is no error."""
        ...

    def search_notes(self, words: str, spoilers: SpoilerMode) -> tuple[ShownNote, ...]:
        """Return the notes that hold all of some words, in story order; none of a passage beyond the boundary."""
        ...

    def find(self, sought: Sought, spoilers: SpoilerMode) -> Finds:
        """Find words in text, wiki, chapters and notes, nothing of it beyond what was read.

        Quick enough to be asked while she types. Where the text is not indexed yet nothing is said of it:
        `search` looks through it.

        Args:
            sought: What and where.
            spoilers: How far the reader wants to see.
        """
        ...

    def pace(self, language: str) -> float:
        """Return how many times faster than the average she reads a language; 1 while that is not known."""
        ...

    def keep_sitting(self, sitting: Sitting) -> None:
        """Keep how long she reads this time, or how that has grown."""
        ...

    def page(self, key: PageKey, revealed: frozenset[StatementId] = frozenset()) -> Page:
        """Return a page of the work's wiki, masked for what she has read; before there are names, one that says so.

        Args:
            key: Which page.
            revealed: Statements she has asked for by `reveal`.

        Raises:
            EntryUnknownError: nobody of that id has been met, or there is no such volume yet.
        """
        ...

    def reveal(self, statement: StatementId) -> Revealed:
        """Show a statement before its time; that she asked for it is written down.

        Raises:
            PlaceUnknownError: the work has no such statement.
        """
        ...

    def correct(self, act: Act, read_to: Locator | None = None) -> MadeCorrection:
        """Set something right among the points she knows, and return it as it can be taken back.

        Args:
            act: What.
            read_to: As in `names_in`.

        Raises:
            CorrectionRefusedError: the act names nobody known, or lacks what it needs.
            NamesUnknownError: the work's names have not been found yet.
        """
        ...

    def undo_correction(self) -> MadeCorrection | None:
        """Take the last correction that stands back and return it; None when there is none."""
        ...

    def knowledge_state(self) -> KnowledgeState:
        """Return whether the names of the work are known, being looked for, or neither."""
        ...

    def names_in(
        self, document: DocumentId, start: int, end: int, spoilers: SpoilerMode, read_to: Locator | None = None
    ) -> tuple[NameInText, ...]:
        """Return the names she may know in a stretch of a document, in order, none overlapping another.

        Args:
            document: Of the work.
            start: Document offset.
            end: Exclusive.
            spoilers: How far the reader wants to see.
            read_to: How far she has read, where that is not on disk yet; its end counts.
        """
        ...

    def is_named_beyond(self, text: str, spoilers: SpoilerMode, read_to: Locator | None = None) -> bool:
        """Say whether more comes under a name than she knows of, where she may be told that; never what.

        Args:
            text: As selected or typed.
            spoilers: How far the reader wants to see.
            read_to: As in `names_in`.
        """
        ...

    def resolve(
        self, text: str, spoilers: SpoilerMode, at: Locator | None = None, read_to: Locator | None = None
    ) -> tuple[NameMatch, ...]:
        """Return whom and what a selection may mean, best first; several bearers of a name are all offered.

        Args:
            text: As selected or typed.
            spoilers: How far the reader wants to see.
            at: Where it was selected, if it was.
            read_to: As in `names_in`.
        """
        ...
