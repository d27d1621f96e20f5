from __future__ import annotations

import pytest

from engine.domain.book import BlockKind, SpanKind, WarningKind
from tests.epubs import kinds, marked, page, read_body, read_bytes, text_of, texts

P, H, Q, LI, V = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.QUOTE, BlockKind.ITEM, BlockKind.VERSE


def test_blocks_are_divided_by_one_newline_and_cover_the_text() -> None:
    document = read_body("<h2>One</h2><p>Two</p><div>Three<p>Four</p>Five</div>")

    assert document.text == "One\nTwo\nThree\nFour\nFive"
    assert kinds(document) == [H, P, P, P, P]
    assert [(block.start, block.end) for block in document.blocks] == [(0, 3), (4, 7), (8, 13), (14, 18), (19, 23)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\n   b\t c", "a b c"),
        ("  a <b> b </b> c ", "a b c"),
        ("林黛玉\n进了荣国府", "林黛玉进了荣国府"),
        ("吾輩は\n  猫である。\n名前は", "吾輩は猫である。名前は"),
        ("他说：\n“好。”\n她走了", "他说：“好。”她走了"),
        ("中文 English\n中文", "中文 English 中文"),
        ("한국\n말", "한국 말"),
        ("林<b>黛</b>\n<i>玉</i>", "林黛玉"),
        ("one<!-- x -->two", "onetwo"),
        ("a<wbr/>b&#173;c\ufeffd", "abcd"),
        ("<span>x</span><span>y</span>", "xy"),
        ("cafe\u0301 e<b>\u0301</b>", "café é"),
    ],
)
def test_white_space_of_the_source_is_folded(source: str, expected: str) -> None:
    assert read_body(f"<p>{source}</p>").text == expected


def test_indents_made_of_blanks_are_left_to_the_page() -> None:
    document = read_body("<p>\u3000\u3000第一段。</p><p>&#160;&#160;Second.&#160;</p><p>\u3000</p>")

    assert document.text == "第一段。\nSecond."


def test_a_break_is_a_newline_inside_the_block_and_two_divide_it() -> None:
    document = read_body("<p>one<br/>two<br/><br/>three<br/></p>")

    assert texts(document) == ["one\ntwo", "three"]


def test_preformatted_text_keeps_its_blanks_and_lines() -> None:
    document = read_body("<pre>\na\n  b\n\tc\n</pre>")

    assert document.text == "a\n  b\n        c"
    assert kinds(document) == [BlockKind.PREFORMATTED]


@pytest.mark.parametrize(
    "body",
    [
        '<div class="poem"><p>Line one<br/>&#160;&#160;Line two</p></div>',
        '<blockquote epub:type="z3998:verse"><p>Line one<br/>&#160;&#160;Line two</p></blockquote>',
        '<div class="stanza"><p>Line one</p><p>&#160;&#160;Line two</p></div>',
        '<div class="linegroup"><div>Line one</div><div>&#160;&#160;Line two</div></div>',
    ],
)
def test_lines_of_a_poem_stay_together_with_their_indents(body: str) -> None:
    document = read_body(body)

    assert document.text == "Line one\n\u00a0\u00a0Line two"
    assert kinds(document) == [V]


def test_stanzas_are_blocks_of_their_own() -> None:
    document = read_body(
        '<div class="poem"><div class="stanza"><p>a</p><p>b</p></div><div class="stanza"><p>c</p></div></div>'
    )

    assert texts(document) == ["a\nb", "c"]


def test_quotes_and_lists_know_their_depth() -> None:
    body = (
        "<blockquote><p>q1</p><blockquote><p>q2</p></blockquote></blockquote>"
        "<ul><li>a<ol start='3'><li>b</li><li>c</li></ol></li></ul>"
    )
    document = read_body(body)

    assert [(block.kind, block.level, block.marker) for block in document.blocks] == [
        (Q, 1, ""),
        (Q, 2, ""),
        (LI, 1, "•"),
        (LI, 2, "3."),
        (LI, 2, "4."),
    ]


@pytest.mark.parametrize(
    ("attributes", "markers"),
    [
        ("", ["1.", "2.", "3."]),
        ("start='9'", ["9.", "10.", "11."]),
        ("type='a' start='26'", ["z.", "aa.", "ab."]),
        ("type='I' start='3'", ["III.", "IV.", "V."]),
        ("reversed='reversed'", ["3.", "2.", "1."]),
        ("start='-1'", ["-1.", "0.", "1."]),
        ("start='99999999999999999999'", ["1.", "2.", "3."]),
        ("style='list-style-type: none'", ["", "", ""]),
    ],
)
def test_ordered_lists_count_as_they_are_told(attributes: str, markers: list[str]) -> None:
    document = read_body(f"<ol {attributes}><li>a</li><li>b</li><li>c</li></ol>")

    assert [block.marker for block in document.blocks] == markers


def test_an_item_may_give_its_own_number_and_only_its_first_block_is_marked() -> None:
    document = read_body("<ol><li value='7'><p>a</p><p>b</p></li><li>c</li></ol>")

    assert [(text_of(document, block), block.marker) for block in document.blocks] == [
        ("a", "7."),
        ("b", ""),
        ("c", "8."),
    ]


def test_definitions_stand_deeper_than_their_terms() -> None:
    document = read_body("<dl><dt>Term</dt><dd>Meaning</dd></dl>")

    assert [(block.kind, block.level) for block in document.blocks] == [(LI, 1), (LI, 2)]


def test_a_table_becomes_rows_of_cells() -> None:
    document = read_body(
        "<table><caption>Ages</caption><thead><tr><th>Name</th><th>Age</th></tr></thead>"
        "<tr><td><p>Ann</p><p>Lee</p></td><td>30</td></tr>"
        "<tr><td colspan='2'>both</td></tr><tr><td></td><td>x</td></tr></table>"
        "<table><tr><td>a</td><td>b</td></tr></table>"
    )

    assert texts(document) == ["Ages", "Name\tAge", "Ann\nLee\t30", "both", "\tx", "a\tb"]
    assert [(block.kind, block.table, block.is_header) for block in document.blocks] == [
        (BlockKind.CAPTION, 1, False),
        (BlockKind.ROW, 1, True),
        (BlockKind.ROW, 1, False),
        (BlockKind.ROW, 1, False),
        (BlockKind.ROW, 1, False),
        (BlockKind.ROW, 2, False),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td><p>a</p></td></tr><tr><td><p>b</p></td></tr></table>",
        "<table role='presentation'><tr><td><p>a</p></td><td><p>b</p></td></tr></table>",
        "<table><tr><td><h2>a</h2></td><td><p>b</p></td></tr></table>",
        "<table><tr><td>a</td><td><table><tr><td>b</td></tr></table></td></tr></table>",
    ],
)
def test_a_table_that_only_places_things_is_read_as_paragraphs(table: str) -> None:
    document = read_body(table)

    assert texts(document) == ["a", "b"]
    assert BlockKind.ROW not in kinds(document)


@pytest.mark.parametrize("sign", ["* * *", "***", "◇", "※", "＊　＊　＊", "-----", "• • •", "⁂"])
def test_a_paragraph_of_signs_is_a_scene_break(sign: str) -> None:
    document = read_body(f"<p>a</p><p>{sign}</p><p>b</p>")

    assert kinds(document) == [P, BlockKind.RULE, P]


@pytest.mark.parametrize("speech", ["……", "——", "！？", "A", "1", "。"])
def test_a_paragraph_of_silence_is_none(speech: str) -> None:
    assert kinds(read_body(f"<p>a</p><p>{speech}</p>")) == [P, P]


def test_a_rule_is_an_empty_block() -> None:
    document = read_body("<p>a</p><hr/><p>b</p>")

    assert document.text == "a\n\nb"
    assert [(block.kind, block.start, block.end) for block in document.blocks] == [
        (P, 0, 1),
        (BlockKind.RULE, 2, 2),
        (P, 3, 4),
    ]


def test_rare_empty_paragraphs_are_scene_breaks_and_frequent_ones_are_not() -> None:
    lines = "".join(f"<p>{number}</p>" for number in range(12))

    rare = read_body(f"<p>a</p><p><br/></p><p>&#160;</p><p>b</p>{lines}{lines}")
    frequent = read_body(f"<p>a</p><p><br/></p><p>b</p><p/><p>c</p>{lines}")

    assert kinds(rare)[:3] == [P, BlockKind.RULE, P]
    assert BlockKind.RULE not in kinds(frequent)


def test_hidden_text_scripts_and_styles_stay_out() -> None:
    document = read_body(
        "<script>var leak=1;</script><style>p{color:red}</style><p>Visible.</p><p hidden='hidden'>no</p>"
        "<p style='display: none'>no</p><p class='gone'>no</p><div id='off'>no</div><template>no</template>",
        css=".gone { display:none } #off{visibility : hidden}",
    )

    assert document.text == "Visible."


def test_pictures_are_one_character_with_alternative_text() -> None:
    document = read_body(
        "<p>See <img src='a.png' alt='A map' width='600' height='80px'/> here</p><p><img src='b.png' alt=''/></p>"
        "<svg xmlns='http://www.w3.org/2000/svg'><image xlink:href='c.jpg' width='1200' height='1600'/></svg>"
        "<picture><source srcset='x.webp'/><img src='d.png'/></picture><img src='http://x.invalid/e.png' alt='far'/>"
    )

    assert document.text == "See \ufffc here\n\ufffc\n\ufffc\ufffc\ufffc"
    assert kinds(document) == [P, BlockKind.PICTURE, BlockKind.PICTURE]
    assert [(p.href, p.alt, p.width, p.height) for p in document.pictures] == [
        ("a.png", "A map", 600, 80),
        ("b.png", "", 0, 0),
        ("c.jpg", "", 1200, 1600),
        ("d.png", "", 0, 0),
        ("", "far", 0, 0),
    ]


def test_text_in_a_picture_that_was_never_closed_is_read() -> None:
    assert read_body("<p><img src='a.png'>all <b>the</b> rest</img></p>").text == "\ufffcall the rest"


def test_a_picture_sign_in_the_source_is_no_picture() -> None:
    document = read_body("<p>a\ufffcb</p>")

    assert document.text == "a\ufffdb"
    assert document.pictures == ()


def test_a_picture_of_one_character_is_that_character() -> None:
    assert read_body("<p>森<img class='gaiji' src='g.png' alt='鷗'/>外</p>").text == "森鷗外"


def test_text_in_a_drawing_is_read_and_an_empty_drawing_is_a_picture() -> None:
    document = read_body(
        "<svg xmlns='http://www.w3.org/2000/svg'><text>Title</text></svg>"
        "<svg xmlns='http://www.w3.org/2000/svg'><title>A bird</title><path d='M0'/></svg>"
    )

    assert texts(document) == ["Title", "\ufffc"]
    assert document.pictures[0].alt == "A bird"


def test_what_stands_in_for_audio_video_and_objects_is_read() -> None:
    document = read_body(
        "<audio src='a.mp3'>No audio.</audio><video src='v.mp4'><p>No video.</p></video>"
        "<object data='p.png' type='image/png'>A boat</object><iframe src='http://x.invalid/'>frame</iframe>"
    )

    assert texts(document) == ["No audio.", "No video.", "\ufffc"]
    assert document.pictures[0].alt == "A boat"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("<math alttext='E=mc^2'><mi>E</mi></math>", "E=mc^2"),
        ("<math><mi>c</mi><mo>=</mo><msup><mi>a</mi><mn>2</mn></msup></math>", "c=a^2"),
        ("<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>", "(a+b)/2"),
        ("<math><msqrt><mi>x</mi></msqrt></math>", "√x"),
    ],
)
def test_formulas_are_read_as_one_line(formula: str, expected: str) -> None:
    assert read_body(f"<p>{formula}</p>").text == expected


def test_of_a_switch_the_default_is_read() -> None:
    body = (
        "<p><epub:switch><epub:case required-namespace='x'>chem</epub:case>"
        "<epub:default>text</epub:default></epub:switch></p>"
    )

    assert read_body(body).text == "text"


def test_captions_and_heading_groups_are_marked() -> None:
    document = read_body(
        "<hgroup><h2>II</h2><p>The Storm</p></hgroup><figure><img src='a.png'/><figcaption>A ship</figcaption></figure>"
    )

    assert [(block.kind, block.level) for block in document.blocks] == [
        (H, 2),
        (H, 3),
        (BlockKind.PICTURE, 0),
        (BlockKind.CAPTION, 0),
    ]


def test_printed_page_numbers_ride_beside_the_text() -> None:
    document = read_body(
        "<p>a<span epub:type='pagebreak' id='p2' title='2'/>b</p><span class='pagenum'>[Pg 3]</span><p>c</p>"
        "<div role='doc-pagebreak' aria-label='4.'/><p>d</p>"
    )

    assert document.text == "ab\nc\nd"
    assert document.page_breaks == (("2", 1), ("3", 3), ("4", 5))


def test_anchors_point_to_what_follows_them() -> None:
    document = read_body("<p id='one'>a</p><h2 id='two'>b</h2><p>c <a id='mid'/>d<a name='end'/></p><div id='last'/>")

    assert dict(document.anchors) == {"one": 0, "two": 2, "mid": 6, "end": 7, "last": 7}


def test_a_block_of_any_length_is_divided_at_sentences_without_a_gap() -> None:
    document = read_body(f"<p>{'好的，我知道了。' * 3000}</p>")

    assert len(document.blocks) == 3
    assert [block.is_continued for block in document.blocks] == [False, True, True]
    assert all(block.end - block.start <= 8192 for block in document.blocks)
    assert all(text_of(document, block).endswith("。") for block in document.blocks)
    assert [block.start for block in document.blocks[1:]] == [block.end for block in document.blocks[:-1]]


def test_a_long_block_is_never_cut_inside_a_letter() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    document = read_body(f"<p>{family * 4000}</p>")

    assert all(text_of(document, block).startswith("\U0001f468") for block in document.blocks)
    assert all(text_of(document, block).endswith("\U0001f467") for block in document.blocks)


@pytest.mark.parametrize("depth", [300, 2000, 5000])
def test_text_at_any_depth_is_read(depth: int) -> None:
    read = read_bytes(page("<div>" * depth + "<p>Deep</p>" + "</div>" * depth + "<p>AFTER</p>").encode())

    assert read.document.text == "Deep\nAFTER"
    assert WarningKind.TEXT_LOST not in {warning.kind for warning in read.warnings}


def test_a_hundred_thousand_open_tags_do_not_hide_what_follows() -> None:
    read = read_bytes(b"<html><body>" + b"<i>" * 100_000 + b"Very deep.<p>After</p></body></html>")

    assert read.document.text == "Very deep.\nAfter"
    assert len(read.document.spans) <= 4


def test_a_part_of_a_document_is_a_prefix_of_the_whole() -> None:
    data = page("".join(f"<p>Paragraph <b>{number}</b>.</p>" for number in range(100))).encode()

    whole, part = read_bytes(data).document, read_bytes(data, upto=200).document

    assert not part.is_complete
    assert whole.is_complete
    assert 200 <= len(part.text) < 250
    assert whole.text.startswith(part.text + "\n")
    assert whole.blocks[: len(part.blocks)] == part.blocks
    assert set(part.spans) <= set(whole.spans)


def test_bold_that_runs_over_paragraphs_is_divided_at_their_borders() -> None:
    document = read_body("<div><b><p>one</p><p>two</p></b></div>")

    assert marked(document, SpanKind.BOLD) == ["one", "two"]


def test_title_and_language_come_from_the_document() -> None:
    document = read_bytes(page("<h1>第一章</h1>", language="ja").replace("<title>Page</title>", "").encode()).document

    assert (document.title, document.language) == ("第一章", "ja")


def test_control_characters_are_taken_out_and_named() -> None:
    read = read_bytes(page("<p>A&#27;[31mB \u202eevil\u202c C\x9b</p>").encode())

    assert read.document.text == "A\ufffd[31mB evil C\ufffd"
    assert WarningKind.CONTROL_REMOVED in {warning.kind for warning in read.warnings}


def test_direction_marks_of_arabic_and_hebrew_are_dropped_without_a_warning() -> None:
    read = read_bytes(page("<p>\u200fשלום\u200e ABC</p>").encode())

    assert read.document.text == "שלום ABC"
    assert read.warnings == ()


def test_an_empty_document_has_no_blocks() -> None:
    assert read_body("<p>&#160;</p><div/>").blocks == ()
    assert read_bytes(b"").document.text == ""
