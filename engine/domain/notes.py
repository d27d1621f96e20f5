"""What the reader keeps of a work: highlights, annotations, excerpts, jottings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from engine.domain.book import WorkId
from engine.domain.locator import DeepLink, Locator, Pos, QuoteSelector

NoteId = NewType("NoteId", int)

MOST_PASSAGE_CHARS = 20_000
"""Longest passage a note is kept of: a chapter, not a book."""
MOST_COMMENT_CHARS = 200_000
_SHA_CHARS = 16


class NoteKind(StrEnum):
    """What a note is."""

    HIGHLIGHT = "highlight"
    """A marked passage."""
    ANNOTATION = "annotation"
    """A marked passage with the reader's comment."""
    EXCERPT = "excerpt"
    """A passage kept for its own sake; not marked in the text."""
    JOTTING = "jotting"
    """Free words, tied to a work or to none."""


MARKED = frozenset({NoteKind.HIGHLIGHT, NoteKind.ANNOTATION})
"""Kinds that are drawn in the text."""


class Tone(StrEnum):
    """What a passage is marked with: each theme has a colour for it, and each its own sign."""

    MARK = "mark"
    ACCENT = "accent"
    WARN = "warn"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A passage known without ids of a library: by the book's content, and by its own words."""

    book_sha256: str
    spine_index: int
    start: int
    """Document offset."""
    end: int
    """Exclusive."""
    quote: QuoteSelector

    @property
    def link(self) -> DeepLink:
        """Return the address of the passage, which outlives this library."""
        return DeepLink(self.book_sha256[:_SHA_CHARS], self.spine_index, self.start, self.end, self.quote.exact)


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader keeps."""

    kind: NoteKind
    anchor: Anchor | None = None
    """None for a jotting."""
    comment: str = ""
    """Her own words; empty for a highlight, and mostly for an excerpt."""
    tone: Tone = Tone.MARK
    book_sha256: str = ""
    """The book a jotting is tied to; the anchor's for every other kind. Empty for a jotting tied to none."""
    title: str = ""
    """Of the work, as it was called when the note was made."""
    chapter: str = ""
    """Of the passage, likewise."""
    is_lost: bool = False
    """Its words were not found in the text that took the place of the one it was made in."""
    made_at: str = ""
    """ISO 8601 in UTC; given by the library when it is kept."""
    changed_at: str = ""
    uid: str = ""
    """16 hex digits, the same in every library it is brought to; given when it is kept."""
    rev: int = 0
    """Grows by one with each change of comment or tone."""
    id: NoteId = NoteId(0)
    """0 until it is kept."""
    is_brought: bool = False
    """It came from a file, and may tell of what she has not read."""


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A note as it stands in this library."""

    note: Note
    work: WorkId | None = None
    """None when its book is not here, and for a jotting tied to none."""
    locator: Locator | None = None
    """None when there is nowhere to go."""
    pos: Pos = -1
    """Of its passage; -1 without a locator."""
    is_ahead: bool = False
    """It was brought, and its passage lies ahead: its words are left out until she is there."""
