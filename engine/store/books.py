"""Imported EPUBs and their text: how a book grows, becomes visible at once, and leaves.

A book is written in many short transactions under the state `importing`, which no read sees.
`publish` of `engine.store.works` makes it `ready`; one that has to go is set `leaving` and
then deleted piece by piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from engine.domain.book import (
    BookId,
    BookMetadata,
    DocumentId,
    DocumentText,
    ImportWarning,
    ParsedChapter,
    ParsedPage,
    WarningKind,
)
from engine.errors import PlaceUnknownError
from engine.store import folded, passages
from engine.store.connection import Connection, utc_now
from engine.store.marks import SLICE_ID_SHIFT, marks_from_piece
from engine.text.slices import Piece

_DELETED_AT_ONCE = 24
"""Documents a transaction deletes: about 1 MB of text, 10 ms."""


@dataclass(frozen=True, slots=True)
class BookRecord:
    """What the library knows of one imported file."""

    id: BookId
    sha256: str
    file_name: str
    size: int
    text_rev: int
    metadata: BookMetadata
    warnings: tuple[ImportWarning, ...]


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document as it was stored, its text left out."""

    id: DocumentId
    spine_index: int
    length: int
    is_linear: bool
    text_hash: str


def begin_book(
    w: Connection, *, sha256: str, file_name: str, size: int, text_rev: int, metadata: BookMetadata
) -> BookId:
    """Make the row of a book whose text follows."""
    w.execute(
        "INSERT INTO book (sha256, file_name, size, text_rev, state, metadata, warnings, imported_at)"
        " VALUES (?, ?, ?, ?, 'importing', ?, '[]', ?)",
        (sha256, file_name, size, text_rev, json.dumps(asdict(metadata), ensure_ascii=False), utc_now()),
    )
    return BookId(w.last_insert_rowid())


def add_document(w: Connection, book: BookId, document: DocumentText, slices: int, text_hash: str) -> DocumentId:
    """Make the row of a document of a growing book, with its anchors and the notes that stand in it."""
    w.execute(
        "INSERT INTO document (book_id, spine_index, base, length, slices, is_linear, text_hash, href, title, language)"
        " VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?)",
        (
            book,
            document.spine_index,
            len(document.text),
            slices,
            document.is_linear,
            text_hash,
            document.href,
            document.title,
            document.language,
        ),
    )
    document_id = DocumentId(w.last_insert_rowid())
    if document.anchors:
        # The first of two elements with the same id wins, as in a browser.
        offsets = json.dumps(dict(reversed(document.anchors)), ensure_ascii=False, separators=(",", ":"))
        w.execute("INSERT INTO anchors (document_id, offsets) VALUES (?, ?)", (document_id, offsets))
    w.executemany(
        "INSERT INTO footnote (document_id, note, text) VALUES (?, ?, ?)",
        [(document_id, note.note, note.text) for note in document.notes],
    )
    return document_id


@dataclass(frozen=True, slots=True)
class SliceRows:
    """Rows of `slice`, and of `folded` for the same pieces."""

    slices: list[tuple[int, int, int, str, str]]
    folded: list[folded.FoldedRow]


def slice_rows(document: DocumentId, first_ord: int, pieces: Sequence[Piece]) -> SliceRows:
    """Write pieces as rows, outside of any transaction since this is the longer part."""
    key = document << SLICE_ID_SHIFT | first_ord
    return SliceRows(
        [(key + i, p.start, p.end, p.text, marks_from_piece(p)) for i, p in enumerate(pieces)],
        [folded.row_from_piece(key + i, p) for i, p in enumerate(pieces)],
    )


def add_slices(w: Connection, rows: SliceRows) -> None:
    """Add rows made by `slice_rows`."""
    w.executemany('INSERT INTO slice (id, start, "end", text, marks) VALUES (?, ?, ?, ?, ?)', rows.slices)
    folded.add_rows(w, rows.folded)


def set_bases(w: Connection, bases: Iterable[tuple[DocumentId, int]]) -> None:
    """Write where in its volume each document of a growing book begins."""
    w.executemany("UPDATE document SET base = ? WHERE id = ?", [(base, document) for document, base in bases])


def add_contents(
    w: Connection,
    chapters: Iterable[tuple[int, ParsedChapter]],
    pages: Iterable[ParsedPage],
    document_by_spine: dict[int, DocumentId],
) -> None:
    """Add the contents (with their ord in the volume) and printed pages of a growing book."""
    w.executemany(
        "INSERT INTO chapter (document_id, ord, level, title, kind, start) VALUES (?, ?, ?, ?, ?, ?)",
        [(document_by_spine[c.spine_index], ord_, c.level, c.title, c.kind, c.offset) for ord_, c in chapters],
    )
    w.executemany(
        "INSERT INTO page_label (document_id, start, label) VALUES (?, ?, ?)",
        [(document_by_spine[p.spine_index], p.offset, p.label) for p in pages],
    )


_READY = "SELECT id, sha256, file_name, size, text_rev, metadata, warnings FROM book WHERE state = 'ready'"


def ready_book(r: Connection, sha256: str) -> BookRecord | None:
    """Return the readable book with that content hash."""
    row = r.execute(f"{_READY} AND sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _book_from_row(row)


def is_ready(r: Connection, book: BookId) -> bool:
    """Say whether a book is readable at this moment."""
    return bool(r.execute("SELECT EXISTS (SELECT 1 FROM book WHERE id = ? AND state = 'ready')", (book,)).get)


def book_by_id(r: Connection, book: BookId) -> BookRecord:
    """Return a readable book.

    Raises:
        PlaceUnknownError: there is none with that id.
    """
    row = r.execute(f"{_READY} AND id = ?", (book,)).fetchone()
    if row is None:
        raise PlaceUnknownError(str(book))
    return _book_from_row(row)


def ready_books(r: Connection) -> tuple[BookRecord, ...]:
    """Return all readable books, oldest import first."""
    return tuple(_book_from_row(row) for row in r.execute(f"{_READY} ORDER BY id"))


def books_of_work(r: Connection, work: int) -> tuple[BookRecord, ...]:
    """Return the books a work's volumes come from, in reading order."""
    rows = r.execute(
        "SELECT b.id, b.sha256, b.file_name, b.size, b.text_rev, b.metadata, b.warnings"
        " FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " WHERE v.work_id = ? GROUP BY b.id ORDER BY min(v.ord)",
        (work,),
    )
    return tuple(_book_from_row(row) for row in rows)


def books_titled(r: Connection, title: str) -> tuple[BookRecord, ...]:
    """Return the readable books of the works called exactly that."""
    rows = r.execute("SELECT id FROM work WHERE title = ? ORDER BY id", (title,)).fetchall()
    return tuple(book for (work,) in rows for book in books_of_work(r, int(str(work))))


def _book_from_row(row: Sequence[object]) -> BookRecord:
    id_, sha256, file_name, size, text_rev, metadata, warnings = row
    fields = json.loads(str(metadata))
    fields["authors"] = tuple(fields["authors"])
    return BookRecord(
        BookId(int(str(id_))),
        str(sha256),
        str(file_name),
        int(str(size)),
        int(str(text_rev)),
        BookMetadata(**fields),
        tuple(ImportWarning(WarningKind(kind), message) for kind, message in json.loads(str(warnings))),
    )


def documents_of_book(r: Connection, book: BookId) -> list[DocumentRecord]:
    """Return a book's documents in spine order, whatever the book's state."""
    rows = r.execute(
        "SELECT id, spine_index, length, is_linear, text_hash FROM document WHERE book_id = ? ORDER BY spine_index",
        (book,),
    )
    return [DocumentRecord(DocumentId(i), spine, length, bool(lin), h) for i, spine, length, lin, h in rows]


def mark_leaving(w: Connection, book: BookId) -> None:
    """Make a book invisible; `delete_some` then takes it away."""
    w.execute("UPDATE book SET state = 'leaving' WHERE id = ?", (book,))


def leftover_books(r: Connection) -> list[BookId]:
    """Return the books that are neither readable nor, unless somebody imports them now, of any use."""
    return [BookId(i) for (i,) in r.execute("SELECT id FROM book WHERE state <> 'ready'")]


def delete_some(w: Connection, book: BookId) -> bool:
    """Delete a part of an invisible book, small enough for one short transaction.

    Returns:
        True when nothing of the book is left.
    """
    if not passages.delete_some(w, book):
        return False
    documents = [i for (i,) in w.execute("SELECT id FROM document WHERE book_id = ? LIMIT ?", (book, _DELETED_AT_ONCE))]
    for document in documents:
        first = document << SLICE_ID_SHIFT
        for table in ("slice", "folded"):
            w.execute(
                f"DELETE FROM {table} WHERE id BETWEEN ? AND ?",  # noqa: S608  (our own names)
                (first, first + (1 << SLICE_ID_SHIFT) - 1),
            )
        for table in ("chapter", "page_label", "anchors", "footnote"):
            w.execute(f"DELETE FROM {table} WHERE document_id = ?", (document,))  # noqa: S608  (our own names)
        w.execute("DELETE FROM document WHERE id = ?", (document,))
    if len(documents) == _DELETED_AT_ONCE:
        return False
    w.execute("DELETE FROM volume WHERE book_id = ?", (book,))
    w.execute("DELETE FROM book WHERE id = ?", (book,))
    return True


def sha_of(r: Connection, book: BookId) -> str | None:
    """Return the content hash of a book in any state."""
    found = r.execute("SELECT sha256 FROM book WHERE id = ?", (book,)).get
    return None if found is None else str(found)


def is_file_wanted(r: Connection, sha256: str) -> bool:
    """Say whether any book still needs the kept EPUB with that hash."""
    return bool(r.execute("SELECT EXISTS (SELECT 1 FROM book WHERE sha256 = ? AND state <> 'leaving')", (sha256,)).get)


def cover_of(r: Connection, work: int) -> tuple[str, str] | None:
    """Return (hash of the book, name of the picture in it) of the cover of a work's first volume; None for none."""
    found = r.execute(
        "SELECT b.sha256, json_extract(b.metadata, '$.cover_href') FROM volume v"
        " JOIN book b ON b.id = v.book_id AND b.state = 'ready' WHERE v.work_id = ? ORDER BY v.ord LIMIT 1",
        (work,),
    ).fetchone()
    return (str(found[0]), str(found[1])) if found is not None and found[1] else None
