from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from engine.domain.book import Align, BlockStyle, SpanKind
from engine.epub.selectors import parse_selector
from engine.epub.shapes import Shape, shape_of
from engine.epub.styles import Cascade, Look, parse_stylesheet, style_of_declarations
from tests.epubs import read_body


@pytest.mark.parametrize(
    ("css", "element", "classes", "look"),
    [
        (".a{font-weight:bold}", "p", "a", Look.BOLD),
        ("p.a{font-weight:bold}", "div", "a", Look.NONE),
        (".a.b{font-style:italic}", "p", "a", Look.NONE),
        (".a.b{font-style:italic}", "p", "b c a", Look.ITALIC),
        ("h1, p , .x { text-decoration : underline }", "p", "", Look.UNDERLINE),
        (".a{font-weight:bold} .a{font-weight:normal}", "p", "a", Look.NOT_BOLD),
        ("p{font-weight:bold} .a{font-weight:400}", "p", "a", Look.NOT_BOLD),
        (".a.b{font-style:normal} .a{font-style:italic}", "p", "a b", Look.NOT_ITALIC),
        ("div .a{font-weight:bold}", "p", "a", Look.NONE),
        ("a + .a, .a ~ p, .a:hover, .a[b], .a::before, > .a {font-weight:bold}", "p", "a", Look.NONE),
        ("*{font-weight:bold}", "p", "a", Look.BOLD),
        ("*{font-weight:bold} p{font-weight:normal}", "p", "a", Look.NOT_BOLD),
        (".a:first-letter{font-weight:bold}", "p", "a", Look.NONE),
        ("/* .a{display:none} */ .a{font-weight:bold}", "p", "a", Look.BOLD),
        ("@media amzn { .a{display:none} @media x { p{} } } .a{font-weight:bold}", "p", "a", Look.BOLD),
        ("@import url(x.css); .a{font-weight:bold}", "p", "a", Look.BOLD),
        ("@font-face{font-family:x}.a{font-weight:600 !important}", "p", "a", Look.BOLD),
        (".a{display:none", "p", "a", Look.HIDDEN),
        ("}}}{{{", "p", "a", Look.NONE),
    ],
)
def test_simple_rules_are_followed_and_others_passed_over(css: str, element: str, classes: str, look: Look) -> None:
    assert Cascade((parse_stylesheet(css),)).look(element, classes) == look


def test_an_id_goes_over_classes_and_an_inline_style_over_both() -> None:
    cascade = Cascade((parse_stylesheet(".a{display:none} #x{display:inline}"),))

    assert cascade.look("p", "a") == Look.HIDDEN
    assert cascade.look("p", "a", "x") == Look.SHOWN
    assert cascade.look("p", "a", "x", "display:none") == Look.HIDDEN


def test_declarations_are_read_whatever_their_case() -> None:
    assert style_of_declarations("Font-Weight: BOLD; vertical-align: super").look == Look.BOLD | Look.SUPER


@pytest.mark.parametrize(
    "css", ["{" * 300_000, "@a{" * 150_000, ".a{" * 150_000, "/*" * 250_000, ".a" * 250_000, "a," * 250_000]
)
def test_hostile_stylesheets_are_not_slow(css: str) -> None:
    start = time.process_time()

    parse_stylesheet(css)

    assert time.process_time() - start < 2


_TREE = etree.fromstring("<body><div class='poem x'><p><em><span id='s'/></em></p></div></body>")
_SPAN = next(_TREE.iter("span"))


@pytest.mark.parametrize(
    ("selector", "stands"),
    [
        ("span", True),
        (".poem span", True),
        ("em > span", True),
        ("p > span", False),
        ("p span", True),
        (".poem > p > em > span", True),
        (".poem > em span", False),
        ("body div.x.poem * > span", True),
        ("ul span", False),
    ],
)
def test_a_rule_asks_what_stands_around_an_element(selector: str, stands: bool) -> None:
    parsed = parse_selector(selector)
    assert parsed is not None
    assert parsed.is_around(_SPAN) is stands


@given(st.text("ab.#> *:+~[]()", max_size=20))
def test_any_selector_is_read_or_passed_over(text: str) -> None:
    parsed = parse_selector(text)
    assert parsed is None or isinstance(parsed.is_around(_SPAN), bool)


@pytest.mark.parametrize(
    ("name", "value", "shape"),
    [
        ("text-align", "center", Shape(align=Align.CENTER)),
        ("text-align", "inherit", Shape()),
        ("text-indent", "2em", Shape(indent=4)),
        ("text-indent", "-1.5em", Shape(indent=-3)),
        ("text-indent", "0", Shape(indent=0)),
        ("text-indent", "24px", Shape(indent=3)),
        ("margin-left", "10%", Shape(margin=7)),
        ("margin", "1em 2em", Shape(margin=4)),
        ("margin", "0 0 0 3em", Shape(margin=6)),
        ("margin", "auto", Shape()),
        ("margin-left", "999em", Shape(margin=24)),
        ("color", "#c00", Shape(colour="#cc0000")),
        ("color", "rgb(200, 10, 300)", Shape(colour="#c80aff")),
        ("color", "#111", Shape(colour="")),
        ("color", "black", Shape(colour="")),
        ("color", "expression(1)", Shape()),
        ("font-size", "75%", Shape(is_small=True)),
        ("font-size", "1.2em", Shape(is_small=False)),
        ("font-size", "9px", Shape()),
        ("page-break-before", "always", Shape(is_page_start=True)),
        ("break-before", "avoid", Shape(is_page_start=False)),
    ],
)
def test_what_a_terminal_can_show_is_taken_from_a_declaration(name: str, value: str, shape: Shape) -> None:
    assert shape_of(name, value) == shape


def test_lines_stand_as_their_blocks_and_what_is_around_them_say() -> None:
    css = "div{text-align:center;margin-left:1em} p{text-indent:1em} .r{text-align:right;margin:0 0 0 1em}"
    document = read_body("<div><p>one</p><p class='r'>two</p></div><p>three</p><ul><li>four</li></ul>", css=css)

    assert [block.style for block in document.blocks] == [
        BlockStyle(Align.CENTER, 2, 2),
        BlockStyle(Align.RIGHT, 2, 4),
        BlockStyle(indent=2),
        None,
    ]


def test_a_block_that_begins_a_page_says_so_once() -> None:
    document = read_body("<p>a</p><div class='n'><p>b</p><p>c</p></div>", css=".n{page-break-before:always}")

    assert [bool(block.style and block.style.is_page_start) for block in document.blocks] == [False, True, False]


def test_a_colour_within_a_colour_wins_and_the_outer_goes_on_behind_it() -> None:
    css = ".r{color:red} .b{color:blue} .k{color:black}"
    document = read_body("<p>0<i class='r'>1<b class='b'>2</b>3<b class='k'>4</b>5</i>6 and much more</p>", css=css)

    coloured = [(document.text[s.start : s.end], s.target) for s in document.spans if s.kind is SpanKind.COLOUR]
    assert coloured == [("1", "#ff0000"), ("2", "#0000ff"), ("3", "#ff0000"), ("5", "#ff0000")]


@pytest.mark.parametrize("css", ["p{font-size:80%}", "p{color:#5b4636}"])
def test_what_all_paragraphs_have_is_not_told(css: str) -> None:
    document = read_body("<h1>Heading</h1><p>one paragraph</p><p>another</p>", css=css)

    assert document.spans == ()


def test_small_words_among_others_are_told() -> None:
    document = read_body("<p>one <span class='s'>little</span> paragraph</p>", css=".s{font-size:smaller}")

    assert [(s.kind, document.text[s.start : s.end]) for s in document.spans] == [(SpanKind.SMALL, "little")]
