"""What is read while a page is turned: slices, notes, links."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.book import (
    Block,
    BookId,
    DocumentId,
    DocumentText,
    Footnote,
    NoteRef,
    Picture,
    Ruby,
    Span,
    VolumeId,
    WorkId,
)
from engine.domain.locator import Pos, pos_of
from engine.domain.reading import LinkTarget, Slice, SliceKey
from engine.errors import NotTakenInError, PlaceUnknownError
from engine.store.connection import Connection
from engine.store.marks import SLICE_ID_SHIFT, piece_from_row
from engine.text.slices import EMPTY_PIECE, Piece


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A readable document and where it stands in its work."""

    id: DocumentId
    book: BookId
    sha256: str
    spine_index: int
    volume: VolumeId
    work: WorkId
    volume_ord: int
    base: int
    length: int
    slices: int
    is_linear: bool

    def pos(self, offset: int) -> Pos:
        """Return the pos of a document offset, which is clamped."""
        return pos_of(self.volume_ord, self.base + min(max(0, offset), self.length))


_DOCUMENT = (
    "SELECT d.id, d.book_id, b.sha256, d.spine_index, v.id, v.work_id, v.ord, d.base, d.length, d.slices, d.is_linear"
    " FROM document d JOIN volume v ON v.id = d.volume_id JOIN book b ON b.id = d.book_id AND b.state = 'ready'"
)


def document_row(r: Connection, document: DocumentId) -> DocumentRow:
    """Return a readable document.

    Raises:
        PlaceUnknownError: there is none with that id.
    """
    row = r.execute(f"{_DOCUMENT} WHERE d.id = ?", (document,)).fetchone()
    if row is None:
        raise NotTakenInError() if document < 0 else PlaceUnknownError(f"f{document}")
    return _document_from(row)


def document_of(r: Connection, sha256: str, spine_index: int) -> DocumentRow | None:
    """Return a readable document by its identity outside the library."""
    row = r.execute(f"{_DOCUMENT} WHERE b.sha256 = ? AND d.spine_index = ?", (sha256, spine_index)).fetchone()
    return None if row is None else _document_from(row)


def document_of_prefix(r: Connection, sha16: str, spine_index: int) -> DocumentRow | None:
    """Return a readable document by the first 16 hex digits of its book's hash; served by `book_sha`."""
    row = r.execute(
        f"{_DOCUMENT} WHERE b.sha256 >= ? AND b.sha256 < ? AND d.spine_index = ? ORDER BY b.id LIMIT 1",
        (sha16, sha16 + "g", spine_index),
    ).fetchone()
    return None if row is None else _document_from(row)


def _document_from(row: Sequence[Any]) -> DocumentRow:  # Any: SQLite's columns are typed by the schema alone
    return DocumentRow(*(*row[:-1], bool(row[-1])))


def slice_at(r: Connection, document: DocumentId, offset: int, *, is_alone: bool = False) -> Slice:
    """Return the slice that holds a document offset, which is clamped.

    Args:
        r: Any connection.
        document: Of the library.
        offset: Document offset.
        is_alone: Do not look for what stands before and behind it, which costs a query each.

    Raises:
        PlaceUnknownError: there is no such document.
    """
    row = document_row(r, document)
    if row.slices == 0:
        return _slice(r, row, 0, is_alone=is_alone)
    first = document << SLICE_ID_SHIFT
    # Served by the primary key; rows behind the offset are skipped without reading their text.
    found = r.execute(
        "SELECT id FROM slice WHERE id BETWEEN ? AND ? AND start <= ? ORDER BY id DESC LIMIT 1",
        (first, first + row.slices - 1, min(max(0, offset), row.length)),
    ).get
    return _slice(r, row, 0 if found is None else found - first, is_alone=is_alone)


def slice_of(r: Connection, key: SliceKey) -> Slice:
    """Return a slice by key; ord -1 is the document's last.

    Raises:
        PlaceUnknownError: there is no such slice.
    """
    row = document_row(r, key.document)
    last = max(0, row.slices - 1)
    if not -1 <= key.ord <= last:
        raise PlaceUnknownError(f"f{key.document}")
    return _slice(r, row, last if key.ord == -1 else key.ord)


def _slice(r: Connection, row: DocumentRow, ord_: int, *, is_alone: bool = False) -> Slice:
    piece = EMPTY_PIECE if row.slices == 0 else _piece(r, row.id, ord_)
    before = SliceKey(row.id, ord_ - 1) if ord_ > 0 else None if is_alone else _neighbour(r, row, step=-1)
    is_last = ord_ >= row.slices - 1
    after = SliceKey(row.id, ord_ + 1) if not is_last else None if is_alone else _neighbour(r, row, step=1)
    return Slice(
        SliceKey(row.id, ord_),
        piece.start,
        piece.end,
        row.pos(piece.start),
        piece.text,
        piece.blocks,
        piece.spans,
        piece.rubies,
        piece.note_refs,
        piece.pictures,
        before,
        after,
    )


def _piece(r: Connection, document: DocumentId, ord_: int) -> Piece:
    row = r.execute(
        'SELECT start, "end", text, marks FROM slice WHERE id = ?', (document << SLICE_ID_SHIFT | ord_,)
    ).fetchone()
    if row is None:
        raise PlaceUnknownError(f"f{document}")
    return piece_from_row(*row)


_AFTER = (
    "SELECT d.id, 0 FROM document d WHERE d.volume_id = ? AND d.is_linear = 1 AND d.spine_index > ? AND d.slices > 0"
    " ORDER BY d.spine_index LIMIT 1"
)
_BEFORE = (
    "SELECT d.id, d.slices - 1 FROM document d"
    " WHERE d.volume_id = ? AND d.is_linear = 1 AND d.spine_index < ? AND d.slices > 0"
    " ORDER BY d.spine_index DESC LIMIT 1"
)
_VOLUME_AFTER = (
    "SELECT v.id, v.ord FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
    " WHERE v.work_id = ? AND v.ord > ? ORDER BY v.ord LIMIT 1"
)
_VOLUME_BEFORE = (
    "SELECT v.id, v.ord FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
    " WHERE v.work_id = ? AND v.ord < ? ORDER BY v.ord DESC LIMIT 1"
)
_SPINE_END = 1 << 40


def _neighbour(r: Connection, row: DocumentRow, *, step: int) -> SliceKey | None:
    """Return the slice next to a document in the reading order, on into the next volumes."""
    if not row.is_linear:
        return None
    document_sql, volume_sql = (_AFTER, _VOLUME_AFTER) if step > 0 else (_BEFORE, _VOLUME_BEFORE)
    volume, volume_ord, spine_index = int(row.volume), row.volume_ord, row.spine_index
    while True:
        found = r.execute(document_sql, (volume, spine_index)).fetchone()
        if found is not None:
            return SliceKey(DocumentId(found[0]), found[1])
        following = r.execute(volume_sql, (row.work, volume_ord)).fetchone()
        if following is None:
            return None
        volume, volume_ord = following
        spine_index = -1 if step > 0 else _SPINE_END


def text_of(r: Connection, document: DocumentId, start: int, end: int) -> str:
    """Return canonical text of a document; offsets are clamped.

    Raises:
        PlaceUnknownError: there is no such document.
    """
    row = document_row(r, document)
    start, end = max(0, start), min(end, row.length)
    if start >= end:
        return ""
    first = document << SLICE_ID_SHIFT
    parts, at = [], None
    for a, b, text in r.execute(
        'SELECT start, "end", text FROM slice WHERE id BETWEEN ? AND ? AND start < ? AND "end" >= ? ORDER BY id',
        (first, first + max(0, row.slices - 1), end, start),
    ):
        # What lies between two slices is the newline between their blocks.
        parts.append("\n" * (a - at) if at is not None else "\n" * (a - start))
        parts.append(text[max(0, start - a) : end - a])
        at = b
    whole = "".join(parts)
    return whole + "\n" * (end - start - len(whole))


def document_text(r: Connection, document: DocumentId) -> DocumentText:
    """Return a whole document as it was imported, notes and anchors included.

    Raises:
        PlaceUnknownError: there is no such document.
    """
    row = document_row(r, document)
    [(href, title, language)] = r.execute("SELECT href, title, language FROM document WHERE id = ?", (document,))
    pieces = [_piece(r, document, ord_) for ord_ in range(row.slices)]
    blocks: list[Block] = []
    spans: list[Span] = []
    rubies: list[Ruby] = []
    refs: list[NoteRef] = []
    pictures: list[Picture] = []
    for piece in pieces:
        blocks += piece.blocks
        spans += piece.spans
        rubies += piece.rubies
        refs += piece.note_refs
        pictures += piece.pictures
    return DocumentText(
        row.spine_index,
        href,
        text_of(r, document, 0, row.length),
        tuple(blocks),
        tuple(spans),
        tuple(rubies),
        tuple(refs),
        tuple(
            Footnote(note, text)
            for note, text in r.execute(
                "SELECT note, text FROM footnote WHERE document_id = ? ORDER BY rowid", (document,)
            )
        ),
        tuple(pictures),
        tuple(_anchors(r, document).items()),
        tuple(
            (label, start)
            for label, start in r.execute(
                "SELECT label, start FROM page_label WHERE document_id = ? ORDER BY start", (document,)
            )
        ),
        title,
        row.is_linear,
        language,
    )


def _anchors(r: Connection, document: DocumentId) -> dict[str, int]:
    found = r.execute("SELECT offsets FROM anchors WHERE document_id = ?", (document,)).get
    offsets: dict[str, int] = json.loads(found) if found else {}
    return dict(sorted(offsets.items(), key=lambda item: item[1]))


def footnote(r: Connection, document: DocumentId, note: str) -> Footnote | None:
    """Return a note by its key, wherever in the book of `document` its body stands."""
    found = r.execute(
        "SELECT f.text FROM footnote f JOIN document d ON d.id = f.document_id"
        " WHERE f.note = ? AND d.book_id = (SELECT book_id FROM document WHERE id = ?) LIMIT 1",
        (note, document),
    ).get
    return None if found is None else Footnote(note, found)


def link_target(r: Connection, document: DocumentId, target: str) -> LinkTarget | None:
    """Resolve "<spine index>#<anchor>" in the book of `document`; an unknown anchor leads to the document's start.

    Raises:
        PlaceUnknownError: there is no such document to follow a link from.
    """
    source = document_row(r, document)
    spine, _hash, anchor = target.partition("#")
    if not (spine.isascii() and spine.isdecimal()):
        return None
    found = document_of(r, source.sha256, int(spine))
    if found is None:
        return None
    return LinkTarget(found.id, _anchors(r, found.id).get(anchor, 0) if anchor else 0, found.is_linear)
