"""The half of the library that keeps the reader's marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.domain.book import WorkId
from engine.domain.marks import Mark, MarkKind, ShownMark
from engine.library.texts import Texts, shown_place
from engine.store import reader_marks
from engine.store.connection import Connection


class Marking(Texts):
    """Marks, bookmarks and the way back of a library; books are named by content hash, imported or not."""

    def book_hashes(self, work: WorkId) -> tuple[str, ...]:
        """Return the content hashes of a work's books."""
        with self._store.read() as r:
            return reader_marks.books_of_work(r, work)

    def marks(self, books: Sequence[str]) -> tuple[Mark, ...]:
        """Return marks and bookmarks in the order they were made."""
        with self._store.read() as r:
            return reader_marks.marks_of(r, books, (MarkKind.LETTER, MarkKind.BOOKMARK))

    def shown_marks(self, work: WorkId) -> tuple[ShownMark, ...]:
        """Return a work's marks and bookmarks in story order; those whose document is gone are left out."""
        with self._store.read() as r:
            books = reader_marks.books_of_work(r, work)
            found = _shown(r, reader_marks.marks_of(r, books, (MarkKind.LETTER, MarkKind.BOOKMARK)))
        return tuple(sorted(found, key=lambda shown: shown.pos))

    def keep_mark(self, mark: Mark, books: Sequence[str]) -> int:
        """Keep a mark; it is on disk when this returns. Returns its id.

        Args:
            mark: What to keep.
            books: Of its work: a letter is moved, not doubled.
        """
        with self._store.write() as w:
            return reader_marks.put_mark(w, mark, books)

    def drop_mark(self, mark: int) -> None:
        """Take a mark away; one that is not there is no error."""
        with self._store.write() as w:
            reader_marks.delete_mark(w, mark)

    def trail(self, books: Sequence[str]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
        """Return the way back and the way ahead, oldest first."""
        with self._store.read() as r:
            return reader_marks.trail_of(r, books)

    def shown_trail(self, work: WorkId) -> tuple[tuple[ShownMark, ...], tuple[ShownMark, ...]]:
        """Return a work's way back and way ahead, oldest first."""
        with self._store.read() as r:
            back, ahead = reader_marks.trail_of(r, reader_marks.books_of_work(r, work))
            return tuple(_shown(r, back)), tuple(_shown(r, ahead))

    def save_trail(self, books: Sequence[str], back: Sequence[Mark], ahead: Sequence[Mark]) -> None:
        """Keep the way back and the way ahead over what was kept before."""
        with self._store.write() as w:
            reader_marks.put_trail(w, books, back, ahead)


def _shown(r: Connection, marks: Iterable[Mark]) -> list[ShownMark]:
    found = ((mark, shown_place(r, mark.place)) for mark in marks)
    return [ShownMark(mark, shown.document, shown.offset, shown.pos) for mark, shown in found if shown is not None]
