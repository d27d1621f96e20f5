"""Pages of the wiki on paper: nothing of a book becomes markup, every link leads somewhere."""

from __future__ import annotations

import pytest

from engine.domain.book import DocumentId
from engine.domain.locator import Locator
from engine.domain.wiki import (
    Cite,
    Facts,
    Heading,
    LinkRow,
    Listing,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    PointId,
    Quotation,
    Revealed,
    Source,
    Sources,
    StatementId,
    Track,
    TrackNode,
    Veil,
)
from engine.wiki.markdown import MarkdownWriter, escaped, plain_lines

_KEY = PageKey(PageKind.ENTRY, point=PointId(1))
_AT = Locator(DocumentId(3), 10, 20)


def _page(*parts: Part) -> Page:
    return Page(_KEY, "Ilse *Marrow*", "person", ("Moth",), parts)


def _markdown(*parts: Part) -> list[str]:
    writer = MarkdownWriter(lambda at: f"understory://x/{at.start}", lambda key: f"#p{key.point}", notes_prefix="7-")
    return [line for line in writer.page(_page(*parts), 2) if line]


def test_a_page_begins_with_its_title_and_names() -> None:
    assert _markdown() == [r"## Ilse \*Marrow\*", "*person · also Moth*"]


def test_running_text_keeps_its_links_references_and_veils() -> None:
    runs = (
        Plain("She knew "),
        PageLink("Oren [Vale]", PageKey(PageKind.ENTRY, point=PointId(2))),
        Plain(" well."),
        Cite(1, _AT, 10),
        Plain(" "),
        Veil(StatementId(9), 4, "chapter 11"),
    )
    [line] = _markdown(Paragraph(runs))[2:]
    assert line == r"She knew [Oren \[Vale\]](#p2) well.[^7-1] ░░░░ unlocks in chapter 11"


def test_what_was_asked_for_is_set_apart() -> None:
    assert _markdown(Paragraph((Revealed(StatementId(9), "She hid it."),)))[2:] == ["*She hid it.*"]


def test_parts_have_their_form() -> None:
    lines = _markdown(
        Heading(Plain("In the text"), 1),
        Quotation("Moth went home.\nIt rained.", _AT, 10, "ch 2"),
        Facts((("First seen", (Plain("ch 1"), Cite(1, _AT, 10))),)),
        Listing((LinkRow(PageLink("Oren", _KEY), "Captain", 3),), has_more_to_come=True, title="People"),
        Track((TrackNode("ch 1", 4, _AT, 10),), (3,), is_open_ended=True),
        Sources((Source(1, _AT, 10, "ch 1", "“Moth went”"),)),
    )
    assert lines[2:] == [
        "### In the text",
        "> Moth went home. It rained.",
        "> — [ch 2](understory://x/10)",
        "| | |",
        "|---|---|",
        "| First seen | ch 1[^7-1] |",
        "**People**",
        "- [Oren](#p1) · Captain · 3",
        "- *more to come*",
        "**Track** [ch 1](understory://x/10) (4)",
        "[^7-1]: [ch 1](understory://x/10) “Moth went”",
    ]


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("# no heading", r"\# no heading"),
        ("- no item", r"\- no item"),
        ("1. no number", r"\1. no number"),
        ("a | b <i> [x](y) `z` \\", r"a \| b \<i\> \[x\](y) \`z\` \\"),
        ("line\nbreak\t\x0b", "line break"),
        ("&lt; *a* _b_ ~~c~~ ![d]", r"\&lt; \*a\* \_b\_ \~\~c\~\~ \!\[d\]"),
    ],
)
def test_data_is_never_markup(text: str, safe: str) -> None:
    assert escaped(text) == safe


def test_plain_lines_say_the_same_without_links() -> None:
    runs = (Plain("She knew "), PageLink("Oren", _KEY), Cite(1, _AT, 10))
    page = _page(Paragraph(runs), Track((TrackNode("ch 1", 1, _AT, 10),), (3,), is_open_ended=True))
    assert list(plain_lines(page)) == [
        "Ilse *Marrow* · person",
        "also Moth",
        "",
        "She knew Oren[1]",
        "",
        "  ch 1  1 time",
    ]
