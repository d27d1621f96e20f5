"""What each element of a content document is for."""

from __future__ import annotations

import re

from engine.domain.book import SpanKind
from engine.epub.styles import Look
from engine.epub.wordset import word_set

BLOCKS = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup "
    "option p pre section summary table tbody td tfoot th thead tr ul level level1 level2 level3 level4 "
    "level5 level6 line linegroup poem stanza"
)
"""Elements that begin and end a paragraph."""

SKIPPED = word_set("head script style template rp datalist param source track base link meta col colgroup map area")
"""Elements whose content is never text."""

LEFT_OUT = frozenset(("iframe", "embed"))
"""Elements that would show something that is not in this document."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}

STYLED: dict[str, SpanKind] = {
    "b": SpanKind.BOLD,
    "strong": SpanKind.BOLD,
    "i": SpanKind.ITALIC,
    "em": SpanKind.ITALIC,
    "cite": SpanKind.ITALIC,
    "dfn": SpanKind.ITALIC,
    "var": SpanKind.ITALIC,
    "u": SpanKind.UNDERLINE,
    "ins": SpanKind.UNDERLINE,
    "s": SpanKind.STRIKE,
    "strike": SpanKind.STRIKE,
    "del": SpanKind.STRIKE,
    "sup": SpanKind.SUPERSCRIPT,
    "sub": SpanKind.SUBSCRIPT,
    "code": SpanKind.CODE,
    "kbd": SpanKind.CODE,
    "samp": SpanKind.CODE,
    "tt": SpanKind.CODE,
}
"""Inline elements that set their text apart."""

SPANS_OF_LOOK = (
    (Look.BOLD, SpanKind.BOLD),
    (Look.ITALIC, SpanKind.ITALIC),
    (Look.UNDERLINE, SpanKind.UNDERLINE),
    (Look.STRIKE, SpanKind.STRIKE),
    (Look.SUPER, SpanKind.SUPERSCRIPT),
    (Look.SUB, SpanKind.SUBSCRIPT),
    (Look.DOTS, SpanKind.EMPHASIS_DOTS),
)
CANCELLED_BY_LOOK = {
    SpanKind.BOLD: Look.NOT_BOLD,
    SpanKind.ITALIC: Look.NOT_ITALIC | Look.DOTS,
    SpanKind.UNDERLINE: Look.NO_LINE,
    SpanKind.STRIKE: Look.NO_LINE,
}

_DOTTED = re.compile(
    r"(?:^|[\s_-])(?:bouten|bou-?ten|em-?dots?|em-?sesame|sesame(?:_dot)?|kenten|emphasis-dots?|wakiten)", re.I
)
_VERSE = re.compile(r"(?:^|[\s:_-])(?:poem|poetry|verse|lyrics|song)(?:$|[\s_-])", re.I)
_STANZA = re.compile(r"(?:^|[\s:_-])(?:stanza|strophe|linegroup)(?:$|[\s_-])", re.I)

_PAGE_CLASS = re.compile(
    r"(?:^|\s)(?:x-ebookmaker-)?(?:pagenum|pageno|page-?number|page_number|pagebreak)(?:\s|$)", re.I
)
_PAGE_WORDS = re.compile(r"^[\[(]?\s*(?:page|pg|p|seite|s)?\.?\s*|\s*[\])]?\.?$", re.I)
_MAX_PAGE_LABEL = 12


def is_page_break(words: str, role: str) -> bool:
    """Say whether class or type words, or a role, mark the number of a printed page."""
    if not words.strip() and not role:
        return False
    return "pagebreak" in words or role == "doc-pagebreak" or _PAGE_CLASS.search(words) is not None


def page_label(written: str) -> str:
    """Return a printed page's number without words and brackets around it."""
    return _PAGE_WORDS.sub("", written).strip()[:_MAX_PAGE_LABEL]


def is_dotted(classes: str) -> bool:
    """Say whether a class attribute asks for emphasis dots."""
    return _DOTTED.search(classes) is not None


def is_verse(words: str) -> bool:
    """Say whether class or type words name a poem or a verse of it."""
    return _VERSE.search(words) is not None


def is_stanza(words: str) -> bool:
    """Say whether class or type words name a stanza."""
    return _STANZA.search(words) is not None
