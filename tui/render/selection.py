"""What the reader has selected, in coordinates of the text, not of the screen.

A selection reaches from one character as seen to another, across paragraphs, documents and
volumes. It stays the same when the column gets another width, and holds nothing but what was
passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine.domain.book import PICTURE_CHAR, DocumentId
from engine.domain.locator import Locator, Pos
from engine.domain.reading import Slice
from engine.text.segment import grapheme_bounds
from tui.render.breaks import begins_row
from tui.render.cells import cells_of_any, is_plain
from tui.render.dress import INVISIBLE
from tui.render.layers import OverlaySource
from tui.render.prose import Look, Overlay

MOST_BYTES = 200_000
"""Of a selection's text in UTF-8: half a novel's chapter in Han characters is a third of that."""
_ANY_PICTURE = re.compile(PICTURE_CHAR)


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place between two characters of the text; spots have the order of the story."""

    base: Pos
    """Of the document's first character."""
    offset: int
    """In the document."""
    document: DocumentId = field(compare=False)


@dataclass(frozen=True, slots=True)
class Reach:
    """A stretch of text, or a gap between two characters drawn."""

    first: Spot
    """Where a selection that begins here begins."""
    last: Spot
    """Where a selection that ends here ends, exclusive. Not behind `first` in a gap."""

    @property
    def is_gap(self) -> bool:
        """Whether there is no character in it."""
        return self.last <= self.first

    @property
    def locator(self) -> Locator:
        """The part of it that stands in the document in which it begins."""
        end = self.last.offset if self.last.document == self.first.document else self.first.offset
        return Locator(self.first.document, self.first.offset, end)

    def joined(self, other: Reach) -> Reach:
        """Return the stretch that holds both, and what lies between."""
        return Reach(min(self.first, other.first), max(self.last, other.last))


def reach_in(piece: Slice, start: int, end: int) -> Reach:
    """Return a stretch of a slice by its document offsets."""
    base, document = piece.pos - piece.start, piece.key.document
    return Reach(Spot(base, start, document), Spot(base, end, document))


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected: everything from where it began to the caret, both included."""

    anchor: Reach
    caret: Reach
    has_caret: bool = True
    """Whether the keys move its end, so that it must be seen."""

    @property
    def reach(self) -> Reach:
        """All of it."""
        return self.anchor.joined(self.caret)

    def turned(self) -> Selection:
        """Return the same with the caret at the other end."""
        return Selection(self.caret, self.anchor, self.has_caret)

    def moved(self, caret: Reach) -> Selection:
        """Return it with the caret elsewhere."""
        return Selection(self.anchor, caret, self.has_caret)

    def overlays(self, base_of: Callable[[DocumentId], Pos]) -> OverlaySource:
        """Return what to lay over the text.

        Args:
            base_of: Returns the pos of the first character of a document that is shown.
        """
        whole = self.reach
        looks = [(whole, Look.SELECTION), *([(self.caret, Look.FOCUS)] if self.has_caret else [])]

        def overlays(document: DocumentId, start: int, end: int) -> Sequence[Overlay]:
            base = base_of(document)
            row = Reach(Spot(base, start, document), Spot(base, end, document))
            return [
                Overlay(max(reach.first, row.first).offset, min(reach.last, row.last).offset, look)
                for reach, look in looks
                if reach.first < row.last and row.first < reach.last and not reach.is_gap
            ]

        return overlays


# characters as seen


def unit_at(text: str, index: int) -> tuple[int, int]:
    """Return start and end of the character as seen that holds `text[index]`.

    It is one that can be drawn apart from its neighbours: a grapheme with what follows it and
    has no width of its own.
    """
    if is_plain(text, max(0, index - 1), min(len(text), index + 2)):
        return index, index + 1
    start, end = index, index + 1
    while start > 0 and not is_plain(text, start - 1, start + 1):
        start -= 1
    while end < len(text) and not is_plain(text, end - 1, end + 1):
        end += 1
    bounds = _bounds(text[start:end])
    number = next(n for n in range(len(bounds) - 1) if bounds[n + 1] > index - start)
    return start + bounds[number], start + bounds[number + 1]


@lru_cache(maxsize=64)
def _bounds(text: str) -> tuple[int, ...]:
    """Return where units begin in a stretch between two sure ones, and its end."""
    widths = cells_of_any(text)
    inner = [
        bound
        for bound in grapheme_bounds(text)[1:-1]
        if "\n" in text[bound - 1 : bound + 1] or begins_row(text, widths, bound)
    ]
    return (0, *inner, len(text))


# words of it


@dataclass(frozen=True, slots=True)
class SelectedText:
    """The words of a selection."""

    text: str
    is_cut: bool
    """There is more of it than `MOST_BYTES`."""


def text_of_pieces(pieces: Iterable[Slice], reach: Reach, most_bytes: int = MOST_BYTES) -> SelectedText:
    """Return the text of a stretch, without readings, signs of notes and pictures.

    Paragraphs, and documents too, are set apart by a newline, cells of a table by a tab.

    Args:
        pieces: The slices that hold it, in order; taken only as far as needed.
        reach: The stretch.
        most_bytes: In UTF-8; what is longer is cut between two characters as seen.
    """
    parts: list[str] = []
    size = 0
    previous: Slice | None = None
    for piece in pieces:
        whole = reach_in(piece, piece.start, piece.end)
        if whole.first >= reach.last:
            break
        start = max(whole.first, reach.first).offset - piece.start
        end = min(whole.last, reach.last).offset - piece.start
        if previous is not None and not _runs_on(previous, piece):
            parts.append("\n")
        part = plain_text(piece.text[start:end])
        room = most_bytes - size - len(parts)
        encoded = part.encode("utf-8", "replace")
        if len(encoded) > room:
            parts.append(_cut(part, encoded, room))
            return SelectedText("".join(parts), is_cut=True)
        parts.append(part)
        size += len(encoded)
        previous = piece
        if whole.last >= reach.last:
            break
    return SelectedText("".join(parts), is_cut=False)


def _runs_on(piece: Slice, following: Slice) -> bool:
    """Say whether a slice goes on in the middle of a line."""
    return piece.key.document == following.key.document and piece.end == following.start


def plain_text(text: str) -> str:
    """Return text of a book as it is copied: without pictures and invisible hints to a typesetter."""
    return INVISIBLE.sub("", _ANY_PICTURE.sub("", text))


def _cut(text: str, encoded: bytes, room: int) -> str:
    end = len(encoded[: max(0, room)].decode("utf-8", "ignore"))
    return text[: unit_at(text, end)[0]] if 0 < end < len(text) else text[:end]
