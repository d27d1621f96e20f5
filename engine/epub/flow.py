"""Canonical text as it grows: white space, blocks, and the marks beside the text.

The walk over a document says what it meets; the flow decides which characters that makes and at
which offsets. Offsets taken before a blank that is not yet decided are moved behind it at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from unicodedata import combining

from engine.domain.book import PICTURE_CHAR, Block, BlockKind, BlockStyle, NoteRef, Picture, Ruby, Span, SpanKind
from engine.epub.division import divide
from engine.epub.settling import settled_ruby, settled_spans
from engine.epub.whitespace import PADDING, WHITE, fold, is_scene_break, needs_blank
from engine.text.normalize import join_nfc, nfc
from engine.text.sanitize import is_clean, is_suspicious, sanitize

MAX_BLOCK_CHARS = 8_192
_BLANKS = re.compile(r"\s+")
# Hyphenation hints and stray byte order marks: the page hyphenates for itself, and names must be found.
_SOFT = re.compile("[\u00ad\ufeff]")
_MAX_READING = 200
_SHORT = 64


@dataclass(frozen=True, slots=True)
class Setting:
    """How blocks are set at one place of a document."""

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    quotes: int = 0
    """Quotes around this place."""
    lists: int = 0
    """Lists around this place."""
    is_pre: bool = False
    is_verse: bool = False
    is_merged: bool = False
    """Block ends are line breaks within one block: table cells and stanzas."""
    table: int = 0
    is_header: bool = False
    style: BlockStyle | None = None


PLAIN = Setting()
_PROSE = (BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.ITEM)


@dataclass(slots=True)
class Flow:
    """The text of one document so far."""

    blocks: list[Block] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    rubies: list[Ruby] = field(default_factory=list)
    note_refs: list[NoteRef] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    anchors: list[tuple[str, int]] = field(default_factory=list)
    page_breaks: list[tuple[str, int]] = field(default_factory=list)
    setting: Setting = PLAIN
    marks_gaps: bool = False
    """Whether empty paragraphs between two others are scene breaks here."""
    marker: str = ""
    """List marker waiting for the next block."""
    starts_page: bool = False
    """The next block begins a page."""
    length: int = 0
    """Characters so far."""
    removed: int = 0
    """Hostile characters met."""
    is_open: bool = False
    """Whether a block is being written."""

    _parts: list[str] = field(default_factory=list)
    _block_part: int = 0
    _start: int = 0
    _kind: Setting = PLAIN
    _block_marker: str = ""
    _white: str = ""
    _breaks: int = 0
    _has_text: bool = False
    _has_gap: bool = False
    _has_picture: bool = False
    _waiting_anchors: list[str] = field(default_factory=list)
    _waiting_pages: list[str] = field(default_factory=list)
    _waiting_notes: list[tuple[str, str]] = field(default_factory=list)

    # What the walk calls.

    def text(self, raw: str) -> None:
        """Add characters of the source."""
        if self.setting.is_pre:
            self._add_pre(raw)
            return
        core = raw.strip(WHITE)
        if not core:
            if self.is_open and raw:
                self._white += raw
            return
        if raw[0] in WHITE and self.is_open:
            self._white += raw[: len(raw) - len(raw.lstrip(WHITE))]
        core = self._cleaned(fold(core))
        if self.is_open:
            is_start, set_as = not self._has_text, self._kind
        else:
            is_start, set_as = True, self.setting
        if is_start and not set_as.is_verse:
            core = core.lstrip(PADDING)
        if core:
            self._write(core)
            self._has_text = True
        if raw[-1] in WHITE and self.is_open:
            self._white += raw[len(raw.rstrip(WHITE)) :]

    def take_back(self, signs: tuple[str, ...]) -> str:
        """Remove and return the last character of the open block when it is one of `signs`, else ""."""
        if not self.is_open or self._white or self._breaks or len(self._parts) <= self._block_part:
            return ""
        last = self._parts[-1]
        if not last.endswith(signs):
            return ""
        self._parts[-1:] = [last[:-1]] if len(last) > 1 else []
        self.length -= 1
        return last[-1]

    def picture(self, href: str, alt: str, width: int = 0, height: int = 0) -> None:
        """Add a picture."""
        self._write(PICTURE_CHAR)
        self.pictures.append(Picture(self.length - 1, href, alt, width, height))
        self._has_picture = True

    def line_break(self) -> None:
        """End a line; the second in a row ends the paragraph."""
        self._white = ""
        if not self.is_open:
            return
        if self._kind.is_pre:
            self._write("\n")
            return
        self._breaks += 1
        if self._breaks >= 2 and not self._kind.is_merged:
            self._finish_block()

    def end_line(self) -> None:
        """End a line, once however often it is asked for."""
        if self.is_open:
            self._white = ""
            if self._last_char() not in ("", "\t"):
                self._breaks = max(self._breaks, 1)

    def end_block(self) -> None:
        """End the paragraph, or the line where blocks are merged."""
        if not self.is_open:
            return
        if self.setting.is_merged and self._kind.is_merged:
            self.end_line()
        else:
            self._finish_block()

    def gap(self) -> None:
        """Note an empty paragraph."""
        self._has_gap = self.marks_gaps and bool(self.blocks)

    def rule(self) -> None:
        """Add a scene break without text of its own."""
        self._finish_block()
        self._has_gap = False
        self._separate()
        self.blocks.append(Block(BlockKind.RULE, self.length, self.length))

    def begin_row(self, setting: Setting) -> None:
        """Begin a table row, which is a block even while it is empty."""
        self._finish_block()
        self.setting = setting
        self._open()
        self._has_text = True

    def next_cell(self) -> None:
        """Begin another cell of the row."""
        self._white = ""
        self._breaks = 0
        self._append("\t")

    def end_row(self) -> None:
        """End a table row."""
        if self.is_open:
            self._finish_block()

    def anchor(self, name: str) -> None:
        """Name the place where the next character will stand."""
        self._waiting_anchors.append(name)

    def page_break(self, label: str) -> None:
        """Say that a printed page begins with the next character."""
        self._waiting_pages.append(label)

    def add_span(self, start: int, kind: SpanKind, target: str = "") -> None:
        """Mark what was added since `length` was `start`."""
        self.mark(start, self.length, kind, target)

    def mark(self, start: int, end: int, kind: SpanKind, target: str = "") -> None:
        """Mark a run of characters."""
        if end > start:
            self.spans.append(Span(start, end, kind, target))

    def add_ruby(self, start: int, end: int, reading: str) -> None:
        """Set a reading beside a run of base text."""
        reading = _BLANKS.sub(" ", self._cleaned(reading)).strip()[:_MAX_READING]
        if end > start and reading:
            self.rubies.append(Ruby(start, end, reading))

    def add_note_ref(self, label: str, note: str) -> None:
        """Hang a note on what was just added."""
        if self.is_open:
            self.note_refs.append(NoteRef(self.length, label, note))
        else:
            self._waiting_notes.append((label, note))

    # How it becomes text.

    def finish(self) -> str:
        """End the document and return its text; all offsets are final after this."""
        self._finish_block()
        self._settle(self.length)
        text = "".join(self._parts)
        if self.spans:
            self.spans = settled_spans(self.spans, text, self.blocks)
        if self.rubies:
            self.rubies = [r for r in (settled_ruby(ruby, text) for ruby in self.rubies) if r.end > r.start]
        limit = len(text)
        self.note_refs = [NoteRef(min(ref.offset, limit), ref.label, ref.note) for ref in self.note_refs]
        self.anchors = [(name, min(offset, limit)) for name, offset in self.anchors]
        self.page_breaks = [(label, min(offset, limit)) for label, offset in self.page_breaks]
        return text

    def _cleaned(self, text: str) -> str:
        if text.isascii() and text.isprintable():
            return text
        if not is_clean(text) or PICTURE_CHAR in text or "\u200c" in text or "\u200d" in text:
            cleaned = sanitize(text).replace(PICTURE_CHAR, "\ufffd")
            self.removed += is_suspicious(text)
            text = cleaned
        return nfc(_SOFT.sub("", text.replace("\u2028", " ").replace("\u2029", " ")))

    def _add_pre(self, raw: str) -> None:
        text = self._cleaned(raw.replace("\r\n", "\n").replace("\r", "\n")).expandtabs(8)
        if not self.is_open:
            text = text.lstrip("\n") if not text.strip("\n ") else text.removeprefix("\n")
        if text:
            self._write(text)
            self._has_text = True

    def _open(self) -> None:
        if self._has_gap:
            self._has_gap = False
            if self.setting.kind in _PROSE and self.blocks[-1].kind in _PROSE:
                self.rule()
        self._separate()
        self._start = self.length
        self._block_part = len(self._parts)
        self._kind = self.setting
        self._block_marker, self.marker = self.marker, ""
        self._white, self._breaks = "", 0
        self._has_text = self._has_picture = False
        self.is_open = True

    def _separate(self) -> None:
        if self.blocks:
            self._append("\n")

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def _write(self, text: str) -> None:
        """Append characters that are final but for what joins them to those before."""
        if not self.is_open:
            self._open()
        elif self._breaks:
            self._append("\n")
            self._breaks = 0
            if not self._kind.is_verse and not self._kind.is_pre:
                text = text.lstrip(PADDING) or text
        elif self._white and needs_blank(self._last_char(), self._white, text[0]):
            self._append(" ")
        elif text[0] >= "\u0300" and len(self._parts) > self._block_part:
            text = self._join(text)
        self._white = ""
        if self._waiting_anchors or self._waiting_pages or self._waiting_notes:
            self._settle(self.length)
        self._append(text)

    def _join(self, text: str) -> str:
        """Let marks at the start of `text` join the letter before them; return what is left to append."""
        last = self._parts.pop()
        # A bound, so that a thousand marks in a thousand elements are not joined again with each.
        while combining(last[0]) and len(last) < _SHORT and len(self._parts) > self._block_part:
            last = self._parts.pop() + last
        before, text = join_nfc(last, text)
        self.length += len(before) - len(last)
        self._parts.append(before)
        return text

    def _last_char(self) -> str:
        return self._parts[-1][-1:] if len(self._parts) > self._block_part else ""

    def _settle(self, offset: int) -> None:
        self.anchors.extend((name, offset) for name in self._waiting_anchors)
        self.page_breaks.extend((label, offset) for label in self._waiting_pages)
        self.note_refs.extend(NoteRef(offset, label, note) for label, note in self._waiting_notes)
        self._waiting_anchors, self._waiting_pages, self._waiting_notes = [], [], []

    def _finish_block(self) -> None:
        if not self.is_open:
            return
        self.is_open = False
        self._white, self._breaks = "", 0
        self._strip_end()
        if self.length <= self._start:
            self._forget_block()
            return
        if self._waiting_anchors:
            self._settle_anchors_at_end()
        kind = self._kind.kind
        may_be_break = kind in (BlockKind.PARAGRAPH, BlockKind.QUOTE) and self.length - self._start < _SHORT
        if may_be_break and is_scene_break("".join(self._parts[self._block_part :])):
            kind = BlockKind.RULE
        if self._has_picture and not self._has_text and not self._block_marker:
            kind = BlockKind.PICTURE
        self._add_block(kind)

    def _add_block(self, kind: BlockKind) -> None:
        set_as = self._kind
        level = set_as.level if kind == set_as.kind else 0
        start, end, marker, style = self._start, self.length, self._block_marker, set_as.style
        if self.starts_page:
            self.starts_page = False
            style = replace(style or BlockStyle(), is_page_start=True) if len(self.blocks) else style
        whole = Block(kind, start, end, level, marker, table=set_as.table, is_header=set_as.is_header, style=style)
        if end - start <= MAX_BLOCK_CHARS:
            self.blocks.append(whole)
            return
        text = "".join(self._parts[self._block_part :])
        self._parts[self._block_part :] = [text]
        at = 0
        for cut in [*divide(text, MAX_BLOCK_CHARS), len(text)]:
            part = replace(whole, start=start + at, end=start + cut, marker=marker if at == 0 else "")
            self.blocks.append(replace(part, is_continued=at > 0))
            at = cut

    def _settle_anchors_at_end(self) -> None:
        """An anchor behind the last character of a block names the block's end; a page begins with the next block."""
        self.anchors.extend((name, self.length) for name in self._waiting_anchors)
        self._waiting_anchors = []

    def _strip_end(self) -> None:
        padding = PADDING + "\n\t"
        while len(self._parts) > self._block_part:
            last = self._parts[-1]
            stripped = last.rstrip(padding)
            self.length -= len(last) - len(stripped)
            if stripped:
                self._parts[-1] = stripped
                return
            self._parts.pop()

    def _forget_block(self) -> None:
        """Take back the newline before a block that came to nothing."""
        if self.blocks and self._parts and self._parts[-1] == "\n":
            self._parts.pop()
            self.length -= 1
