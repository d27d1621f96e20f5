"""Imports as the background process does them: all or nothing, in whatever way they end."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import ImportStatus, WorkId
from engine.domain.reading import JobState
from engine.errors import HelperUnavailableError
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.store import books, jobs
from engine.store.connection import open_reader
from engine.store.opening import open_store
from tests.builders import make_epub
from tests.pace import AT_ONCE_S, PATIENCE_S


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_under(tmp_path / "home")


@pytest.fixture
def library(paths: Paths) -> Iterator[Library]:
    library = Library(paths)
    yield library
    library.close()


@pytest.fixture(scope="module")
def long_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book whose import takes long enough to be met in the middle."""
    body = "".join(f"<p>Line {n}: the lamp burned low, and nobody came to trim it.</p>" for n in range(1200))
    folder = tmp_path_factory.mktemp("books")
    return make_epub(folder / "long.epub", title="Long", chapters=[(f"Part {n}", body) for n in range(120)])


def _wait(library: Library, job: int, *states: JobState, timeout_s: float = PATIENCE_S) -> JobState:
    deadline = time.monotonic() + timeout_s
    while (state := library.jobs([job])[0].state) not in states:
        assert time.monotonic() < deadline, state
        time.sleep(0.005)
    return state


def _wait_under_way(library: Library, job: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while library.jobs([job])[0].done < 3:
        assert time.monotonic() < deadline
        time.sleep(0.002)


def _helper_pid(paths: Paths) -> int:
    r = open_reader(paths.library_db)
    owner = jobs.lease_owner(r, "helper")
    r.close()
    assert owner is not None
    return owner.pid


def _rows(paths: Paths, table: str) -> int:
    r = open_reader(paths.library_db)
    count = int(r.execute(f"SELECT count(*) FROM {table}").get)
    r.close()
    return count


def _kill_helper(paths: Paths) -> None:
    os.kill(_helper_pid(paths), signal.SIGKILL)


_FINISHED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


def test_progress_is_told_as_it_grows(library: Library, long_book: Path) -> None:
    told: list[tuple[int, int]] = []
    library.import_now(long_book, lambda done, total: told.append((done, total)))
    assert told[-1] == (120, 120)
    assert told == sorted(told)
    assert len(told) > 3


def test_nothing_of_a_book_is_seen_before_all_of_it_is_there(library: Library, long_book: Path) -> None:
    (job,) = library.start_import([long_book])
    _wait_under_way(library, job)
    assert library.works() == ()
    assert library.work_of_book(library.book_sha256(long_book)) is None
    _wait(library, job, JobState.DONE)
    assert [(w.title, w.chapters) for w in library.works()] == [("Long", 120)]


def test_a_cancelled_import_stops_at_once_and_leaves_nothing(library: Library, long_book: Path) -> None:
    (job,) = library.start_import([long_book])
    _wait_under_way(library, job)
    began = time.monotonic()
    library.cancel(job)
    done = library.jobs([job])[0].done
    time.sleep(0.2)
    assert library.jobs([job])[0].done <= done + 1
    deadline = began + PATIENCE_S
    while _rows(library.paths, "book") or _rows(library.paths, "slice"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert library.jobs([job])[0].state == JobState.CANCELLED
    assert list(library.paths.books_dir.glob("*")) == []


def test_an_import_whose_process_was_killed_is_begun_again_by_itself(library: Library, long_book: Path) -> None:
    (job,) = library.start_import([long_book])
    _wait_under_way(library, job)
    _kill_helper(library.paths)
    assert _wait(library, job, *_FINISHED) == JobState.DONE
    assert _rows(library.paths, "book") == 1
    assert [w.chapters for w in library.works()] == [120]


def test_a_book_that_kills_its_process_twice_is_given_up_and_named(library: Library, long_book: Path) -> None:
    (job,) = library.start_import([long_book])
    for _try in range(2):
        _wait_under_way(library, job)
        _kill_helper(library.paths)
        _wait_begun_again(library, job)
    assert _wait(library, job, *_FINISHED) == JobState.FAILED
    assert "long.epub" in library.jobs([job])[0].error
    assert library.works() == ()


def _wait_begun_again(library: Library, job: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while library.jobs([job])[0].done >= 3:
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_the_next_start_opens_and_other_books_are_imported_after_a_bad_one(
    paths: Paths, long_book: Path, tmp_path: Path
) -> None:
    library = Library(paths)
    (job,) = library.start_import([long_book])
    for _try in range(2):
        _wait_under_way(library, job)
        _kill_helper(library.paths)
        _wait_begun_again(library, job)
    _wait(library, job, JobState.FAILED)
    library.close()
    again = Library(paths)
    good = make_epub(tmp_path / "good.epub", title="Good", chapters=[("One", "<p>text</p>")])
    assert again.import_now(good).status == ImportStatus.OPENED
    assert [w.title for w in again.works()] == ["Good"]
    again.close()


def test_leaving_in_the_middle_of_an_import_is_quick_and_the_next_start_goes_on(paths: Paths, long_book: Path) -> None:
    library = Library(paths)
    (job,) = library.start_import([long_book])
    _wait_under_way(library, job)
    began = time.monotonic()
    library.close()
    assert time.monotonic() - began < AT_ONCE_S
    again = Library(paths)
    assert _wait(again, job, *_FINISHED) == JobState.DONE
    assert _rows(paths, "book") == 1
    again.close()


def test_leaving_ten_times_in_the_middle_never_gives_a_book_up(paths: Paths, long_book: Path) -> None:
    for _time in range(10):
        library = Library(paths)
        (job,) = library.start_import([long_book])
        _wait_under_way(library, job)
        library.close()
    last = Library(paths)
    assert _wait(last, job, *_FINISHED) == JobState.DONE
    last.close()


@pytest.mark.slow
def test_leaving_in_the_middle_of_a_huge_document_never_gives_a_book_up(paths: Paths, tmp_path: Path) -> None:
    lines = "".join(f"<p>Line {n}: the lamp burned low, and nobody came to trim it.</p>" for n in range(120_000))
    book = make_epub(tmp_path / "huge.epub", title="Huge", chapters=[("All", lines)])
    for _time in range(4):
        library = Library(paths)
        (job,) = library.start_import([book])
        time.sleep(0.7)
        began = time.monotonic()
        library.close()
        assert time.monotonic() - began < AT_ONCE_S
    last = Library(paths)
    assert _wait(last, job, *_FINISHED) == JobState.DONE
    last.close()


def test_a_removed_book_gives_its_room_back(paths: Paths, long_book: Path) -> None:
    library = Library(paths)
    work = library.import_now(long_book).work
    library.close()
    full = paths.library_db.stat().st_size
    again = Library(paths)
    again.remove(WorkId(work or 0))
    again.close()
    assert full > 9_000_000
    assert paths.library_db.stat().st_size < 9_000_000


def test_asked_for_twice_at_once_a_book_is_imported_once(library: Library, long_book: Path) -> None:
    first, second = library.start_import([long_book, long_book])
    assert first == second
    _wait(library, first, JobState.DONE)
    assert len(library.works()) == 1


def test_the_same_book_under_two_names_is_one(library: Library, long_book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.epub"
    copy.write_bytes(long_book.read_bytes())
    first, second = library.import_now(long_book), library.import_now(copy)
    assert (first.work, first.characters) == (second.work, second.characters)
    assert second.path == str(copy)
    assert len(library.works()) == 1


def test_places_are_saved_quickly_while_a_book_is_imported(library: Library, long_book: Path, tmp_path: Path) -> None:
    small = make_epub(tmp_path / "small.epub", title="Small", chapters=[("One", "<p>text</p>")])
    library.import_now(small)
    (job,) = library.start_import([long_book])
    _wait_under_way(library, job)
    waits: list[float] = []
    while library.jobs([job])[0].state not in _FINISHED and len(waits) < 200:
        began = time.monotonic()
        library.remember("panel", str(len(waits)))
        waits.append(time.monotonic() - began)
    assert len(waits) > 5
    assert max(waits) < AT_ONCE_S


def test_two_libraries_on_one_file_share_the_work(paths: Paths, long_book: Path, tmp_path: Path) -> None:
    one, other = Library(paths), Library(paths)
    small = [make_epub(tmp_path / f"{n}.epub", title=f"B{n}", chapters=[("One", f"<p>text {n}</p>")]) for n in range(6)]
    (long,) = one.start_import([long_book])
    _wait_under_way(one, long)
    queued = other.start_import(small)
    assert [_wait(other, job, *_FINISHED) for job in queued] == [JobState.DONE] * 6
    assert _wait(one, long, *_FINISHED) == JobState.DONE
    assert len(one.works()) == len(other.works()) == 7
    one.close()
    other.close()


def test_when_the_process_that_imports_leaves_the_other_takes_over_at_once(paths: Paths, long_book: Path) -> None:
    one, other = Library(paths), Library(paths)
    (job,) = one.start_import([long_book])
    _wait_under_way(one, job)
    other.start_import([long_book])
    one.close()
    began = time.monotonic()
    assert _wait(other, job, *_FINISHED) == JobState.DONE
    assert time.monotonic() - began < PATIENCE_S
    other.close()


def test_an_omnibus_becomes_one_work_of_several_volumes(library: Library, tmp_path: Path) -> None:
    chapters = [(f"Chapter {n}", f"<p>Text of {n}.</p>") for n in range(1, 7)]
    toc = "".join(
        f'<li><a href="c{first}.xhtml">Volume {n}</a><ol>'
        + "".join(f'<li><a href="c{c}.xhtml">Chapter {c}</a></li>' for c in range(first, first + 3))
        + "</ol></li>"
        for n, first in ((1, 1), (2, 4))
    )
    report = library.import_now(make_epub(tmp_path / "o.epub", title="Omnibus", chapters=chapters, toc=toc))
    assert (report.volumes, report.chapters) == (2, 8)
    assert report.work is not None
    outline = library.outline(report.work)
    assert [(v.title, v.ord, len(v.documents), len(v.chapters)) for v in outline.volumes] == [
        ("Volume 1", 0, 3, 4),
        ("Volume 2", 1, 3, 4),
    ]


def test_the_report_can_be_read_again_later(library: Library, tmp_path: Path) -> None:
    book = make_epub(tmp_path / "gap.epub", title="Gap", chapters=[("One", "<p>x</p>")], missing=["lost.png"])
    report = library.import_now(book)
    assert report.status == ImportStatus.REPAIRED
    assert report.work is not None
    (again,) = library.report(report.work)
    assert (again.warnings, again.characters, again.path) == (report.warnings, report.characters, "gap.epub")


def test_a_folder_that_takes_no_copy_is_told_and_nothing_half_is_left(
    library: Library, paths: Paths, tmp_path: Path
) -> None:
    books_dir = paths.books_dir
    books_dir.parent.mkdir(parents=True, exist_ok=True)
    books_dir.write_bytes(b"a file where the folder should be")
    book = make_epub(tmp_path / "a.epub", title="A", chapters=[("One", "<p>text</p>")])
    report = library.import_now(book)
    assert report.status == ImportStatus.REFUSED
    assert str(books_dir) in report.error
    assert library.works() == ()
    books_dir.unlink()
    assert library.import_now(book).status == ImportStatus.OPENED


def test_a_full_disk_ends_the_import_and_not_the_reading(paths: Paths, long_book: Path, tmp_path: Path) -> None:
    library = Library(paths)
    small = make_epub(tmp_path / "small.epub", title="Small", chapters=[("One", "<p>some text</p>")])
    work = library.import_now(small).work
    library.close()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # No file of ours or of the helper can grow above this, which is what a full disk looks like.
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, limits[1]))
    try:
        full = Library(paths)
        with pytest.raises(HelperUnavailableError, match="disk"):
            _import_or_raise(full, long_book)
        document = full.outline(WorkId(work or 0)).volumes[0].documents[0].id
        assert full.text_of(document, 0, 99) == "some text"
        full.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    again = Library(paths)
    assert again.import_now(long_book).status == ImportStatus.OPENED
    assert [check.name for check in again.doctor() if not check.is_ok] == []
    again.close()


def _import_or_raise(library: Library, book: Path) -> None:
    """Import where a refusal counts as the failure it is."""
    report = library.import_now(book)
    if report.status == ImportStatus.REFUSED:
        raise HelperUnavailableError(f"disk: {report.error}")


def test_a_text_read_in_an_older_way_is_read_anew_at_the_next_start(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    book = make_epub(tmp_path / "a.epub", title="A", chapters=[("One", "<p>some text</p>")])
    work = library.import_now(book).work
    library.rename_work(WorkId(work or 0), "Mine")
    library.close()
    store, _notices = open_store(paths)
    with store.write() as w:
        w.execute("UPDATE book SET text_rev = 0")
        w.execute("UPDATE slice SET text = replace(text, 'some', 'SOME')")
    store.close()
    again = Library(paths)
    (job,) = (job for job in again.jobs() if job.kind == "import")
    _wait(again, job.id, JobState.DONE)
    assert [(w.id, w.title) for w in again.works()] == [(work, "Mine")]
    document = again.outline(WorkId(work or 0)).volumes[0].documents[0].id
    assert again.text_of(document, 0, 99) == "some text"
    again.close()


def test_reading_goes_on_in_many_threads_while_books_come_and_go(library: Library, tmp_path: Path) -> None:
    made = [
        make_epub(tmp_path / f"{n}.epub", title=f"B{n}", chapters=[("One", f"<p>{'text ' * 50}{n}</p>")])
        for n in range(8)
    ]
    failures: list[BaseException] = []
    is_over = threading.Event()

    def read() -> None:
        try:
            while not is_over.is_set():
                for work in library.works():
                    for volume in library.outline(work.id).volumes:
                        library.slice_at(volume.documents[0].id, 3)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    ids = library.start_import(made)
    for job in ids:
        _wait(library, job, JobState.DONE)
    is_over.set()
    for thread in threads:
        thread.join()
    assert failures == []
    with library._store.read() as r:
        assert books.leftover_books(r) == []
