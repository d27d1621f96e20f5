from __future__ import annotations

import pytest

from engine.domain.book import WarningKind
from engine.epub.encoding import decode, decode_start
from engine.epub.markup import parse_document, parse_xml
from tests.epubs import page, read_bytes

_ZH = "<h1>第一章</h1><p>林黛玉进了荣国府，众人都来迎接。</p>"
_HANT = "<p>賈寶玉與林黛玉在園中說話，這時候來了一個人。</p>"
_JA = "<p>吾輩は猫である。名前はまだ無い。</p>"
_KO = "<p>그는 한국에서 온 사람이다. 나는 그를 모른다.</p>"
_EN = "<p>It\u2019s a caf\u00e9 \u2014 \u201cyes\u201d.</p>"


def _document(body: str, encoding: str, declared: str | None) -> bytes:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else "<?xml version='1.0'?>"
    return page(body).replace('<?xml version="1.0" encoding="utf-8"?>', declaration).encode(encoding)


@pytest.mark.parametrize(
    ("body", "encoding", "declared", "is_guessed"),
    [
        (_ZH, "gbk", "gbk", False),
        (_ZH, "gb18030", "gb2312", False),
        (_JA, "shift_jis", "Shift_JIS", False),
        (_JA, "euc_jp", "euc-jp", False),
        (_JA, "iso2022_jp", "iso-2022-jp", False),
        (_HANT, "big5", "big5", False),
        (_EN, "cp1252", "iso-8859-1", False),
        (_ZH, "utf-16", "utf-16", False),
        (_JA, "utf-8-sig", "utf-8", False),
        (_ZH, "gbk", None, True),
        (_JA, "shift_jis", None, True),
        (_JA, "euc_jp", None, True),
        (_HANT, "big5", None, True),
        (_KO, "euc_kr", None, True),
        (_EN, "cp1252", None, True),
        (_ZH, "utf-8", "gbk", True),
        (_ZH, "gbk", "utf-8", True),
        (_ZH, "utf-16-le", "utf-16", True),
    ],
)
def test_text_is_read_in_the_encoding_it_is_in(
    body: str, encoding: str, declared: str | None, is_guessed: bool
) -> None:
    read = read_bytes(_document(body, encoding, declared))

    assert read.document.text.split("\n")[-1] in body
    assert "\ufffd" not in read.document.text
    assert (WarningKind.ENCODING_GUESSED in {warning.kind for warning in read.warnings}) is is_guessed


def test_a_few_broken_bytes_do_not_change_the_encoding_of_the_rest() -> None:
    data = page("<p>" + "林黛玉进了荣国府。" * 40 + "</p>").encode()
    data = data.replace("府".encode(), b"\xe5\xba", 1)

    text = read_bytes(data).document.text

    assert text.count("林黛玉") == 40
    assert text.count("\ufffd") == 1


def test_a_meta_element_may_declare_the_encoding() -> None:
    assert decode("<html><head><meta charset='gbk'></head>林黛玉".encode("gbk")).text.endswith("林黛玉")


def test_the_start_of_a_document_may_end_inside_a_character() -> None:
    assert decode_start("好的".encode()[:-1]) == "好"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a &#151; b &#x93;c&#x94; &#x81;", "a — b “c” \ufffd"),
        ("Fish &amp; chips &mdash; caf&eacute;&hellip;", "Fish & chips — café…"),
        ("A & B &c; &lt;i&gt;", "A & B &c; <i>"),
        ("&#x4E2D;&#20013; &#27; &#xD800; &#x110000; &#99999999999;", "中中 \ufffd \ufffd \ufffd \ufffd"),
    ],
)
def test_named_and_numbered_characters_are_replaced(source: str, expected: str) -> None:
    assert read_bytes(page(f"<p>{source}</p>").encode()).document.text == expected


def _with_doctype(subset: str, body: str) -> bytes:
    return page(body).replace("?>\n", f"?>\n<!DOCTYPE html [{subset}]>\n", 1).encode()


def test_entities_declared_as_plain_text_are_replaced_and_no_others() -> None:
    subset = '<!ENTITY who "Ann"><!ENTITY leak SYSTEM "file:///etc/hostname"><!ENTITY more "&who;&who;">'

    read = read_bytes(_with_doctype(subset, "<p>&who; [&leak;] &more;</p>"))

    assert read.document.text == "Ann [&leak;] &more;"
    assert WarningKind.MARKUP_REPAIRED in {warning.kind for warning in read.warnings}


@pytest.mark.parametrize(
    "markup",
    [
        "<html><body><p>One <i>two<p>Three<br>four & five <six></p></body></html>",
        "<HTML><BODY><CENTER>One two</CENTER><P>Three<P>four & five</BODY>",
        "<p>One two</p><p>Three<br>four & five",
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body><p>One two</p>"
        "<a id='x'/><p>Three<br>four & five</p>",
    ],
)
def test_tag_soup_is_read_as_a_browser_would(markup: str) -> None:
    read = read_bytes(markup.encode())

    assert " ".join(read.document.text.split()).startswith("One two Three four & five")
    assert {warning.kind for warning in read.warnings} == {WarningKind.MARKUP_REPAIRED}


def test_types_survive_where_the_markup_is_broken() -> None:
    read = read_bytes(
        page("<p>a<a epub:type='noteref' href='#n'>1</a><br>b<aside epub:type='footnote' id='n'>N</aside>").encode()
    )

    assert read.document.text == "a\nb"
    assert read.document.notes[0].text == "N"


def test_a_document_of_nothing_but_noise_loses_its_text_aloud() -> None:
    read = read_bytes(bytes(range(1, 32)) * 20)

    assert read.document.text.replace("\ufffd", "").strip() == ""


def test_a_package_with_an_unclosed_element_is_still_read() -> None:
    markup = parse_xml(b"<package><metadata><title>A & B</title><manifest><item id='a'/></package>")

    assert markup.root is not None
    assert markup.is_mended
    assert [element.text for element in markup.root.iter("title")] == ["A & B"]


def test_sound_markup_is_not_called_mended() -> None:
    markup = parse_document(page("<p>x</p>").encode())

    assert (markup.is_mended, markup.source, markup.encoding) == (False, "", "")
