"""From the bytes of a content document to canonical text and what rides beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.domain.book import (
    PICTURE_CHAR,
    Block,
    BlockKind,
    DocumentText,
    Footnote,
    ImportWarning,
    Picture,
    WarningKind,
)
from engine.epub.gaps import has_rare_gaps
from engine.epub.markup import Markup, attribute, local_name, parse_document
from engine.epub.notes import Notes, find_notes
from engine.epub.settling import without_usual
from engine.epub.styles import Cascade, Stylesheet, parse_stylesheet
from engine.epub.walk import Walk, WalkLinks
from engine.epub.words import plain_text, raw_text, visible_count
from engine.text.normalize import nfc
from engine.text.sanitize import sanitize_line
from engine.translate import _

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAY_HAVE_NOTES = re.compile(rb"""\b(?:type|role|class|href)\s*=\s*["'][^"'>]*(?:note|#)""", re.I)
_UTF16_MARK = b"\0"
_OPENING = "[(（【〔［ \u00a0"
_LEFT_OVER = tuple(".、．:：")
"""What stays of a number when its digits were the link back."""
_AFTER_LABEL = "])）】〕］.、．:： \u00a0\u3000"
_BRACKETED_NUMBER = re.compile(r"^[\[(（【〔［]\s*\d{1,4}\s*[\])）】〕］]\s*")
_TAG = re.compile(r"<[^<>]*>")
_DROPPED = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.I | re.S)
_REFERENCE = re.compile(r"&(?:#?\w+);")
_LOST_SHARE = 0.01
_LOST_AT_LEAST = 24
_MAX_TITLE = 300


class DocumentLinks(WalkLinks, Protocol):
    """What reading a document asks of the book."""

    def stylesheet(self, document: str, reference: str) -> Stylesheet:
        """Return the stylesheet a reference means; an empty one when it is missing."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentRead:
    """A document and what was wrong with it."""

    document: DocumentText
    warnings: tuple[ImportWarning, ...] = ()


def read_document(
    data: bytes,
    *,
    spine_index: int,
    href: str,
    links: DocumentLinks,
    is_linear: bool = True,
    upto: int | None = None,
) -> DocumentRead:
    """Read a content document.

    Args:
        data: Its bytes.
        spine_index: Its place in the spine.
        href: Its name in the container.
        links: Resolves what it refers to.
        is_linear: Whether it is part of the reading order.
        upto: Stop at the first block that ends at or beyond this offset; all of it when None.

    Returns:
        The document, and a warning for each thing that had to be guessed, repaired or left out. Bytes
        without any element make an empty document.
    """
    markup = parse_document(data)
    warnings = _warnings_of(markup, href)
    if markup.root is None:
        if data.strip():
            warnings.append(
                ImportWarning(WarningKind.TEXT_LOST, _("{name} has no text that can be read").format(name=href))
            )
        return DocumentRead(DocumentText(spine_index, href, "", (), is_linear=is_linear), tuple(warnings))
    root = markup.root
    notes = Notes()
    if _MAY_HAVE_NOTES.search(data) is not None or _UTF16_MARK in data[:4]:
        notes = find_notes(root, spine_index=spine_index, document=href, links=links, is_linear=is_linear)
    walk = Walk(href, spine_index, links, _cascade_of(root, href, links), notes)
    walk.flow.marks_gaps = has_rare_gaps(root)
    walk.read(root, upto)
    footnotes = _read_notes(walk, notes)
    text = walk.flow.finish()
    document = _assemble(walk, text, footnotes, root, spine_index, is_linear=is_linear)
    if walk.is_complete:
        warnings.extend(_loss(markup, root, document, walk))
    if walk.flow.removed:
        message = _("control characters were taken out of {name}").format(name=sanitize_line(href))
        warnings.append(ImportWarning(WarningKind.CONTROL_REMOVED, message))
    return DocumentRead(document, tuple(warnings))


def picture_document(spine_index: int, href: str, *, is_linear: bool, size: tuple[int, int] = (0, 0)) -> DocumentText:
    """Return the document of a spine item that is itself a picture."""
    return DocumentText(
        spine_index,
        href,
        PICTURE_CHAR,
        (Block(BlockKind.PICTURE, 0, 1),),
        pictures=(Picture(0, href, "", *size),),
        is_linear=is_linear,
    )


def _assemble(
    walk: Walk, text: str, footnotes: tuple[Footnote, ...], root: _Element, spine_index: int, *, is_linear: bool
) -> DocumentText:
    flow = walk.flow
    body = next((element for element in root if local_name(element) == "body"), root)
    return DocumentText(
        spine_index=spine_index,
        href=walk.document,
        text=text,
        blocks=tuple(flow.blocks),
        spans=tuple(without_usual(flow.spans, len(text))),
        rubies=tuple(flow.rubies),
        note_refs=tuple(flow.note_refs),
        notes=footnotes,
        pictures=tuple(flow.pictures),
        anchors=tuple(flow.anchors),
        page_breaks=tuple(flow.page_breaks),
        title=_title_of(root, text, flow.blocks),
        is_linear=is_linear,
        language=sanitize_line(attribute(root, "lang") or attribute(body, "lang")),
        is_complete=walk.is_complete,
    )


def _title_of(root: _Element, text: str, blocks: list[Block]) -> str:
    head = next((element for element in root if local_name(element) == "head"), None)
    if head is not None:
        for element in head:
            if local_name(element) == "title" and plain_text(element):
                return plain_text(element)[:_MAX_TITLE]
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            return sanitize_line(text[block.start : block.end].replace(PICTURE_CHAR, " "))[:_MAX_TITLE]
    return ""


def _cascade_of(root: _Element, href: str, links: DocumentLinks) -> Cascade:
    sheets: list[Stylesheet] = []
    head = next((element for element in root if local_name(element) == "head"), None)
    for element in head if head is not None else ():
        name = local_name(element)
        if name == "link" and "stylesheet" in (element.get("rel") or "").lower() and element.get("href"):
            if "alternate" not in (element.get("rel") or "").lower():
                sheets.append(links.stylesheet(href, element.get("href") or ""))
        elif name == "style":
            sheets.append(parse_stylesheet(raw_text(element)))
    return Cascade(tuple(sheet for sheet in sheets if sheet.rules))


def _read_notes(walk: Walk, notes: Notes) -> tuple[Footnote, ...]:
    footnotes: list[Footnote] = []
    for element, key in notes.bodies.items():
        inner = Walk(walk.document, walk.spine_index, walk.links, walk.cascade, Notes(), back_links=notes)
        inner.read(element)
        text = inner.flow.finish().replace(PICTURE_CHAR, "").strip()
        footnotes.append(Footnote(key, _without_label(text, walk.labels.get(key, ""))))
    footnotes.extend(Footnote(key, nfc(sanitize_line(text))) for key, text in walk.inline_notes)
    return tuple(footnotes)


def _without_label(text: str, label: str) -> str:
    bare = text.lstrip(_OPENING)
    if label and bare.startswith(label):
        rest = bare[len(label) :]
        # A year that begins a note is not its number.
        if rest and not (label[-1].isalnum() and rest[0].isalnum()):
            return rest.lstrip(_AFTER_LABEL) or text
    if text[:1] in _LEFT_OVER and text[1:2] not in _LEFT_OVER:
        text = text[1:].lstrip() or text
    return _BRACKETED_NUMBER.sub("", text) or text


def _warnings_of(markup: Markup, href: str) -> list[ImportWarning]:
    name = sanitize_line(href)
    warnings: list[ImportWarning] = []
    if markup.encoding:
        message = _("{name} was read as {encoding}").format(name=name, encoding=markup.encoding)
        warnings.append(ImportWarning(WarningKind.ENCODING_GUESSED, message))
    if markup.is_mended:
        as_html, unknown = _("{name} is not well-formed and was read as HTML"), _("{name} names unknown characters")
        message = (as_html if markup.source else unknown).format(name=name)
        warnings.append(ImportWarning(WarningKind.MARKUP_REPAIRED, message))
    return warnings


def _loss(markup: Markup, root: _Element, document: DocumentText, walk: Walk) -> list[ImportWarning]:
    """Compare what came out with a count that knows nothing of the walk, or of the parser where it had to guess."""
    if markup.source:
        source = _DROPPED.sub("", markup.source)
        expected = visible_count(_REFERENCE.sub("x", _TAG.sub("", source)))
        skipped = walk.skipped - sum(
            visible_count(raw_text(e)) for e in root.iter() if local_name(e) in ("script", "style")
        )
    else:
        expected, skipped = visible_count(raw_text(root)), walk.skipped
    missing = expected - skipped - visible_count(document.text)
    if missing <= max(_LOST_AT_LEAST, expected * _LOST_SHARE):
        return []
    message = _("{count} characters of {name} could not be read").format(
        count=missing, name=sanitize_line(document.href)
    )
    return [ImportWarning(WarningKind.TEXT_LOST, message)]
