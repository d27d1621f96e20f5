"""Small readings of an element tree that several rooms need: plain text, kinds, markers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.epub.markup import local_name
from engine.epub.wordset import word_set
from engine.text.normalize import nfc
from engine.text.sanitize import sanitize_line

if TYPE_CHECKING:
    from lxml.etree import _Element

EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_ASIDE = word_set("rt rp rtc script style head template")
_MARKER = re.compile(
    r"[\[(（【〔［{「]?\s*(?:(?:注|註|译注|譯注|原注|note)?\s*\d{1,4}|[*＊※†‡§¶]{1,4}\d{0,3}|[a-zA-Z]|[ivxlIVXL]{1,6}|[①-⑳㉑-㊿⓪]"
    r"|注|註|[0-9]{1,3}[a-z])\s*[\])）】〕］}」]?",
    re.I,
)
_BRACKETS = "[](){}（）【】〔〕［］「」 \u00a0"
_BACK_SIGNS = re.compile(r"[\[(]?\s*(?:[↩↑↖⤴⏎←^＾◀«⬆⇑⇧]\ufe0e?|back|return|返回|回|戻る|↩︎)\s*[\])]?", re.I)


def plain_text(element: _Element) -> str:
    """Return an element's text on one line, in normal form C, without readings and scripts."""
    pieces: list[str] = []
    stack: list[tuple[_Element, bool]] = [(element, False)]
    while stack:
        node, is_left = stack.pop()
        if is_left:
            pieces.append(node.tail or "")
            continue
        if node is not element:
            stack.append((node, True))
        name = local_name(node)
        if not name or name in _ASIDE:
            continue
        if name == "img" and not (node.text or "").strip():
            pieces.append(node.get("alt") or "")
        if name in ("br", "p", "div"):
            pieces.append(" ")
        pieces.append(node.text or "")
        stack.extend((child, False) for child in reversed(node))
    return nfc(sanitize_line("".join(pieces)))


def type_words(element: _Element) -> frozenset[str]:
    """Return the words of epub:type and role in lower case, without "doc-"."""
    words = f"{element.get(EPUB_TYPE) or element.get('epub:type') or ''} {element.get('role') or ''}".lower()
    return frozenset(word.removeprefix("doc-") for word in words.split())


def raw_text(element: _Element) -> str:
    """Return all characters inside an element, hidden ones included."""
    return "".join(str(piece) for piece in element.itertext())


def short_text(element: _Element, limit: int) -> str:
    """Return at least the first `limit` characters inside an element, or all it has.

    The work done grows with `limit`, not with the element, however many links share one paragraph.
    """
    pieces: list[str] = []
    length = 0
    for piece in element.itertext():
        pieces.append(str(piece))
        length += len(pieces[-1])
        if length >= limit:
            break
    return "".join(pieces)


def is_marker(text: str) -> bool:
    """Say whether a link's text looks like the number or sign of a note."""
    return len(text) <= 10 and _MARKER.fullmatch(text.strip()) is not None


def is_back_sign(text: str) -> bool:
    """Say whether a link's text looks like the way back from a note."""
    return len(text) <= 10 and _BACK_SIGNS.fullmatch(text.strip()) is not None


def label_from_marker(text: str) -> str:
    """Return a note's number or sign without its brackets."""
    return text.strip(_BRACKETS) or text.strip()


def visible_count(text: str) -> int:
    """Count characters that are not white space."""
    return sum(map(len, text.split()))
