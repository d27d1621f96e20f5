"""The slices of the text that are loaded: which stand beside each other, and which go when there are too many."""

from __future__ import annotations

from engine.domain.book import DocumentId
from engine.domain.reading import Slice, SliceKey

_MOST_CHARS = 600_000
_MOST_SLICES = 1_600
"""What is loaded at most, before what lies far from the page is forgotten."""
_NEAR_CHARS = 150_000
_NEAR_SLICES = 600
"""Kept on each side of the page: documents of one line fill a page of 300 rows and two more beyond it."""


class LoadedSlices:
    """What of a text is here; what is missing is named, and whoever holds the text brings it."""

    def __init__(self) -> None:
        self._slices: dict[SliceKey, Slice] = {}
        self._chars = 0
        """Of all of them."""
        self._lasts: dict[DocumentId, SliceKey] = {}
        """The last slice of each document, as far as they were met."""

    def __contains__(self, key: SliceKey) -> bool:
        return key in self._slices

    @property
    def is_too_much(self) -> bool:
        """Whether it is time to forget what lies far from the page."""
        return self._chars > _MOST_CHARS or len(self._slices) > _MOST_SLICES

    def add(self, piece: Slice) -> None:
        """Take a slice in."""
        if piece.key not in self._slices:
            self._chars += piece.end - piece.start
        self._slices[piece.key] = piece
        if piece.after is None or piece.after.document != piece.key.document:
            self._lasts[piece.key.document] = piece.key

    def keep_near(self, top: SliceKey, new: SliceKey) -> None:
        """Forget all that lies far from a loaded slice, but for one that has just come."""
        near = {top: self._slices[top], new: self._slices[new]}
        for step in (1, -1):
            key, chars = self.neighbour(top, step), 0
            for _each in range(_NEAR_SLICES):
                if key is None or chars > _NEAR_CHARS:
                    break
                near[key] = self._slices[key]
                chars += near[key].end - near[key].start
                key = self.neighbour(key, step)
        self._slices = near
        self._chars = sum(piece.end - piece.start for piece in near.values())

    def clear(self) -> None:
        """Forget all of them."""
        self._slices.clear()
        self._lasts.clear()
        self._chars = 0

    def slice_of(self, key: SliceKey) -> Slice:
        """Return a loaded slice. Raises KeyError for one that is not."""
        return self._slices[key]

    def find(self, document: DocumentId, offset: int) -> Slice | None:
        """Return the loaded slice that holds an offset."""
        best = None
        for piece in self._slices.values():
            if piece.key.document == document and piece.contains(offset):
                best = piece if best is None or piece.start > best.start else best
        return best

    def neighbour(self, key: SliceKey, step: int) -> SliceKey | None:
        """Return the key of the loaded slice before (-1) or after (+1), None when it is not loaded or not there."""
        wanted = self.wanted(key, step)
        return wanted if wanted is not None and wanted in self._slices else None

    def beside(self, key: SliceKey, step: int) -> Slice | None:
        """Return the loaded slice before (-1) or after (+1) a loaded one, None when it is not loaded or not there."""
        neighbour = self.neighbour(key, step)
        return None if neighbour is None else self._slices[neighbour]

    def wanted(self, key: SliceKey, step: int) -> SliceKey | None:
        """Return the key that stands before (-1) or after (+1), loaded or not; None at the ends of the text."""
        piece = self._slices[key]
        wanted = piece.after if step > 0 else piece.before
        if wanted is None or wanted.ord != -1:
            return wanted
        last = self._slices.get(self._lasts.get(wanted.document, wanted))
        return last.key if last is not None and last.after == key else wanted
