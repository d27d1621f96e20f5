"""What the reader holds in her hands: the work's outline, slices of text, her place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import (
    Block,
    BookId,
    ChapterId,
    ChapterKind,
    DocumentId,
    NoteRef,
    Picture,
    Ruby,
    Span,
    VolumeId,
    WorkId,
)
from engine.domain.locator import Pos, QuoteSelector

SLICE_CHARS = 16_384
"""Most characters in a slice; blocks are never divided between two."""


@dataclass(frozen=True, slots=True)
class SliceKey:
    """Which slice of which document."""

    document: DocumentId
    ord: int


@dataclass(frozen=True, slots=True)
class Slice:
    """Whole blocks of one document, at most 16 384 characters: what is loaded and laid out at a time.

    Offsets of `start`, `end`, blocks and marks are document offsets; `text[0]` is at `start`.
    """

    key: SliceKey
    start: int
    end: int
    """End of the last block; the newline before the next slice belongs to neither."""
    pos: Pos
    """Of `start`."""
    text: str
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...] = ()
    rubies: tuple[Ruby, ...] = ()
    note_refs: tuple[NoteRef, ...] = ()
    pictures: tuple[Picture, ...] = ()
    before: SliceKey | None = None
    """The slice read before this one, across documents and volumes; None at the first."""
    after: SliceKey | None = None

    def contains(self, offset: int) -> bool:
        """Say whether a document offset lies in this slice."""
        return self.start <= offset <= self.end


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """A document's place in its volume."""

    id: DocumentId
    book: BookId
    spine_index: int
    base: int
    """Offset in the volume of the document's first character. Documents outside the reading order come last."""
    length: int
    """Characters."""
    is_linear: bool
    href: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One entry of the contents.

    Entries of all levels follow each other in the order of the text; an entry that begins
    where its first child begins is empty (`pos_end == pos`).
    """

    id: ChapterId
    ord: int
    """From 0 over the volume."""
    title: str
    level: int
    kind: ChapterKind
    document: DocumentId
    offset: int
    """Document offset of its first character."""
    pos: Pos
    pos_end: Pos
    """Pos of the next entry's start, or of the volume's end."""


@dataclass(frozen=True, slots=True)
class PageLabel:
    """A printed page and where it begins."""

    label: str
    pos: Pos
    document: DocumentId
    offset: int


@dataclass(frozen=True, slots=True)
class VolumeOutline:
    """One volume of a work."""

    id: VolumeId
    ord: int
    """From 0, in reading order; the high part of pos."""
    title: str
    length: int
    """Characters in reading order; documents outside it are not counted."""
    documents: tuple[DocumentOutline, ...]
    chapters: tuple[Chapter, ...]
    pages: tuple[PageLabel, ...] = ()
    book_sha256: str = ""


@dataclass(frozen=True, slots=True)
class WorkOutline:
    """All that must be known of a work to move about in it; the text itself is not in it."""

    id: WorkId
    title: str
    authors: tuple[str, ...]
    language: str
    volumes: tuple[VolumeOutline, ...]
    is_right_to_left: bool = False
    is_preview: bool = False
    """True while the import goes on: lengths are estimates from file sizes, there is one volume."""


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """A line of the shelf."""

    id: WorkId
    title: str
    authors: tuple[str, ...]
    language: str
    volumes: int
    chapters: int
    characters: int
    read_share: float
    """How far the place is, in [0, 1]."""
    last_read: str
    """ISO 8601 in UTC, empty when never opened."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the reader is: the first character on the page, known without document ids."""

    book_sha256: str
    spine_index: int
    offset: int
    """Document offset of the first character shown."""
    quote: QuoteSelector
    counter: int = 0
    """Grows by one with each save in this library; the higher one is the newer, whatever the clocks say."""


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place resolved in this library."""

    document: DocumentId
    offset: int
    pos: Pos


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Where an internal link leads."""

    document: DocumentId
    offset: int
    is_linear: bool


class JobState(StrEnum):
    """Where a piece of background work stands."""

    TODO = "todo"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class JobProgress:
    """What the reader is told of a piece of background work."""

    id: int
    kind: str
    """"import", "index", "rules" ..."""
    state: JobState
    subject: str
    """What it works on, such as a file name."""
    done: int
    total: int
    """0 while unknown."""
    error: str = ""
    result: str = ""
    """JSON of the result, such as an ImportReport; empty until done."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing `doctor` has tried, really tried."""

    name: str
    is_ok: bool
    detail: str
    """What was found, or what to do about it."""
