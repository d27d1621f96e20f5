"""A document as plain text for people: what `understory text` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.domain.book import Block, BlockKind, DocumentText, Footnote
from engine.text.inline import Insertion, insert, note_marks, pictures, readings, whole_blocks

_CLOSE_KINDS = frozenset({BlockKind.VERSE, BlockKind.ITEM, BlockKind.ROW, BlockKind.PREFORMATTED})
_SCENE_BREAK = "* * *"


def readable_text(
    document: DocumentText,
    start: int = 0,
    end: int | None = None,
    *,
    notes: Iterable[Footnote] = (),
    with_readings: bool = True,
) -> str:
    """Return `[start, end)` with a blank line between paragraphs, notes at its end.

    Args:
        document: The text; offsets are its own.
        start: First offset.
        end: Exclusive; None for all the rest.
        notes: The notes that hang in the range, wherever their bodies stand.
        with_readings: Whether 漢字 is followed by (かんじ).
    """
    stop = len(document.text) if end is None else end
    insertions = [*note_marks(document, lambda __, label: f"[{label}]"), *pictures(document)]
    if with_readings:
        insertions.extend(readings(document))
    insertions.sort()
    parts: list[str] = []
    before: Block | None = None
    for block in whole_blocks(document, start, stop):
        if before is not None:
            parts.append("\n" if before.kind == block.kind and block.kind in _CLOSE_KINDS else "\n\n")
        parts.append("\n".join(_lines(document, block, insertions)))
        before = block
    labels = {ref.note: ref.label for ref in document.note_refs}
    parts.extend(f"\n\n[{labels.get(note.note, '')}] {note.text}" for note in notes)
    return "".join(parts)


def _lines(document: DocumentText, block: Block, insertions: Sequence[Insertion]) -> Iterator[str]:
    text = insert(document.text, block.start, block.end, insertions)
    first = rest = ""
    if block.kind is BlockKind.ITEM:
        first = "  " * (block.level - 1) + block.marker + " " * bool(block.marker)
        rest = " " * len(first)
    elif block.kind is BlockKind.QUOTE:
        first = rest = "  " * block.level
    elif block.kind is BlockKind.ROW:
        text = text.replace("\t", " | ")
    elif block.kind is BlockKind.RULE:
        text = text or _SCENE_BREAK
    for number, line in enumerate(text.split("\n")):
        yield (rest if number else first) + line
