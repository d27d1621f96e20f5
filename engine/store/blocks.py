"""A work's text in blocks, as the analyst reads it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from engine.domain.book import Block, BlockKind, ChapterKind, DocumentId, Ruby, WorkId
from engine.domain.knowledge import TextBlock
from engine.domain.locator import Pos, volume_ord_of
from engine.store.connection import Connection
from engine.store.marks import SLICE_ID_SHIFT, piece_from_row
from engine.text.slices import Piece


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block and where it stands in its document."""

    block: TextBlock
    document: DocumentId
    start: int
    """Document offset of its first character."""


_DOCUMENTS = (
    "SELECT d.id, (v.ord << 40) + d.base, d.slices FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
    " JOIN document d ON d.volume_id = v.id AND d.is_linear = 1 AND d.slices > 0"
    " WHERE v.work_id = ? ORDER BY v.ord, d.base"
)
_CHAPTERS = (
    "SELECT (v.ord << 40) + d.base + c.start, c.ord, c.kind FROM volume v JOIN document d ON d.volume_id = v.id"
    " JOIN chapter c ON c.document_id = d.id WHERE v.work_id = ? ORDER BY 1, 2"
)


def blocks_of_work(r: Connection, work: WorkId) -> Iterator[PlacedBlock]:
    """Yield the blocks of the documents in reading order."""
    yield from _placed(r, work, 'SELECT start, "end", text, marks FROM slice WHERE id BETWEEN ? AND ? ORDER BY id', ())


def blocks_with(r: Connection, work: WorkId, words: str) -> Iterator[PlacedBlock]:
    """Yield blocks among which are all that hold some words; slices without them are not taken apart."""
    sql = 'SELECT start, "end", text, marks FROM slice WHERE id BETWEEN ? AND ? AND instr(text, ?) ORDER BY id'
    yield from _placed(r, work, sql, (words,))


def _placed(r: Connection, work: WorkId, sql: str, more: tuple[str, ...]) -> Iterator[PlacedBlock]:
    starts: list[Pos] = []
    ords: list[int] = []
    are_story: list[bool] = []
    for pos, ord_, kind in r.execute(_CHAPTERS, (work,)):
        starts.append(pos)
        ords.append(ord_)
        are_story.append(ChapterKind(kind) is ChapterKind.BODY)
    documents: list[tuple[int, Pos, int]] = list(r.execute(_DOCUMENTS, (work,)))
    for document, base, slices in documents:
        first = document << SLICE_ID_SHIFT
        for row in r.execute(sql, (first, first + slices - 1, *more)):
            for block, readings, text in _blocks(piece_from_row(*row)):
                pos = base + block.start
                at = bisect_right(starts, pos) - 1
                is_inside = at >= 0 and volume_ord_of(starts[at]) == volume_ord_of(pos)
                is_heading = block.kind is BlockKind.HEADING
                chapter, is_story = (ords[at], are_story[at]) if is_inside else (-1, True)
                read = TextBlock(pos, text, chapter, is_heading, readings, is_story)
                yield PlacedBlock(read, DocumentId(document), block.start)


def _blocks(piece: Piece) -> Iterator[tuple[Block, tuple[Ruby, ...], str]]:
    """Yield each block with its readings, in offsets of its text, and its text."""
    at = 0
    for block in piece.blocks:
        readings: list[Ruby] = []
        while at < len(piece.rubies) and piece.rubies[at].end <= block.end:
            ruby = piece.rubies[at]
            if ruby.start >= block.start:
                readings.append(Ruby(ruby.start - block.start, ruby.end - block.start, ruby.reading))
            at += 1
        yield block, tuple(readings), piece.text[block.start - piece.start : block.end - piece.start]
