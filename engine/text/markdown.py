"""A document as Markdown, for excerpts and for whoever reads whole chapters outside: made by html2text.

html2text never sees the book's own markup: it gets clean XHTML made from blocks and spans, so
that readings do not run into their base text and no picture is dropped. It would also put
blanks around bold type, which East Asian text does not have; so bold and italic pass through it
as noncharacters, which no canonical text holds, and become their signs afterwards.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from engine.domain.book import Block, BlockKind, DocumentText, Footnote, Span, SpanKind
from engine.text.inline import CLOSING, OPENING, Insertion, insert, note_marks, pictures, readings, whole_blocks

_BOLD, _ITALIC, _STRIKE, _NOTE, _NOTE_END, _BAR, _LINK, _TARGET, _LINK_END, _BACKSLASH = (
    chr(0xFDD0 + i) for i in range(10)
)
_SIGNS: Mapping[str, str] = {
    _BOLD: "**", _ITALIC: "*", _STRIKE: "~~", _NOTE: "[^", _NOTE_END: "]", _BAR: "\\|",
    _LINK: "[", _TARGET: "](", _LINK_END: ")", _BACKSLASH: "\\",
}  # fmt: skip
_SPAN_SIGNS: Mapping[SpanKind, str] = {
    SpanKind.BOLD: _BOLD,
    SpanKind.ITALIC: _ITALIC,
    SpanKind.UNDERLINE: _ITALIC,
    SpanKind.EMPHASIS_DOTS: _ITALIC,
    SpanKind.STRIKE: _STRIKE,
}
_NESTING = (SpanKind.LINK, *_SPAN_SIGNS)
"""From the outside in, for runs that begin and end together."""
_MANY_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
# What html2text does not escape, and a reader of Markdown takes for markup.
_LEFT_ALONE = re.compile(r"\\|<|&(?=[#\w])|~(?=~)|(?<=~)~")
_LINK_SAFE = re.compile(r"https?://[^\s()<>\[\]]+")


def markdown_from_document(
    document: DocumentText,
    start: int = 0,
    end: int | None = None,
    *,
    notes: Iterable[Footnote] = (),
    with_readings: bool = True,
) -> str:
    """Return `[start, end)` as Markdown; the notes follow as footnotes.

    Args:
        document: The text; offsets are its own.
        start: First offset.
        end: Exclusive; None for all the rest.
        notes: The notes that hang in the range, wherever their bodies stand.
        with_readings: Whether 漢字 is followed by (かんじ).
    """
    stop = len(document.text) if end is None else end
    bodies = {note.note: note.text for note in notes}
    numbers = {note: number for number, note in enumerate(bodies, 1)}

    def mark(note: str, label: str) -> str:
        return f"{_NOTE}{numbers[note]}{_NOTE_END}" if note in numbers else label

    blocks = whole_blocks(document, start, stop)
    insertions = [*_signs(document, blocks), *pictures(document), *note_marks(document, mark)]
    if with_readings:
        insertions.extend(readings(document))
    safe = sorted(replace(each, text=_escaped(each.text)) for each in insertions)
    body = _converted("".join(_xhtml(document, blocks, safe)))
    tail = [f"[^{numbers[note]}]: {_note_text(text)}" for note, text in bodies.items()]
    return "\n\n".join([body, *tail]) + "\n"


def _converted(xhtml: str) -> str:
    import html2text  # 20 ms; only when Markdown is asked for

    converter = html2text.HTML2Text(bodywidth=0)
    converter.unicode_snob = True
    converter.escape_snob = True
    converter.ul_item_mark = "-"
    text = converter.handle(xhtml)
    # A bracket is markup only behind "]", which is escaped too.
    text = text.replace("\\(", "(").replace("\\)", ")")
    text = _MANY_BLANK_LINES.sub("\n\n", text).strip("\n")
    return "".join(_SIGNS.get(char, char) for char in text)


def _note_text(text: str) -> str:
    return _converted("".join(f"<p>{_escaped(line)}</p>" for line in text.split("\n"))).replace("\n", "\n    ")


def _xhtml(document: DocumentText, blocks: Iterable[Block], insertions: Sequence[Insertion]) -> Iterator[str]:
    for (kind, table), run in groupby(blocks, key=lambda block: (block.kind, block.table)):
        lines = [(block, _inline(document, block, insertions)) for block in run]
        if kind is BlockKind.ROW and table:
            yield from _table(lines)
        elif kind in (BlockKind.ITEM, BlockKind.QUOTE):
            yield from _nested(lines)
        elif kind is BlockKind.VERSE:
            yield "<p>" + "<br/>".join(words for __, words in lines) + "</p>"
        else:
            for block, words in lines:
                yield _single(block, words)


def _inline(document: DocumentText, block: Block, insertions: Sequence[Insertion]) -> str:
    words = insert(document.text, block.start, block.end, insertions, _escaped)
    return words if block.kind is BlockKind.PREFORMATTED else words.replace("\n", "<br/>")


def _escaped(text: str) -> str:
    return escape(_LEFT_ALONE.sub(_with_backslash, text))


def _with_backslash(match: re.Match[str]) -> str:
    return _BACKSLASH + (_BACKSLASH if match[0] == "\\" else match[0])


def _single(block: Block, words: str) -> str:
    if block.kind is BlockKind.HEADING:
        tag = f"h{min(6, max(1, block.level))}"
        return f"<{tag}>{words}</{tag}>"
    if block.kind is BlockKind.RULE:
        return "<hr/>"
    if block.kind is BlockKind.PREFORMATTED:
        return f"<pre>{words}</pre>"
    return f"<p>{words}</p>"


def _table(lines: list[tuple[Block, str]]) -> Iterator[str]:
    yield "<table>"
    for block, words in lines:
        tag = "th" if block.is_header else "td"
        cells = words.replace("|", _BAR).split("\t")
        yield "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"
    yield "</table>"


def _nested(lines: list[tuple[Block, str]]) -> Iterator[str]:
    """Yield list items or quotes, each level in a list or quote of its own."""
    is_quote = lines[0][0].kind is BlockKind.QUOTE
    open_tags: list[str] = []
    for block, words in lines:
        tag = "blockquote" if is_quote else "ol" if block.marker[:-1].isdecimal() else "ul"
        level = max(1, block.level)
        while len(open_tags) > level or (len(open_tags) == level and open_tags[-1] != tag):
            yield f"</{open_tags.pop()}>"
        while len(open_tags) < level:
            number = f' start="{int(block.marker[:-1])}"' if tag == "ol" else ""
            yield f"<{tag}{number}>"
            open_tags.append(tag)
        yield f"<p>{words}</p>" if is_quote else f"<li>{words}</li>"
    yield "".join(f"</{tag}>" for tag in reversed(open_tags))


def _signs(document: DocumentText, blocks: Sequence[Block]) -> Iterator[Insertion]:
    """Yield the signs of bold, italic and links; a run over several blocks gets a pair in each."""
    for span in document.spans:
        signs = _pair(span)
        if signs is None:
            continue
        depth = _NESTING.index(span.kind)
        first = bisect_left(blocks, span.start, key=lambda block: block.end)
        for number in range(first, len(blocks)):
            block = blocks[number]
            if block.start >= span.end:
                break
            start, end = _without_blanks(document.text, max(span.start, block.start), min(span.end, block.end))
            if start < end:
                yield Insertion(start, OPENING + depth, signs[0])
                yield Insertion(end, CLOSING + len(_NESTING) - depth, signs[1])


def _pair(span: Span) -> tuple[str, str] | None:
    if span.kind is SpanKind.LINK:
        is_outside = _LINK_SAFE.fullmatch(span.target)
        return (_LINK, _TARGET + span.target + _LINK_END) if is_outside else None
    sign = _SPAN_SIGNS.get(span.kind)
    return None if sign is None else (sign, sign)


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    # "** word**" is no bold type: the signs must touch the words.
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())
