"""What is known of a work while its volumes come, go and move, and while the background process is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import VolumeId, WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, volume_ord_of
from engine.domain.reading import JobState
from engine.domain.statements import NewStatement, Quote, ShownStatement, Verdict
from engine.domain.wiki import Correction, KnowledgeState, Plain, PointId
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.spoilers.policy import WHOLE
from engine.store import jobs
from engine.store.connection import open_reader
from tests.builders import make_epub
from tests.knowledge import place_of, point_called, upto_words, write_statement
from tests.pace import AT_ONCE_S, PATIENCE_S
from tests.shelving import wait_for_names

_PEOPLE = ("Mary Wendell", "Thomas Ardley", "Mr. Hollis")


def _story(*people: str, lines: int = 12, end: str = "") -> str:
    """Return paragraphs in which people talk to each other often enough to be taken for people."""
    said = "".join(
        f"<p>“It is late,” said {person}. {person} looked at the clock, and {person} smiled.</p>" for person in people
    )
    return said * lines + f"<p>{end or 'So it ended.'}</p>"


def _volume(folder: Path, n: int, *people: str, end: str = "", more: str = "") -> Path:
    return make_epub(
        folder / f"{n}{more}.epub",
        title=f"The Keeper, Vol. {n}",
        chapters=[("One", f"<p>Volume {n} begins.{more}</p>{_story(*people)}"), ("Two", _story(people[0], end=end))],
    )


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_under(tmp_path / "home")


@pytest.fixture
def library(paths: Paths) -> Iterator[Library]:
    library = Library(paths)
    yield library
    library.close()


@pytest.fixture
def series(library: Library, tmp_path: Path) -> WorkId:
    """Two volumes: the second brings Thomas, and a ledger."""
    library.import_now(_volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis", end="Mary Wendell kept the signal lamp."))
    work = library.import_now(
        _volume(tmp_path, 2, "Thomas Ardley", "Mary Wendell", end="Thomas Ardley hid the ledger in the tower.")
    ).work
    assert work is not None
    wait_for_names(library)
    return work


def _names(library: Library, work: WorkId) -> set[str]:
    return {point.name for point in library.entities(work, WHOLE)}


def _names_until_ready(library: Library, work: WorkId) -> Iterator[set[str]]:
    """Yield the names as they are known from now on until the last analysis has ended."""
    yield _names(library, work)
    while library.knowledge_state(work) is KnowledgeState.WORKING:
        yield _names(library, work)
    yield _names(library, work)


def _volumes(library: Library, work: WorkId) -> list[VolumeId]:
    return [volume.id for volume in library.outline(work).volumes]


def _ids(library: Library, work: WorkId) -> dict[str, PointId]:
    return {point.name: point.id for point in library.entities(work, WHOLE)}


def _write(library: Library, work: WorkId, name: str, text: str, quoted: str) -> None:
    document, at = place_of(library, work, quoted)
    point = point_called(library, work, name).id
    quotes = (Quote(document, at, quoted),)
    write_statement(library, work, NewStatement(text, point=point, quotes=quotes, verdict=Verdict.SUPPORT))


def _statements(library: Library, work: WorkId, name: str, words: str = "") -> list[ShownStatement]:
    upto = upto_words(library, work, words) if words else WHOLE
    return list(library.statements(work, point_called(library, work, name).id, upto=upto))


def test_the_people_of_all_volumes_are_known(library: Library, series: WorkId) -> None:
    assert set(_PEOPLE) <= _names(library, series)


def test_a_volume_that_follows_leaves_the_known_known_meanwhile(
    library: Library, series: WorkId, tmp_path: Path
) -> None:
    before = _ids(library, series)
    library.import_now(_volume(tmp_path, 3, "Agnes Rowland", "Mary Wendell"))
    assert all(set(_PEOPLE) <= names for names in _names_until_ready(library, series))
    wait_for_names(library)
    after = _ids(library, series)
    assert "Agnes Rowland" in after
    assert {name: after[name] for name in _PEOPLE} == {name: before[name] for name in _PEOPLE}


def test_a_volume_put_in_front_hides_everything_until_it_is_known_anew(library: Library, series: WorkId) -> None:
    before = _ids(library, series)
    library.reorder(series, _volumes(library, series)[::-1])
    assert library.entities(series, WHOLE) == ()
    wait_for_names(library)
    assert _ids(library, series) == before
    thomas = point_called(library, series, "Thomas Ardley")
    assert volume_ord_of(thomas.first_pos) == 0


def test_a_statement_moves_with_its_volume_and_unlocks_where_its_evidence_stands(
    library: Library, series: WorkId
) -> None:
    _write(library, series, "Mary Wendell", "She kept it.", "kept the signal lamp")
    [first] = _statements(library, series, "Mary Wendell", "kept the signal lamp.")
    assert first.run == Plain("She kept it.")
    library.reorder(series, _volumes(library, series)[::-1])
    wait_for_names(library)
    [veiled] = _statements(library, series, "Mary Wendell", "hid the ledger in the tower.")
    [shown] = _statements(library, series, "Mary Wendell", "kept the signal lamp.")
    assert not isinstance(veiled.run, Plain)
    assert shown.run == Plain("She kept it.")
    assert volume_ord_of(shown.evidence[0].pos) == 1


def test_an_unverified_statement_still_waits_for_all_that_was_read_for_it(library: Library, series: WorkId) -> None:
    mary = point_called(library, series, "Mary Wendell").id
    write_statement(library, series, NewStatement("She was glad.", point=mary))
    library.reorder(series, _volumes(library, series)[::-1])
    wait_for_names(library)
    [veiled] = _statements(library, series, "Mary Wendell", "hid the ledger in the tower.")
    [shown] = _statements(library, series, "Mary Wendell")
    assert not isinstance(veiled.run, Plain)
    assert shown.run == Plain("She was glad.")


def test_an_identity_stays_at_its_words_while_volumes_move(library: Library, series: WorkId) -> None:
    document, at = place_of(library, series, "hid the ledger")
    ids = _ids(library, series)
    pair = ids["Thomas Ardley"], ids["Mr. Hollis"]
    library.correct(series, Act(Correction.IDENTITY, pair, at=Locator(document, at, at + 14)), WHOLE)
    library.reorder(series, _volumes(library, series)[::-1])
    wait_for_names(library)
    assert len(_names(library, series) & {"Thomas Ardley", "Mr. Hollis"}) == 1
    before = library.entities(series, upto_words(library, series, "Thomas Ardley"))
    assert "Thomas Ardley" in {point.name for point in before}


def test_corrections_are_played_over_a_new_volume(library: Library, series: WorkId, tmp_path: Path) -> None:
    ids = _ids(library, series)
    library.correct(series, Act(Correction.RENAME, (ids["Mary Wendell"],), "Mary of the Lamp"), WHOLE)
    library.correct(series, Act(Correction.ADD, (), "signal lamp", PointKind.ITEM), WHOLE)
    library.import_now(_volume(tmp_path, 3, "Agnes Rowland", "Mary Wendell", end="The signal lamp went out."))
    wait_for_names(library)
    assert {"Mary of the Lamp", "Agnes Rowland"} <= _names(library, series)
    assert point_called(library, series, "signal lamp").count == 2
    assert [made.correction for made in library.corrections(series)] == [Correction.RENAME, Correction.ADD]


def test_a_volume_taken_out_takes_its_people_and_statements(library: Library, series: WorkId) -> None:
    _write(library, series, "Mary Wendell", "She kept it.", "kept the signal lamp")
    _write(library, series, "Mary Wendell", "He hid it.", "hid the ledger in the tower")
    apart = library.regroup(_volumes(library, series)[1:], None)
    wait_for_names(library)
    assert "Thomas Ardley" not in _names(library, series)
    assert "Thomas Ardley" in _names(library, apart)
    assert [shown.run for shown in _statements(library, series, "Mary Wendell")] == [Plain("She kept it.")]


def test_a_work_put_into_another_brings_what_was_set_right_and_written(library: Library, tmp_path: Path) -> None:
    one = library.import_now(_volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis")).work
    other = library.import_now(
        make_epub(tmp_path / "o.epub", title="Other", chapters=[("One", _story("Thomas Ardley", "Agnes Rowland"))])
    ).work
    assert one is not None
    assert other is not None
    wait_for_names(library)
    thomas = point_called(library, other, "Thomas Ardley").id
    library.correct(other, Act(Correction.RENAME, (thomas,), "Tom"), WHOLE)
    _write(library, other, "Tom", "He smiled.", "Thomas Ardley smiled")
    mary = point_called(library, one, "Mary Wendell").id
    library.regroup(_volumes(library, other), one)
    wait_for_names(library)
    assert {name: _ids(library, one)[name] for name in ("Tom", "Mary Wendell")} == {"Tom": thomas, "Mary Wendell": mary}
    assert [shown.run for shown in _statements(library, one, "Tom")] == [Plain("He smiled.")]


def test_what_is_written_is_carried_to_another_edition(library: Library, series: WorkId, tmp_path: Path) -> None:
    _write(library, series, "Mary Wendell", "She kept it.", "kept the signal lamp")
    again = library.import_now(
        _volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis", end="Mary Wendell kept the signal lamp.", more=" Anew.")
    )
    assert again.work == series
    wait_for_names(library)
    [shown] = _statements(library, series, "Mary Wendell")
    document, at = place_of(library, series, "kept the signal lamp")
    assert shown.evidence[0].locator == Locator(document, at, at + 20)


def test_a_removed_work_leaves_nothing_known(library: Library, series: WorkId, paths: Paths) -> None:
    _write(library, series, "Mary Wendell", "She kept it.", "kept the signal lamp")
    library.remove(series)
    tables = ("alias", "mention", "roster_point", "scene", "appearance", "statement", "evidence", "correction")
    deadline = time.monotonic() + PATIENCE_S
    while any(_rows(paths, table) for table in tables):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _rows(paths: Paths, table: str) -> int:
    r = open_reader(paths.library_db)
    count = int(r.execute(f"SELECT count(*) FROM {table}").get)
    r.close()
    return count


def test_corrections_outlive_a_library_made_anew(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    work = library.import_now(_volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis", end="The signal lamp.")).work
    assert work is not None
    wait_for_names(library)
    ids = _ids(library, work)
    library.correct(work, Act(Correction.RENAME, (ids["Mary Wendell"],), "Mary of the Lamp"), WHOLE)
    library.correct(work, Act(Correction.ADD, (), "signal lamp", PointKind.ITEM), WHOLE)
    library.close()
    paths.library_db.write_bytes(b"no database at all")
    again = Library(paths)
    wait_for_names(again)
    [summary] = again.works()
    assert {"Mary of the Lamp", "signal lamp", "Mr. Hollis"} <= _names(again, summary.id)
    again.close()


# The background process


@pytest.fixture(scope="module")
def long_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book whose names take a second to be found and written."""
    folder = tmp_path_factory.mktemp("books")
    body = _story(*_PEOPLE, lines=150)
    return make_epub(folder / "long.epub", title="Long", chapters=[(f"Part {n}", body) for n in range(40)])


def _wait_growing(library: Library) -> int:
    """Wait until names are being written and return the job."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = [job for job in library.jobs() if job.kind == jobs.NAMES and job.total]
        if found:
            return found[0].id
        assert time.monotonic() < deadline
        time.sleep(0.002)


def _helper_pid(paths: Paths) -> int:
    r = open_reader(paths.library_db)
    owner = jobs.lease_owner(r, "helper")
    r.close()
    assert owner is not None
    return owner.pid


def test_names_half_found_are_seen_by_nobody_and_found_again_after_a_kill(
    library: Library, paths: Paths, long_book: Path
) -> None:
    work = library.import_now(long_book).work
    assert work is not None
    _wait_growing(library)
    os.kill(_helper_pid(paths), signal.SIGKILL)
    assert library.entities(work, WHOLE) == ()
    wait_for_names(library)
    assert set(_PEOPLE) <= _names(library, work)
    r = open_reader(paths.library_db)
    states = [state for (state,) in r.execute("SELECT state FROM roster ORDER BY id")]
    r.close()
    assert states.count("ready") == 1
    assert "growing" not in states


def test_looking_for_names_can_be_cancelled_and_leaves_nothing(library: Library, paths: Paths, long_book: Path) -> None:
    work = library.import_now(long_book).work
    assert work is not None
    job = _wait_growing(library)
    library.cancel(job)
    wait_for_names(library)
    assert library.jobs([job])[0].state is JobState.CANCELLED
    assert library.knowledge_state(work) is KnowledgeState.NONE
    assert library.entities(work, WHOLE) == ()


def test_a_book_to_import_comes_before_names(library: Library, long_book: Path, tmp_path: Path) -> None:
    work = library.import_now(long_book).work
    assert work is not None
    _wait_growing(library)
    library.import_now(_volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis"))
    assert library.entities(work, WHOLE) == ()
    wait_for_names(library)
    assert set(_PEOPLE) <= _names(library, work)


def test_leaving_while_names_are_found_is_quick_and_the_next_start_goes_on(paths: Paths, long_book: Path) -> None:
    for _time in range(4):
        library = Library(paths)
        library.import_now(long_book)
        _wait_growing(library)
        began = time.monotonic()
        library.close()
        assert time.monotonic() - began < AT_ONCE_S
    again = Library(paths)
    wait_for_names(again)
    [work] = again.works()
    assert set(_PEOPLE) <= _names(again, work.id)
    again.close()


def test_a_work_of_an_earlier_release_is_looked_through_at_the_next_start(paths: Paths, tmp_path: Path) -> None:
    library = Library(paths)
    work = library.import_now(_volume(tmp_path, 1, "Mary Wendell", "Mr. Hollis")).work
    assert work is not None
    wait_for_names(library)
    with library._store.write() as w:
        w.execute("UPDATE roster SET rules_rev = 0")
    library.close()
    again = Library(paths)
    assert again.knowledge_state(work) is KnowledgeState.WORKING
    assert "Mary Wendell" in _names(again, work)
    wait_for_names(again)
    assert "Mary Wendell" in _names(again, work)
    again.close()
