"""The words, sentences and paragraphs of the text that is loaded, and which of them stands at a place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from engine.domain.book import Block, DocumentId
from engine.domain.reading import Slice
from tui.render.loaded import LoadedSlices
from tui.render.selection import Reach, reach_in, unit_at
from tui.render.words import Span, sentences_of, words_of

NamesIn = Callable[[DocumentId, int, int], Sequence[Span]]
"""Returns the known names in a stretch (document, start, end), in order and without overlap."""

Cut = Callable[[Slice, Block], Sequence[Span]]
"""Cuts a block into pieces, in document offsets and in order."""


class Units:
    """What a text consists of, block by block."""

    def __init__(self, loaded: LoadedSlices, names: NamesIn) -> None:
        """Take the text and what tells the names in it."""
        self._loaded = loaded
        self._names = names
        self._kept: tuple[object, Sequence[Span]] | None = None
        """The words of the block that was cut last; a long one takes milliseconds."""

    def char(self, document: DocumentId, offset: int) -> Reach | None:
        """Return the character as seen at an offset, None when it is not loaded or nothing."""
        piece = self._loaded.find(document, offset)
        if piece is None or not piece.start <= offset < piece.end:
            return None
        start, end = unit_at(piece.text, offset - piece.start)
        return reach_in(piece, piece.start + start, piece.start + end)

    def word_at(self, document: DocumentId, offset: int) -> Reach | None:
        """Return the longest known name at an offset, else the word; None where there is neither."""
        return self._around(document, offset, self.words)

    def sentence_at(self, document: DocumentId, offset: int) -> Reach | None:
        """Return the sentence at an offset."""
        return self._around(document, offset, self.sentences)

    def paragraph_at(self, document: DocumentId, offset: int) -> Reach | None:
        """Return the paragraph at an offset; a long one stands in several blocks that go on in the same line."""
        at = self.char(document, offset)
        piece = None if at is None else self._loaded.find(document, offset)
        if piece is None or not piece.blocks:
            return None
        number = max(0, bisect_right(piece.blocks, offset, key=lambda block: block.start) - 1)
        first = next((n for n in range(number, -1, -1) if not piece.blocks[n].is_continued), 0)
        following = (n for n in range(number + 1, len(piece.blocks)) if not piece.blocks[n].is_continued)
        last = next(following, len(piece.blocks)) - 1
        start, end = _trimmed(piece, piece.blocks[first].start, piece.blocks[last].end)
        return reach_in(piece, start, end) if start < end else None

    def _around(self, document: DocumentId, offset: int, cut: Cut) -> Reach | None:
        at = self.char(document, offset)
        if at is None:
            return None
        for piece, spans in self.blocks_from(at, 1, cut):
            found = next((span for span in spans if span[0] <= offset < span[1]), None)
            return None if found is None else reach_in(piece, *found)
        return None

    # how a block is cut

    def words(self, piece: Slice, block: Block) -> Sequence[Span]:
        """Cut a block into words; a known name is one."""
        start, end = block.start, block.end
        names = tuple(
            (max(first, start) - start, min(last, end) - start)
            for first, last in self._names(piece.key.document, start, end)
        )
        key = (piece.key.document, start, end, names)
        if self._kept is None or self._kept[0] != key:
            self._kept = (key, [(start + a, start + b) for a, b in words_of(_text(piece, start, end), names)])
        return self._kept[1]

    def sentences(self, piece: Slice, block: Block) -> Sequence[Span]:
        """Cut a block into sentences."""
        words = _text(piece, block.start, block.end)
        return [(block.start + a, block.start + b) for a, b in sentences_of(words)]

    def paragraphs(self, piece: Slice, block: Block) -> Sequence[Span]:
        """Return the part of a block that a paragraph begins with; nothing of one that goes on with another."""
        start, end = _trimmed(piece, block.start, block.end)
        return [(start, end)] if start < end and not block.is_continued else []

    # from block to block

    def blocks_from(self, at: Reach, step: int, cut: Cut) -> Iterator[tuple[Slice, Sequence[Span]]]:
        """Yield the pieces of each block, from the one of a stretch on in a direction."""
        piece = self._loaded.find(at.first.document, at.first.offset)
        here = piece
        while piece is not None:
            blocks = piece.blocks
            number = 0 if step > 0 else len(blocks) - 1
            if piece is here:
                number = max(0, bisect_right(blocks, at.first.offset, key=lambda block: block.start) - 1)
            for block in blocks[number:] if step > 0 else reversed(blocks[: number + 1]):
                yield piece, cut(piece, block)
            piece = self._loaded.beside(piece.key, step)


def _trimmed(piece: Slice, start: int, end: int) -> Span:
    """Return a stretch without the blanks at its ends."""
    words = _text(piece, start, end)
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def _text(piece: Slice, start: int, end: int) -> str:
    return piece.text[start - piece.start : end - piece.start]
