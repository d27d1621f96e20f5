"""Make a book's passages: cut, hashed, taken apart into grams, written in many short transactions.

It can be ended at any moment and is gone on with where it stopped: passages are written in
order, and the same text is always cut in the same way. Two processes that do it at the same
time, as when one of them was asleep and lost its lease, write each passage once.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from engine.domain.book import INDEX_REV, BookId, ChapterKind, DocumentId
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.retrieval.passages import cut_passages
from engine.store import passages
from engine.store.folded import Stretch, cut_stretch
from engine.store.passages import NewPassage
from engine.store.store import Store
from engine.text.grams import grams_of

_AT_ONCE = 64
"""Passages a transaction writes: 10 ms."""
_HASH_BYTES = 12
_ORD = (1 << PASSAGE_SHIFT) - 1


def index_book(store: Store, book: BookId, go_on: Callable[[int, int], None]) -> bool:
    """Make a book's passages as far as they are missing.

    Args:
        store: The library.
        book: A readable one.
        go_on: Told (documents done, documents in all) between transactions; raises to stop there.

    Returns:
        False when the book is not readable (any more).

    Raises:
        LibraryUnavailableError: the disk is full, or the library cannot be written.
    """
    with store.read() as r:
        rev = passages.index_rev(r, book)
    if rev is None or rev == INDEX_REV:
        return rev is not None
    if rev:
        _take_away(store, book, rev, go_on)
    with store.read() as r:
        documents = passages.documents_to_index(r, book)
        chapters = passages.chapters_of_book(r, book)
    for number, document in enumerate(documents):
        go_on(number, len(documents))
        new = _new_passages(store, document, chapters[document])
        while some := list(islice(new, _AT_ONCE)):
            with store.write(bulk=True) as w:
                if passages.index_rev(w, book) is None:
                    return False
                there = passages.written(w, document).count
                passages.add_passages(w, [each for each in some if each.id & _ORD >= there])
            go_on(number, len(documents))
    _tidy(store, lambda: go_on(len(documents), len(documents)))
    with store.write(bulk=True) as w:
        passages.set_index_rev(w, book, INDEX_REV)
    return True


def _tidy(store: Store, go_on: Callable[[], None]) -> None:
    """Merge what many short transactions have left in many parts: a fifth smaller, and faster to search."""
    is_first, is_tidy = True, False
    while not is_tidy:
        go_on()
        with store.write(bulk=True) as w:
            is_tidy = passages.tidy_some(w, is_first=is_first)
        is_first = False


def _take_away(store: Store, book: BookId, rev: int, go_on: Callable[[int, int], None]) -> None:
    """Take away the passages of an older revision, unless another process has done so and begun with the new ones."""
    is_gone = False
    while not is_gone:
        go_on(0, 0)
        with store.write(bulk=True) as w:
            if passages.index_rev(w, book) != rev:
                return
            is_gone = passages.delete_some(w, book)
            if is_gone:
                passages.set_index_rev(w, book, 0)


def _new_passages(
    store: Store, document: DocumentId, chapters: Sequence[tuple[int, ChapterKind]]
) -> Iterator[NewPassage]:
    """Yield the passages of a document that are not written yet."""
    with store.read() as r:
        done = passages.written(r, document)
    starts = [start for start, _kind in chapters]
    ord_, slice_ord = done.before, done.slice_ord
    while True:
        with store.read() as r:
            found = passages.slice_to_index(r, document, slice_ord)
        if found is None:
            return
        piece, stretch = found
        for span in cut_passages(piece, starts):
            if ord_ >= done.count:
                text = piece.text[span.start - piece.start : span.end - piece.start]
                yield NewPassage(
                    PassageId(document << PASSAGE_SHIFT | ord_),
                    slice_ord,
                    span.start,
                    span.end,
                    chapters[bisect_right(starts, span.start) - 1][1],
                    hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_HASH_BYTES],
                    _grams(cut_stretch(stretch, span.start, span.end)),
                )
            ord_ += 1
        slice_ord += 1


def _grams(stretch: Stretch) -> set[str]:
    """Return the grams of a text as it is written and as it is spoken."""
    grams = grams_of(stretch.folded.text)
    return grams | grams_of(stretch.spoken_text) if stretch.readings else grams
