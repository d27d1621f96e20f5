from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import VolumeId, WorkId
from engine.domain.locator import volume_ord_of
from engine.errors import PlaceUnknownError, WorkAmbiguousError, WorkNotFoundError
from engine.store import grouping, places, reading, works
from engine.store.store import Store
from tests.shelving import document_of, open_store, place_in, shelve

_TEXT = document_of(["The lamp burned low, and nobody came to trim it."])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _volume(
    store: Store, n: int, *, series: str = "Ashfall", author: str = "Ann Author", language: str = "en"
) -> WorkId:
    sha256 = f"{series}{n}".encode().hex().ljust(64, "0")
    return shelve(
        store,
        [_TEXT],
        sha256=sha256,
        title=f"{series} {n}",
        series=series,
        series_index=n,
        author=author,
        language=language,
    )


def _titles(store: Store, work: WorkId) -> list[str]:
    with store.read() as r:
        return [volume.title for volume in works.outline(r, work).volumes]


def _ids(store: Store, work: WorkId) -> list[VolumeId]:
    with store.read() as r:
        return grouping.volumes_of(r, work)


def _shelf(store: Store) -> list[str]:
    with store.read() as r:
        return sorted(work.title for work in works.summaries(r))


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1), (3, 2, 1)])
def test_volumes_of_a_series_come_in_the_order_of_their_numbers(store: Store, order: tuple[int, ...]) -> None:
    work = {_volume(store, n) for n in order}.pop()
    assert _titles(store, work) == ["Ashfall 1", "Ashfall 2", "Ashfall 3"]


@pytest.mark.parametrize(
    ("other", "shares"),
    [
        ({"author": "Ann Author"}, True),
        ({"author": "Author, Ann"}, True),
        ({"author": ""}, True),
        ({"author": "Bob Other"}, False),
        ({"language": "en-GB"}, True),
        ({"language": ""}, True),
        ({"language": "zh"}, False),
    ],
)
def test_a_series_is_shared_only_with_a_compatible_author_and_language(
    store: Store, other: dict[str, str], shares: bool
) -> None:
    assert (_volume(store, 1) == _volume(store, 2, **other)) is shares


def test_width_case_and_punctuation_of_a_series_name_do_not_matter(store: Store) -> None:
    assert shelve(store, [_TEXT], series="Ａｓｈfall: Station", series_index=1) == shelve(
        store, [_TEXT], sha256="b" * 64, series="ashfall station", series_index=2
    )


def test_reordering_moves_every_pos_and_no_place(store: Store) -> None:
    _volume(store, 1)
    work = _volume(store, 2)
    first, second = _ids(store, work)
    sha256 = b"Ashfall1".hex().ljust(64, "0")
    with store.write() as w:
        places.save_place(w, place_in(_TEXT, 9, sha256=sha256))
        grouping.reorder(w, work, [second, first])
    with store.read() as r:
        row = reading.document_of(r, sha256, 0)
        assert row is not None
        assert volume_ord_of(row.pos(9)) == 1
        assert places.place_of_work(r, work) == place_in(_TEXT, 9, sha256=sha256, counter=1)
    assert _titles(store, work) == ["Ashfall 2", "Ashfall 1"]


def test_an_order_that_names_other_volumes_changes_nothing(store: Store) -> None:
    _volume(store, 1)
    work = _volume(store, 2)
    first, second = _ids(store, work)
    with store.write() as w, pytest.raises(PlaceUnknownError):
        grouping.reorder(w, work, [second])
    assert _ids(store, work) == [first, second]


def test_a_later_volume_comes_last_in_an_order_the_reader_made(store: Store) -> None:
    _volume(store, 1)
    _volume(store, 2)
    work = _volume(store, 3)
    one, two, three = _ids(store, work)
    with store.write() as w:
        grouping.reorder(w, work, [three, one, two])
    _volume(store, 4)
    assert _titles(store, work) == ["Ashfall 3", "Ashfall 1", "Ashfall 2", "Ashfall 4"]


def test_a_volume_taken_out_becomes_a_work_named_after_it(store: Store) -> None:
    _volume(store, 1)
    work = _volume(store, 2)
    with store.write() as w:
        grouping.regroup(w, _ids(store, work)[1:], None)
    assert _shelf(store) == ["Ashfall 1", "Ashfall 2"]


def test_a_later_volume_stays_with_the_most_of_its_series(store: Store) -> None:
    _volume(store, 1)
    _volume(store, 2)
    work = _volume(store, 3)
    with store.write() as w:
        apart = grouping.regroup(w, _ids(store, work)[2:], None)
    assert _volume(store, 4) == work
    assert _titles(store, apart) == ["Ashfall 3"]


def test_a_later_volume_follows_its_series_into_another_work(store: Store) -> None:
    main = _volume(store, 1)
    side = _volume(store, 1, series="Side")
    with store.write() as w:
        grouping.regroup(w, _ids(store, side), main)
    assert _volume(store, 2, series="Side") == main
    assert _titles(store, main) == ["Ashfall 1", "Side 1", "Side 2"]


def test_a_work_left_empty_vanishes_and_keeps_no_gap_behind(store: Store) -> None:
    main = _volume(store, 1)
    side = _volume(store, 1, series="Side")
    with store.write() as w:
        grouping.regroup(w, _ids(store, side), main)
    assert _shelf(store) == ["Ashfall"]
    with store.read() as r, pytest.raises(WorkNotFoundError):
        works.outline(r, side)


def test_taking_out_all_volumes_leaves_the_work_as_it_is(store: Store) -> None:
    work = _volume(store, 1)
    with store.write() as w:
        assert grouping.regroup(w, _ids(store, work), None) == work


def test_volumes_taken_out_together_keep_the_order_given(store: Store) -> None:
    _volume(store, 1)
    _volume(store, 2)
    work = _volume(store, 3)
    _one, two, three = _ids(store, work)
    with store.write() as w:
        apart = grouping.regroup(w, [three, two], None)
    assert _titles(store, apart) == ["Ashfall 3", "Ashfall 2"]


def test_a_title_the_reader_gave_survives_later_volumes(store: Store) -> None:
    work = _volume(store, 1)
    with store.write() as w:
        grouping.rename(w, work, "My Ashfall")
    _volume(store, 2)
    assert _shelf(store) == ["My Ashfall"]


def test_the_only_volume_of_a_series_is_listed_by_its_own_title(store: Store) -> None:
    _volume(store, 2)
    assert _shelf(store) == ["Ashfall 2"]
    _volume(store, 1)
    assert _shelf(store) == ["Ashfall"]


def test_a_work_that_is_not_there_cannot_be_renamed(store: Store) -> None:
    with store.write() as w, pytest.raises(WorkNotFoundError):
        grouping.rename(w, WorkId(9), "x")


def test_places_and_frontiers_survive_removal(store: Store) -> None:
    work = shelve(store, [_TEXT])
    with store.write() as w:
        places.save_place(w, place_in(_TEXT, 9))
        places.put_frontier(w, "a" * 64, 0, 12)
        grouping.remove_work(w, work)
    assert _shelf(store) == []
    again = shelve(store, [_TEXT], sha256="b" * 64)
    with store.read() as r:
        assert places.place_of_work(r, again) is None
    with store.read() as r:
        assert places.frontier_of_book(r, "a" * 64) == (0, 12)
        assert places.place_of_book(r, "a" * 64) == place_in(_TEXT, 9, counter=1)


@pytest.mark.parametrize(
    ("query", "found"),
    [("1", "青空"), ("青", "青空"), ("ASHFALL station", "Ashfall Station"), ("ｓｔａｔｉｏｎ", "Ashfall Station")],
)
def test_a_work_is_found_by_id_title_or_part_of_it(store: Store, query: str, found: str) -> None:
    shelve(store, [_TEXT], title="青空")
    shelve(store, [_TEXT], sha256="b" * 64, title="Ashfall Station")
    with store.read() as r:
        assert {w.id: w.title for w in works.summaries(r)}[works.find(r, query)] == found


def test_a_whole_title_wins_over_a_longer_one_that_holds_it(store: Store) -> None:
    work = shelve(store, [_TEXT], title="Emma")
    shelve(store, [_TEXT], sha256="b" * 64, title="Emma's Sister")
    with store.read() as r:
        assert works.find(r, "emma") == work


def test_a_volumes_title_finds_its_work(store: Store) -> None:
    work = _volume(store, 1)
    with store.read() as r:
        assert works.find(r, "ashfall 1") == work


def test_a_part_of_two_titles_is_refused_and_both_are_named(store: Store) -> None:
    shelve(store, [_TEXT], title="Emma")
    shelve(store, [_TEXT], sha256="b" * 64, title="Emmeline")
    with store.read() as r, pytest.raises(WorkAmbiguousError, match=r"Emma \(1\); Emmeline \(2\)"):
        works.find(r, "emm")


@pytest.mark.parametrize("query", ["", "  ", "77", "zzz"])
def test_what_fits_nothing_is_not_found(store: Store, query: str) -> None:
    shelve(store, [_TEXT], title="Emma")
    with store.read() as r, pytest.raises(WorkNotFoundError):
        works.find(r, query)
