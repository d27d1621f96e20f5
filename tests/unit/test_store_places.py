from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import pos_of
from engine.store import places, works
from engine.store.store import Store
from tests.shelving import document_of, open_store, place_in, shelve

_FIRST = document_of(["The lamp burned low, and nobody came to trim it."])
_SECOND = document_of(["In the morning the train stood at the platform."], spine_index=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _save(store: Store, offset: int, counter: int = 0, sha256: str = "a" * 64) -> int:
    with store.write() as w:
        return places.save_place(w, place_in(_FIRST, offset, sha256=sha256, counter=counter))


def _kept(store: Store) -> int:
    with store.read() as r:
        kept = places.place_of_book(r, "a" * 64)
    assert kept is not None
    return kept.offset


def _documents(store: Store, work: WorkId) -> list[DocumentId]:
    with store.read() as r:
        return [d.id for v in works.outline(r, work).volumes for d in v.documents]


def test_the_counter_grows_over_all_books(store: Store) -> None:
    assert [_save(store, 3), _save(store, 4, sha256="b" * 64), _save(store, 5)] == [1, 2, 3]


def test_a_place_is_kept_with_its_words(store: Store) -> None:
    _save(store, 9)
    with store.read() as r:
        kept = places.place_of_book(r, "a" * 64)
    assert kept == place_in(_FIRST, 9, counter=1)


def test_a_window_left_open_does_not_take_the_reader_back(store: Store) -> None:
    old = _save(store, 4)
    _save(store, 33, counter=old)
    assert _save(store, 4, counter=old) == 2
    assert _kept(store) == 33


def test_what_the_overtaken_window_held_is_kept_as_history(store: Store) -> None:
    old = _save(store, 4)
    _save(store, 33, counter=old)
    _save(store, 7, counter=old)
    with store.read() as r:
        assert [p.offset for p in places.earlier_places(r, "a" * 64)] == [33, 7]


def test_reading_on_in_the_overtaken_window_wins(store: Store) -> None:
    old = _save(store, 4)
    _save(store, 33, counter=old)
    told = _save(store, 7, counter=old)
    _save(store, 8, counter=told)
    assert _kept(store) == 8


def test_only_the_newest_twenty_overtaken_places_are_kept(store: Store) -> None:
    _save(store, 0)
    last = _save(store, 1)
    for n in range(2, 40):
        _save(store, n, counter=last - 1)
    with store.read() as r:
        assert len(places.earlier_places(r, "a" * 64)) == 20


def test_the_newest_place_of_a_works_volumes_is_its_place(store: Store) -> None:
    work = shelve(store, [_FIRST], series="S", series_index=1)
    shelve(store, [_FIRST], sha256="b" * 64, title="B", series="S", series_index=2)
    _save(store, 3, sha256="b" * 64)
    _save(store, 5)
    with store.read() as r:
        kept = places.place_of_work(r, work)
    assert kept is not None
    assert (kept.book_sha256, kept.offset) == ("a" * 64, 5)


def test_the_frontier_only_moves_forwards(store: Store) -> None:
    work = shelve(store, [_FIRST, _SECOND])
    one, two = _documents(store, work)
    with store.write() as w:
        assert places.advance_frontier(w, work, two, 5) == pos_of(0, len(_FIRST.text) + 5)
        assert places.advance_frontier(w, work, one, 9) == pos_of(0, len(_FIRST.text) + 5)


def test_reading_a_document_outside_the_reading_order_moves_no_frontier(store: Store) -> None:
    aside = document_of(["An aside."], spine_index=2, is_linear=False)
    work = shelve(store, [_FIRST, _SECOND, aside])
    *_, third = _documents(store, work)
    with store.write() as w:
        assert places.advance_frontier(w, work, third, 3) == 0


def test_a_frontier_set_backwards_leaves_later_volumes_unread(store: Store) -> None:
    work = shelve(store, [_FIRST], series="S", series_index=1)
    shelve(store, [_FIRST], sha256="b" * 64, title="B", series="S", series_index=2)
    one, two = _documents(store, work)
    with store.write() as w:
        places.advance_frontier(w, work, two, 7)
        places.set_frontier(w, work, one, 2)
        assert places.frontier(w, work) == pos_of(0, 2)


def test_the_shelf_shows_how_far_the_place_is_and_the_newest_read_first(store: Store) -> None:
    first = shelve(store, [_FIRST])
    second = shelve(store, [_FIRST, _SECOND], sha256="b" * 64, title="B")
    with store.read() as r:
        assert [w.id for w in works.summaries(r)] == [second, first]
    _save(store, 24)
    with store.read() as r:
        top, below = works.summaries(r)
    assert (top.id, round(top.read_share, 3), below.read_share) == (first, 0.5, 0.0)
    assert top.last_read
    assert not below.last_read
