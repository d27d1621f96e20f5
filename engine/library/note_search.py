"""Search in what the reader keeps: her own words, and passages as far as she has read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import QuoteSelector
from engine.library.knowing import Knowing
from engine.library.noting import Noting
from engine.spoilers.policy import FRONTIER, Upto

if TYPE_CHECKING:
    from engine.domain.notes import ShownNote
    from engine.spoilers.policy import Bound


class NoteSearch(Noting, Knowing):
    """The notes of a library, found by their words."""

    def search_notes(
        self, work: WorkId | None, words: str, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> tuple[ShownNote, ...]:
        """Return the notes that hold all of some words, in story order.

        What is kept of a passage beyond the bound is left out, as everywhere in a search; `notes` lists it
        all the same, for it is hers. What has no place in the text is bounded by nothing.

        Args:
            work: Whose; None for all works, each to its own frontier, `upto` being passed over.
            words: In any spelling; all of them, in any order.
            upto: How far to look.
            spoilers: The mode; the reader's setting by default.

        Raises:
            PlaceUnknownError: `upto` names a place the work does not have.
        """
        from engine.text.fold import fold_words

        wanted = fold_words(words).split()
        if not wanted:
            return ()
        is_read = self._reading_test(upto if work is not None else FRONTIER, spoilers)
        found = (shown for shown in self.notes(work) if all(word in _folded(shown) for word in wanted))
        return tuple(shown for shown in found if is_read(shown))

    def listed_notes(self, work: WorkId | None = None, spoilers: SpoilerMode | None = None) -> tuple[ShownNote, ...]:
        """Return notes as a list may show them, in the order of `notes`.

        What she has made herself is hers. What was brought from a file, her own of another library or somebody
        else's, has no words (`is_ahead`) until she has read as far as its passage.

        Args:
            work: Whose; None for all works, each to its own frontier.
            spoilers: The mode; the reader's setting by default.
        """
        is_read = self._reading_test(FRONTIER, spoilers)
        return tuple(
            _veiled(shown) if shown.note.is_brought and not is_read(shown) else shown for shown in self.notes(work)
        )

    def _reading_test(self, upto: Upto, spoilers: SpoilerMode | None) -> Callable[[ShownNote], bool]:
        """Return what tells whether the passage of a note has been read; one without a place has."""
        from engine.spoilers import masks

        bounds: dict[WorkId, Bound] = {}

        def is_read(shown: ShownNote) -> bool:
            if shown.work is None or shown.locator is None:
                return True
            if shown.work not in bounds:
                bounds[shown.work] = self.bound(shown.work, upto, spoilers)
            end = shown.pos + shown.locator.end - shown.locator.start
            return end <= masks.hit_upto(bounds[shown.work])

        return is_read


def _veiled(shown: ShownNote) -> ShownNote:
    note = shown.note
    if note.anchor is not None:
        note = replace(note, anchor=replace(note.anchor, quote=QuoteSelector("", "", "")), comment="", chapter="")
    return replace(shown, note=note, is_ahead=True)


def _folded(shown: ShownNote) -> str:
    from engine.text.fold import fold_words

    note = shown.note
    return fold_words(f"{note.anchor.quote.exact if note.anchor is not None else ''}\n{note.comment}")
