"""Words of the book as the companion is given them: passages with their notes, and the text around a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agent.access import FoundPassage
from engine.agent.bearing import Stretch
from engine.agent.citations import Place
from engine.domain.book import PICTURE_CHAR, DocumentId, NoteRef
from engine.domain.locator import Locator, Pos
from engine.domain.reading import Chapter

if TYPE_CHECKING:
    from engine.library.texts import Texts


_MOST_NOTE_CHARS = 600


class Notes:
    """The notes of books, by the place they hang at; a document is looked through once."""

    def __init__(self, library: Texts) -> None:
        self._library = library
        self._refs: dict[DocumentId, tuple[NoteRef, ...]] = {}

    def within(self, at: Locator) -> tuple[tuple[int, str], ...]:
        """Return (offset, beginning of what it says) of the notes in a stretch, its end included."""
        if at.document not in self._refs:
            self._refs[at.document] = self._library.document_text(at.document).note_refs
        found = []
        for ref in self._refs[at.document]:
            if at.start <= ref.offset <= at.end:
                note = self._library.footnote(at.document, ref.note)
                found += [(ref.offset, " ".join(note.text.split())[:_MOST_NOTE_CHARS])] if note is not None else []
        return tuple(found)

    def around(self, place: Place, chapter: Chapter | None, boundary: Pos, reach_chars: int) -> Stretch:
        """Return the text around a place, and the notes that hang in it.

        Args:
            place: Whose text it is; nothing but its own where it is in another work.
            chapter: Of whose text it may be; None for nothing but the place's own.
            boundary: No text behind it is returned.
            reach_chars: How far to each side.
        """
        at, base = place.locator, place.pos - place.locator.start
        start, end = at.start, at.end
        if chapter is not None and not place.is_elsewhere:
            start = min(start, max(0, start - reach_chars, chapter.pos - base))
            end = max(end, min(end + reach_chars, chapter.pos_end - base, boundary - base))
        text = self._library.text_of(at.document, start, end)
        return Stretch(text.replace(PICTURE_CHAR, " "), start, self.within(Locator(at.document, start, end)))

    def passage(self, place: Place, chapter: str, text: str) -> FoundPassage:
        """Return a passage with the notes that hang in it."""
        return FoundPassage(place, chapter, shown_text(text), tuple(note for _at, note in self.within(place.locator)))


def shown_text(text: str) -> str:
    """Return text without what stands for its pictures."""
    return text.replace(PICTURE_CHAR, "")
