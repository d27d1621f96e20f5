"""The half of the library that looks for words everywhere at once, quickly enough to be asked with each key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import volume_ord_of
from engine.library.searching import Searching
from engine.spoilers.policy import FRONTIER, Upto, mode_of_others
from engine.store import works

# Imported where they are used: most sessions only read.

if TYPE_CHECKING:
    from engine.domain.finds import ChapterFind, EntryFind, Finds, Sought
    from engine.domain.hits import Findings, SearchHit
    from engine.domain.notes import ShownNote

_TYPED, _ALL = 100, 5000
"""Most passages listed while the reader types, 30 ms of work in 600 000 characters, and when she has stopped."""
_BEST = 20
"""Passages listed of a query whose words need not all stand in each: behind them chance begins."""
_FEW = 10
"""Passages listed where none holds what was typed: a word may be half typed, or wrong."""
_PATIENCE_S = 0.1


class Looking(Searching):
    """Searches of text, wiki, chapters and notes in one."""

    if TYPE_CHECKING:  # of another part of the library

        def search_notes(
            self, work: WorkId | None, words: str, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
        ) -> tuple[ShownNote, ...]:
            """Return the notes that hold all of some words, as far as may be seen."""
            ...

    def find_everywhere(self, work: WorkId, sought: Sought, spoilers: SpoilerMode | None = None) -> Finds:
        """Find words in the text, among names, chapter titles and notes, nothing of it beyond what was read.

        Never waits for the vector of the query: where that is late, `text.is_late` says so and the
        passages are found by words; asked again in a moment, it finds by meaning.

        Args:
            work: The one being read.
            sought: What and where.
            spoilers: In which mode; of the whole library each work in its own, where strict is not asked for.

        Raises:
            WorkNotFoundError: there is no such work.
        """
        from engine.domain.finds import Finds, SearchReach

        searched = self._searched(work, sought)
        spoilers = mode_of_others(spoilers) if sought.reach is SearchReach.LIBRARY else spoilers
        entries, entry_count = self._entries(searched, sought.words, spoilers)
        notes = self.search_notes(
            None if sought.reach is SearchReach.LIBRARY else work, sought.words, spoilers=spoilers
        )
        return Finds(
            self._passages(searched, sought, spoilers),
            tuple(entries),
            entry_count,
            tuple(self._chapters(searched, sought, spoilers)),
            tuple(self._notes_within(work, sought, notes)),
        )

    def _searched(self, work: WorkId, sought: Sought) -> list[WorkId]:
        from engine.domain.finds import SearchReach

        if sought.reach is not SearchReach.LIBRARY:
            return [work]
        with self._store.read() as r:
            return [work, *(each.id for each in works.summaries(r) if each.id != work)]

    def _passages(self, searched: Sequence[WorkId], sought: Sought, spoilers: SpoilerMode | None) -> Findings | None:
        from engine.domain.finds import SearchReach
        from engine.domain.hits import SearchFilter
        from engine.retrieval.query import query_from_words
        from engine.retrieval.search import Request

        if sought.reach is not SearchReach.LIBRARY and not self.is_indexed(searched):
            return None
        query = query_from_words(sought.words)
        if not query.terms:  # signs alone, of which the index knows nothing
            return None
        of_volume = frozenset([sought.volume]) if sought.reach is SearchReach.VOLUME and sought.volume else frozenset()
        request = Request(
            sought.words, sought.mode, _ALL if sought.lists_all else _TYPED, only=SearchFilter(volumes=of_volume)
        )
        found = self._answer(request, searched, FRONTIER, spoilers, _PATIENCE_S)
        if query.needs_all and not found.is_exact:  # a part of a name is not the name
            found = replace(found, count=0)
        return replace(found, hits=tuple(_worth_listing(found)))

    def _entries(
        self, searched: Sequence[WorkId], words: str, spoilers: SpoilerMode | None
    ) -> tuple[list[EntryFind], int]:
        """Return those known by a name that holds the words, without any those the words may mean; and how many."""
        from engine.retrieval.entry_search import entries_meant, entries_named

        listed: list[EntryFind] = []
        count = 0
        for work in searched:
            with self._store.read() as r, self._known(work, FRONTIER, spoilers) as known:
                if known is None:
                    continue
                title = self._whereabouts(r, work).outline.title
                found, number = entries_named(r, known, work, title, words)
                if not found:
                    found = list(entries_meant(known, work, title, self.resolve(work, words, spoilers=spoilers)))
                    number = len(found)
                listed += found
                count += number
        return listed, count

    def _chapters(
        self, searched: Sequence[WorkId], sought: Sought, spoilers: SpoilerMode | None
    ) -> Iterator[ChapterFind]:
        from engine.domain.finds import SearchReach
        from engine.retrieval.title_search import chapters_titled
        from engine.spoilers import masks

        with self._store.read() as r:
            for work in searched:
                outline = self._whereabouts(r, work).outline
                if sought.reach is SearchReach.VOLUME:
                    kept = tuple(volume for volume in outline.volumes if volume.id == sought.volume)
                    outline = replace(outline, volumes=kept)
                upto = masks.hit_upto(self._bound(r, work, FRONTIER, spoilers))
                yield from chapters_titled(work, outline, sought.words, upto)

    def _notes_within(self, work: WorkId, sought: Sought, notes: Sequence[ShownNote]) -> Iterator[ShownNote]:
        from engine.domain.finds import SearchReach

        if sought.reach is not SearchReach.VOLUME:
            yield from notes
            return
        with self._store.read() as r:
            volumes = self._whereabouts(r, work).outline.volumes
        ords = {volume.ord for volume in volumes if volume.id == sought.volume}
        yield from (each for each in notes if each.locator is not None and volume_ord_of(each.pos) in ords)


def _worth_listing(found: Findings) -> Iterator[SearchHit]:
    """Yield the hits a reader looks through: all that hold what was typed; where none does, or need to, the best."""
    from engine.domain.hits import SearchMode

    is_of_words = found.is_exact and found.mode is not SearchMode.SEMANTIC
    most = _FEW if not found.count and found.mode is not SearchMode.SEMANTIC else _BEST
    yield from (hit for hit in found.hits if (hit.holds_words if is_of_words else hit.rank <= most))
