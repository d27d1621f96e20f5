"""Whatever becomes of the library file, it is set aside, never deleted, and the reader's own is brought back."""

from __future__ import annotations

import struct
import time
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from engine.domain.book import WorkId
from engine.domain.reading import JobState
from engine.errors import LibraryUnavailableError, UnderstoryError
from engine.library import Library
from engine.paths import Paths, paths_under
from tests.builders import make_epub
from tests.pace import PATIENCE_S
from tests.shelving import page_in, place_at

_PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + bytes(13) + struct.pack(">I", zlib.crc32(b"IHDR"))
_PAGE = 4096


def _some_of(numbers: range) -> list[ParameterSet]:
    """Return all of them, most marked as slow."""
    return [pytest.param(n, marks=[] if n % 9 == 6 else [pytest.mark.slow]) for n in numbers]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A library of two volumes in the reader's own order and under her own title, read up to line 70."""
    paths = paths_under(tmp_path / "home")
    library = Library(paths)
    for n in (1, 2):
        lines = "".join(f"<p>Volume {n}, line {i}: the lamp burned low.</p>" for i in range(900))
        book = make_epub(tmp_path / f"v{n}.epub", title=f"Lamps Vol. {n}", chapters=[("One", lines)])
        work = library.import_now(book).work
    assert work is not None
    first, second = (volume.id for volume in library.outline(work).volumes)
    library.reorder(work, [second, first])
    library.rename_work(work, "My Lamps")
    library.remember("panel", "open")
    document, offset = page_in(library, work, "Volume 1, line 70:")
    sha256 = library.book_sha256(tmp_path / "v1.epub")
    library.save_place(place_at(library.reading(work), document, offset, spine_index=0, sha256=sha256))
    library.set_frontier(work, document, offset)
    library.close()
    return paths


def _mended(paths: Paths) -> Library:
    """Open the library and wait until its books are read in again."""
    library = Library(paths)
    deadline = time.monotonic() + PATIENCE_S
    while library.jobs():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return library


def _assert_as_before(library: Library) -> None:
    (work,) = library.works()
    assert (work.title, work.volumes) == ("My Lamps", 2)
    assert [v.title for v in library.outline(work.id).volumes] == ["Lamps Vol. 2", "Lamps Vol. 1"]
    shown = library.place(work.id)
    assert shown is not None
    assert library.text_of(shown.document, shown.offset, shown.offset + 18) == "Volume 1, line 70:"
    assert library.frontier(work.id) == shown.pos
    assert library.remembered("panel") == "open"


def _aside(paths: Paths) -> list[Path]:
    """Return the files set aside, without what SQLite keeps beside each."""
    return [path for path in paths.data_dir.glob("library.db.corrupt-*") if not path.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("content", [b"", _PNG, b"no library at all" * 1000], ids=["empty", "png", "text"])
def test_a_file_that_is_no_library_gives_way_to_the_reader_s_copy(paths: Paths, content: bytes) -> None:
    paths.library_db.write_bytes(content)
    library = _mended(paths)
    _assert_as_before(library)
    assert [path.read_bytes() for path in _aside(paths)] == [content]
    assert len(library.notices) == 1
    library.close()


def test_a_lost_file_is_made_again(paths: Paths) -> None:
    paths.library_db.unlink()
    library = _mended(paths)
    _assert_as_before(library)
    assert "missing" in library.notices[0]
    library.close()


@pytest.mark.parametrize("twentieth", _some_of(range(1, 20)))
def test_cut_off_anywhere_the_library_comes_back(paths: Paths, twentieth: int) -> None:
    content = paths.library_db.read_bytes()
    paths.library_db.write_bytes(content[: len(content) * twentieth // 20 - 7])
    library = _mended(paths)
    _assert_as_before(library)
    assert len(_aside(paths)) == 1
    library.close()


def _page_numbers(paths: Paths) -> range:
    return range(paths.library_db.stat().st_size // _PAGE)


@pytest.mark.parametrize("nth", _some_of(range(60)))
def test_with_any_page_overwritten_nothing_the_reader_made_is_lost(paths: Paths, nth: int) -> None:
    page = nth % len(_page_numbers(paths))
    with paths.library_db.open("r+b") as file:
        file.seek(page * _PAGE)
        file.write(b"\xa5" * _PAGE)
    _use(paths)
    library = _mended(paths)
    _assert_as_before(library)
    library.close()


def _use(paths: Paths) -> None:
    """Read all there is: damage is met here at the latest, and told in a sentence if at all."""
    library = Library(paths)
    with suppress(UnderstoryError):
        for work in library.works():
            for volume in library.outline(work.id).volumes:
                for document in volume.documents:
                    library.document_text(document.id)
    library.close()


def test_without_a_copy_the_rows_are_read_from_the_damaged_file_itself(paths: Paths) -> None:
    paths.user_copy.unlink()
    content = bytearray(paths.library_db.read_bytes())
    at = content.index(b"Volume 2, line 300:") // _PAGE * _PAGE
    content[at : at + _PAGE] = b"\xa5" * _PAGE
    paths.library_db.write_bytes(content)
    _use(paths)
    library = _mended(paths)
    _assert_as_before(library)
    assert len(_aside(paths)) == 1
    library.close()


def test_damage_met_while_reading_is_told_and_mended_at_the_next_start(paths: Paths) -> None:
    content = bytearray(paths.library_db.read_bytes())
    for at in range(0, len(content), _PAGE):
        if b"Volume 2, line" in content[at : at + _PAGE]:
            content[at : at + _PAGE] = b"\xa5" * _PAGE
    paths.library_db.write_bytes(content)
    library = Library(paths)
    document = library.outline(WorkId(1)).volumes[0].documents[0].id
    with pytest.raises(LibraryUnavailableError, match="damaged"):
        library.document_text(document)
    library.close()
    mended = _mended(paths)
    _assert_as_before(mended)
    mended.close()


def test_a_kept_book_that_is_gone_costs_only_itself(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    sha256 = library.book_sha256(tmp_path / "v2.epub")
    library.close()
    (paths.books_dir / f"{sha256}.epub").write_bytes(b"")
    paths.library_db.write_bytes(b"")
    mended = _mended(paths)
    (work,) = mended.works()
    assert [v.title for v in mended.outline(work.id).volumes] == ["Lamps Vol. 1"]
    assert mended.place(work.id) is not None
    assert {job.state for job in mended.jobs([1, 2])} == {JobState.DONE, JobState.FAILED}
    mended.close()


def test_a_sound_library_is_not_set_aside_by_a_false_alarm(paths: Paths) -> None:
    paths.library_db.with_name("library.db.suspect").touch()
    library = _mended(paths)
    _assert_as_before(library)
    assert (_aside(paths), library.notices) == ([], ())
    assert not paths.library_db.with_name("library.db.suspect").exists()
    library.close()
