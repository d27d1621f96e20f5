from __future__ import annotations

import pytest

from engine.domain.book import BlockKind
from tests.epubs import kinds, read_body, texts

V, P = BlockKind.VERSE, BlockKind.PARAGRAPH


@pytest.mark.parametrize(
    "lines",
    [
        ("That sea beast", "Leviathan, which God of all his works"),
        ("春眠不觉晓，", "处处闻啼鸟。"),
        ("ひとつ ふたつ", "みっつ よっつ"),
    ],
)
def test_a_poem_of_a_paragraph_a_line_is_one_stanza(lines: tuple[str, str]) -> None:
    poem = "<div class='poem'>" + "".join(f"<p>{line}</p>" for line in lines) + "</div>"

    document = read_body(f"<p>before</p>{poem}{poem}<p>after</p>")

    assert kinds(document) == [P, V, V, P]
    assert texts(document)[1:3] == ["\n".join(lines)] * 2


@pytest.mark.parametrize(
    "inside",
    [
        "<p>one<br/>two</p><p>three<br/>four</p>",
        "<p>one<span>two</span></p><p>three</p>",
        "<p>one</p><p>&#160;</p><p>two</p>",
        "<p>one</p><div>two</div>",
        f"<p>{'a long line that is no line ' * 8}</p><p>two</p>",
        "<p>one</p>",
    ],
)
def test_a_poem_of_stanzas_keeps_them_apart(inside: str) -> None:
    document = read_body(f"<div class='poem'>{inside}</div>")

    assert len(document.blocks) == len([text for text in texts(document) if text])
    assert [block.kind for block in document.blocks if block.kind is not V] == []
    assert len(document.blocks) == inside.count("<p>") + inside.count("<div>") - inside.count("&#160;")


@pytest.mark.parametrize(
    "css", [".poem p > span{display:block}", ".poem span { display : block }", "p>span{display:block}"]
)
def test_lines_that_are_spans_set_as_blocks_are_lines_of_their_stanza(css: str) -> None:
    poem = "<p><span>The lamp burned low,</span><span>the line was dark.</span></p>"
    document = read_body(f"<div class='poem'>{poem}{poem}</div>", css=css)

    assert kinds(document) == [V, V]
    assert texts(document) == ["The lamp burned low,\nthe line was dark."] * 2


def test_an_address_of_spans_set_as_blocks_keeps_its_lines() -> None:
    body = "<p>To:<span>Ilse Marrow</span><span>Ashfall</span>by the last train</p>"

    assert texts(read_body(body, css="span{display:block}")) == ["To:\nIlse Marrow\nAshfall\nby the last train"]


@pytest.mark.parametrize("css", [".lnum{float:right}", "span.lnum { float : right ; color: gray }"])
def test_what_is_set_at_the_other_edge_does_not_stick_to_the_line(css: str) -> None:
    poem = "<div class='linegroup'><div>into the Hofgarten,<span class='lnum'>10</span></div><div>And drank</div></div>"

    assert texts(read_body(poem, css=css)) == ["into the Hofgarten, 10\nAnd drank"]


def test_an_initial_sticks_to_its_word() -> None:
    assert texts(read_body("<p><span class='i'>W</span>hen</p>", css=".i{float:left}")) == ["When"]
