"""Another edition of a book that is here: tell it by its text, and carry the reader's place over.

The same is done when a later release reads the same file differently (`text_rev`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.domain.book import BookId, BookMetadata, DocumentId
from engine.domain.locator import QuoteSelector, select_quote
from engine.domain.reading import Place
from engine.store import books, places
from engine.store.books import BookRecord, DocumentRecord
from engine.store.connection import Connection
from engine.store.marks import SLICE_ID_SHIFT
from engine.text.anchoring import find_quote
from engine.text.series import are_compatible, series_key

_SAME_SHARE = 0.5
"""Least share of the text, on both sides, that makes two files editions of one book."""
_SAMPLES = 12
_SAMPLE_CHARS = 60
_QUOTE_CHARS = 48
_NO_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Carried:
    """What becomes of the place and the frontier kept for an older text of a book."""

    source: Place | None
    """The place as it was when this was worked out; None for a book never opened."""
    place: Place | None
    frontier: tuple[int, int] | None
    """(spine index, offset)."""
    is_lost: bool
    """The words of the place are nowhere in the new text; it stays as near as can be."""


def edition_of(r: Connection, metadata: BookMetadata, new: Sequence[DocumentRecord]) -> BookRecord | None:
    """Return the readable book that a new one is another edition of: title, author and language fit, and the text."""
    for old in books.ready_books(r):
        theirs = old.metadata
        is_namesake = (
            series_key(theirs.title) == series_key(metadata.title)
            and theirs.series_index == metadata.series_index
            and are_compatible(metadata.authors, metadata.language, theirs.authors, theirs.language)
        )
        if is_namesake and _is_same_text(r, books.documents_of_book(r, old.id), new):
            return old
    return None


def _is_same_text(r: Connection, old: Sequence[DocumentRecord], new: Sequence[DocumentRecord]) -> bool:
    shared = {d.text_hash for d in old} & {d.text_hash for d in new}
    shares = [sum(d.length for d in side if d.text_hash in shared) / max(1, _length(side)) for side in (old, new)]
    if min(shares) >= _SAME_SHARE:
        return True
    is_alike_long = _SAME_SHARE <= _length(old) / max(1, _length(new)) <= 1 / _SAME_SHARE
    return is_alike_long and _shared_samples(r, old, new) >= _SAME_SHARE


def _length(documents: Sequence[DocumentRecord]) -> int:
    return sum(d.length for d in documents)


def _shared_samples(r: Connection, old: Sequence[DocumentRecord], new: Sequence[DocumentRecord]) -> float:
    """Return the share of some passages of the older text that stand in the newer, spacing and punctuation aside."""
    long = [d for d in old if d.length >= 2 * _SAMPLE_CHARS]
    chosen = long[:: max(1, len(long) // _SAMPLES)][:_SAMPLES]
    found = 0
    for document in chosen:
        words = _words(text_of_document(r, document.id))
        middle = len(words) // 2
        sample = words[middle : middle + _SAMPLE_CHARS]
        near = sorted(new, key=lambda d: abs(d.spine_index - document.spine_index))[:5]
        found += bool(sample) and any(sample in _words(text_of_document(r, d.id)) for d in near)
    return found / len(chosen) if chosen else 0.0


def _words(text: str) -> str:
    return _NO_WORDS.sub("", unicodedata.normalize("NFKC", text).casefold())


def carried(r: Connection, old: BookRecord | None, sha256: str, new: BookId) -> Carried:
    """Work out where place and frontier of an older text stand in the text of a book that is not readable yet.

    Args:
        r: Any connection.
        old: The readable book with the older text; None when only its place was kept.
        sha256: Content hash of the new file; the same as the old one's when it is read anew.
        new: The growing book, all of its documents written.
    """
    documents = books.documents_of_book(r, new)
    source = places.place_of_book(r, old.sha256 if old is not None else sha256)
    moved = None
    if source is not None:
        moved = _find(r, documents, source.spine_index, source.offset, source.quote)
    return Carried(
        source,
        None if source is None else _moved_place(r, documents, source, moved, sha256),
        _moved_frontier(r, old, documents) if old is not None else None,
        source is not None and moved is None,
    )


def carried_place(r: Connection, documents: Sequence[DocumentRecord], source: Place, sha256: str) -> Place:
    """Return where a place of an older text stands in a new one, as near as can be.

    Args:
        r: Any connection.
        documents: Of the new text.
        source: In the older one.
        sha256: Content hash of the new file.
    """
    moved = _find(r, documents, source.spine_index, source.offset, source.quote)
    return _moved_place(r, documents, source, moved, sha256)


def _moved_place(
    r: Connection, documents: Sequence[DocumentRecord], source: Place, moved: tuple[int, int] | None, sha256: str
) -> Place:
    if moved is None:
        # As near as can be, and with its own words, by which a later text may give it back.
        near = min(documents, key=lambda d: abs(d.spine_index - source.spine_index))
        offset = min(source.offset, near.length)
        return replace(source, book_sha256=sha256, spine_index=near.spine_index, offset=offset)
    spine_index, offset = moved
    text = next(text_of_document(r, d.id) for d in documents if d.spine_index == spine_index)
    end = min(len(text), offset + max(len(source.quote.exact), 1))
    return Place(sha256, spine_index, offset, select_quote(text, offset, end), source.counter)


def _moved_frontier(r: Connection, old: BookRecord, documents: Sequence[DocumentRecord]) -> tuple[int, int] | None:
    """A frontier has no words of its own, but the older text still has them."""
    kept = places.frontier_of_book(r, old.sha256)
    if kept is None:
        return None
    spine_index, offset = kept
    document = next((d for d in books.documents_of_book(r, old.id) if d.spine_index == spine_index), None)
    if document is None:
        return kept
    text = text_of_document(r, document.id)
    if offset >= len(text):  # read to its end, so to the end of what it has become
        same = next((d for d in documents if d.spine_index == spine_index), None)
        return kept if same is None else (spine_index, same.length)
    quote = select_quote(text, offset, min(len(text), offset + _QUOTE_CHARS))
    return _find(r, documents, spine_index, offset, quote) or kept


def _find(
    r: Connection, documents: Sequence[DocumentRecord], spine_index: int, offset: int, quote: QuoteSelector
) -> tuple[int, int] | None:
    """Return (spine index, offset) of a quotation: in its own document by all means, in the others if it is exact."""
    own = next((d for d in documents if d.spine_index == spine_index), None)
    if own is not None:
        if not quote.exact and offset <= own.length:
            return spine_index, offset
        found = find_quote(text_of_document(r, own.id), quote, offset)
        if found is not None:
            return spine_index, found
    whole = quote.prefix + quote.exact + quote.suffix
    for document in sorted(documents, key=lambda d: abs(d.spine_index - spine_index)):
        at = text_of_document(r, document.id).find(whole) if len(whole) > len(quote.exact) else -1
        if at >= 0:
            return document.spine_index, at + len(quote.prefix)
    return None


def put_carried(w: Connection, found: Carried, sha256: str) -> None:
    """Write what `carried` worked out, unless the reader has moved meanwhile: then her newer place stays."""
    if found.place is not None and found.source is not None:
        now = places.place_of_book(w, sha256)
        if now is None or now == found.source or now.counter < found.source.counter:
            places.put_place(w, found.place, found.source.counter)
    if found.frontier is not None and (places.frontier_of_book(w, sha256) or (-1, 0)) <= found.frontier:
        places.put_frontier(w, sha256, *found.frontier)


def text_of_document(r: Connection, document: DocumentId) -> str:
    """Return the whole text of a document of a book in any state."""
    first = document << SLICE_ID_SHIFT
    parts: list[str] = []
    at = 0
    for start, end, text in r.execute(
        'SELECT start, "end", text FROM slice WHERE id BETWEEN ? AND ? ORDER BY id',
        (first, first + (1 << SLICE_ID_SHIFT) - 1),
    ):
        parts += ["\n" * (start - at), text]
        at = end
    return "".join(parts)
