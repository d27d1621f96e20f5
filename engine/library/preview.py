"""A book read from its file while its import is still under way, or instead of one."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import (
    BookId,
    ChapterId,
    DocumentId,
    DocumentText,
    Footnote,
    ParsedChapter,
    VolumeId,
    WorkId,
)
from engine.domain.locator import Pos, pos_of
from engine.domain.marks import Mark, ShownMark
from engine.domain.reading import (
    SLICE_CHARS,
    Chapter,
    DocumentOutline,
    LinkTarget,
    Place,
    ShownPlace,
    Slice,
    SliceKey,
    VolumeOutline,
    WorkOutline,
)
from engine.domain.search import HitRun, PosRange, TextQuery
from engine.epub.reader import open_epub
from engine.errors import PlaceUnknownError
from engine.library.preview_notes import PreviewNotes
from engine.store.folded import stretch_from_piece
from engine.text.anchoring import find_quote, stands_at
from engine.text.slices import EMPTY_PIECE, Piece, cut_pieces

if TYPE_CHECKING:
    from engine.library.door import Library

_CACHED_CHARS = 2_000_000
"""Documents kept parsed, by their characters; the one being read always is."""
_SMALL_BYTES = 400_000
"""A document below this is read whole at once: 20 ms."""
_AHEAD_CHARS = 4 * SLICE_CHARS
"""How much more than asked for is read of a larger one."""
_ANCHORS_READ_BYTES = 2_000_000
"""Documents of at most so many bytes in all are read to find where the contents point to; else that is estimated."""
_ID = re.compile(rb"""\b(?:id|name)\s*=\s*["']([^"'<>]{1,200})["']""")
_BYTES_A_CHARACTER = {"zh": 3.2, "ja": 3.4, "ko": 3.2}
_BYTES_A_LETTER = 1.1


@dataclass(slots=True)
class _Read:
    """A document as far as it was read."""

    document: DocumentText
    pieces: list[Piece]
    """Only those that further reading cannot change."""


class Preview(PreviewNotes):
    """A `ReadingSource` over an EPUB file itself, in one volume, lengths estimated from file sizes.

    Documents are read when they are shown, the large ones only as far as needed. Document ids
    are -(spine index + 1). Places and frontier are kept under the book's content hash, so that
    the imported work goes on where this one was left.
    """

    def __init__(self, library: Library, path: Path) -> None:
        """Open the file.

        Raises:
            FileMissingError: it cannot be read.
            VolumeUnreadableError: it is no EPUB, or has nothing to read.
            VolumeProtectedError: it is encrypted.
        """
        self.sha256 = library.book_sha256(path)
        self._library = library
        self._lock = threading.RLock()
        self._read: OrderedDict[int, _Read] = OrderedDict()
        self._known_counter = 0
        self._epub = open_epub(path)
        self._lengths = self._estimated_lengths()
        self._outline = self._made_outline()
        self._by_spine = {d.spine_index: d for v in self._outline.volumes for d in v.documents}
        self._order = [d.spine_index for v in self._outline.volumes for d in v.documents if d.is_linear]

    def close(self) -> None:
        """Close the file; one that is being read right now closes with the last use of it."""
        if self._lock.acquire(timeout=0.1):
            self._epub.close()
            self._lock.release()

    def outline(self) -> WorkOutline:
        """Return the contents and the documents, `is_preview` set; the same each time."""
        return self._outline

    def _estimated_lengths(self) -> list[int]:
        language = self._epub.metadata.language.partition("-")[0]
        ratio = _BYTES_A_CHARACTER.get(language, _BYTES_A_LETTER)
        return [max(1, int(self._epub.size_of(item.index) / ratio)) for item in self._epub.spine]

    def _made_outline(self) -> WorkOutline:
        epub, metadata = self._epub, self._epub.metadata
        documents = []
        base = length = 0
        for item in sorted(epub.spine, key=lambda item: not item.is_linear):
            size = self._lengths[item.index]
            id_ = _id_of(item.index)
            documents.append(DocumentOutline(id_, BookId(-1), item.index, base, size, item.is_linear, item.href))
            base += size
            length = base if item.is_linear else length
        by_spine = {d.spine_index: d for d in documents}
        found, _source = epub.contents(self._for_contents())
        chapters = _chapters([c for c in found if by_spine[c.spine_index].is_linear], by_spine, length)
        volume = VolumeOutline(VolumeId(-1), 0, metadata.title, length, tuple(documents), chapters, (), self.sha256)
        return WorkOutline(
            WorkId(-1),
            metadata.title,
            metadata.authors,
            metadata.language,
            (volume,),
            metadata.is_right_to_left,
            is_preview=True,
        )

    def _for_contents(self) -> Callable[[int], DocumentText]:
        """Give documents to look for the targets of the contents in: some truly read, the rest estimated."""
        left = _ANCHORS_READ_BYTES

        def document(index: int) -> DocumentText:
            nonlocal left
            left -= self._epub.size_of(index)
            if left >= 0:
                return self._reading(index, None).document
            return self._estimated_document(index)

        return document

    def _estimated_document(self, index: int) -> DocumentText:
        """Return an empty stand-in whose anchors lie as far into it as their names lie in the file."""
        item = self._epub.spine[index]
        try:
            data = self._epub.resource(item.href)
        except PlaceUnknownError:
            data = b""
        length = self._lengths[index]
        anchors = tuple(
            (match[1].decode("utf-8", "replace"), match.start() * length // len(data)) for match in _ID.finditer(data)
        )
        return DocumentText(index, item.href, "", (), anchors=anchors, is_linear=item.is_linear)

    def _reading(self, index: int, upto: int | None) -> _Read:
        """Return a document read at least so far that the slice at offset `upto` is whole; None reads all of it."""
        with self._lock:
            known = self._read.get(index)
            is_small = self._epub.size_of(index) <= _SMALL_BYTES
            while known is None or not _reaches(known, upto):
                so_far = len(known.document.text) if known is not None else 0
                limit = None if is_small or upto is None else max(upto, so_far) + _AHEAD_CHARS + so_far
                document = self._epub.document(index, limit)
                pieces = cut_pieces(document)
                if not document.is_complete:
                    pieces = pieces[:-1]  # the last one may still grow
                known = _Read(document, pieces)
                self._read[index] = known
            self._read.move_to_end(index)
            while len(self._read) > 1 and sum(len(r.document.text) for r in self._read.values()) > _CACHED_CHARS:
                self._read.popitem(last=False)
            return known

    def slice_at(self, document: DocumentId, offset: int) -> Slice:
        """Return the slice that holds an offset; the offset is clamped to the document."""
        index, offset = self._index(document), max(0, offset)
        pieces = self._reading(index, offset).pieces
        ord_ = max((i for i, piece in enumerate(pieces) if piece.start <= offset), default=0)
        return self._slice(index, ord_)

    def slice_of(self, key: SliceKey) -> Slice:
        """Return a slice by key; ord -1 is the document's last."""
        index = self._index(key.document)
        if key.ord >= 0:
            return self._slice(index, key.ord)
        return self._slice(index, max(0, len(self._reading(index, None).pieces) - 1))

    def _slice(self, index: int, ord_: int) -> Slice:
        read = self._reading(index, 0)
        while ord_ >= len(read.pieces) and not read.document.is_complete:
            read = self._reading(index, len(read.document.text))
        if ord_ >= max(1, len(read.pieces)):
            raise PlaceUnknownError(f"f{_id_of(index)}")
        piece = read.pieces[ord_] if read.pieces else EMPTY_PIECE
        document = _id_of(index)
        has_more = ord_ + 1 < len(read.pieces) or not read.document.is_complete
        return Slice(
            SliceKey(document, ord_),
            piece.start,
            piece.end,
            self._pos(index, piece.start),
            piece.text,
            piece.blocks,
            piece.spans,
            piece.rubies,
            piece.note_refs,
            piece.pictures,
            before=SliceKey(document, ord_ - 1) if ord_ else self._neighbour(index, -1),
            after=SliceKey(document, ord_ + 1) if has_more else self._neighbour(index, 1),
        )

    def _neighbour(self, index: int, step: int) -> SliceKey | None:
        """Return the slice next to a document in the reading order; one known to be empty is skipped."""
        if not self._by_spine[index].is_linear:
            return None
        at = self._order.index(index) + step
        while 0 <= at < len(self._order):
            known = self._read.get(self._order[at])
            if known is None or known.pieces or not known.document.is_complete:
                return SliceKey(_id_of(self._order[at]), 0 if step > 0 else -1)
            at += step
        return None

    def text_of(self, document: DocumentId, start: int, end: int) -> str:
        """Return canonical text; offsets are clamped."""
        return self._reading(self._index(document), max(0, end)).document.text[max(0, start) : max(0, end)]

    def footnote(self, document: DocumentId, note: str) -> Footnote | None:
        """Return the note a `NoteRef` of that document points to."""
        own = self._index(document)
        named = note.partition("#")[0]
        where = int(named) if named.isascii() and named.isdecimal() and int(named) in self._by_spine else own
        for index in dict.fromkeys((where, own)):
            found = next((n for n in self._reading(index, None).document.notes if n.note == note), None)
            if found is not None:
                return found
        return None

    def link_target(self, document: DocumentId, target: str) -> LinkTarget | None:
        """Resolve the target of a link span; None when it leads nowhere."""
        self._index(document)
        named, _hash, anchor = target.partition("#")
        if not (named.isascii() and named.isdecimal()) or int(named) not in self._by_spine:
            return None
        found = self._by_spine[int(named)]
        anchors = dict(reversed(self._reading(found.spine_index, None).document.anchors)) if anchor else {}
        return LinkTarget(found.id, anchors.get(anchor, 0), found.is_linear)

    def resource(self, document: DocumentId, href: str) -> bytes:
        """Return a picture's bytes, at most 64 MB."""
        self._index(document)
        with self._lock:
            return self._epub.resource(href)

    def book_of(self, document: DocumentId) -> tuple[str, int]:
        """Return (sha256 of the book, spine index)."""
        return self.sha256, self._index(document)

    def document_of(self, book_sha256: str, spine_index: int) -> DocumentId | None:
        """Return the document with that identity, None when it is of another book."""
        return _id_of(spine_index) if book_sha256 == self.sha256 and spine_index in self._by_spine else None

    def _index(self, document: DocumentId) -> int:
        index = -document - 1
        if index not in self._by_spine:
            raise PlaceUnknownError(f"f{document}")
        return index

    def _pos(self, index: int, offset: int) -> Pos:
        """Return a pos that grows with the text; past a length estimated too short it stands still."""
        document = self._by_spine[index]
        return pos_of(0, document.base + min(offset, document.length))

    def place(self) -> ShownPlace | None:
        """Return where the reader was, None when the book was never opened."""
        kept = self._library.place_of_book(self.sha256)
        if kept is None or kept.spine_index not in self._by_spine:
            return None
        self._known_counter = kept.counter
        index, offset, quote = kept.spine_index, max(0, kept.offset), kept.quote
        text = self._reading(index, offset + len(quote.exact)).document.text
        if quote.exact and not stands_at(text, quote, offset):
            text = self._reading(index, None).document.text
            found = find_quote(text, quote, offset)
            offset = min(offset, len(text)) if found is None else found
        return ShownPlace(_id_of(index), offset, self._pos(index, offset))

    def save_place(self, place: Place) -> int:
        """Keep the place; it is on disk when this returns. Returns its new counter."""
        with self._lock:
            known = place.counter or self._known_counter
            self._known_counter = self._library.save_place(replace(place, counter=known))
            return self._known_counter

    def frontier(self) -> Pos:
        """Return how far she has read; 0 when nothing was."""
        kept = self._library.frontier_of_book(self.sha256)
        return 0 if kept is None or kept[0] not in self._by_spine else self._pos(*kept)

    def advance_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Move the frontier forwards to an offset; a smaller one changes nothing. Returns the frontier."""
        index = self._index(document)
        if self._by_spine[index].is_linear:
            self._library.advance_frontier_of_book(self.sha256, index, max(0, offset))
        return self.frontier()

    def set_frontier(self, document: DocumentId, offset: int) -> Pos:
        """Put the frontier exactly here, also backwards. Returns it."""
        self._library.set_frontier_of_book(self.sha256, self._index(document), max(0, offset))
        return self.frontier()

    def search(
        self,
        query: TextQuery,
        spoilers: SpoilerMode,
        *,
        within: Sequence[PosRange] = (),
        shown: PosRange | None = None,
    ) -> Generator[HitRun | None, None, None]:
        """Yield what is found in what was read of the file so far; see `ReadingSource`."""
        from engine.library.finding import allowed_ranges
        from engine.retrieval.scan import make_matcher, scan

        matcher = make_matcher(query)
        with self._lock:
            read = [(self._by_spine[i].base, _id_of(i), tuple(r.pieces)) for i, r in self._read.items()]
        read.sort(key=lambda document: document[0])
        for allowed in allowed_ranges(within, spoilers, self.frontier(), shown):
            found = (stretch_from_piece(id_, base, p, allowed) for base, id_, pieces in read for p in pieces)
            yield from scan((stretch for stretch in found if stretch is not None), matcher, allowed.end)

    def is_found_beyond(self, query: TextQuery, spoilers: SpoilerMode) -> bool:
        """Say no: what lies ahead was not read."""
        return False

    def marks(self) -> tuple[ShownMark, ...]:
        """Return marks and bookmarks in story order, where their words stood when they were made."""
        return tuple(sorted(self._shown(self._library.marks((self.sha256,))), key=lambda shown: shown.pos))

    def keep_mark(self, mark: Mark) -> int:
        """Keep a mark; it is on disk when this returns. Returns its id."""
        return self._library.keep_mark(mark, (self.sha256,))

    def drop_mark(self, mark: int) -> None:
        """Take a mark away; one that is not there is no error."""
        self._library.drop_mark(mark)

    def trail(self) -> tuple[tuple[ShownMark, ...], tuple[ShownMark, ...]]:
        """Return the way back and the way ahead, oldest first."""
        back, ahead = self._library.trail((self.sha256,))
        return self._shown(back), self._shown(ahead)

    def save_trail(self, back: Sequence[Mark], ahead: Sequence[Mark]) -> None:
        """Keep the way back and the way ahead over what was kept before."""
        self._library.save_trail((self.sha256,), back, ahead)

    def _shown(self, marks: Sequence[Mark]) -> tuple[ShownMark, ...]:
        places = ((mark, mark.place.spine_index, mark.place.offset) for mark in marks)
        return tuple(ShownMark(m, _id_of(i), at, self._pos(i, at)) for m, i, at in places if i in self._by_spine)


def _id_of(spine_index: int) -> DocumentId:
    return DocumentId(-(spine_index + 1))


def _reaches(read: _Read, upto: int | None) -> bool:
    """Say whether the slice at an offset is there and whole."""
    return read.document.is_complete or (upto is not None and bool(read.pieces) and read.pieces[-1].end > upto)


def _chapters(found: list[ParsedChapter], by_spine: dict[int, DocumentOutline], length: int) -> tuple[Chapter, ...]:
    places = [by_spine[c.spine_index].base + min(c.offset, by_spine[c.spine_index].length) for c in found]
    ends = [*places[1:], length]
    return tuple(
        Chapter(
            ChapterId(-1 - n),
            n,
            c.title,
            c.level,
            c.kind,
            _id_of(c.spine_index),
            c.offset,
            pos_of(0, places[n]),
            pos_of(0, max(places[n], ends[n])),
        )
        for n, c in enumerate(found)
    )
