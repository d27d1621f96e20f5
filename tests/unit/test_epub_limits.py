from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.epub.markup import mend
from tests.epubs import CONTAINER, package, page, read_bytes, read_epub, texts, write_zip

_ZH = "<h1>第一章</h1><p>林黛玉进了荣国府，众人都来迎接。</p>"
_HANT = "<p>賈寶玉與林黛玉在園中說話，這時候來了一個人。</p>"
_JA = "<p>吾輩は猫である。名前はまだ無い。</p>"
_KO = "<p>그는 한국에서 온 사람이다. 나는 그를 모른다.</p>"
_EN = "<p>It\u2019s a caf\u00e9 \u2014 \u201cyes\u201d.</p>"


def _with_doctype(subset: str, body: str) -> bytes:
    return page(body).replace("?>\n", f"?>\n<!DOCTYPE html [{subset}]>\n", 1).encode()


@pytest.mark.parametrize("place", ["<p>&a9;</p>", "<p title='&a9;'>x</p>"])
def test_an_entity_bomb_is_neither_expanded_nor_slow(place: str) -> None:
    subset = '<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    start = time.process_time()

    text = read_bytes(_with_doctype(subset, place)).document.text

    assert "lollol" not in text
    assert time.process_time() - start < 1


def _book_with_entities(tmp_path: Path, place: str, subset: str, use: str) -> Path:
    doctype = f"<!DOCTYPE x [{subset}]>"
    chapter = page("<p>Text.</p>")
    opf = package(
        '<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        '<itemref idref="a"/>',
        metadata=f"<dc:title>T{use if place == 'opf' else ''}</dc:title>",
    )
    label = f"<navLabel><text>N{use}</text></navLabel><content src='c0.xhtml'/>"
    ncx = f"<ncx><navMap><navPoint>{label}</navPoint></navMap></ncx>"
    nav = page(f"<nav epub:type='toc'><ol><li><a href='c0.xhtml'>V{use}</a></li></ol></nav>")
    parts = {
        "container": CONTAINER.replace("<rootfiles>", f"<rootfiles><!-- -->{use}"),
        "opf": opf,
        "ncx": ncx,
        "nav": nav,
        "text": chapter.replace("Text.", f"Text.{use}"),
    }
    with_bomb = parts[place].replace("?>", f"?>{doctype}", 1) if "?>" in parts[place] else doctype + parts[place]
    parts[place] = with_bomb
    entries = {
        "META-INF/container.xml": parts["container"],
        "OEBPS/book.opf": parts["opf"],
        "OEBPS/toc.ncx": parts["ncx"],
    }
    if place != "ncx":
        entries["OEBPS/nav.xhtml"] = parts["nav"]
    return write_zip(tmp_path / "b.epub", entries | {"OEBPS/c0.xhtml": parts["text"]})


@pytest.mark.parametrize("place", ["container", "opf", "ncx", "nav", "text"])
@pytest.mark.parametrize("kind", ["file", "bomb", "parameter"])
def test_entities_do_no_harm_wherever_they_stand(tmp_path: Path, place: str, kind: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("LEAKED")
    subsets = {
        "file": f'<!ENTITY e SYSTEM "{secret.as_uri()}">',
        "bomb": '<!ENTITY a0 "BOOM">'
        + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
        + '<!ENTITY e "&a9;">',
        "parameter": f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p; <!ENTITY e "x">',
    }
    start = time.process_time()

    volume = read_epub(_book_with_entities(tmp_path, place, subsets[kind], "&e;"))

    shown = repr(volume)
    assert "LEAKED" not in shown
    assert "BOOMBOOM" not in shown
    assert volume.documents[0].text.startswith("Text.")
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<p>" + "word" * 250_000 + "</p>", id="one-word"),
        pytest.param("<p>a" + "\u0301\u0316" * 250_000 + "</p>", id="marks"),
        pytest.param("<p>" + "<b>\u0301</b>" * 50_000 + "</p>", id="marks-in-elements"),
        pytest.param("<p>" + "<b>x</b> " * 100_000 + "</p>", id="tags"),
        pytest.param("<p>" + "<br/>" * 200_000 + "</p>", id="breaks"),
        pytest.param("<p>" + "<a href='#x'>1</a>" * 20_000 + "</p>", id="numbered-links"),
        pytest.param("<p>" + "<ruby>x<rt>y</rt></ruby>" * 50_000 + "</p>", id="readings"),
        pytest.param("<table><tr>" + "<td>x</td>" * 100_000 + "</tr></table>", id="cells"),
        pytest.param("<ol>" + "<li>x</li>" * 100_000 + "</ol>", id="items"),
        pytest.param("<case/>" * 50_000, id="cases"),
        pytest.param("<p>x</p><p/>" * 50_000, id="paragraphs"),
        pytest.param("<p>" + " \n" * 400_000 + "x</p>", id="white-space"),
        pytest.param("&" * 500_000, id="ampersands"),
        pytest.param("<" * 200_000, id="less-thans"),
        pytest.param("<!--" * 100_000, id="comments"),
        pytest.param("<p title='" * 50_000, id="attributes"),
        pytest.param("<table>" * 1_000 + "<tr><td>x" * 1_000, id="tables"),
    ],
)
def test_a_megabyte_of_anything_is_read_in_seconds(body: str) -> None:
    start = time.process_time()

    read_bytes(page(body).encode())

    assert time.process_time() - start < 5


def test_many_references_to_a_declared_text_do_not_grow_without_end() -> None:
    subset = f'<!ENTITY a "{"x" * 200}">'

    text, _has_unknown = mend(_with_doctype(subset, "<p>" + "&a;" * 200_000 + "</p>").decode())

    assert len(text) < 4_000_000


@pytest.mark.parametrize("name", ["p", "div", "i", "table", "ruby", "blockquote", "ol", "li"])
def test_hundreds_of_elements_in_each_other_are_no_danger(name: str) -> None:
    depth = 1_900
    read = read_bytes(page(f"<{name}>" * depth + "deep" + f"</{name}>" * depth).encode())

    assert texts(read.document) == ["deep"]
