"""What the companion can ask of the library. The boundary is held by whoever implements this, never an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.agent.bearing import REACH_CHARS, Bearing, Stretch
from engine.agent.citations import Place
from engine.config import SpoilerMode
from engine.domain.locator import Locator, Pos
from engine.domain.wiki import PointId


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of the book, up to the boundary."""

    place: Place
    chapter: str
    text: str
    notes: tuple[str, ...] = ()
    """What the notes of the book say that hang in it."""


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """What a search of the text found."""

    passages: tuple[FoundPassage, ...]
    is_more_beyond: bool
    """Something lies beyond the boundary; never what."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """Somebody or something of the work, as far as the reader has come."""

    point: PointId
    name: str
    kind: str
    also: tuple[str, ...]
    lines: tuple[str, ...]
    """The entry's text line by line, veiled runs left out, citations as locators."""
    places: tuple[Place, ...]
    """Passages it quotes or cites."""
    how: str
    """How the name asked for matched."""


@dataclass(frozen=True, slots=True)
class ChapterLine:
    """A chapter of the contents."""

    number: int
    """From 1 over the whole work."""
    title: str
    """Empty where it is veiled."""
    volume: str
    kind: str
    length_chars: int
    is_read: bool
    locator: Locator


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A sentence of the wiki, with the passages it rests on."""

    about: str
    """Name of whom it is about; empty for the work as a whole."""
    text: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class PointLine:
    """A point in a list."""

    point: PointId
    name: str
    kind: str
    also: tuple[str, ...]
    count: int
    """Mentions up to the boundary."""
    where: str
    """Where it comes up first."""


@dataclass(frozen=True, slots=True)
class ChapterSummary:
    """What happens in a chapter, as far as it was read."""

    number: int
    title: str
    lines: tuple[FoundLine, ...]
    """Of its summary; where none was written, its first and last words."""
    is_written: bool


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting of the reading page."""

    name: str
    value: str
    allowed: str
    help: str


class BookAccess(Protocol):
    """One work, for one reader, up to one boundary."""

    @property
    def title(self) -> str:
        """Of the work."""
        ...

    @property
    def language(self) -> str:
        """Of the work."""
        ...

    @property
    def mode(self) -> SpoilerMode:
        """The reader's."""
        ...

    @property
    def boundary(self) -> Pos:
        """What ends at or before this pos may be seen."""
        ...

    @property
    def has_more(self) -> bool:
        """Whether the work goes on beyond the boundary."""
        ...

    @property
    def has_names(self) -> bool:
        """Whether anybody or anything of the work is known."""
        ...

    @property
    def has_segments(self) -> bool:
        """Whether its chapters are cut into segments with summaries to choose from."""
        ...

    @property
    def may_be_read_by_model(self) -> bool:
        """Whether a model could write pages that are not there yet."""
        ...

    @property
    def is_read_by_model(self) -> bool:
        """Whether a model has read the work to its end."""
        ...

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
        """Return the best passages for words, in the order of the story.

        Words of the query that stand in quotation marks must stand so in the text, if they do anywhere.

        Args:
            query: Names and words.
            limit: How many.
            way: "lexical", "semantic" or "hybrid"; empty for the best there is.
            in_library: In all works, each up to its own boundary.
            in_story: In the chapters alone: no title page, contents, or afterword.
            most_cells: Of each passage only the sentences that hold most of what was asked for, in about so much
                room; 0 for the whole.
        """
        ...

    def introductions(self, question: str) -> tuple[FoundLine, ...]:
        """Return what the wiki says first of whoever a question such as "Who is Tobias?" asks for, and nothing else."""
        ...

    def lies_beyond(self, question: str) -> bool:
        """Say whether what a question asks for has not come up before the boundary, and does behind it; never what."""
        ...

    def entries(self, name: str, limit: int) -> tuple[FoundEntry, ...]:
        """Return the entries a name may mean, best first."""
        ...

    def wiki_lines(self, query: str, limit: int) -> tuple[FoundLine, ...]:
        """Return the sentences of the wiki that hold most of some words, best first; veiled ones are not looked at."""
        ...

    def points(self, kind: str, words: str, limit: int) -> tuple[PointLine, ...]:
        """Return points of a kind, "" for all, whose names hold some words, most mentions first."""
        ...

    def relations(self, name: str, other: str, limit: int) -> tuple[FoundLine, ...]:
        """Return what is known between somebody and others, or one other."""
        ...

    def track(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return (where, how often) for each chapter in which somebody appears, up to the boundary."""
        ...

    def summaries(self, numbers: Sequence[int]) -> tuple[ChapterSummary, ...]:
        """Return what happens in chapters, as far as they were read."""
        ...

    def segments(
        self, query: str, choose: Callable[[str], str], limit_chars: int, batch_tokens: int
    ) -> tuple[FoundPassage, ...]:
        """Return the original text of the segments chosen for a question.

        Args:
            query: What is looked for.
            choose: Asks somebody to choose among numbered summaries; returns the numbers as words.
            limit_chars: How much text there is room for.
            batch_tokens: How long the summaries given at once may be.
        """
        ...

    def chapters(self) -> Sequence[ChapterLine]:
        """Return the contents."""
        ...

    def chapter_text(self, number: int, limit_chars: int, start_chars: int = 0) -> tuple[FoundPassage, ...]:
        """Return a chapter's text, as far as it may be seen, from some characters behind its start."""
        ...

    def settings(self) -> tuple[SettingLine, ...]:
        """Return the settings a companion may speak of."""
        ...

    def page_cost(self) -> str:
        """Say what having the work read by a model would cost."""
        ...

    def entry_cost(self, point: PointId) -> str:
        """Say what an entry about a point would cost; empty where none can be asked for."""
        ...

    def text_around(self, place: Place, reach_chars: int) -> Stretch:
        """Return the text around a place: of its own chapter, and never beyond the boundary."""
        ...

    def names_in(self, words: str) -> Sequence[str]:
        """Return the names of the work in words, whether or not the reader knows them; never to be shown."""
        ...

    def is_about_book(self, words: str) -> bool:
        """Say whether words hold a name of the work, whether or not the reader knows it."""
        ...

    def is_hidden(self, words: str) -> bool:
        """Say whether words hold a name the reader cannot know yet."""
        ...

    def lifted(self) -> BookAccess:
        """Return the same work with its boundary at the end, for one answer the reader agreed to."""
        ...


def bearing_of(book: BookAccess, *, is_checked: bool = True) -> Bearing:
    """Return what shows of a place of a book what bears a sentence.

    Args:
        book: The work, up to the boundary.
        is_checked: Whether a sentence has to have something in common with what it cites.
    """
    return Bearing(lambda place: book.text_around(place, REACH_CHARS), book.names_in, is_checked=is_checked)
