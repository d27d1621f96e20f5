"""Carry the reader's notes and marks over to another text of a book; what cannot be found stays listed as lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.domain.locator import QuoteSelector, select_quote
from engine.domain.marks import Mark
from engine.domain.notes import Anchor, Note
from engine.domain.reading import Place
from engine.store import books, notes, reader_marks
from engine.store.books import BookRecord, DocumentRecord
from engine.store.connection import Connection
from engine.store.editions import carried_place, text_of_document
from engine.store.rechatting import Moved, put_rechatted, rechatted
from engine.text.reanchoring import Found, Letters, find_passage

_WIDE_CHARS = 300
"""Of the older text around a passage, where it is still here: tells one refrain from the next."""


@dataclass(frozen=True, slots=True)
class Renoted:
    """Where the notes of a book stand in its new text."""

    source: str
    """Content hash under which they were kept."""
    sha256: str
    moved: tuple[Note, ...]
    """Those whose row must be written; `is_lost` where the words were not found."""
    marks: tuple[Mark, ...] = ()
    """The same for marks, which stay as near as can be."""
    chats: tuple[Moved, ...] = ()
    """The same for places of conversations."""

    @property
    def lost(self) -> int:
        """How many were not found."""
        return sum(note.is_lost for note in self.moved)


def renoted(r: Connection, old: BookRecord | None, sha256: str, documents: Sequence[DocumentRecord]) -> Renoted:
    """Work out where the notes kept for an older text stand in a new one.

    Args:
        r: Any connection.
        old: The readable book with the older text; None when only its notes were kept.
        sha256: Content hash of the new file.
        documents: Of the new text, all written.
    """
    source = old.sha256 if old is not None else sha256
    kept = notes.notes_of_book(r, source)
    if old is not None and old.sha256 != sha256:
        kept += notes.notes_of_book(r, sha256)
    finder = _Finder(r, documents)
    marks = tuple(
        replace(mark, place=place)
        for mark in reader_marks.marks_of_book(r, source)
        if (place := _moved_mark(finder, mark.place, sha256)) != mark.place
    )
    chats = rechatted(r, source, sha256, finder.find)
    if not kept:
        return Renoted(source, sha256, (), marks, chats)
    older = {d.spine_index: d for d in books.documents_of_book(r, old.id)} if old is not None else {}
    found = finder.places([_widened(r, older, note) for note in kept])
    moved = (_moved(note, sha256, place, finder) for note, place in zip(kept, found, strict=True))
    changed = tuple(new for note, new in zip(kept, moved, strict=True) if new != note)
    return Renoted(source, sha256, changed, marks, chats)


def placed_anew(r: Connection, sha256: str) -> Renoted:
    """Work out where the notes kept for a book stand in the text that is here, as for notes brought from elsewhere."""
    book = books.ready_book(r, sha256)
    if book is None:
        return _placed_by_title(r, sha256)
    return renoted(r, None, sha256, books.documents_of_book(r, book.id))


def _placed_by_title(r: Connection, sha256: str) -> Renoted:
    """Look for notes of an edition that is not here in works of the same title; what is not found waits for its own."""
    waiting = [note for note in notes.notes_of_book(r, sha256) if note.anchor is not None]
    moved: list[Note] = []
    for title in sorted({note.title for note in waiting}):
        for book in books.books_titled(r, title):
            finder = _Finder(r, books.documents_of_book(r, book.id))
            of_title = [note for note in waiting if note.title == title]
            found = zip(of_title, finder.places(of_title), strict=True)
            placed = [_moved(note, book.sha256, place, finder) for note, place in found if place is not None]
            moved += placed
            taken = {note.id for note in placed}
            waiting = [note for note in waiting if note.id not in taken]
    return Renoted(sha256, sha256, tuple(moved))


def _widened(r: Connection, older: dict[int, DocumentRecord], note: Note) -> Note:
    """Return a note with more of the words around it, where its older text still has them."""
    anchor = note.anchor
    document = None if anchor is None or note.is_lost else older.get(anchor.spine_index)
    if anchor is None or document is None:
        return note
    text = text_of_document(r, document.id)
    start, end = anchor.start, anchor.end
    if text[start:end] != anchor.quote.exact:
        return note
    quote = QuoteSelector(anchor.quote.exact, text[max(0, start - _WIDE_CHARS) : start], text[end : end + _WIDE_CHARS])
    return replace(note, anchor=replace(anchor, quote=quote))


_Place = tuple[int, Found]
"""Spine index, and where in that document."""


class _Finder:
    """Looks for passages in a new text."""

    def __init__(self, r: Connection, documents: Sequence[DocumentRecord]) -> None:
        self.r = r
        self.documents = documents
        self._documents = {d.spine_index: d for d in documents}
        self._letters: dict[int, Letters] = {}

    def letters(self, spine_index: int) -> Letters | None:
        """Return a document's text; None when there is no such document."""
        if spine_index not in self._letters:
            document = self._documents.get(spine_index)
            if document is None:
                return None
            self._letters[spine_index] = Letters(text_of_document(self.r, document.id))
        return self._letters[spine_index]

    def places(self, kept: Sequence[Note]) -> list[_Place | None]:
        """Return where each passage stands now, None for those that are not certain.

        First those whose words tell; then the others, expected as far from their old place as the nearest of those.
        """
        found = [None if note.anchor is None else self.find(note.anchor) for note in kept]
        shifts = [
            (note.anchor.spine_index, note.anchor.start, place[0], place[1].start - note.anchor.start)
            for note, place in zip(kept, found, strict=True)
            if note.anchor is not None and place is not None
        ]
        for number, note in enumerate(kept):
            anchor = note.anchor
            if anchor is not None and found[number] is None:
                near = [shift for shift in shifts if shift[0] == anchor.spine_index]
                best = min(near, key=lambda shift: abs(shift[1] - anchor.start), default=None)
                if best is not None:
                    found[number] = self._expected(anchor, best[2], anchor.start + best[3])
        return found

    def _expected(self, anchor: Anchor, spine_index: int, offset: int) -> _Place | None:
        letters = self.letters(spine_index)
        found = None if letters is None else find_passage(letters, anchor.quote, offset)
        return None if found is None else (spine_index, found)

    def find(self, anchor: Anchor) -> _Place | None:
        """Return the one place in the whole text; in its own document first."""
        own = self.letters(anchor.spine_index)
        if own is not None and _stands(own.text, anchor):
            return anchor.spine_index, Found(anchor.start, anchor.end)
        ways = ((False, True), (False, False), (True, True), (True, False))  # unchanged anywhere before mended here
        for may_be_mended, is_own in ways:
            found = self._found_in(anchor, may_be_mended=may_be_mended, is_own=is_own)
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _found_in(self, anchor: Anchor, *, may_be_mended: bool, is_own: bool) -> list[_Place]:
        """Return where a passage stands in its own document, or in each of the others."""
        places = []
        for index in [i for i in self._documents if (i == anchor.spine_index) == is_own]:
            letters = self.letters(index)
            found = None if letters is None else find_passage(letters, anchor.quote, may_be_mended=may_be_mended)
            if found is not None:
                places.append((index, found))
        return places


def _moved_mark(finder: _Finder, place: Place, sha256: str) -> Place:
    """Return where a mark stands now: at its very words, else as near as can be."""
    anchor = Anchor(
        place.book_sha256, place.spine_index, place.offset, place.offset + len(place.quote.exact), place.quote
    )
    found = finder.find(anchor)
    if found is None:
        return carried_place(finder.r, finder.documents, place, sha256)
    letters = finder.letters(found[0])
    text = letters.text if letters is not None else ""
    return Place(sha256, found[0], found[1].start, select_quote(text, found[1].start, found[1].end), place.counter)


def _stands(text: str, anchor: Anchor) -> bool:
    """Say whether a passage stands at its old place with all its surroundings."""
    quote = anchor.quote
    first = anchor.start - len(quote.prefix)
    return first >= 0 and text.startswith(quote.prefix + quote.exact + quote.suffix, first)


def _moved(note: Note, sha256: str, place: _Place | None, finder: _Finder) -> Note:
    anchor = note.anchor
    if anchor is None:
        return replace(note, book_sha256=sha256)
    if place is None:  # its words and its old place stay: a later text may give it back
        return replace(note, book_sha256=sha256, anchor=replace(anchor, book_sha256=sha256), is_lost=True)
    spine_index, found = place
    letters = finder.letters(spine_index)
    text = letters.text if letters is not None else ""
    new = Anchor(sha256, spine_index, found.start, found.end, select_quote(text, found.start, found.end))
    return replace(note, book_sha256=sha256, anchor=new, is_lost=False)


def put_renoted(w: Connection, found: Renoted) -> None:
    """Write what `renoted` worked out; a note made meanwhile goes along, to be looked for with the next text."""
    notes.put_anchors(w, found.moved)
    reader_marks.move_marks(w, found.marks)
    put_rechatted(w, found.chats, found.source, found.sha256)
    if found.source != found.sha256:
        notes.take_along(w, found.source, found.sha256)
