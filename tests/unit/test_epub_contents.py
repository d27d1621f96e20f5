from __future__ import annotations

from pathlib import Path

import pytest

from engine.domain.book import ChapterKind, ContentsSource, ParsedChapter, ParsedPage, WarningKind
from engine.epub.reader import open_epub
from tests.epubs import page, read_epub, write_epub

_THREE = {f"c{n}.xhtml": f"<h1>Chapter {n}</h1><p>Text of chapter {n}.</p>" for n in range(3)}
_NAV = '<nav epub:type="toc"><ol>{}</ol></nav>'
_XHTML = "application/xhtml+xml"


def _links(*pairs: tuple[str, str]) -> str:
    return "".join(f'<li><a href="{href}">{title}</a></li>' for title, href in pairs)


def _points(*pairs: tuple[str, str]) -> str:
    return "".join(
        f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{href}"/></navPoint>'
        for title, href in pairs
    )


def test_the_reading_order_is_the_spine_whatever_the_zip_and_the_contents_say(tmp_path: Path) -> None:
    nav = _NAV.format(_links(("Third", "c2.xhtml"), ("First", "c0.xhtml")))

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav))

    assert [document.href for document in volume.documents] == [f"OEBPS/c{n}.xhtml" for n in range(3)]
    assert [chapter.title for chapter in volume.chapters] == ["First", "Third"]


def test_nav_is_taken_before_a_stale_ncx(tmp_path: Path) -> None:
    nav = _NAV.format(_links(("NEW", "c0.xhtml")))

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav, ncx=_points(("OLD", "c0.xhtml"))))

    assert [chapter.title for chapter in volume.chapters] == ["NEW"]


def test_ncx_serves_where_the_nav_holds_nothing(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "b.epub", _THREE, nav=_NAV.format(""), ncx=_points(("A &amp; B", "c1.xhtml")))

    volume = read_epub(path)

    assert volume.contents_source is ContentsSource.NCX
    assert volume.chapters == (ParsedChapter("A & B", 0, 1, 0),)


@pytest.mark.parametrize("nav", ["<nav><ol>{}</ol></nav>", "<nav role='doc-toc'><ol>{}</ol></nav>", "<ol>{}</ol>"])
def test_a_nav_without_its_type_is_still_a_nav(tmp_path: Path, nav: str) -> None:
    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav.format(_links(("One", "c0.xhtml")))))

    assert [chapter.title for chapter in volume.chapters] == ["One"]


def test_headings_serve_where_there_are_no_contents(tmp_path: Path) -> None:
    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE))

    assert volume.contents_source is ContentsSource.HEADINGS
    assert [chapter.title for chapter in volume.chapters] == ["Chapter 0", "Chapter 1", "Chapter 2"]
    assert WarningKind.CONTENTS_REBUILT in {warning.kind for warning in volume.warnings}


@pytest.mark.parametrize(
    ("line", "title"),
    [("第一章 风雪", "第一章 风雪"), ("第二十回", "第二十回"), ("CHAPTER IV. The Storm", "CHAPTER IV. The Storm")],
)
def test_lines_that_read_like_headings_serve_where_there_are_none(tmp_path: Path, line: str, title: str) -> None:
    body = f"<p>Before it all.</p><p>{line}</p><p>It was a dark night.</p>"

    volume = read_epub(write_epub(tmp_path / "b.epub", {"c0.xhtml": body}))

    assert [chapter.title for chapter in volume.chapters] == [title]


def test_documents_serve_where_there_are_no_headings_either(tmp_path: Path) -> None:
    documents = {"c0.xhtml": page("<p>Once upon a time.</p>").replace("<title>Page</title>", "<title></title>")}

    volume = read_epub(write_epub(tmp_path / "b.epub", documents))

    assert volume.contents_source is ContentsSource.SPINE
    assert volume.chapters[0].title == "Once upon a time."


def test_contents_of_many_documents_in_one_entry_are_rebuilt(tmp_path: Path) -> None:
    documents = {f"c{n}.xhtml": f"<h2>Chapter {n}</h2><p>Text.</p>" for n in range(8)}

    volume = read_epub(write_epub(tmp_path / "b.epub", documents, ncx=_points(("Start", "c0.xhtml"))))

    assert len(volume.chapters) == 8
    assert volume.contents_source is ContentsSource.HEADINGS


def test_entries_lead_into_the_middle_of_a_document(tmp_path: Path) -> None:
    body = "".join(f'<h2 id="s{n}">Section {n}</h2><p>Body {n}.</p>' for n in range(3))
    nav = _NAV.format(_links(*[(f"Section {n}", f"c0.xhtml#s{n}") for n in range(3)]))

    volume = read_epub(write_epub(tmp_path / "b.epub", {"c0.xhtml": body}, nav=nav))

    starts = [chapter.offset for chapter in volume.chapters]
    assert [volume.documents[0].text[start:][:9] for start in starts] == ["Section 0", "Section 1", "Section 2"]


def test_broken_entries_are_dropped_or_brought_to_their_document(tmp_path: Path) -> None:
    nav = _NAV.format(
        _links(
            ("One", "c0.xhtml"),
            ("Gone", "missing.xhtml"),
            ("No fragment", "c1.xhtml#nope"),
            ("", "c2.xhtml"),
            ("Ext", "https://example.org/x"),
        )
    )

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav))

    assert [(chapter.title, chapter.spine_index) for chapter in volume.chapters] == [
        ("One", 0),
        ("No fragment", 1),
        ("Chapter 2", 2),
    ]
    missing = [w for w in volume.warnings if w.kind is WarningKind.CONTENTS_TARGET_MISSING]
    assert len(missing) == 3


def test_labels_have_no_readings_and_keep_alternative_texts(tmp_path: Path) -> None:
    nav = _NAV.format(
        _links(
            ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>", "c0.xhtml"),
            ("<img src='x.png' alt='Two'/>", "c1.xhtml"),
            ("Ev\u202eil &#27;[2J", "c2.xhtml"),
        )
    )

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav))

    assert [chapter.title for chapter in volume.chapters] == ["漢字", "Two", "Evil \ufffd[2J"]


def test_two_hundred_levels_of_contents_are_read_without_recursion(tmp_path: Path) -> None:
    depth = 400
    items = "".join(f'<li><a href="c0.xhtml">L{n}</a><ol>' for n in range(depth))
    nav = _NAV.format(f'{items}<li><a href="c1.xhtml">end</a></li>{"</ol></li>" * depth}')

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav))

    assert [chapter.level for chapter in volume.chapters] == list(range(depth + 1))


def test_a_heading_of_the_contents_without_a_link_begins_where_its_first_entry_does(tmp_path: Path) -> None:
    inner = _links(("One", "c1.xhtml"))
    nav = _NAV.format(f"<li><span>Part I</span><ol>{inner}</ol></li><li><span>Empty</span></li>")

    volume = read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav))

    assert volume.chapters == (ParsedChapter("Part I", 0, 1, 0), ParsedChapter("One", 1, 1, 0))


def test_page_list_and_landmarks_are_no_chapters(tmp_path: Path) -> None:
    nav = (
        _NAV.format(_links(("One", "c0.xhtml"), ("Two", "c1.xhtml")))
        + f'<nav epub:type="page-list" hidden=""><ol>{_links(("11", "c0.xhtml"), ("12", "c1.xhtml#p"))}</ol></nav>'
        + '<nav epub:type="landmarks"><ol><li><a epub:type="copyright-page" href="c0.xhtml">C</a></li></ol></nav>'
    )
    documents = _THREE | {"c1.xhtml": "<p>Before.</p><p id='p'>On page 12.</p>"}

    volume = read_epub(write_epub(tmp_path / "b.epub", documents, nav=nav))

    assert [chapter.kind for chapter in volume.chapters] == [ChapterKind.FRONT, ChapterKind.BODY]
    assert volume.pages == (ParsedPage("11", 0, 0), ParsedPage("12", 1, 8))


def test_page_marks_of_the_text_serve_where_there_is_no_page_list(tmp_path: Path) -> None:
    body = "<p>a</p><span epub:type='pagebreak' title='7'/><p>b</p>"

    assert read_epub(write_epub(tmp_path / "b.epub", {"c0.xhtml": body})).pages == (ParsedPage("7", 0, 2),)


def test_the_ncx_page_list_serves_too(tmp_path: Path) -> None:
    ncx = _points(("One", "c0.xhtml")) + (
        '</navMap><pageList><pageTarget value="3"><navLabel><text>3</text></navLabel>'
        '<content src="c2.xhtml"/></pageTarget></pageList><navMap>'
    )

    assert read_epub(write_epub(tmp_path / "b.epub", _THREE, ncx=ncx)).pages == (ParsedPage("3", 2, 0),)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("後書き", ChapterKind.AFTERWORD),
        ("あとがき", ChapterKind.AFTERWORD),
        ("后记", ChapterKind.AFTERWORD),
        ("Afterword", ChapterKind.AFTERWORD),
        ("版权信息", ChapterKind.FRONT),
        ("Copyright", ChapterKind.FRONT),
        ("目录", ChapterKind.FRONT),
        ("注释", ChapterKind.NOTES),
        ("Endnotes", ChapterKind.NOTES),
        ("序章", ChapterKind.BODY),
        ("后记 写于北京", ChapterKind.AFTERWORD),
        ("后记的故事", ChapterKind.BODY),
        ("The Index Case", ChapterKind.BODY),
        ("Cover Story", ChapterKind.BODY),
        ("Copyright © 1900", ChapterKind.FRONT),
        ("附录一 地图", ChapterKind.AFTERWORD),
    ],
)
def test_a_chapter_is_what_its_title_says(tmp_path: Path, title: str, kind: ChapterKind) -> None:
    nav = _NAV.format(_links((title, "c0.xhtml")))

    assert read_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav)).chapters[0].kind is kind


def test_a_chapter_is_what_its_document_or_the_guide_says(tmp_path: Path) -> None:
    documents = {
        "c0.xhtml": page("<section epub:type='titlepage'><p>A</p></section>"),
        "c1.xhtml": "<p>B</p>",
        "c2.xhtml": "<section epub:type='bodymatter chapter'><p>C</p></section>",
    }
    nav = _NAV.format(_links(("A", "c0.xhtml"), ("B", "c1.xhtml"), ("C", "c2.xhtml")))
    guide = '<guide><reference type="cover" href="c1.xhtml"/></guide>'

    volume = read_epub(write_epub(tmp_path / "b.epub", documents, nav=nav, after=guide))

    assert [chapter.kind for chapter in volume.chapters] == [ChapterKind.FRONT, ChapterKind.FRONT, ChapterKind.BODY]


def test_contents_ask_only_for_the_documents_they_need(tmp_path: Path) -> None:
    nav = _NAV.format(_links(("One", "c0.xhtml"), ("Two", "c1.xhtml#x"), ("Three", "c2.xhtml")))
    asked: list[int] = []

    with open_epub(write_epub(tmp_path / "b.epub", _THREE, nav=nav)) as book:

        def documents(index: int) -> object:
            asked.append(index)
            return book.document(index)

        book.contents(documents)  # type: ignore[arg-type]  # it returns a document

    assert asked == [1]
