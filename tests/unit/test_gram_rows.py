"""Which rows of the full-text index passages have: one after the other, whatever comes and goes between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.search import PASSAGE_SHIFT
from engine.store.gram_rows import GramRows, Range, Run, give_rows, rows_of, take_rows
from engine.store.store import Store
from tests.shelving import open_store

_EVERYTHING = (Range(0, 1 << 60),)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _ids(document: int, *ords: int) -> list[int]:
    return [document << PASSAGE_SHIFT | ord_ for ord_ in ords]


def _runs(store: Store) -> list[tuple[object, ...]]:
    with store.read() as r:
        return list(r.execute("SELECT passage_id, first_row, count FROM gram_run ORDER BY passage_id"))


def _pairs(store: Store, *ranges: Range) -> list[tuple[int, int]]:
    with store.read() as r:
        rows = rows_of(r, ranges or _EVERYTHING)
    numbers = [row for first, last in rows.stretches() for row in range(first, last + 1)]
    assert rows.count == len(numbers)
    return list(zip(rows.passages(numbers), numbers, strict=True))


def test_passages_of_a_document_written_at_several_times_are_one_run(store: Store) -> None:
    with store.write() as w:
        assert give_rows(w, _ids(7, 0, 1)) == [1, 2]
        assert give_rows(w, _ids(7, 2, 3)) == [3, 4]
    assert _runs(store) == [(7 << PASSAGE_SHIFT, 1, 4)]


def test_each_document_has_a_run_of_its_own_and_rows_go_on(store: Store) -> None:
    with store.write() as w:
        assert give_rows(w, [*_ids(7, 0, 1), *_ids(8, 0)]) == [1, 2, 3]
    assert _runs(store) == [(7 << PASSAGE_SHIFT, 1, 2), (8 << PASSAGE_SHIFT, 3, 1)]
    with store.read() as r:
        assert list(rows_of(r, _EVERYTHING).stretches()) == [(1, 3)]


def test_a_document_gone_on_with_behind_another_has_two_runs(store: Store) -> None:
    with store.write() as w:
        give_rows(w, _ids(7, 0, 1))
        give_rows(w, _ids(3, 0))
        give_rows(w, _ids(7, 2))
    found = [(7, 0, 1), (7, 1, 2), (3, 0, 3), (7, 2, 4)]
    assert _pairs(store) == [(_ids(document, ord_)[0], row) for document, ord_, row in found]


def test_a_range_cuts_the_runs_at_both_ends(store: Store) -> None:
    with store.write() as w:
        give_rows(w, [*_ids(7, 0, 1, 2), *_ids(8, 0, 1, 2)])
    within = Range(_ids(7, 1)[0], _ids(8, 1)[0])
    assert _pairs(store, within) == list(zip([*_ids(7, 1, 2), *_ids(8, 0, 1)], [2, 3, 4, 5], strict=True))


def test_passages_taken_from_the_middle_leave_what_stands_on_both_sides(store: Store) -> None:
    with store.write() as w:
        give_rows(w, _ids(7, 0, 1, 2, 3, 4))
        assert take_rows(w, _ids(7, 1, 2)) == [2, 3]
    assert _pairs(store) == list(zip(_ids(7, 0, 3, 4), [1, 4, 5], strict=True))


def test_where_there_are_no_passages_there_are_no_rows() -> None:
    assert list(GramRows(()).stretches()) == []
    assert GramRows(()).count == 0


def test_rows_lead_to_their_passages_over_a_gap() -> None:
    rows = GramRows([Run(500, 10, 2), Run(100, 1, 3)])
    assert list(rows.stretches()) == [(1, 3), (10, 11)]
    assert list(rows.passages([2, 3, 11])) == [101, 102, 501]


_STEPS = st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.integers(1, 6)), max_size=25)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(_STEPS)
def test_whatever_comes_and_goes_each_passage_has_one_row(store: Store, steps: list[tuple[bool, int, int]]) -> None:
    present: dict[int, int] = {}
    next_ord = dict.fromkeys((1, 2, 3), 0)
    with store.write() as w:
        w.execute("DELETE FROM gram_run")
        for is_new, document, count in steps:
            if is_new:
                ids = _ids(document, *range(next_ord[document], next_ord[document] + count))
                next_ord[document] += count
                present.update(zip(ids, give_rows(w, ids), strict=True))
            else:
                gone = sorted(id_ for id_ in present if id_ >> PASSAGE_SHIFT == document)[:count]
                assert take_rows(w, gone) == [present.pop(id_) for id_ in gone]
    assert dict(_pairs(store)) == present
    assert len(set(present.values())) == len(present)
