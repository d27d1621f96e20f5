"""The half of the library that is read while pages are turned: shelf, text, places."""

from __future__ import annotations

from engine.domain.book import DocumentId, DocumentText, Footnote, WorkId
from engine.domain.locator import Pos
from engine.domain.reading import LinkTarget, Place, ShownPlace, Slice, SliceKey, WorkOutline, WorkSummary
from engine.errors import PlaceUnknownError
from engine.paths import Paths
from engine.store import places, reading, works
from engine.store.connection import Connection
from engine.store.store import Store
from engine.text.anchoring import find_quote, stands_at


class Texts:
    """Shelf, text and places of a library; what `Library` is without its background work."""

    def __init__(self, paths: Paths, store: Store) -> None:
        self.paths = paths
        self._store = store

    # The shelf

    def works(self) -> tuple[WorkSummary, ...]:
        """Return the shelf: newest read first, then the newest imported."""
        with self._store.read() as r:
            return works.summaries(r)

    def find_work(self, query: str) -> WorkId:
        """Return the work a reader means: by id, whole title or an unambiguous part of one.

        Raises:
            WorkNotFoundError: nothing fits.
            WorkAmbiguousError: several works do.
        """
        with self._store.read() as r:
            return works.find(r, query)

    def last_read(self) -> WorkId | None:
        """Return the work whose place was saved last."""
        with self._store.read() as r:
            return works.last_read(r)

    def outline(self, work: WorkId) -> WorkOutline:
        """Return a work's volumes, documents, contents and printed pages.

        Raises:
            WorkNotFoundError: there is no such work.
        """
        with self._store.read() as r:
            return works.outline(r, work)

    # Text

    def slice_at(self, document: DocumentId, offset: int) -> Slice:
        """Return the slice that holds an offset, which is clamped.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            return reading.slice_at(r, document, offset)

    def slice_of(self, key: SliceKey) -> Slice:
        """Return a slice by key; ord -1 is the document's last.

        Raises:
            PlaceUnknownError: there is no such slice.
        """
        with self._store.read() as r:
            return reading.slice_of(r, key)

    def text_of(self, document: DocumentId, start: int, end: int) -> str:
        """Return canonical text; offsets are clamped.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            return reading.text_of(r, document, start, end)

    def document_text(self, document: DocumentId) -> DocumentText:
        """Return a whole document, as it was imported.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            return reading.document_text(r, document)

    def footnote(self, document: DocumentId, note: str) -> Footnote | None:
        """Return the note a `NoteRef` of that document points to."""
        with self._store.read() as r:
            return reading.footnote(r, document, note)

    def link_target(self, document: DocumentId, target: str) -> LinkTarget | None:
        """Resolve "<spine index>#<anchor>" in the document's book; None when it leads nowhere.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            return reading.link_target(r, document, target)

    def resource(self, document: DocumentId, href: str) -> bytes:
        """Return a picture's bytes from the kept EPUB, at most 64 MB.

        Raises:
            PlaceUnknownError: there is no such document.
            FileMissingError: the kept EPUB, or the picture in it, is not there.
        """
        with self._store.read() as r:
            sha256 = reading.document_row(r, document).sha256
        return self._resource(sha256, href)

    def cover(self, work: WorkId) -> tuple[bytes, int, int]:
        """Return the cover of a work's first volume, at most 64 MB, its width and its height; nothing for none.

        Raises:
            FileMissingError: the kept EPUB is not there.
        """
        from engine.epub.picture_size import size_of_picture
        from engine.store import books

        with self._store.read() as r:
            found = books.cover_of(r, work)
        try:
            data = self._resource(*found) if found is not None else b""
        except PlaceUnknownError:
            data = b""  # named in the package, but not there
        return (data, *size_of_picture(data))

    def _resource(self, sha256: str, href: str) -> bytes:
        # Not the reader of books: that loads lxml, and the name is known.
        from engine.epub.container import open_container
        from engine.epub.resources import read_resource
        from engine.store.leaving import kept_file

        container = open_container(kept_file(self.paths.books_dir, sha256))
        try:
            return read_resource(container, href)
        finally:
            container.close()

    def book_of(self, document: DocumentId) -> tuple[str, int]:
        """Return (sha256 of the book, spine index) of a document.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            row = reading.document_row(r, document)
        return row.sha256, row.spine_index

    def document_of(self, book_sha256: str, spine_index: int) -> DocumentId | None:
        """Return the document with that identity, None when the book is not here."""
        with self._store.read() as r:
            row = reading.document_of(r, book_sha256, spine_index)
        return None if row is None else row.id

    # Places

    def place(self, work: WorkId) -> ShownPlace | None:
        """Return where the reader was in a work, None when it was never opened.

        A place whose words have moved is found again by them.
        """
        with self._store.read() as r:
            kept = places.place_of_work(r, work)
            return None if kept is None else shown_place(r, kept)

    def place_and_counters(self, work: WorkId) -> tuple[ShownPlace | None, dict[str, int]]:
        """Return a work's place together with the counters of the places of its books."""
        with self._store.read() as r:
            kept = places.place_of_work(r, work)
            return None if kept is None else shown_place(r, kept), places.counters_of_work(r, work)

    def save_place(self, place: Place) -> int:
        """Keep a place; it is on disk when this returns. Returns its counter, or that of a newer one.

        `place.counter` is the last counter the caller knew of this book, 0 if it has none to
        compare: a place saved since by another running UnderStory is not overwritten.
        """
        with self._store.write() as w:
            return places.save_place(w, place)

    def earlier_places(self, work: WorkId) -> tuple[ShownPlace, ...]:
        """Return places another running UnderStory held when it was overtaken, newest first."""
        from engine.store.books import books_of_work

        with self._store.read() as r:
            kept = [place for book in books_of_work(r, work) for place in places.earlier_places(r, book.sha256)]
            return tuple(shown for place in kept if (shown := shown_place(r, place)) is not None)

    def frontier(self, work: WorkId) -> Pos:
        """Return how far the reader has read; 0 when nothing was."""
        with self._store.read() as r:
            return places.frontier(r, work)

    def advance_frontier(self, work: WorkId, document: DocumentId, offset: int) -> Pos:
        """Move the frontier forwards and return it; a smaller offset changes nothing.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.read() as r:
            row, now = reading.document_row(r, document), places.frontier(r, work)
        if not row.is_linear or row.pos(offset) <= now:
            return now
        with self._store.write() as w:
            return places.advance_frontier(w, work, document, offset)

    def set_frontier(self, work: WorkId, document: DocumentId, offset: int) -> None:
        """Put the frontier exactly here, also backwards.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        with self._store.write() as w:
            places.set_frontier(w, work, document, offset)

    def place_of_book(self, sha256: str) -> Place | None:
        """Return the place kept for a book, imported or not."""
        with self._store.read() as r:
            return places.place_of_book(r, sha256)

    def frontier_of_book(self, sha256: str) -> tuple[int, int] | None:
        """Return (spine index, document offset) up to which a book was read, imported or not."""
        with self._store.read() as r:
            return places.frontier_of_book(r, sha256)

    def set_frontier_of_book(self, sha256: str, spine_index: int, offset: int) -> None:
        """Put a book's frontier exactly here, also backwards, imported or not."""
        with self._store.write() as w:
            places.put_frontier(w, sha256, spine_index, offset)

    def advance_frontier_of_book(self, sha256: str, spine_index: int, offset: int) -> None:
        """Move a book's frontier forwards, imported or not; a smaller place changes nothing."""
        if (self.frontier_of_book(sha256) or (-1, 0)) < (spine_index, offset):
            with self._store.write() as w:
                if (places.frontier_of_book(w, sha256) or (-1, 0)) < (spine_index, offset):
                    places.put_frontier(w, sha256, spine_index, offset)


def shown_place(r: Connection, place: Place) -> ShownPlace | None:
    """Resolve a place in this library; by its words when the text under it has changed."""
    row = reading.document_of(r, place.book_sha256, place.spine_index)
    if row is None:
        return None
    quote, offset = place.quote, min(max(0, place.offset), row.length)
    first = max(0, offset - len(quote.prefix))
    near = reading.text_of(r, row.id, first, offset + len(quote.exact))
    if quote.exact and not stands_at(near, quote, offset - first):
        found = find_quote(reading.text_of(r, row.id, 0, row.length), quote, offset)
        offset = offset if found is None else found
    return ShownPlace(row.id, offset, row.pos(offset))
