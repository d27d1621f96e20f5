"""What stands within a line of an answer: bold and italic, code, numbers of citations, veiled runs.

Nothing leads out of the program: of a link only its words are shown, and no address is ever followed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from tui.render.cells import WIDE, clean
from tui.render.dress import raised
from tui.render.wiki_bits import UNLINKED, Bit, Ink, WikiRow
from tui.render.wrap import wrap

VEIL = "▒"
"""Stands for each character of a sentence that is not shown."""
_JOINER = "\u2060"
"""Keeps a number with the word before it; never drawn."""
_TOKEN = re.compile(
    r"\\(?P<plain>[\\`*_\[\]#|~>+.-])|(?P<strong>\*\*|__)|(?P<em>[*_])|`(?P<code>[^`\n]+)`"
    r"|[ ]*\[(?P<cite>\d{1,3})\]|\[(?P<words>[^\[\]\n]{1,200})\]\([^()\s]{0,500}\)"
    rf"|(?P<veil>{VEIL}+)|(?P<break><br ?/?>)"
)
_BETWEEN_WIDE = re.compile(f"[{WIDE}]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one look, and where it begins in the source."""

    text: str
    ink: Ink
    at: int
    cite: int = 0
    """Number of the citation it stands for; 0 for words."""


@dataclass(slots=True)
class _Look:
    base: Ink
    is_strong: bool = False
    is_emphasised: bool = False

    @property
    def ink(self) -> Ink:
        if self.is_strong:
            return Ink.STRONG
        return Ink.EMPHASIS if self.is_emphasised else self.base


def parse_inline(source: str, cites: Container[int], base: Ink = Ink.TEXT) -> tuple[list[Piece], int]:
    """Return the pieces of a text, and up to where no mark is open that a later one may close.

    Args:
        source: Without newlines that mean anything.
        cites: The numbers that are citations; another number in brackets stays as it is.
        base: The look of plain words.
    """
    look, pieces, at = _Look(base), list[Piece](), 0
    settled = len(source)
    for match in _TOKEN.finditer(source):
        start, end = match.span()
        kind = match.lastgroup or ""
        if kind == "cite" and int(match["cite"]) not in cites:
            continue
        if kind in ("strong", "em"):
            if not _turns(source, match, look):
                if _may_open(source, match):
                    settled = min(settled, start)
                continue
            pieces += _words(source, at, start, look.ink)
            _turn(look, kind)
        else:
            pieces += _words(source, at, start, look.ink)
            is_next = kind == "cite" and bool(pieces and pieces[-1].cite) and start == at
            pieces += _special(kind, match, look, "\u00a0" if is_next else "")
        at = end
    pieces += _words(source, at, len(source), look.ink)
    return pieces, settled


def _words(source: str, start: int, end: int, ink: Ink) -> list[Piece]:
    return [Piece(source[start:end], ink, start)] if start < end else []


def _special(kind: str, match: re.Match[str], look: _Look, lead: str) -> list[Piece]:
    at = match.start()
    if kind == "cite":
        return [Piece(lead + raised(match["cite"]), Ink.CITE, at, int(match["cite"]))]
    if kind == "veil":
        return [Piece(match["veil"], Ink.VEIL, at)]
    if kind == "code":
        return [Piece(match["code"], Ink.CODE, at)]
    return [Piece(" " if kind == "break" else match[kind], look.ink, at)]


def _turn(look: _Look, kind: str) -> None:
    if kind == "strong":
        look.is_strong = not look.is_strong
    else:
        look.is_emphasised = not look.is_emphasised


def _turns(source: str, match: re.Match[str], look: _Look) -> bool:
    """Say whether a mark begins or ends what it marks; one that has no fellow is drawn as it is."""
    mark, before, behind = match[0], source[: match.start()][-1:], source[match.end() : match.end() + 1]
    is_word_mark = mark[0] == "_"
    if look.is_strong if match.lastgroup == "strong" else look.is_emphasised:
        return bool(before.strip()) and not (is_word_mark and behind.isalnum())
    if not behind.strip() or (is_word_mark and before.isalnum()):
        return False
    close = source.find(mark, match.end() + 1)
    return close > 0 and bool(source[close - 1].strip())


def _may_open(source: str, match: re.Match[str]) -> bool:
    before, behind = source[: match.start()][-1:], source[match.end() : match.end() + 1]
    return (behind == "" or bool(behind.strip())) and not (match[0][0] == "_" and before.isalnum())


@dataclass(frozen=True, slots=True)
class Flowed:
    """Pieces set in rows."""

    rows: list[WikiRow]
    starts: list[int]
    """Where each row begins in the source."""


def flow(pieces: Sequence[Piece], width: int, links: list[int], lead: Sequence[Bit], indent: int) -> Flowed:
    """Set pieces in rows of at most `width` cells, indent included.

    Args:
        pieces: In order.
        width: Cells.
        links: Takes the number of each citation; its index there is the link of the bit.
        lead: What stands in the indent of the first row, exactly `indent` cells wide.
        indent: Blank cells before the other rows.
    """
    texts = [(_JOINER if piece.cite else "") + clean(piece.text).replace("\t", " ") for piece in pieces]
    linked = [UNLINKED] * len(pieces)
    for number, piece in enumerate(pieces):
        if piece.cite:
            linked[number] = len(links)
            links.append(piece.cite)
    text = "".join(texts)
    begins = wrap(text, max(1, width - indent))
    rows, starts, number, behind = list[WikiRow](), list[int](), 0, 0
    """The piece that a row begins in, and where that piece begins in the text."""
    for row, (start, end) in enumerate(zip(begins, [*begins[1:], len(text)], strict=True)):
        while number < len(texts) - 1 and behind + len(texts[number]) <= start:
            behind += len(texts[number])
            number += 1
        starts.append(pieces[number].at + start - behind if pieces else 0)
        last = start + len(text[start:end].rstrip(" \n"))
        blank = list(lead) if row == 0 else [Bit(" " * indent)] if indent else []
        rows.append(WikiRow((*blank, *_cut(pieces, texts, linked, (number, behind), (start, last)))))
    return Flowed(rows, starts)


def _cut(
    pieces: Sequence[Piece], texts: Sequence[str], linked: Sequence[int], begin: tuple[int, int], span: tuple[int, int]
) -> list[Bit]:
    (number, behind), (start, last) = begin, span
    bits = []
    while number < len(texts) and behind < last:
        words = texts[number][max(0, start - behind) : last - behind].replace(_JOINER, "")
        if words:
            bits.append(Bit(words, pieces[number].ink, linked[number]))
        behind += len(texts[number])
        number += 1
    return bits


def glue(before: str, behind: str) -> str:
    """Return what stands between two lines of a paragraph: a space, or nothing between two wide characters."""
    is_wide = _BETWEEN_WIDE.match(before[-1:]) and _BETWEEN_WIDE.match(behind[:1])
    return "" if is_wide or not before or before[-1:] == " " else " "
