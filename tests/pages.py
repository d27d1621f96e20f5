"""Slices for tests of the page, and what is seen of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.domain.book import (
    Block,
    BlockKind,
    DocumentId,
    NoteRef,
    Picture,
    Ruby,
    Span,
    SpanKind,
)
from engine.domain.locator import Pos
from engine.domain.reading import Slice, SliceKey
from tui.render.layout import Layout
from tui.render.rows import Row


@dataclass(frozen=True)
class B:
    """A block for `make_slice`; fields as in Block."""

    kind: BlockKind
    text: str = ""
    level: int = 0
    marker: str = ""
    is_continued: bool = False
    table: int = 0
    is_header: bool = False


def make_slice(
    *blocks: str | B,
    start: int = 0,
    ord: int = 0,
    before: SliceKey | None = None,
    rubies: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    spans: Sequence[tuple[str, SpanKind, str]] = (),
    pictures: Sequence[str] = (),
) -> Slice:
    """Build a slice; a string is a paragraph.

    Args:
        blocks: Its blocks, in order.
        start: Document offset of the first.
        ord: Number of the slice in its document.
        before: The slice before it.
        rubies: Reading by base text, at its first occurrence.
        notes: Label by the text the note hangs behind, at its first occurrence.
        spans: (text, kind, target), at the text's first occurrence.
        pictures: Descriptions of the pictures, in order.
    """
    given = [B(BlockKind.PARAGRAPH, block) if isinstance(block, str) else block for block in blocks]
    text = ""
    made: list[Block] = []
    for block in given:
        text += "" if block.is_continued or not made else "\n"
        begin = start + len(text)
        text += block.text
        end = start + len(text)
        made.append(
            Block(block.kind, begin, end, block.level, block.marker, block.is_continued, block.table, block.is_header)
        )
    places = [start + index for index, char in enumerate(text) if char == "\ufffc"]
    return Slice(
        SliceKey(DocumentId(1), ord),
        start,
        start + len(text),
        Pos(start),
        text,
        tuple(made),
        spans=tuple(
            Span(start + text.index(part), start + text.index(part) + len(part), kind, target)
            for part, kind, target in spans
        ),
        rubies=tuple(
            Ruby(start + text.index(base), start + text.index(base) + len(base), reading)
            for base, reading in (rubies or {}).items()
        ),
        note_refs=tuple(
            NoteRef(start + text.index(part) + len(part), label, f"0#n{label}") for part, label in (notes or {}).items()
        ),
        pictures=tuple(Picture(place, "p.png", alt) for place, alt in zip(places, pictures, strict=False)),
        before=before,
    )


def seen(layout: Layout) -> list[str]:
    """Return the rows as they look."""
    return [" " * row.indent + row.text for row in layout]


def rows_with_text(layout: Layout) -> list[Row]:
    """Return the rows that hold text of the document."""
    return [row for row in layout if row.end > row.start]
