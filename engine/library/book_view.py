"""One work as the companion may look at it: every call goes through the library, so what comes back is masked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.agent.access import (
    BookAccess,
    ChapterLine,
    ChapterSummary,
    FoundEntry,
    FoundLine,
    FoundPassage,
    FoundPassages,
    PointLine,
    SettingLine,
)
from engine.agent.bearing import Stretch
from engine.agent.citations import Place
from engine.agent.names import NamesOfWork
from engine.config import SpoilerMode
from engine.domain.analysis import AnalysisState
from engine.domain.book import ChapterKind, WorkId
from engine.domain.hits import Findings, SearchFilter, SearchMode
from engine.domain.locator import Locator, Pos, pos_of, volume_ord_of
from engine.domain.models import ModelRole
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, VolumeOutline, WorkOutline
from engine.domain.search import PosRange
from engine.domain.wiki import PointId
from engine.library.offering import cost_of_entry, cost_of_reading
from engine.library.passage_text import Notes, shown_text
from engine.library.quotable import best_hits, last_break, quotable
from engine.library.spoken_settings import spoken_settings
from engine.library.wiki_view import WikiView
from engine.spoilers import masks
from engine.spoilers.policy import WHOLE, Upto, mode_of_others
from engine.text.fold import fold_words
from engine.text.grams import grams_of

if TYPE_CHECKING:
    from engine.library.asking import Asking
    from engine.retrieval.where import Whereabouts

_STORY = SearchFilter(kinds=frozenset({ChapterKind.BODY}))
_QUOTE_CHARS = 48
_END_CHARS = 300
_MOST_SEGMENTS = 3
_LONG_CHARS = 30_000
"""A shorter text is found by its words."""
_STEP_CHARS = 900
"""Of a whole chapter, each piece this long has a place of its own."""


class BookView:
    """A `BookAccess` over the library."""

    def __init__(
        self, library: Asking, work: WorkId, upto: Upto, mode: SpoilerMode, names: NamesOfWork | None = None
    ) -> None:
        self._library = library
        self._work = work
        self._upto = upto
        self._bound = library.bound(work, upto, mode)
        self._names = names
        self._notes = Notes(library)
        self.wiki = WikiView(library, work, upto, mode, self._place, self._where)

    @property
    def title(self) -> str:
        """Of the work."""
        return self._outline.title

    @property
    def language(self) -> str:
        """Of the work."""
        return self._outline.language

    @property
    def mode(self) -> SpoilerMode:
        """The reader's."""
        return self._bound.mode

    @property
    def boundary(self) -> Pos:
        """What ends at or before this pos may be seen."""
        return self._bound.boundary

    @cached_property
    def _outline(self) -> WorkOutline:
        return self._library.outline(self._work)

    def lifted(self) -> BookAccess:
        """Return the same work to its end."""
        return BookView(self._library, self._work, WHOLE, self.mode, self._names)

    # what there is

    @property
    def has_more(self) -> bool:
        """Whether the work goes on beyond the boundary."""
        return any(chapter.pos_end > self.boundary for _volume, chapter in self._numbered())

    @cached_property
    def _others(self) -> tuple[WorkId, ...]:
        return tuple(summary.id for summary in self._library.works() if summary.id != self._work)

    @property
    def has_names(self) -> bool:
        """Whether anybody or anything of the work is known."""
        return bool(self.wiki.known)

    @property
    def has_segments(self) -> bool:
        """Whether what is asked for can be chosen by summaries: the work is long, and nobody searches it by meaning."""
        length = sum(min(chapter.pos_end, self.boundary) - chapter.pos for _v, chapter in self._numbered()
                     if chapter.pos < self.boundary)  # fmt: skip
        return length >= _LONG_CHARS and not self._library.embedding_state(self._work).embedder

    @property
    def may_be_read_by_model(self) -> bool:
        """Whether a model could write pages that are not there yet."""
        is_unread = self._library.analysis(self._work) is None
        return (is_unread or self.is_read_by_model) and self._library.has_model(ModelRole.READER)

    @property
    def is_read_by_model(self) -> bool:
        """Whether a model has read the work to its end."""
        progress = self._library.analysis(self._work)
        return progress is not None and progress.state is AnalysisState.DONE

    # text

    def search(
        self,
        query: str,
        limit: int,
        *,
        way: str = "",
        in_library: bool = False,
        in_story: bool = False,
        most_cells: int = 0,
    ) -> FoundPassages:
        """Return the best passages for words, in the order of the story."""
        mode, only = SearchMode(way) if way else None, _STORY if in_story else None

        def search(words: str, most: int) -> Findings:
            return self._library.search(
                words, (self._work,), mode=mode, limit=most, only=only, upto=self._upto, spoilers=self.mode
            )

        hits, has_more = best_hits(search, query, limit)
        passages = []
        for hit in hits:
            locator, pos, text = quotable(hit, most_cells)
            passages.append(self._notes.passage(self._place(locator, pos, hit.where, text), hit.chapter, text))
        if in_library and self._others:
            # Each to its own frontier and in its own mode, also when the boundary of this work is lifted.
            others = self._library.search(
                query, self._others, mode=mode, limit=limit, spoilers=mode_of_others(self.mode)
            )
            for hit in others.hits:
                place = self._place(hit.locator, hit.pos, f"{hit.work_title}, {hit.where}", hit.text)
                passages.append(FoundPassage(replace(place, is_elsewhere=True), hit.chapter, shown_text(hit.text)))
        return FoundPassages(tuple(passages), has_more)

    def segments(
        self, query: str, choose: Callable[[str], str], limit_chars: int, batch_tokens: int
    ) -> tuple[FoundPassage, ...]:
        """Return the original text of the segments chosen for a question, each with its share of the room.

        Of a segment that is longer than its share the part is taken that holds most of the question's words.
        """
        from engine.retrieval.segments import choose_segments

        all_ = self._library.segments(self._work, self._upto, self.mode)
        chosen = choose_segments(all_, query, choose, budget_tokens=batch_tokens)[:_MOST_SEGMENTS]
        wanted = grams_of(fold_words(query))
        passages: list[FoundPassage] = []
        for segment in chosen:
            pieces = [
                piece
                for volume in self._outline.volumes
                if volume.ord == volume_ord_of(segment.pos)
                for piece in self._pieces(volume, segment.pos, min(segment.pos_end, self.boundary))
            ]
            room = max(1, limit_chars // len(chosen) // _STEP_CHARS)
            counts = [len(wanted & grams_of(fold_words(piece.text))) for piece in pieces]
            first = max(range(max(1, len(pieces) - room + 1)), key=lambda n: sum(counts[n : n + room]))
            passages += pieces[first : first + room]
        return tuple(passages)

    def lies_beyond(self, question: str) -> bool:
        """Say whether what a question asks for has not come up before the boundary, and does behind it."""
        from engine.library.ahead import is_answered_ahead

        if not self.has_more:
            return False
        return self.is_hidden(question) or is_answered_ahead(
            self._library, self._work, question, self._bound, self._upto
        )

    # wiki

    def entries(self, name: str, limit: int) -> tuple[FoundEntry, ...]:
        """Return the entries a name, or a question with names in it, may mean."""
        return self.wiki.entries(name, limit)

    def introductions(self, question: str) -> tuple[FoundLine, ...]:
        """Return what the wiki says first of whoever a question asks for, if it asks for nothing else."""
        return self.wiki.introductions(question)

    def wiki_lines(self, query: str, limit: int) -> tuple[FoundLine, ...]:
        """Return the sentences of the wiki that hold most of some words."""
        return self.wiki.lines(query, limit)

    def points(self, kind: str, words: str, limit: int) -> tuple[PointLine, ...]:
        """Return points of a kind whose names hold some words."""
        return self.wiki.points(kind, words, limit)

    def relations(self, name: str, other: str, limit: int) -> tuple[FoundLine, ...]:
        """Return what is known between somebody and others, or one other."""
        return self.wiki.relations(name, other, limit)

    def track(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return (where, how often) for each chapter in which somebody appears."""
        return self.wiki.track(name)

    # settings

    def settings(self) -> tuple[SettingLine, ...]:
        """Return the settings a companion may speak of."""
        return spoken_settings(self._library.paths.config_file)

    def page_cost(self) -> str:
        """Say what having the work read by a model would cost."""
        return cost_of_reading(self._library, self._work)

    def entry_cost(self, point: PointId) -> str:
        """Say what an entry about a point would cost; empty where none can be asked for."""
        return cost_of_entry(self._library, self._work, point)

    def where(self, pos: Pos) -> str:
        """Return the volume and chapter at a pos, titles veiled where they must be."""
        volume = next((each for each in self._outline.volumes if each.ord == volume_ord_of(pos)), None)
        return ", ".join(filter(None, (volume.title if volume is not None else "", self._title_at(pos))))

    def place(self, locator: Locator, pos: Pos, text: str) -> Place:
        """Return a place that may be cited."""
        return self._place(locator, pos, self._where(pos), text)

    def _place(self, locator: Locator, pos: Pos, where: str, text: str) -> Place:
        begins = " ".join(shown_text(text).split())[:_QUOTE_CHARS]
        return Place(locator, pos, pos + locator.end - locator.start, where, begins)

    def text_around(self, place: Place, reach_chars: int) -> Stretch:
        """Return the text around a place, of its own chapter and up to the boundary."""
        return self._notes.around(place, self._index.chapter_at(place.pos), self.boundary, reach_chars)

    # chapters

    @cached_property
    def _index(self) -> OutlineIndex:
        return OutlineIndex(self._outline)

    @cached_property
    def _whereabouts(self) -> Whereabouts:
        from engine.retrieval.where import Whereabouts

        return Whereabouts(self._outline)

    def _where(self, pos: Pos) -> str:
        return self._whereabouts.short(pos)

    def _title_at(self, pos: Pos) -> str:
        chapter = self._index.chapter_at(pos)
        return "" if chapter is None else self._title(chapter)

    def _title(self, chapter: Chapter) -> str:
        return masks.mask_chapter_title(chapter.title, chapter.pos, self._bound)

    def _numbered(self) -> list[tuple[VolumeOutline, Chapter]]:
        return [
            (volume, chapter)
            for volume in self._outline.volumes
            for chapter in volume.chapters
            if chapter.pos_end > chapter.pos
        ]

    def chapters(self) -> Sequence[ChapterLine]:
        """Return the contents."""
        return [
            ChapterLine(
                number,
                self._title(chapter),
                volume.title,
                str(chapter.kind),
                chapter.pos_end - chapter.pos,
                chapter.pos_end <= self._bound.frontier,
                Locator(chapter.document, chapter.offset, chapter.offset),
            )
            for number, (volume, chapter) in enumerate(self._numbered(), 1)
        ]

    def numbers_within(self, stretch: PosRange) -> list[int]:
        """Return the numbers of the story's chapters that have text in a stretch."""
        return [
            number
            for number, (_volume, chapter) in enumerate(self._numbered(), 1)
            if chapter.kind is ChapterKind.BODY and chapter.pos < stretch.end and chapter.pos_end > stretch.start
        ]

    def summaries(self, numbers: Sequence[int]) -> tuple[ChapterSummary, ...]:
        """Return what happens in chapters as far as they were read; unwritten ones by how they begin and end."""
        found = self._numbered()
        told = []
        for number in numbers:
            if not 1 <= number <= len(found) or found[number - 1][1].pos >= self.boundary:
                continue
            chapter = found[number - 1][1]
            lines = self.wiki.recaps(chapter.pos, chapter.pos_end)
            is_written = bool(lines)
            told.append(ChapterSummary(number, self._title(chapter), lines or self._ends(number), is_written))
        return tuple(told)

    def _ends(self, number: int) -> tuple[FoundLine, ...]:
        chapter = self._numbered()[number - 1][1]
        seen = min(chapter.pos_end, self.boundary) - chapter.pos
        parts = self.chapter_text(number, _END_CHARS)
        if seen > 3 * _END_CHARS:
            parts += self.chapter_text(number, _END_CHARS, seen - _END_CHARS)
        return tuple(FoundLine("", part.text, (part.place,)) for part in parts)

    def chapter_text(self, number: int, limit_chars: int, start_chars: int = 0) -> tuple[FoundPassage, ...]:
        """Return a chapter's text, as far as it may be seen, from some characters behind its start."""
        found = self._numbered()
        if not 1 <= number <= len(found) or limit_chars <= 0:
            return ()
        volume, chapter = found[number - 1]
        first = chapter.pos + max(0, start_chars)
        return self._pieces(volume, first, min(chapter.pos_end, self.boundary, first + limit_chars))

    def text_within(self, stretch: PosRange) -> tuple[FoundPassage, ...]:
        """Return the text of the story in a stretch of one volume, as far as it may be seen."""
        found = self._numbered()
        return tuple(
            piece
            for volume, chapter in (found[number - 1] for number in self.numbers_within(stretch))
            for piece in self._pieces(
                volume, max(stretch.start, chapter.pos), min(stretch.end, chapter.pos_end, self.boundary)
            )
        )

    def _pieces(self, volume: VolumeOutline, first: Pos, last: Pos) -> tuple[FoundPassage, ...]:
        passages = []
        for document in sorted(volume.documents, key=lambda each: each.base):
            base = pos_of(volume.ord, document.base)
            start, stop = max(0, first - base), min(document.length, last - base)
            while start < stop:
                text = self._library.text_of(document.id, start, min(start + _STEP_CHARS, stop))
                text = text if start + len(text) >= stop else text[: last_break(text)]
                locator, pos = Locator(document.id, start, start + len(text)), base + start
                if text.strip():
                    place = self._place(locator, pos, self._where(pos), text)
                    passages.append(self._notes.passage(place, self._title_at(pos), text))
                start = locator.end
        return tuple(passages)

    # names

    def names_in(self, words: str) -> Sequence[str]:
        """Return the names of the work in words."""
        return self._all_names.forms_in(words)

    def is_about_book(self, words: str) -> bool:
        """Say whether words hold a name of the work, whether or not the reader knows it."""
        return self._all_names.is_about(words)

    def is_hidden(self, words: str) -> bool:
        """Say whether words hold a name the reader cannot know yet."""
        return self._all_names.is_hidden(words, self.boundary)

    @property
    def _all_names(self) -> NamesOfWork:
        if self._names is None:
            points = self._library.entities(self._work, WHOLE, SpoilerMode.OFF)
            self._names = NamesOfWork(
                (alias.form, max(alias.first_pos + len(alias.form), alias.reveal_pos))
                for point in points
                for alias in point.aliases
            )
        return self._names
