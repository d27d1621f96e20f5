"""Empty paragraphs: spacing in most books, the only sign of a scene break in some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.epub.markup import XHTML
from engine.epub.words import short_text

if TYPE_CHECKING:
    from lxml.etree import _Element

# One blank paragraph to a dozen with text: fewer is spacing used as a sign, more is spacing.
_RARE = 12
_MOST_COUNTED = 5_000


def has_rare_gaps(root: _Element) -> bool:
    """Say whether a document has so few empty paragraphs that they mean something."""
    empty = full = 0
    for element in root.iter(f"{XHTML}p", "p"):
        if is_gap(element):
            empty += 1
        else:
            full += 1
        if empty + full >= _MOST_COUNTED:
            break
    return 0 < empty * _RARE <= full


def is_gap(element: _Element) -> bool:
    """Say whether a paragraph holds nothing but blanks and line breaks."""
    if (element.text or "").strip():
        return False
    has_more = any(str(child.tag).rpartition("}")[2] != "br" for child in element)
    return not has_more and not short_text(element, 1).strip()
