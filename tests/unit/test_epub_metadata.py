from __future__ import annotations

from pathlib import Path

import pytest

from engine.domain.book import BookMetadata, WarningKind
from engine.epub.container import open_container
from engine.epub.language import detect_language, language_tag
from engine.epub.opinion import ask_ebooklib
from tests.epubs import PNG, package, read_epub, write_epub

_EN = "<p>The old man said that he was not sure of it, and she had to wait for the rest of the day.</p>"
_ZH = "<p>林黛玉进了荣国府，众人都来迎接，老太太十分欢喜，说了许多话。</p>"
_JA = "<p>吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。</p>"


def _metadata(tmp_path: Path, metadata: str, body: str = _EN, name: str = "file_name.epub") -> BookMetadata:
    return read_epub(write_epub(tmp_path / name, {"c0.xhtml": body}, metadata=metadata)).metadata


def test_titles_are_cleaned_and_the_main_one_is_taken(tmp_path: Path) -> None:
    written = (
        '<dc:title id="a">Sub \u202etitle</dc:title><dc:title id="b">  Main \n Title&#27; </dc:title>'
        '<meta refines="#b" property="title-type">main</meta>'
    )

    assert _metadata(tmp_path, written).title == "Main Title\ufffd"


def test_without_a_title_the_file_name_serves(tmp_path: Path) -> None:
    assert _metadata(tmp_path, "<dc:title> </dc:title>").title == "file name"


@pytest.mark.parametrize(
    ("written", "authors"),
    [
        ("<dc:creator>A. Writer</dc:creator><dc:creator>B. Second</dc:creator>", ("A. Writer", "B. Second")),
        ('<dc:creator opf:role="trl">T</dc:creator><dc:creator opf:role="aut">A</dc:creator>', ("A",)),
        (
            '<dc:creator id="i">I</dc:creator><meta refines="#i" property="role">ill</meta><dc:creator>A</dc:creator>',
            ("A",),
        ),
        ('<dc:creator opf:role="trl">T</dc:creator>', ("T",)),
        ("<dc:creator> </dc:creator>", ()),
        ("<dc:creator>X [link=http://e]y[/link]</dc:creator>", ("X [link=http://e]y[/link]",)),
    ],
)
def test_authors_are_those_who_wrote_it(tmp_path: Path, written: str, authors: tuple[str, ...]) -> None:
    assert _metadata(tmp_path, f"<dc:title>T</dc:title>{written}").authors == authors


@pytest.mark.parametrize(
    ("written", "series", "index"),
    [
        ('<meta name="calibre:series" content="Saga"/><meta name="calibre:series_index" content="4.0"/>', "Saga", 4),
        (
            '<meta property="belongs-to-collection" id="c">Saga</meta>'
            '<meta refines="#c" property="collection-type">series</meta>'
            '<meta refines="#c" property="group-position">5</meta>',
            "Saga",
            5,
        ),
        (
            '<meta property="belongs-to-collection" id="c">Box</meta>'
            '<meta refines="#c" property="collection-type">set</meta>',
            "",
            None,
        ),
        ('<meta name="calibre:series" content="Saga"/>', "Saga", None),
        ("", "", None),
    ],
)
def test_series_are_read_where_the_book_names_them(
    tmp_path: Path, written: str, series: str, index: float | None
) -> None:
    metadata = _metadata(tmp_path, f"<dc:title>Volume Five</dc:title>{written}")

    assert (metadata.series, metadata.series_index) == (series, index)


def test_a_title_that_names_a_volume_names_the_series(tmp_path: Path) -> None:
    metadata = _metadata(tmp_path, "<dc:title>刀剑神域 第三卷</dc:title>", _ZH)

    assert (metadata.series, metadata.series_index) == ("刀剑神域", 3)


@pytest.mark.parametrize(
    ("named", "body", "language"),
    [
        ("en", _EN, "en"),
        ("zh-TW", _ZH, "zh-TW"),
        ("", _EN, "en"),
        ("und", _ZH, "zh"),
        ("", _JA, "ja"),
        ("en", _ZH, "zh"),
        ("eng", _EN, "en"),
        ("zh_cn", _ZH, "zh-CN"),
    ],
)
def test_language_is_what_the_book_names_unless_the_text_says_otherwise(
    tmp_path: Path, named: str, body: str, language: str
) -> None:
    written = f"<dc:title>T</dc:title><dc:language>{named}</dc:language>"

    assert _metadata(tmp_path, written, body * 5).language == language


def test_a_guessed_language_is_told(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": _ZH}, metadata="<dc:title>T</dc:title>")

    assert WarningKind.METADATA_GUESSED in {warning.kind for warning in read_epub(path).warnings}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat sat on the mat and the dog was in the garden with his bone.", "en"),
        ("Le chat est dans le jardin et il ne veut pas que le chien vienne.", "fr"),
        ("Der Hund ist in dem Garten und die Katze will nicht, dass er kommt.", "de"),
        ("贾宝玉与林黛玉在园中说话，这时候来了一个人。", "zh"),
        ("メロスは激怒した。必ず、かの邪智暴虐の王を除かなければならぬ。", "ja"),
        ("그는 한국에서 온 사람이다. 나는 그를 모른다. 그러나 안다.", "ko"),
        ("مرحبا بكم في هذا الكتاب الجميل الذي كتبه صديقي", "ar"),
        ("Он вышел из дома и пошёл по улице, не оглядываясь назад.", "ru"),
        ("1234 5678", ""),
        ("", ""),
    ],
)
def test_languages_are_told_by_their_letters_and_small_words(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("written", "tag"),
    [("EN-gb", "en-GB"), ("zh-Hans-CN", "zh-Hans-CN"), ("jpn", "ja"), ("x-none", ""), ("Chinese", "zh"), ("??", "")],
)
def test_language_tags_are_brought_into_one_form(written: str, tag: str) -> None:
    assert language_tag(written) == tag


def test_right_to_left_progression_identifier_publisher_and_cover_are_kept(tmp_path: Path) -> None:
    items = (
        '<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="img" href="front.png" media-type="image/png"/>'
    )
    metadata = (
        '<dc:title>T</dc:title><dc:identifier>other</dc:identifier><dc:identifier id="id">urn:x</dc:identifier>'
        '<dc:publisher>House</dc:publisher><meta name="cover" content="img"/>'
    )
    opf = package(items, '<itemref idref="a"/>', metadata=metadata, attributes=' page-progression-direction="rtl"')

    found = read_epub(
        write_epub(tmp_path / "b.epub", {"c0.xhtml": _EN}, opf=opf, extra={"OEBPS/front.png": PNG})
    ).metadata

    assert found.is_right_to_left
    assert (found.identifier, found.publisher, found.cover_href) == ("urn:x", "House", "OEBPS/front.png")


def test_a_first_page_that_is_a_picture_is_the_cover_where_none_is_named(tmp_path: Path) -> None:
    documents = {"c0.xhtml": "<svg><image xlink:href='i/c.png'/></svg>", "c1.xhtml": _EN}
    path = write_epub(tmp_path / "b.epub", documents, extra={"OEBPS/i/c.png": PNG})
    plain = write_epub(
        tmp_path / "p.epub", {"c0.xhtml": _EN * 3 + "<img src='i/c.png'/>"}, extra={"OEBPS/i/c.png": PNG}
    )

    assert read_epub(path).metadata.cover_href == "OEBPS/i/c.png"
    assert read_epub(plain).metadata.cover_href == ""


def test_ebooklib_gives_its_opinion_of_a_sound_package(tmp_path: Path) -> None:
    nav = '<nav epub:type="toc"><ol><li><a href="c0.xhtml">One</a></li></ol></nav>'
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": _EN}, nav=nav)

    opinion = ask_ebooklib(open_container(path), "OEBPS/book.opf")

    assert (opinion.title, opinion.authors, opinion.language) == ("Book", ("Ann",), "en")
    assert [(entry.title, entry.href) for entry in opinion.entries] == [("One", "c0.xhtml")]


@pytest.mark.parametrize("opf", ["", "<package/>", "not xml", '<package xmlns="http://www.idpf.org/2007/opf"/>'])
def test_ebooklib_has_no_opinion_of_a_broken_package_and_raises_nothing(tmp_path: Path, opf: str) -> None:
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": _EN}, opf=opf or " ")

    assert ask_ebooklib(open_container(path), "OEBPS/book.opf").title == ""
