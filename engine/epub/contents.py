"""A book's contents, resolved to places in its documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.domain.book import (
    PICTURE_CHAR,
    BlockKind,
    ContentsSource,
    DocumentText,
    ImportWarning,
    ParsedChapter,
    ParsedPage,
    WarningKind,
)
from engine.epub.kinds import kind_of
from engine.epub.nav import Navigation, with_inherited_targets
from engine.epub.package import SpineItem
from engine.text.described import described
from engine.text.sanitize import sanitize_line
from engine.translate import _

Documents = Callable[[int], DocumentText]
_MAX_TITLE = 500
_MAX_PAGE_LABEL = 24
_LONGEST_HEADING = 60
_DEEPEST_HEADING = 3
_FEW_ENTRIES = 1
_MANY_DOCUMENTS = 5
_CHAPTER_LINE = re.compile(
    r"(?:第\s*[0-9０-９〇零一二三四五六七八九十百千两兩]{1,7}\s*[章节節回话話卷巻部集篇幕夜]"
    r"|序章|終章|终章|楔子|尾声|番外|プロローグ|エピローグ)(?:[\s　:：.、—-].{0,40}|.{0,20})"
    r"|(?:chapter|part|book|prologue|epilogue)\b\s*[\divxlc]*[\s.:—-]*.{0,50}",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Places:
    """What resolving a place asks of the book."""

    spine: Sequence[SpineItem]
    target: Callable[[str, str], tuple[int, str] | None]
    """(document, reference) to (spine index, fragment); None when it leads nowhere inside the book."""
    documents: Documents
    types: Callable[[int], frozenset[str]]
    """Types a document and the landmarks give it."""
    warn: Callable[[ImportWarning], None]


def contents_from_navigation(navigation: Navigation, places: Places) -> list[ParsedChapter]:
    """Resolve the entries of a nav or NCX, in the order of the text; what leads nowhere is dropped with a warning."""
    chapters: list[ParsedChapter] = []
    anchors: dict[int, dict[str, int]] = {}
    for entry in with_inherited_targets(navigation.entries):
        found = places.target(navigation.document, entry.href)
        if found is None:
            message = _("the contents name a place that is not in the book: {title}")
            _warn(places, WarningKind.CONTENTS_TARGET_MISSING, message.format(title=entry.title or entry.href))
            continue
        index, fragment = found
        offset = 0
        if fragment:
            if index not in anchors:
                anchors[index] = dict(reversed(places.documents(index).anchors))
            offset = anchors[index].get(fragment, -1)
            if offset < 0:
                message = _("the contents name a place that is not in its document: {title}")
                _warn(places, WarningKind.CONTENTS_TARGET_MISSING, message.format(title=entry.title or entry.href))
                offset = 0
        title = sanitize_line(entry.title) or _own_title(places, index, offset)
        types = places.types(index) if offset == 0 else frozenset()
        chapters.append(ParsedChapter(title, entry.level, index, offset, kind_of(title, types)))
    return _in_order(chapters)


def contents_from_headings(places: Places) -> tuple[list[ParsedChapter], ContentsSource]:
    """Make contents of headings, of lines that read like them, or, failing both, of the documents themselves."""
    chapters: list[ParsedChapter] = []
    bare: list[ParsedChapter] = []
    for item in places.spine:
        if not item.is_linear:
            continue
        document = places.documents(item.index)
        types = places.types(item.index)
        found = _headings_of(document)
        chapters.extend(
            ParsedChapter(title, level, item.index, offset, kind_of(title, types if offset == 0 else frozenset()))
            for title, level, offset in found
        )
        if not found and document.text:
            title = _own_title(places, item.index, 0)
            bare.append(ParsedChapter(title, 0, item.index, 0, kind_of(title, types)))
    if not chapters:
        return bare, ContentsSource.SPINE
    return _in_order(_levelled(chapters)), ContentsSource.HEADINGS


def pages_from_navigation(navigation: Navigation, places: Places) -> list[ParsedPage]:
    """Resolve a page list."""
    pages: list[ParsedPage] = []
    anchors: dict[int, dict[str, int]] = {}
    for label, href in navigation.pages:
        found = places.target(navigation.document, href)
        if found is None or not label:
            continue
        index, fragment = found
        if fragment and index not in anchors:
            document = places.documents(index)
            anchors[index] = dict(reversed(document.anchors))
        pages.append(
            ParsedPage(
                sanitize_line(label)[:_MAX_PAGE_LABEL], index, anchors[index].get(fragment, 0) if fragment else 0
            )
        )
    return sorted(pages, key=lambda page: (page.spine_index, page.offset))


def is_poor(navigation: Navigation, spine: Sequence[SpineItem]) -> bool:
    """Say whether given contents hold so little that headings may serve better."""
    linear = sum(item.is_linear for item in spine)
    return len(navigation.entries) <= _FEW_ENTRIES and linear >= _MANY_DOCUMENTS


def _headings_of(document: DocumentText) -> list[tuple[str, int, int]]:
    """Return (title, level from 0, offset) of a document's headings, or of its first line when that reads like one."""
    found: list[tuple[str, int, int]] = []
    for block in document.blocks:
        text = document.text[block.start : block.end]
        if block.kind is BlockKind.HEADING and block.level <= _DEEPEST_HEADING:
            title = sanitize_line(text.replace(PICTURE_CHAR, " "))[:_MAX_TITLE]
            if title:
                found.append((title, max(0, block.level - 1), block.start))
        elif block.kind is BlockKind.PICTURE and not found and document.pictures:
            continue
    if found:
        return found
    return [
        (sanitize_line(document.text[block.start : block.end]), 0, block.start)
        for block in document.blocks
        if block.kind is BlockKind.PARAGRAPH
        and block.end - block.start <= _LONGEST_HEADING
        and _CHAPTER_LINE.fullmatch(document.text[block.start : block.end])
    ]


def _levelled(chapters: list[ParsedChapter]) -> list[ParsedChapter]:
    """Bring the levels used down to 0, 1, 2 ..."""
    used = sorted({chapter.level for chapter in chapters})
    return [ParsedChapter(c.title, used.index(c.level), c.spine_index, c.offset, c.kind) for c in chapters]


def _own_title(places: Places, index: int, offset: int) -> str:
    """Return the heading at a place, else the document's title, else its first words."""
    document = places.documents(index)
    following = [block for block in document.blocks if block.start >= offset and block.end > block.start]
    for block in following[:3]:
        if block.kind is BlockKind.HEADING:
            return sanitize_line(document.text[block.start : block.end].replace(PICTURE_CHAR, " "))[:_MAX_TITLE]
    if document.title and offset == 0:
        return document.title
    for block in following:
        text = sanitize_line(document.text[block.start : block.end].replace(PICTURE_CHAR, " "))
        if text:
            return text if len(text) <= _LONGEST_HEADING else f"{text[:_LONGEST_HEADING]}…"
    alt = next((words for picture in document.pictures if (words := described(picture.alt))), "")
    return alt or _("Part {number}").format(number=index + 1)


def _in_order(chapters: list[ParsedChapter]) -> list[ParsedChapter]:
    return sorted(chapters, key=lambda chapter: (chapter.spine_index, chapter.offset))


def _warn(places: Places, kind: WarningKind, message: str) -> None:
    places.warn(ImportWarning(kind, sanitize_line(message)))
