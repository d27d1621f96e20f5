"""Where something stands: locators, pos, quote selectors, links that outlive a library."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from engine.domain.book import DocumentId

Pos = int
"""`volume.ord << 40 | offset in volume`; everything that compares before and after compares these."""

_VOLUME_SHIFT = 40
_OFFSET_MASK = (1 << _VOLUME_SHIFT) - 1
_CONTEXT_CHARS = 32


def pos_of(volume_ord: int, offset_in_volume: int) -> Pos:
    """Return the pos of an offset (code points) in the volume with that order number.

    Raises:
        ValueError: a negative number, or an offset of 2**40 and more.
    """
    if volume_ord < 0 or not 0 <= offset_in_volume <= _OFFSET_MASK:
        raise ValueError(f"no such pos: volume {volume_ord}, offset {offset_in_volume}")
    return volume_ord << _VOLUME_SHIFT | offset_in_volume


def volume_ord_of(pos: Pos) -> int:
    """Return the order number of the volume a pos lies in."""
    return pos >> _VOLUME_SHIFT


def offset_in_volume_of(pos: Pos) -> int:
    """Return the offset (code points) of a pos in its volume."""
    return pos & _OFFSET_MASK


@dataclass(frozen=True, slots=True, order=True)
class Locator:
    """A range of one document, written `[f12-340-402]`."""

    document: DocumentId
    start: int
    end: int

    def __str__(self) -> str:
        return f"[f{self.document}-{self.start}-{self.end}]"


_LOCATOR = re.compile(r"\[?f(\d{1,18})-(\d{1,12})-(\d{1,12})\]?")


def locator_from_text(text: str) -> Locator | None:
    """Read `[f12-340-402]`, brackets optional; None when `text` is no locator."""
    match = _LOCATOR.fullmatch(text.strip())
    if match is None:
        return None
    document, start, end = map(int, match.groups())
    return Locator(DocumentId(document), start, end) if start <= end else None


@dataclass(frozen=True, slots=True)
class QuoteSelector:
    """A W3C TextQuoteSelector: the words themselves, so that a place survives another edition."""

    exact: str
    prefix: str
    suffix: str


def select_quote(text: str, start: int, end: int, *, text_offset: int = 0) -> QuoteSelector:
    """Take the selector of `[start, end)` with 32 characters on both sides.

    Args:
        text: Canonical text, or a part of it that begins at `text_offset` of the document.
        start: Document offset.
        end: Document offset, exclusive.
        text_offset: Where `text` begins in its document.
    """
    a, b = start - text_offset, end - text_offset
    return QuoteSelector(text[a:b], text[max(0, a - _CONTEXT_CHARS) : a], text[b : b + _CONTEXT_CHARS])


@dataclass(frozen=True, slots=True)
class DeepLink:
    """A place outside one library: `understory://<first 16 hex of sha256>/<spine index>/<start>-<end>?q=<exact>`."""

    book_sha16: str
    spine_index: int
    start: int
    end: int
    exact: str = ""
    """At most 32 characters."""

    def __str__(self) -> str:
        tail = f"?q={quote(self.exact[:_CONTEXT_CHARS], safe='')}" if self.exact else ""
        return f"understory://{self.book_sha16}/{self.spine_index}/{self.start}-{self.end}{tail}"


_LINK = re.compile(r"understory://([0-9a-f]{16})/(\d{1,9})/(\d{1,12})-(\d{1,12})(?:\?q=([^#\s]*))?")


def deep_link_from_text(text: str) -> DeepLink | None:
    """Read an `understory://` link; None when `text` is none."""
    match = _LINK.fullmatch(text.strip())
    if match is None:
        return None
    sha16, spine, start, end, exact = match.groups()
    return DeepLink(sha16, int(spine), int(start), int(end), unquote(exact or ""))
