"""What a book is made of: documents, blocks, spans, chapters, and what an import found.

Offsets are code points in the canonical text of one document unless a name says otherwise.
In that text blocks are separated by one newline; a newline inside a block is a forced line
break; the cells of a table row are separated by a tab; a picture is one U+FFFC. Ruby
readings, note markers and note bodies are not part of it: they ride beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

BookId = NewType("BookId", int)
"""One imported EPUB file."""
WorkId = NewType("WorkId", int)
VolumeId = NewType("VolumeId", int)
DocumentId = NewType("DocumentId", int)
"""Never reused within a library. Negative while a book is read before its import is whole: -(spine index + 1)."""
ChapterId = NewType("ChapterId", int)

PICTURE_CHAR = "\ufffc"
"""Stands for one picture in canonical text."""

TEXT_REV = 3
"""Revision of the extractor; offsets hold only within one revision. Raised with each change that may move one."""
INDEX_REV = 3
"""Revision of passages and of their grams; those of another are made anew."""
RULES_REV = 2
"""Revision of the offline analyst; names an older one has found are looked for anew."""


class BlockKind(StrEnum):
    """How a block is set."""

    PARAGRAPH = "p"
    HEADING = "h"
    QUOTE = "q"
    ITEM = "li"
    VERSE = "v"
    PREFORMATTED = "pre"
    ROW = "tr"
    RULE = "hr"
    """A scene break; its text is empty or the break's own sign, such as "* * *"."""
    PICTURE = "img"
    """A block that holds nothing but pictures."""
    CAPTION = "cap"


class Align(StrEnum):
    """Where the lines of a block stand by the book's own style."""

    LEFT = "left"
    RIGHT = "right"
    CENTER = "center"
    JUSTIFY = "justify"


@dataclass(frozen=True, slots=True)
class BlockStyle:
    """What the book's own style sheet says of a block, in the measure of a terminal."""

    align: Align | None = None
    """None where it says nothing."""
    indent: int | None = None
    """Of the first line, in cells, negative to the left; None where it says nothing."""
    margin: int = 0
    """Cells at the left."""
    is_page_start: bool = False
    """It begins a page."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph-level unit of a document."""

    kind: BlockKind
    start: int
    end: int
    """Exclusive; `end == start` only for a rule."""
    level: int = 0
    """Heading 1-6; nesting depth of quotes and lists from 1."""
    marker: str = ""
    """List marker as shown ("•", "3."), empty otherwise."""
    is_continued: bool = False
    """The rest of a block too long for one slice: no gap above it, no newline between."""
    table: int = 0
    """Rows with the same number above 0 belong to one table."""
    is_header: bool = False
    """A table's heading row."""
    style: BlockStyle | None = None
    """None where the book's style sheet says nothing."""


class SpanKind(StrEnum):
    """Formatting and links inside blocks."""

    BOLD = "b"
    ITALIC = "i"
    UNDERLINE = "u"
    STRIKE = "s"
    SUPERSCRIPT = "sup"
    SUBSCRIPT = "sub"
    CODE = "code"
    LINK = "a"
    """`target` is "<spine index>#<anchor>" inside the book (anchor may be empty), or an http(s) address, shown only."""
    SMALL = "small"
    COLOUR = "ink"
    """`target` is "#rrggbb"; spans of it do not overlap."""
    EMPHASIS_DOTS = "dots"
    """Bouten: emphasis marks beside the characters."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters with one property; spans may overlap."""

    start: int
    end: int
    kind: SpanKind
    target: str = ""


@dataclass(frozen=True, slots=True)
class Ruby:
    """The reading written beside a run of base text."""

    start: int
    end: int
    reading: str


@dataclass(frozen=True, slots=True)
class NoteRef:
    """The place in the text where a note hangs; its marker is drawn, not stored in the text."""

    offset: int
    label: str
    """As printed, such as "1" or "＊"."""
    note: str
    """Key of the note in its book: "<spine index>#<id>"."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note of the book, taken out of the flow."""

    note: str
    text: str
    """Canonical text; paragraphs separated by a newline."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the flow, at the offset of its U+FFFC."""

    offset: int
    href: str
    """Resource name inside the book; empty when remote or missing."""
    alt: str = ""
    width: int = 0
    """Pixels as the picture has them, or as the book declares them; 0 when unknown."""
    height: int = 0


@dataclass(frozen=True, slots=True)
class DocumentText:
    """One content document, read."""

    spine_index: int
    href: str
    text: str
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...] = ()
    rubies: tuple[Ruby, ...] = ()
    note_refs: tuple[NoteRef, ...] = ()
    notes: tuple[Footnote, ...] = ()
    """Notes whose bodies stand in this document."""
    pictures: tuple[Picture, ...] = ()
    anchors: tuple[tuple[str, int], ...] = ()
    """(id, offset), in document order."""
    page_breaks: tuple[tuple[str, int], ...] = ()
    """(printed page number, offset)."""
    title: str = ""
    """The document's own <title> or first heading."""
    is_linear: bool = True
    language: str = ""
    is_complete: bool = True
    """False when only a first part was read, on request."""


class ChapterKind(StrEnum):
    """What a chapter is for; only `body` is story."""

    BODY = "body"
    FRONT = "front"
    AFTERWORD = "afterword"
    NOTES = "notes"


class ContentsSource(StrEnum):
    """Where the table of contents was found."""

    NAV = "nav"
    NCX = "ncx"
    HEADINGS = "headings"
    SPINE = "spine"


@dataclass(frozen=True, slots=True)
class ParsedChapter:
    """One entry of a book's contents, resolved against its documents."""

    title: str
    level: int
    """0 for the top of the book."""
    spine_index: int
    offset: int
    kind: ChapterKind = ChapterKind.BODY


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A printed page number and where it begins."""

    label: str
    spine_index: int
    offset: int


class WarningKind(StrEnum):
    """What an import met, one word each; part of `import --json`."""

    ENTRY_MISSING = "entry-missing"
    ENTRY_DAMAGED = "entry-damaged"
    ENTRY_TOO_LARGE = "entry-too-large"
    NAME_REPAIRED = "name-repaired"
    OUTSIDE_REFUSED = "outside-refused"
    REMOTE_SKIPPED = "remote-skipped"
    PACKAGE_REPAIRED = "package-repaired"
    SPINE_REPAIRED = "spine-repaired"
    CONTENTS_REBUILT = "contents-rebuilt"
    CONTENTS_TARGET_MISSING = "contents-target-missing"
    ENCODING_GUESSED = "encoding-guessed"
    MARKUP_REPAIRED = "markup-repaired"
    TEXT_LOST = "text-lost"
    CONTROL_REMOVED = "control-removed"
    METADATA_GUESSED = "metadata-guessed"
    PICTURE_MISSING = "picture-missing"
    PLACE_LOST = "place-lost"
    NOTES_LOST = "notes-lost"


@dataclass(frozen=True, slots=True)
class ImportWarning:
    """One thing that was repaired, missing or left out."""

    kind: WarningKind
    message: str
    """A plain sentence naming the item."""


@dataclass(frozen=True, slots=True)
class BookMetadata:
    """What the book says of itself, cleaned of control characters and padding."""

    title: str
    authors: tuple[str, ...] = ()
    language: str = ""
    """BCP 47, lower-case primary tag first ("zh", "ja", "en-GB"); detected from the text when not given."""
    identifier: str = ""
    series: str = ""
    series_index: float | None = None
    publisher: str = ""
    is_right_to_left: bool = False
    """page-progression-direction is rtl."""
    cover_href: str = ""


@dataclass(frozen=True, slots=True)
class VolumePart:
    """A run of a book's documents that is one volume: the whole book, or one of an omnibus."""

    title: str
    first_spine: int
    last_spine: int
    """Inclusive."""


class ImportStatus(StrEnum):
    """How an import ended."""

    OPENED = "opened"
    REPAIRED = "repaired"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of one file; the `import --json` record."""

    path: str
    status: ImportStatus
    work: WorkId | None = None
    title: str = ""
    language: str = ""
    volumes: int = 0
    chapters: int = 0
    characters: int = 0
    warnings: tuple[ImportWarning, ...] = ()
    error: str = ""
