"""Where the reader's highlights stand in a text, found row by row."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from engine.domain.book import DocumentId
from engine.domain.locator import Locator
from engine.domain.notes import MARKED, NoteKind, ShownNote, Tone
from tui.render.prose import Look, Overlay

LOOKS: Mapping[Tone, Look] = {
    Tone.MARK: Look.MARK,
    Tone.ACCENT: Look.MARK_ACCENT,
    Tone.WARN: Look.MARK_WARN,
    Tone.FAINT: Look.MARK_FAINT,
}
SIGNS: Mapping[Tone, str] = {Tone.MARK: "▎", Tone.ACCENT: "▌", Tone.WARN: "█", Tone.FAINT: "┊"}
"""Each tone's own sign, for whom colours do not tell."""
_ASCII_SIGNS: Mapping[Tone, str] = {Tone.MARK: "|", Tone.ACCENT: "+", Tone.WARN: "!", Tone.FAINT: ":"}
COMMENTED = "*"
"""Stands for a passage with a comment."""


def tone_sign(tone: Tone, *, is_ascii: bool = False) -> str:
    """Return the sign of a tone."""
    return (_ASCII_SIGNS if is_ascii else SIGNS)[tone]


class Highlights:
    """The marked passages of a work; a page asks for those of each of its rows."""

    def __init__(self, notes: Iterable[ShownNote], *, is_ascii: bool = False) -> None:
        """Take the notes; those that are not drawn in the text are passed over."""
        self._signs = _ASCII_SIGNS if is_ascii else SIGNS
        placed: dict[DocumentId, list[tuple[Locator, ShownNote]]] = {}
        for shown in notes:
            at = shown.locator
            if at is not None and shown.note.kind in MARKED and at.start < at.end:
                placed.setdefault(at.document, []).append((at, shown))
        self._notes: dict[DocumentId, list[ShownNote]] = {}
        self._overlays: dict[DocumentId, list[Overlay]] = {}
        self._starts: dict[DocumentId, list[int]] = {}
        self._furthest: dict[DocumentId, list[int]] = {}
        """Where the furthest of the first so many ends."""
        for document, found in placed.items():
            found.sort(key=lambda each: (each[0].start, each[0].end, each[1].note.id))
            self._notes[document] = [shown for _at, shown in found]
            self._overlays[document] = [self._overlay(at, shown) for at, shown in found]
            self._starts[document] = [at.start for at, _shown in found]
            self._furthest[document] = list(accumulate((at.end for at, _shown in found), max))

    def __len__(self) -> int:
        return sum(map(len, self._notes.values()))

    def _overlay(self, at: Locator, shown: ShownNote) -> Overlay:
        note = shown.note
        sign = COMMENTED if note.kind is NoteKind.ANNOTATION else self._signs[note.tone]
        return Overlay(at.start, at.end, LOOKS[note.tone], sign)

    def overlays(self, document: DocumentId, start: int, end: int) -> Sequence[Overlay]:
        """Return what lies over a stretch, in the order of the text."""
        found = self._overlays.get(document)
        return () if found is None else [found[n] for n in self._numbers(document, start, end)]

    def between(self, document: DocumentId, start: int, end: int) -> list[ShownNote]:
        """Return the notes that reach into a stretch, in the order of the text."""
        found = self._notes.get(document)
        return [] if found is None else [found[n] for n in self._numbers(document, start, end)]

    def _numbers(self, document: DocumentId, start: int, end: int) -> list[int]:
        furthest, overlays = self._furthest[document], self._overlays[document]
        number = bisect_left(self._starts[document], end) - 1
        found = []
        while number >= 0 and furthest[number] > start:
            if overlays[number].end > start:
                found.append(number)
            number -= 1
        return found[::-1]
