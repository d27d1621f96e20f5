"""A book's way through the library: imported, read, left, found again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import DocumentId, ImportStatus, WarningKind
from engine.domain.locator import offset_in_volume_of, pos_of
from engine.domain.reading import SliceKey
from engine.errors import (
    FileMissingError,
    PlaceUnknownError,
    VolumeUnreadableError,
    WorkNotFoundError,
)
from engine.library import Library
from engine.paths import Paths, paths_under
from tests.builders import make_epub
from tests.shelving import page_in, place_at

_LINES = {
    "en": [f"Line {n}: the lamp burned low, and nobody came to trim it." for n in range(900)],
    "zh": [f"第{n}行：灯火渐渐暗了下去，没有人来剪灯芯。" for n in range(900)],
    "ja": [f"{n}行目。灯は次第に弱まり、誰も芯を切りに来なかった。" for n in range(900)],
}


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_under(tmp_path / "home")


@pytest.fixture
def library(paths: Paths) -> Iterator[Library]:
    library = Library(paths)
    yield library
    library.close()


def _book(folder: Path, language: str = "en", *, title: str = "The Lamp", drop: int = -1) -> Path:
    lines = [line for n, line in enumerate(_LINES[language]) if n != drop]
    halves = lines[:450], lines[450:]
    chapters = [(f"Part {n}", "".join(f"<p>{line}</p>" for line in half)) for n, half in enumerate(halves)]
    return make_epub(folder / f"{title}.epub", title=title, chapters=chapters, language=language)


@pytest.mark.parametrize("language", _LINES)
def test_an_imported_book_is_read_from_its_first_line_to_its_last(
    library: Library, tmp_path: Path, language: str
) -> None:
    report = library.import_now(_book(tmp_path, language))
    assert (report.status, report.volumes, report.chapters) == (ImportStatus.OPENED, 1, 2)
    assert report.work is not None
    source = library.reading(report.work)
    (volume,) = source.outline().volumes
    shown = [source.slice_at(volume.documents[0].id, 0)]
    while (key := shown[-1].after) is not None:
        shown.append(source.slice_of(key))
    assert "\n".join(s.text for s in shown).split("\n") == _LINES[language]
    assert volume.length == report.characters == sum(d.length for d in volume.documents)


def test_the_place_outlives_the_session_and_the_name_of_the_file(paths: Paths, tmp_path: Path) -> None:
    book = _book(tmp_path)
    library = Library(paths)
    work = library.import_now(book).work
    assert work is not None
    document, offset = page_in(library, work, "Line 700:")
    source = library.reading(work)
    source.save_place(place_at(source, document, offset, spine_index=1, sha256=library.book_sha256(book)))
    library.close()
    moved = book.rename(tmp_path / "elsewhere.epub")
    again = Library(paths)
    assert again.last_read() == again.work_of_book(again.book_sha256(moved)) == work
    shown = again.reading(work).place()
    assert shown is not None
    assert again.text_of(shown.document, shown.offset, shown.offset + 9) == "Line 700:"
    again.close()


def test_a_place_survives_removal_and_another_import(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path)
    work = library.import_now(book).work
    assert work is not None
    document, offset = page_in(library, work, "Line 700:")
    source = library.reading(work)
    source.save_place(place_at(source, document, offset, spine_index=1, sha256=library.book_sha256(book)))
    source.advance_frontier(document, offset)
    library.remove(work)
    assert library.works() == ()
    assert list(library.paths.books_dir.iterdir()) == []
    again = library.import_now(book).work
    assert again is not None
    shown = library.place(again)
    assert shown is not None
    assert library.text_of(shown.document, shown.offset, shown.offset + 9) == "Line 700:"
    assert library.frontier(again) == shown.pos


def test_documents_of_a_removed_book_get_new_numbers(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path)
    work = library.import_now(book).work
    assert work is not None
    old = {d.id for d in library.outline(work).volumes[0].documents}
    library.remove(work)
    again = library.import_now(book).work
    assert again is not None
    assert old.isdisjoint({d.id for d in library.outline(again).volumes[0].documents})
    with pytest.raises(PlaceUnknownError):
        library.slice_at(min(old), 0)


def test_another_edition_takes_the_books_place_and_the_readers(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path / "first")
    work = library.import_now(book).work
    assert work is not None
    document, offset = page_in(library, work, "Line 700:")
    source = library.reading(work)
    source.save_place(place_at(source, document, offset, spine_index=1, sha256=library.book_sha256(book)))
    source.advance_frontier(document, offset)
    edition = library.import_now(_book(tmp_path / "second", drop=500))
    assert edition.work == work
    assert [w.id for w in library.works()] == [work]
    shown = library.place(work)
    assert shown is not None
    assert shown.offset < offset
    assert library.text_of(shown.document, shown.offset, shown.offset + 9) == "Line 700:"
    assert library.frontier(work) == shown.pos


def test_a_place_that_no_edition_has_is_named_in_the_report(library: Library, tmp_path: Path) -> None:
    def page(lines: list[str]) -> list[tuple[str, str]]:
        return [("One", "".join(f"<p>{line}</p>" for line in lines))]

    kept = [f"Nothing but sentence number {n} stands here." for n in range(60)]
    book = make_epub(tmp_path / "a.epub", title="Lost", chapters=page([*kept, "Quizzical vexing wombats jump."]))
    work = library.import_now(book).work
    assert work is not None
    document, offset = page_in(library, work, "Quizzical")
    source = library.reading(work)
    source.save_place(place_at(source, document, offset, spine_index=0, sha256=library.book_sha256(book)))
    report = library.import_now(make_epub(tmp_path / "b.epub", title="Lost", chapters=page(kept)))
    assert report.work == work
    assert [w.kind for w in report.warnings] == [WarningKind.PLACE_LOST]
    assert "Quizzical" in report.warnings[0].message


def test_two_books_of_one_title_and_author_with_other_texts_stay_two(library: Library, tmp_path: Path) -> None:
    first = make_epub(tmp_path / "a.epub", title="Stories", chapters=[("One", "<p>" + "A first tale. " * 60 + "</p>")])
    other = make_epub(
        tmp_path / "b.epub", title="Stories", chapters=[("One", "<p>" + "Something else! " * 60 + "</p>")]
    )
    assert library.import_now(first).work != library.import_now(other).work
    assert len(library.works()) == 2


def test_an_imported_file_may_change_or_vanish(library: Library, tmp_path: Path) -> None:
    book = make_epub(tmp_path / "a.epub", title="A", chapters=[("One", "<p>text</p>")])
    work = library.import_now(book).work
    assert work is not None
    with book.open("r+b") as file:
        file.truncate(10)
    document = library.outline(work).volumes[0].documents[0].id
    assert b"text" in library.resource(document, "OEBPS/c1.xhtml")
    (kept,) = library.paths.books_dir.iterdir()
    assert kept.stat().st_nlink == 1


def test_a_refused_file_is_a_report_and_leaves_nothing(library: Library, tmp_path: Path) -> None:
    bad = tmp_path / "bad.epub"
    bad.write_bytes(b"no zip at all")
    report = library.import_now(bad)
    assert (report.status, report.work) == (ImportStatus.REFUSED, None)
    assert "bad.epub" in report.error
    assert library.works() == ()
    assert not library.paths.books_dir.exists()


def test_a_work_that_is_not_there_cannot_be_read(library: Library) -> None:
    with pytest.raises(WorkNotFoundError):
        library.reading(library.find_work("1") if library.works() else 1)  # type: ignore[arg-type]


def test_small_things_are_remembered(paths: Paths) -> None:
    library = Library(paths)
    library.remember("panel", "open")
    library.close()
    again = Library(paths)
    assert (again.remembered("panel"), again.remembered("other")) == ("open", None)
    again.close()


def test_the_doctor_finds_everything_in_order(library: Library, tmp_path: Path) -> None:
    library.import_now(_book(tmp_path))
    checks = library.doctor()
    assert [check.name for check in checks if not check.is_ok] == []
    assert {"write", "pages", "words", "vectors", "helper"} <= {check.name for check in checks}


def test_the_doctor_says_when_vectors_do_not_load(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(connection: object) -> None:
        raise FileMissingError(Path("vec0.so"), "wrong ELF class")

    monkeypatch.setattr("engine.store.checks.load_vectors", refuse)
    failed = [check for check in library.doctor() if not check.is_ok]
    assert [check.name for check in failed] == ["vectors"]
    assert "wrong ELF class" in failed[0].detail


# A file that is not imported yet


def test_a_file_is_read_before_its_import_as_it_is_after(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path)
    preview = library.preview(book)
    work = library.import_now(book).work
    assert work is not None
    stored = library.reading(work)
    before = [d.id for d in preview.outline().volumes[0].documents]
    after = [d.id for d in stored.outline().volumes[0].documents]
    assert before == [-1, -2]
    assert [preview.slice_at(d, 20_000).text for d in before] == [stored.slice_at(d, 20_000).text for d in after]
    assert [preview.text_of(d, 100, 300) for d in before] == [stored.text_of(d, 100, 300) for d in after]
    assert [c.title for c in preview.outline().volumes[0].chapters] == ["Part 0", "Part 1"]
    assert preview.outline().is_preview


def test_a_preview_reads_on_across_documents_and_back(library: Library, tmp_path: Path) -> None:
    preview = library.preview(_book(tmp_path))
    shown = [preview.slice_at(DocumentId(-1), 0)]
    while (key := shown[-1].after) is not None:
        shown.append(preview.slice_of(key))
    back = [shown[-1]]
    while (key := back[-1].before) is not None:
        back.append(preview.slice_of(key))
    assert "\n".join(s.text for s in shown).split("\n") == _LINES["en"]
    assert [s.key for s in back] == [s.key for s in shown[::-1]]
    assert [s.pos for s in shown] == sorted(s.pos for s in shown)


def test_a_large_document_is_read_only_as_far_as_needed(library: Library, tmp_path: Path) -> None:
    lines = [f"<p>Line {n}: the lamp burned low, and nobody came to trim it.</p>" for n in range(20_000)]
    book = make_epub(tmp_path / "big.epub", title="Big", chapters=[("All", "".join(lines))])
    preview = library.preview(book)
    assert preview.slice_at(DocumentId(-1), 0).after == SliceKey(DocumentId(-1), 1)
    assert "Line 9000:" in preview.slice_at(DocumentId(-1), 531_000).text
    last = preview.slice_of(SliceKey(DocumentId(-1), -1))
    assert (last.text.endswith("Line 19999: the lamp burned low, and nobody came to trim it."), last.after) == (
        True,
        None,
    )
    with pytest.raises(PlaceUnknownError):
        preview.slice_of(SliceKey(DocumentId(-1), last.key.ord + 1))


def test_contents_that_point_into_a_large_document_are_spread_over_it_before_it_is_read(
    library: Library, tmp_path: Path
) -> None:
    filler = "<p>The lamp burned low, and nobody came to trim it before the morning train.</p>" * 3000
    body = "".join(f'<h2 id="s{n}">Section {n}</h2>{filler}' for n in range(12))
    toc = "".join(f'<li><a href="c1.xhtml#s{n}">Section {n}</a></li>' for n in range(12))
    book = make_epub(tmp_path / "big.epub", title="Big", chapters=[("All", body)], toc=toc)
    (volume,) = library.preview(book).outline().volumes
    work = library.import_now(book).work
    assert work is not None
    (imported,) = library.outline(work).volumes
    before = [chapter.offset / volume.length for chapter in volume.chapters]
    after = [chapter.offset / imported.length for chapter in imported.chapters]
    assert len(before) == len(after) == 12
    assert before == pytest.approx(after, abs=0.01)


def test_where_a_preview_was_left_the_imported_work_goes_on(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path)
    preview = library.preview(book)
    offset = preview.text_of(DocumentId(-2), 0, 100_000).index("Line 700:")
    preview.save_place(place_at(preview, DocumentId(-2), offset, spine_index=1, sha256=library.book_sha256(book)))
    preview.advance_frontier(DocumentId(-2), offset)
    work = library.import_now(book).work
    assert work is not None
    shown = library.place(work)
    assert shown is not None
    assert library.text_of(shown.document, shown.offset, shown.offset + 9) == "Line 700:"
    assert library.frontier(work) == shown.pos
    assert library.preview(book).place() is not None


def test_a_preview_of_no_book_says_why(library: Library, tmp_path: Path) -> None:
    bad = tmp_path / "bad.epub"
    bad.write_bytes(b"no zip at all")
    with pytest.raises(VolumeUnreadableError):
        library.preview(bad)
    with pytest.raises(FileMissingError):
        library.preview(tmp_path / "absent.epub")


def test_links_and_notes_lead_to_the_same_places_before_and_after_import(library: Library, tmp_path: Path) -> None:
    notes = (
        '<p><a id="r1" href="c2.xhtml#n1" epub:type="noteref">1</a> said.</p><p><a href="c2.xhtml#far">there</a></p>'
    )
    bodies = '<p>near</p><p id="far">far away</p><aside epub:type="footnote" id="n1"><p>So it was.</p></aside>'
    book = make_epub(tmp_path / "n.epub", title="N", chapters=[("One", notes), ("Two", bodies)])
    preview = library.preview(book)
    work = library.import_now(book).work
    assert work is not None
    stored = library.reading(work)
    first = stored.outline().volumes[0].documents[0].id
    (ref,) = stored.slice_at(first, 0).note_refs
    note = stored.footnote(first, ref.note)
    assert note is not None
    assert note.text == "So it was."
    assert preview.footnote(DocumentId(-1), ref.note) == note
    there, here = preview.link_target(DocumentId(-1), "1#far"), stored.link_target(first, "1#far")
    assert there is not None
    assert here is not None
    assert there.offset == here.offset == len("near\n")
    assert stored.text_of(here.document, here.offset, here.offset + 3) == "far"


def test_the_window_that_was_overtaken_keeps_its_place_as_history(library: Library, tmp_path: Path) -> None:
    book = _book(tmp_path)
    sha256 = library.book_sha256(book)
    work = library.import_now(book).work
    assert work is not None
    document = library.outline(work).volumes[0].documents[0].id
    stale, fresh = library.reading(work), library.reading(work)
    stale.save_place(place_at(stale, document, 100, spine_index=0, sha256=sha256))
    fresh.place()
    fresh.save_place(place_at(fresh, document, 9000, spine_index=0, sha256=sha256))
    stale.save_place(place_at(stale, document, 100, spine_index=0, sha256=sha256))
    shown = library.place(work)
    assert shown is not None
    assert shown.offset == 9000
    assert [place.offset for place in library.earlier_places(work)] == [9000, 100]


def test_an_unread_work_has_no_place_and_its_frontier_is_its_start(library: Library, tmp_path: Path) -> None:
    work = library.import_now(_book(tmp_path)).work
    assert work is not None
    assert (library.place(work), library.frontier(work), library.last_read()) == (None, 0, None)
    document = library.outline(work).volumes[0].documents[1]
    library.set_frontier(work, document.id, 5)
    assert library.frontier(work) == pos_of(0, document.base + 5)
    library.set_frontier(work, library.outline(work).volumes[0].documents[0].id, 2)
    assert offset_in_volume_of(library.frontier(work)) == 2


def test_a_library_moved_to_another_home_is_the_same(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    book = _book(tmp_path)
    work = library.import_now(book).work
    assert work is not None
    source = library.reading(work)
    document = source.outline().volumes[0].documents[1].id
    source.save_place(place_at(source, document, 300, spine_index=1, sha256=library.book_sha256(book)))
    before = library.place(work)
    library.close()
    elsewhere = paths_under(tmp_path / "Größere Heimat 家")
    shutil.copytree(paths.data_dir, elsewhere.data_dir)
    moved = Library(elsewhere)
    assert moved.place(work) == before
    assert b"Line 0:" in moved.resource(document, "OEBPS/c1.xhtml")
    moved.close()
