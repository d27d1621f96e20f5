from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from engine.domain.book import BlockKind, ContentsSource, ParsedChapter, WarningKind
from engine.epub.reader import open_epub
from engine.errors import FileMissingError, PlaceUnknownError, VolumeProtectedError, VolumeUnreadableError
from engine.text.sanitize import is_clean
from tests.builders import make_epub
from tests.epubs import NOISE, PNG, damage, package, page, read_epub, read_one, write_epub

_THREE = {f"c{n}.xhtml": f"<h1>Chapter {n}</h1><p>Text of chapter {n}.</p>" for n in range(3)}
_NAV = '<nav epub:type="toc"><ol>{}</ol></nav>'
_XHTML = "application/xhtml+xml"


def _links(*pairs: tuple[str, str]) -> str:
    return "".join(f'<li><a href="{href}">{title}</a></li>' for title, href in pairs)


def _found(path: Path) -> set[WarningKind]:
    return {warning.kind for warning in read_epub(path).warnings}


def test_a_good_book_is_read_without_a_warning(tmp_path: Path) -> None:
    path = make_epub(tmp_path / "good.epub", title="Good", chapters=[("One", "<p>a</p>"), ("Two", "<p>b</p>")])

    volume = read_epub(path)

    assert [document.text for document in volume.documents] == ["a", "b"]
    assert volume.chapters == (ParsedChapter("One", 0, 0, 0), ParsedChapter("Two", 0, 1, 0))
    assert volume.contents_source is ContentsSource.NAV
    assert (volume.metadata.title, volume.metadata.authors, volume.metadata.language) == ("Good", ("Ann Author",), "en")
    assert volume.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [(part.title, part.first_spine, part.last_spine) for part in volume.parts] == [("Good", 0, 1)]
    assert volume.warnings == ()


def test_a_missing_item_is_named_and_the_rest_opens(tmp_path: Path) -> None:
    path = make_epub(tmp_path / "m.epub", title="M", chapters=[("One", "<p>a</p>")], missing=["gone.png", "k.js"])

    volume = read_epub(path)

    assert volume.documents[0].text == "a"
    assert any("gone.png" in warning.message for warning in volume.warnings)


@pytest.mark.parametrize(
    "container",
    [None, "<container/>", "not xml at all", '<container><rootfile full-path="gone.opf"/></container>'],
)
def test_the_package_is_searched_for_where_it_is_not_named(tmp_path: Path, container: str | None) -> None:
    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, container=container))

    assert len(volume.documents) == 3
    assert WarningKind.PACKAGE_REPAIRED in {warning.kind for warning in volume.warnings}


def test_a_package_without_a_namespace_opens_and_is_told(tmp_path: Path) -> None:
    opf = package('<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/>', '<itemref idref="a"/>')
    path = write_epub(tmp_path / "b.epub", _THREE, opf=opf.replace(' xmlns="http://www.idpf.org/2007/opf"', ""))

    assert _found(path) >= {WarningKind.PACKAGE_REPAIRED}


def test_items_missing_from_the_spine_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    items = '<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/><item id="b" href="no.xhtml"/>'
    path = write_epub(
        tmp_path / "b.epub", _THREE, opf=package(items, '<itemref idref="b"/><itemref idref="x"/><itemref idref="a"/>')
    )

    volume = read_epub(path)

    assert [document.text for document in volume.documents] == ["Chapter 0\nText of chapter 0."]
    assert any("2 items" in warning.message for warning in volume.warnings)


def test_an_empty_spine_is_filled_from_the_list_of_items(tmp_path: Path) -> None:
    items = "".join(f'<item id="i{n}" href="c{n}.xhtml" media-type="{_XHTML}"/>' for n in range(3))

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, opf=package(items, "")))

    assert len(volume.documents) == 3
    assert WarningKind.SPINE_REPAIRED in {warning.kind for warning in volume.warnings}


def test_of_two_items_with_one_id_both_are_read(tmp_path: Path) -> None:
    items = "".join(f'<item id="same" href="c{n}.xhtml" media-type="{_XHTML}"/>' for n in range(2))
    path = write_epub(tmp_path / "b.epub", _THREE, opf=package(items, '<itemref idref="same"/><itemref idref="same"/>'))

    volume = read_epub(path)

    assert [document.href for document in volume.documents] == ["OEBPS/c0.xhtml", "OEBPS/c1.xhtml"]
    assert WarningKind.PACKAGE_REPAIRED in {warning.kind for warning in volume.warnings}


def test_a_document_twice_in_the_spine_is_read_once(tmp_path: Path) -> None:
    items = f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/>'
    path = write_epub(tmp_path / "b.epub", _THREE, opf=package(items, '<itemref idref="a"/><itemref idref="a"/>'))

    assert len(read_epub(path).documents) == 1


def test_documents_outside_the_reading_order_are_marked(tmp_path: Path) -> None:
    items = "".join(f'<item id="i{n}" href="c{n}.xhtml" media-type="{_XHTML}"/>' for n in range(2))
    spine = '<itemref idref="i0"/><itemref idref="i1" linear="no"/>'

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, opf=package(items, spine)))

    assert [document.is_linear for document in volume.documents] == [True, False]
    assert [chapter.spine_index for chapter in volume.chapters] == [0]


def test_a_picture_in_the_spine_is_a_page_or_its_fallback(tmp_path: Path) -> None:
    items = (
        '<item id="p" href="p.png" media-type="image/png"/>'
        '<item id="q" href="q.png" media-type="image/png" fallback="a"/>'
        f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/>'
        f'<item id="nav" href="nav.xhtml" media-type="{_XHTML}" properties="nav"/>'
    )
    nav = _NAV.format(_links(("Plate", "p.png"), ("Words", "q.png")))
    opf = package(items, '<itemref idref="p"/><itemref idref="q"/>')
    path = write_epub(tmp_path / "b.epub", _THREE, opf=opf, nav=nav, extra={"OEBPS/p.png": PNG, "OEBPS/q.png": PNG})

    volume = read_epub(path)

    assert [document.blocks[0].kind for document in volume.documents] == [BlockKind.PICTURE, BlockKind.HEADING]
    assert volume.documents[0].pictures[0].href == "OEBPS/p.png"
    assert [(chapter.title, chapter.spine_index) for chapter in volume.chapters] == [("Plate", 0), ("Words", 1)]


def test_xml_of_an_unknown_kind_is_shown_only_when_nothing_stands_in_for_it(tmp_path: Path) -> None:
    items = (
        '<item id="x" href="x.xml" media-type="application/xml" fallback="a"/>'
        '<item id="y" href="y.xml" media-type="application/xml"/>'
        f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/>'
    )
    opf = package(items, '<itemref idref="x"/><itemref idref="y"/>')
    extra: dict[str, str | bytes] = {"OEBPS/x.xml": "<moby>x</moby>", "OEBPS/y.xml": "<moby>y</moby>"}

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, opf=opf, extra=extra))

    assert [document.href for document in volume.documents] == ["OEBPS/c0.xhtml", "OEBPS/y.xml"]


def test_a_remote_item_is_named_and_never_fetched(tmp_path: Path) -> None:
    items = (
        f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/>'
        '<item id="v" href="https://example.invalid/a.mp4" media-type="video/mp4"/>'
    )

    assert WarningKind.REMOTE_SKIPPED in _found(
        write_epub(tmp_path / "b.epub", _THREE, opf=package(items, '<itemref idref="a"/>'))
    )


def test_what_points_outside_the_book_is_left_out(tmp_path: Path) -> None:
    items = (
        f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/>'
        f'<item id="e" href="../../../../etc/hostname" media-type="{_XHTML}"/>'
    )
    opf = package(items, '<itemref idref="a"/><itemref idref="e"/>')
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": "<p>a</p><img src='../../../etc/passwd'/>"}, opf=opf)

    volume = read_epub(path)

    assert [document.text for document in volume.documents] == ["a\n\ufffc"]
    assert volume.documents[0].pictures[0].href == ""
    assert WarningKind.OUTSIDE_REFUSED in {warning.kind for warning in volume.warnings}


def test_a_damaged_document_is_empty_and_named(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "b.epub", _THREE | {"c1.xhtml": f"<p>{NOISE}</p>"})

    volume = read_epub(damage(path, "OEBPS/c1.xhtml"))

    assert [bool(document.text) for document in volume.documents] == [True, False, True]
    assert any(w.kind is WarningKind.ENTRY_DAMAGED and "c1.xhtml" in w.message for w in volume.warnings)


def _encryption(algorithm: str, name: str) -> str:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData><enc:CipherReference URI="{name}"/>'
        "</enc:CipherData></enc:EncryptedData></encryption>"
    )


_AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


@pytest.mark.parametrize(
    ("files", "scheme"),
    [
        ({"META-INF/rights.xml": '<a:rights xmlns:a="http://ns.adobe.com/adept"/>'}, "Adobe ADEPT"),
        ({"META-INF/license.lcpl": "{}"}, "Readium LCP"),
        ({"META-INF/sinf.xml": "<sinf/>"}, "Apple FairPlay"),
        ({"META-INF/rights.xml": "<kdrm xmlns='http://kobo.com/drm'/>"}, "Kobo"),
        ({}, "not known"),
    ],
)
def test_a_locked_book_is_refused_with_its_scheme_and_title(tmp_path: Path, files: dict[str, str], scheme: str) -> None:
    extra = files | {"META-INF/encryption.xml": _encryption(_AES, "OEBPS/c0.xhtml")}
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": b"\x93\x01\x88junk"}, extra=extra)

    with pytest.raises(VolumeProtectedError) as error:
        open_epub(path)

    assert scheme in error.value.scheme
    assert "Book" in error.value.message


@pytest.mark.parametrize(
    ("algorithm", "name"),
    [
        ("http://www.idpf.org/2008/embedding", "OEBPS/f.otf"),
        ("http://ns.adobe.com/pdf/enc#RC", "OEBPS/f.otf"),
        (_AES, "OEBPS/f.otf"),
    ],
)
def test_scrambled_fonts_lock_nothing(tmp_path: Path, algorithm: str, name: str) -> None:
    extra: dict[str, str | bytes] = {"META-INF/encryption.xml": _encryption(algorithm, name), "OEBPS/f.otf": b"x"}

    assert len(read_epub(write_epub(tmp_path / "b.epub", _THREE, extra=extra)).documents) == 3


def test_books_without_a_package_or_without_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VolumeUnreadableError, match="package"):
        open_epub(write_epub(tmp_path / "a.epub", {}, opf="<html/>"))
    with pytest.raises(VolumeUnreadableError, match="nothing to read"):
        open_epub(write_epub(tmp_path / "b.epub", {}, opf=package("", "")))
    with pytest.raises(FileMissingError):
        open_epub(tmp_path / "none.epub")


def test_names_in_warnings_are_harmless(tmp_path: Path) -> None:
    items = f'<item id="a" href="c0.xhtml" media-type="{_XHTML}"/><item id="b" href="x&#x202E;&#x9B;31m.png"/>'
    path = write_epub(tmp_path / "b.epub", _THREE, opf=package(items, '<itemref idref="a"/>'))

    assert all(is_clean(warning.message) for warning in read_epub(path).warnings)


def test_a_hundred_warnings_of_a_kind_are_enough(tmp_path: Path) -> None:
    pictures = "".join(f"<img src='gone{n}.png'/>" for n in range(500))

    found = [warning.kind for warning in read_one(tmp_path / "b.epub", f"<p>a</p>{pictures}").warnings]

    assert found.count(WarningKind.PICTURE_MISSING) == 100


def test_pictures_are_read_by_the_name_a_document_gives_them(tmp_path: Path) -> None:
    path = write_epub(
        tmp_path / "b.epub", {"c0.xhtml": "<img src='i/p%20q.png' alt='x'/>"}, extra={"OEBPS/i/p q.png": PNG}
    )

    with open_epub(path) as book:
        picture = book.document(0).pictures[0]
        assert book.resource(picture.href) == PNG
        with pytest.raises(PlaceUnknownError):
            book.resource("../../etc/passwd")
        with pytest.raises(PlaceUnknownError):
            book.document(1)


def test_reading_opens_nothing_but_the_book_and_no_socket(tmp_path: Path) -> None:
    body = (
        "<img src='http://127.0.0.1:9/x.png'/><link rel='stylesheet' href='http://127.0.0.1:9/x.css'/>"
        "<img src='file:///etc/hostname'/><iframe src='http://127.0.0.1:9/'/><object data='file:///etc/passwd'/>"
    )
    head = "<link rel='stylesheet' href='http://127.0.0.1:9/y.css'/><script src='http://127.0.0.1:9/z.js'/>"
    doctype = '<!DOCTYPE html SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    document = page(f"<p>[&x;]</p>{body}", head).replace("?>\n", f"?>\n{doctype}\n", 1)
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": document})
    read_epub(path)
    touched: list[str] = []
    is_watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        # A number is a file that an "open" by name has told of before.
        is_open = event == "open" and not isinstance(arguments[0], int)
        if is_watching and (is_open or event.startswith("socket.")):
            touched.append(f"{event} {arguments[0]}")

    sys.addaudithook(watch)
    text = read_epub(path).documents[0].text
    is_watching = False

    assert {line for line in touched if str(path) not in line} == set()
    assert "root:" not in text
