"""How a book's passages are made, gone on with, made anew and taken away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import INDEX_REV, BookId, ChapterKind, WorkId
from engine.errors import LibraryUnavailableError
from engine.retrieval.indexing import index_book
from engine.store import jobs, passages
from engine.store.books import delete_some, mark_leaving
from engine.store.grouping import remove_work
from engine.store.passages import PassageRow
from engine.store.store import Store
from tests.shelving import document_of, open_store, passages_of, shelve

_TEXTS = (
    "Ilse kept the lamp through the winter. " * 200,
    "沈听墨把灯点上，雪还在下，城门早已关了。" * 300,
    "その夜、灯台の火は消えなかった。" * 200,
)


class _KilledError(Exception):
    pass


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _shelve(store: Store) -> WorkId:
    documents = [document_of([text[:900], text] * 9, spine_index=index) for index, text in enumerate(_TEXTS)]
    return shelve(store, documents)


def _book(store: Store) -> BookId:
    with store.read() as r:
        return BookId(int(r.execute("SELECT max(id) FROM book").get))


def _passages(store: Store, work: WorkId) -> list[PassageRow]:
    with store.read() as r:
        return passages_of(r, work)


def _grams(store: Store) -> list[tuple[object, ...]]:
    with store.write() as w:
        w.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.gram_count USING fts5vocab (main, gram, row)")
        return list(w.execute("SELECT term, doc, cnt FROM gram_count ORDER BY term"))


def _count(store: Store, query: str) -> int:
    with store.read() as r:
        return int(r.execute(query).get)


def _index(store: Store) -> None:
    assert index_book(store, _book(store), lambda _done, _of: None)


def _index_until_killed(store: Store, steps: int) -> None:
    left = iter(range(steps))

    def go_on(_done: int, _of: int) -> None:
        if next(left, None) is None:
            raise _KilledError

    with pytest.raises(_KilledError):
        index_book(store, _book(store), go_on)


def test_a_published_book_waits_for_its_passages(store: Store) -> None:
    _shelve(store)
    with store.read() as r:
        waiting = [job for job in jobs.progress(r) if job.kind == jobs.INDEX]
    assert len(waiting) == 1


def test_passages_come_in_the_order_of_the_story_with_their_text(store: Store) -> None:
    work = _shelve(store)
    _index(store)
    found = _passages(store, work)
    assert [row.pos for row in found] == sorted(row.pos for row in found)
    assert {row.pos_end - row.pos for row in found} == {row.locator.end - row.locator.start for row in found}
    with store.read() as r:
        texts = [passages.text_of_passage(r, row.id) or "" for row in found]
        assert passages.passage(r, found[3].id) == found[3]
    assert [len(text) for text in texts] == [row.locator.end - row.locator.start for row in found]
    assert "沈听墨" in "".join(texts)


def test_the_same_text_has_the_same_hash_wherever_it_stands(store: Store) -> None:
    work = shelve(store, [document_of(["Ilse kept the lamp."], spine_index=n) for n in range(2)])
    _index(store)
    first, second = _passages(store, work)
    assert first.text_hash == second.text_hash
    assert first.id != second.id


def test_a_passage_is_found_by_its_grams_alone(store: Store) -> None:
    _shelve(store)
    _index(store)
    assert _count(store, "SELECT count(*) FROM gram WHERE gram MATCH '\"听墨\"'") > 5
    assert _count(store, "SELECT count(*) FROM gram WHERE gram MATCH '\"winter\"'") > 5
    assert _count(store, "SELECT count(*) FROM gram WHERE gram MATCH '\"墨听\"'") == 0


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8])
def test_a_killed_indexing_goes_on_where_it_stopped(store: Store, steps: int) -> None:
    work = _shelve(store)
    _index_until_killed(store, steps)
    _index(store)
    stopped, grams = _passages(store, work), _grams(store)
    with store.write() as w:
        passages.set_index_rev(w, _book(store), INDEX_REV + 1)
    _index(store)
    assert _passages(store, work) == stopped
    assert _grams(store) == grams
    assert len({row.id for row in stopped}) == len(stopped) > 20


@pytest.mark.parametrize("begun", ["new", "old"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_two_that_make_them_at_the_same_time_write_each_once(store: Store, tmp_path: Path, at: int, begun: str) -> None:
    work = _shelve(store)
    _index(store)
    whole, grams = _passages(store, work), _grams(store)
    with store.write() as w:
        passages.set_index_rev(w, _book(store), INDEX_REV + 1)
    if begun == "new":
        _index_until_killed(store, 2)
    other = open_store(tmp_path)
    told: list[int] = []

    def go_on(done: int, _of: int) -> None:
        told.append(done)
        if len(told) == at + 1:
            _index_until_killed(other, 4)
        if len(told) == at + 3:
            assert index_book(other, _book(other), lambda _done, _of: None)

    assert index_book(store, _book(store), go_on)
    other.close()
    assert len(told) >= at + 3
    assert _passages(store, work) == whole
    assert _grams(store) == grams


@pytest.mark.parametrize("room", [0, 1, 3])
def test_a_full_disk_ends_it_and_room_lets_it_go_on(store: Store, room: int) -> None:
    work = _shelve(store)
    with store.write() as w:
        w.pragma("max_page_count", int(w.pragma("page_count")) + room)
    with pytest.raises(LibraryUnavailableError, match="disk is full"):
        _index(store)
    with store.read() as r:
        assert passages.index_rev(r, _book(store)) == 0
    with store.write() as w:
        w.pragma("max_page_count", 1 << 30)
    _index(store)
    stopped, grams = _passages(store, work), _grams(store)
    with store.write() as w:
        passages.set_index_rev(w, _book(store), INDEX_REV + 1)
    _index(store)
    assert _passages(store, work) == stopped
    assert _grams(store) == grams
    assert _count(store, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1


def test_what_is_whole_is_not_made_again(store: Store) -> None:
    _shelve(store)
    _index(store)
    told: list[int] = []
    assert index_book(store, _book(store), lambda done, _of: told.append(done))
    assert told == []


def test_a_chapter_gives_its_passages_its_kind(store: Store) -> None:
    work = _shelve(store)
    with store.write() as w:
        w.execute("UPDATE chapter SET kind = 'afterword' WHERE ord = 2")
    _index(store)
    kinds = [row.kind for row in _passages(store, work)]
    assert list(dict.fromkeys(kinds)) == [ChapterKind.BODY, ChapterKind.AFTERWORD]


def test_a_removed_book_takes_its_passages_with_it(store: Store) -> None:
    work = _shelve(store)
    _index(store)
    book = _book(store)
    with store.write() as w:
        remove_work(w, work)
        mark_leaving(w, book)
    left = 0
    while left < 100:
        with store.write() as w:
            if delete_some(w, book):
                break
        left += 1
    assert _count(store, "SELECT count(*) FROM passage") == 0
    assert _count(store, "SELECT count(*) FROM gram") == 0
    assert not index_book(store, book, lambda _done, _of: None)


def test_a_book_that_vanishes_meanwhile_is_let_go(store: Store) -> None:
    _shelve(store)
    book = _book(store)

    def go_on(_done: int, _of: int) -> None:
        with store.write() as w:
            mark_leaving(w, book)

    assert not index_book(store, book, go_on)
    assert _count(store, "SELECT count(*) FROM passage") == 0


def test_making_them_anew_ten_times_does_not_grow_the_library(store: Store) -> None:
    _shelve(store)
    _index(store)
    before = _count(store, "SELECT sum(length(block)) FROM gram_data")
    for _round in range(10):
        with store.write() as w:
            passages.set_index_rev(w, _book(store), INDEX_REV + 1)
        _index(store)
    assert _count(store, "SELECT sum(length(block)) FROM gram_data") < before * 1.3
