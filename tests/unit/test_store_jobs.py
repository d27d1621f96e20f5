from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.reading import JobState
from engine.store import jobs
from engine.store.jobs import Owner
from engine.store.store import Store
from tests.shelving import open_store

_ME = Owner(100, "start", "boot")
_OTHER = Owner(200, "start", "boot")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _add(store: Store, unit: str = "/a.epub") -> int:
    with store.write() as w:
        return jobs.add_job(w, "import", unit, unit[1:])


def _take(store: Store) -> jobs.Job | None:
    with store.write() as w:
        return jobs.take_job(w)


def _state(store: Store, job: int) -> JobState:
    with store.read() as r:
        return jobs.progress(r, [job])[0].state


def _lease(store: Store, owner: Owner, now: float, *, is_alive: bool = True) -> bool:
    with store.write() as w:
        return jobs.take_lease(w, "helper", owner, now, is_alive=is_alive)


def test_jobs_are_taken_in_the_order_they_came(store: Store) -> None:
    _add(store, "/a.epub")
    _add(store, "/b.epub")
    first = _take(store)
    assert first == jobs.Job(1, "import", "/a.epub", "a.epub", 1)


def test_asking_twice_for_the_same_makes_one_job(store: Store) -> None:
    assert _add(store) == _add(store)


def test_what_is_finished_may_be_asked_for_again(store: Store) -> None:
    first = _add(store)
    _take(store)
    with store.write() as w:
        jobs.finish_job(w, first, result="{}")
    assert _add(store) != first


def test_a_job_its_process_left_behind_is_taken_again_and_counted(store: Store) -> None:
    _add(store)
    _take(store)
    again = _take(store)
    assert again is not None
    assert again.tries == 2


def test_a_job_given_back_does_not_count_as_tried(store: Store) -> None:
    job = _add(store)
    _take(store)
    with store.write() as w:
        jobs.give_back(w, job)
    again = _take(store)
    assert again is not None
    assert again.tries == 1


def test_progress_of_a_cancelled_job_is_refused(store: Store) -> None:
    job = _add(store)
    _take(store)
    with store.write() as w:
        assert jobs.set_progress(w, job, 1, 9)
        jobs.cancel_job(w, job)
        assert not jobs.set_progress(w, job, 2, 9)
        jobs.finish_job(w, job, result="{}")
    assert _state(store, job) == JobState.CANCELLED
    assert _take(store) is None


def test_a_finished_job_cannot_be_cancelled(store: Store) -> None:
    job = _add(store)
    _take(store)
    with store.write() as w:
        jobs.finish_job(w, job, result="{}")
        jobs.cancel_job(w, job)
    assert _state(store, job) == JobState.DONE


def test_without_ids_only_what_is_not_finished_is_told(store: Store) -> None:
    job = _add(store, "/a.epub")
    _add(store, "/b.epub")
    _take(store)
    with store.write() as w:
        jobs.finish_job(w, job, error="no book")
    with store.read() as r:
        assert [p.subject for p in jobs.progress(r)] == ["b.epub"]
        assert jobs.progress(r, [job])[0].error == "no book"


def test_a_free_lease_is_taken_and_renewed(store: Store) -> None:
    assert _lease(store, _ME, 1000.0)
    assert _lease(store, _ME, 5000.0)


@pytest.mark.parametrize(
    ("now", "is_alive", "is_taken"),
    [
        (1005.0, True, False),  # held
        (1029.9, True, False),
        (1030.0, True, True),  # no heartbeat for 30 s
        (1001.0, False, True),  # dead: at once
        (3.0, True, True),  # the clock began anew: another boot that has no id
    ],
)
def test_a_lease_is_taken_over_from_the_dead_and_the_silent(
    store: Store, now: float, is_alive: bool, is_taken: bool
) -> None:
    _lease(store, _ME, 1000.0)
    assert _lease(store, _OTHER, now, is_alive=is_alive) is is_taken


def test_a_lease_of_an_earlier_boot_is_anybodys(store: Store) -> None:
    _lease(store, _ME, 1000.0)
    assert _lease(store, Owner(100, "start", "another boot"), 1001.0)


def test_only_its_owner_can_give_a_lease_back(store: Store) -> None:
    _lease(store, _ME, 1000.0)
    with store.write() as w:
        jobs.drop_lease(w, "helper", _OTHER)
    assert not _lease(store, _OTHER, 1001.0)
    with store.write() as w:
        jobs.drop_lease(w, "helper", _ME)
    assert _lease(store, _OTHER, 1001.0)
