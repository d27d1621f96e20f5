from __future__ import annotations

import pytest

from engine.domain.book import SpanKind
from tests.epubs import marked, read_body, readings


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<b>x</b>", SpanKind.BOLD),
        ("<strong>x</strong>", SpanKind.BOLD),
        ("<i>x</i>", SpanKind.ITALIC),
        ("<em>x</em>", SpanKind.ITALIC),
        ("<cite>x</cite>", SpanKind.ITALIC),
        ("<u>x</u>", SpanKind.UNDERLINE),
        ("<del>x</del>", SpanKind.STRIKE),
        ("<sup>x</sup>", SpanKind.SUPERSCRIPT),
        ("<sub>x</sub>", SpanKind.SUBSCRIPT),
        ("<code>x</code>", SpanKind.CODE),
        ("<span style='font-weight: bold'>x</span>", SpanKind.BOLD),
        ("<span style='font-style:italic'>x</span>", SpanKind.ITALIC),
        ("<span class='strong'>x</span>", SpanKind.BOLD),
        ("<span class='u'>x</span>", SpanKind.UNDERLINE),
        ("<em style='text-emphasis-style: sesame'>x</em>", SpanKind.EMPHASIS_DOTS),
        ("<em class='bouten'>x</em>", SpanKind.EMPHASIS_DOTS),
        ("<span class='em-dot'>x</span>", SpanKind.EMPHASIS_DOTS),
        ("<span class='dots'>x</span>", SpanKind.EMPHASIS_DOTS),
        ("<ruby>x<rt>・</rt></ruby>", SpanKind.EMPHASIS_DOTS),
    ],
)
def test_text_set_apart_is_marked(markup: str, kind: SpanKind) -> None:
    css = ".strong, b.x {font-weight:700} .u{text-decoration: underline} .dots{-epub-text-emphasis: filled dot}"
    document = read_body(f"<p>a{markup}b</p>", css=css)

    assert document.text == "axb"
    assert [(span.start, span.end, span.kind) for span in document.spans] == [(1, 2, kind)]


def test_a_style_can_take_back_what_an_element_means() -> None:
    document = read_body("<p><i class='up'>a</i><b>b</b></p>", css="b{font-weight:normal} .up{font-style: normal}")

    assert document.spans == ()


def test_marks_inside_themselves_count_once_and_leave_out_blanks_at_their_ends() -> None:
    document = read_body("<p>one <b> two <b>three</b> </b> four</p>")

    assert document.text == "one two three four"
    assert marked(document, SpanKind.BOLD) == ["two three"]


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#here", "0#here"),
        ("c1.xhtml", "1#"),
        ("c1.xhtml#%E7%AC%AC", "1#第"),
        ("https://example.org/x", "https://example.org/x"),
    ],
)
def test_links_are_kept_with_their_targets(reference: str, target: str) -> None:
    document = read_body(f"<p>see <a href='{reference}'>there</a></p>", others=["c1.xhtml"])

    assert [(span.kind, span.target) for span in document.spans] == [(SpanKind.LINK, target)]


@pytest.mark.parametrize("reference", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "gone.xhtml"])
def test_links_that_lead_nowhere_are_plain_text(reference: str) -> None:
    document = read_body(f"<p><a href='{reference}'>there</a></p>")

    assert (document.text, document.spans) == ("there", ())


@pytest.mark.parametrize(
    ("markup", "text", "expected"),
    [
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢字", [("漢", "かん"), ("字", "じ")]),
        ("<ruby>黒板<rp>（</rp><rt>こくばん</rt><rp>）</rp></ruby>", "黒板", [("黒板", "こくばん")]),
        ("<ruby><rb>漢</rb><rt>かん</rt><rb>字</rb><rt>じ</rt></ruby>", "漢字", [("漢", "かん"), ("字", "じ")]),
        (
            "<ruby><rb>漢</rb><rb>字</rb><rp>(</rp><rt>かん</rt><rt>じ</rt><rp>)</rp></ruby>",
            "漢字",
            [("漢", "かん"), ("字", "じ")],
        ),
        ("<ruby><rb>漢</rb><rb>字</rb><rt>かんじ</rt></ruby>", "漢字", [("漢字", "かんじ")]),
        (
            "<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt><rtc><rt>Tokyo</rt></rtc></ruby>",
            "東京",
            [("東", "とう"), ("京", "きょう"), ("東京", "Tokyo")],
        ),
        ("<ruby>東<rtc>ひがし</rtc></ruby>", "東", [("東", "ひがし")]),
        ("<ruby><ruby>神<rt>しん</rt></ruby><rt>かみ</rt></ruby>", "神", [("神", "しん"), ("神", "かみ")]),
        ("<ruby>\n <rb>漢</rb>\n <rt>かん</rt>\n</ruby>字", "漢字", [("漢", "かん")]),
        ("<ruby><b>聖</b>剣<rt>エクス<b>カリバー</b></rt></ruby>", "聖剣", [("聖剣", "エクスカリバー")]),
        ("<ruby>a<rt></rt></ruby>", "a", []),
        ("<ruby>三<rt>み</rt>ヶ月</ruby>", "三ヶ月", [("三", "み")]),
        ("read <ruby>this word<rt>aloud</rt></ruby> now", "read this word now", [("this word", "aloud")]),
    ],
)
def test_readings_ride_beside_their_base(markup: str, text: str, expected: list[tuple[str, str]]) -> None:
    document = read_body(f"<p>{markup}</p>")

    assert document.text == text
    assert readings(document) == expected


def test_readings_at_the_start_of_a_second_paragraph_have_the_right_offsets() -> None:
    document = read_body("<p>一</p><p><ruby>二<rt>に</rt></ruby>と<ruby>三<rt>さん</rt></ruby></p>")

    assert readings(document) == [("二", "に"), ("三", "さん")]


def test_quotations_get_their_marks_unless_they_have_them() -> None:
    assert read_body("<p><q>one <q>two</q></q> <q>“three”</q></p>").text == "“one ‘two’” “three”"


def test_offsets_hold_where_letters_are_composed() -> None:
    document = read_body("<p>cafe\u0301 <b>e\u0301te\u0301</b> か\u3099<i>x</i></p>")

    assert document.text == "café été がx"
    assert marked(document, SpanKind.BOLD) == ["été"]
    assert marked(document, SpanKind.ITALIC) == ["x"]
