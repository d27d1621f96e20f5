"""A document leaves as plain text and as Markdown."""

from __future__ import annotations

import time
from html import escape

import pytest
from markdown_it import MarkdownIt

from engine.domain.book import (
    Block,
    BlockKind,
    DocumentText,
    Footnote,
    NoteRef,
    Picture,
    Ruby,
    Span,
    SpanKind,
)
from engine.text.markdown import markdown_from_document
from engine.text.readable import readable_text


def _document(*parts: tuple[BlockKind, str], **beside: object) -> DocumentText:
    """Build a document of one block a part."""
    blocks, offset = [], 0
    for kind, text in parts:
        blocks.append(Block(kind, offset, offset + len(text), level=1))
        offset += len(text) + 1
    return DocumentText(0, "c.xhtml", "\n".join(text for __, text in parts), tuple(blocks), **beside)  # type: ignore[arg-type]  # the parts beside the text, by name


P, H, V, Q = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.VERSE, BlockKind.QUOTE

SPANS = [
    pytest.param("a bold b", Span(2, 6, SpanKind.BOLD), "a **bold** b", id="en"),
    pytest.param("彼は強い人だ", Span(2, 4, SpanKind.BOLD), "彼は**強い**人だ", id="ja, no blanks around"),
    pytest.param("他说：走吧", Span(3, 5, SpanKind.ITALIC), "他说：*走吧*", id="zh"),
    pytest.param("a bold b", Span(1, 7, SpanKind.BOLD), "a **bold** b", id="blanks at the edges stay outside"),
    pytest.param("gone", Span(0, 4, SpanKind.STRIKE), "~~gone~~", id="struck"),
    pytest.param(
        "see there", Span(4, 9, SpanKind.LINK, "http://x.invalid/a"), "see [there](http://x.invalid/a)", id="web"
    ),
    pytest.param(
        "see there", Span(4, 9, SpanKind.LINK, "3#note"), "see there", id="a link inside the book is no address"
    ),
    pytest.param(
        "see there", Span(4, 9, SpanKind.LINK, "http://x/) [y](z"), "see there", id="an address that breaks out"
    ),
    pytest.param("empty", Span(2, 2, SpanKind.BOLD), "empty", id="nothing in it"),
]


@pytest.mark.parametrize(("text", "span", "expected"), SPANS)
def test_spans_become_markdown(text: str, span: Span, expected: str) -> None:
    assert markdown_from_document(_document((P, text), spans=(span,))) == expected + "\n"


def test_bold_italic_inside_a_link_nests() -> None:
    spans = tuple(
        Span(0, 4, kind, target)
        for kind, target in [(SpanKind.ITALIC, ""), (SpanKind.LINK, "https://x.invalid"), (SpanKind.BOLD, "")]
    )
    assert markdown_from_document(_document((P, "word"), spans=spans)) == "[***word***](https://x.invalid)\n"


def test_a_run_over_two_paragraphs_is_closed_in_each() -> None:
    document = _document((P, "one"), (P, "two"), spans=(Span(0, 7, SpanKind.ITALIC),))
    assert markdown_from_document(document) == "*one*\n\n*two*\n"


def test_a_range_that_cuts_a_bold_run_is_balanced() -> None:
    document = _document((P, "a bold run here"), spans=(Span(2, 10, SpanKind.BOLD),))
    assert markdown_from_document(document, 4, 12) == "**ld run** h\n"


@pytest.mark.parametrize(
    "words",
    [
        "*x* _y_ `z`",
        "# no heading",
        "1. no list",
        "- no list",
        "[x](y) ![x](y)",
        "<b>&amp;",
        r"a\b \* \(",
        "    x",
        "~~x~~",
    ],
)
def test_signs_of_the_book_itself_are_no_markup(words: str) -> None:
    html = MarkdownIt().enable("strikethrough").render(markdown_from_document(_document((P, words))))
    assert html == f"<p>{escape(words.strip())}</p>\n"


def test_readings_follow_their_base_text() -> None:
    document = _document((P, "如何に漢字を"), rubies=(Ruby(0, 2, "いか"), Ruby(3, 5, "かんじ")))
    assert markdown_from_document(document) == "如何(いか)に漢字(かんじ)を\n"
    assert markdown_from_document(document, with_readings=False) == "如何に漢字を\n"
    assert readable_text(document) == "如何(いか)に漢字(かんじ)を"
    assert readable_text(document, with_readings=False) == "如何に漢字を"


def test_notes_become_footnotes() -> None:
    notes = (Footnote("0#n1", "Of brass.\nSo they say."),)
    document = _document((P, "The lamp burned."), note_refs=(NoteRef(8, "＊", "0#n1"),))
    assert markdown_from_document(document, notes=notes) == (
        "The lamp[^1] burned.\n\n[^1]: Of brass.\n    \n    So they say.\n"
    )
    assert readable_text(document, notes=notes) == "The lamp[＊] burned.\n\n[＊] Of brass.\nSo they say."


def test_pictures_are_told_by_their_description() -> None:
    document = _document(
        (P, "a \ufffc b"), (BlockKind.PICTURE, "\ufffc"), pictures=(Picture(2, "a.png", "map"), Picture(6, "b.png"))
    )
    assert readable_text(document) == "a [map] b\n\n[picture]"
    assert markdown_from_document(document) == "a \\[map\\] b\n\n\\[picture\\]\n"


def test_headings_rules_and_verse_keep_their_shape() -> None:
    document = _document((H, "One"), (P, "text"), (BlockKind.RULE, ""), (V, "a line"), (V, "another"), (Q, "quoted"))
    assert markdown_from_document(document) == "# One\n\ntext\n\n* * *\n\na line  \nanother\n\n> quoted\n"
    assert readable_text(document) == "One\n\ntext\n\n* * *\n\na line\nanother\n\n  quoted"


def test_lists_nest() -> None:
    blocks = (
        Block(BlockKind.ITEM, 0, 1, level=1, marker="•"),
        Block(BlockKind.ITEM, 2, 3, level=2, marker="3."),
        Block(BlockKind.ITEM, 4, 5, level=1, marker="•"),
    )
    document = DocumentText(0, "c.xhtml", "a\nb\nc", blocks)
    assert readable_text(document) == "• a\n  3. b\n• c"
    assert [line.strip() for line in markdown_from_document(document).splitlines()] == ["- a", "3. b", "- c"]


def test_a_table_keeps_rows_and_cells() -> None:
    blocks = (
        Block(BlockKind.ROW, 0, 5, table=1, is_header=True),
        Block(BlockKind.ROW, 6, 11, table=1),
    )
    document = DocumentText(0, "c.xhtml", "a|\tbc\n1\t234", blocks)
    assert readable_text(document) == "a| | bc\n1 | 234"
    lines = [line.strip() for line in markdown_from_document(document).splitlines()]
    assert lines == ["a\\|| bc", "---|---", "1| 234"]


def test_the_parts_of_a_divided_block_are_put_together() -> None:
    blocks = (Block(P, 0, 3), Block(P, 3, 6, is_continued=True), Block(P, 7, 8))
    document = DocumentText(0, "c.xhtml", "abcdef\ng", blocks, note_refs=(NoteRef(3, "1", "0#n"),))
    assert readable_text(document) == "abc[1]def\n\ng"


def test_a_range_begins_and_ends_inside_blocks() -> None:
    document = _document((P, "first one"), (P, "second"), (P, "third"))
    assert readable_text(document, 6, 13) == "one\n\nsec"
    assert markdown_from_document(document, 6, 13) == "one\n\nsec\n"


def _seconds_for(paragraphs: int) -> float:
    spans = tuple(Span(i * 10, i * 10 + 4, SpanKind.BOLD) for i in range(paragraphs))
    document = _document(*[(P, "word word")] * paragraphs, spans=spans)
    started = time.process_time()
    readable_text(document)
    return time.process_time() - started


def test_twice_the_text_takes_at_most_three_times_as_long() -> None:
    long, short = (min(_seconds_for(size) for _each in range(3)) for size in (20_000, 10_000))
    assert long < 3 * max(short, 0.02)
