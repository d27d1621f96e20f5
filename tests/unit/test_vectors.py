"""Vectors in the library: which are taken, what stays when text moves or changes, how a search in them is bounded."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import BookId, WorkId
from engine.domain.search import PassageId, PosRange
from engine.domain.vectors import EmbedderChoice, Vector, unit_vector
from engine.errors.models import CallRefusedError, ModelBusyError
from engine.errors.vectors import EmbeddingFailedError, VectorInvalidError
from engine.providers.retry import RetryPolicy
from engine.retrieval.embedding import embed_book
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import END
from engine.store import grouping, neighbours, passages, vectors
from engine.store.store import Store
from engine.store.vectors import ToEmbed, VectorIndex
from tests.shelving import document_of, open_store, passages_of, shelve
from tests.vector_server import DIMS, PlainEmbedder

_CHOICE = EmbedderChoice("http://127.0.0.1/v1#plain")
_ALL = PosRange(0, END)
_HURRY = RetryPolicy(most_calls=3, first_s=0.001, longest_s=0.01)
_LAMP = "Ilse kept the lamp through the winter, and nobody asked her why. "
_FERRY = "The ferry at Oxbow left in the dark, and the rope was wet with rain. "
_BELL = "Nobody rang the bell of the drowned church, yet the children heard it. "


class _StoppedError(Exception):
    pass


def _go_on(_done: int, _total: int) -> None:
    pass


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def _shelved(store: Store, *paragraphs: str, number: int = 1) -> WorkId:
    """Shelve and index a volume of a series."""
    work = shelve(
        store,
        [document_of([paragraph * 8 for paragraph in paragraphs])],
        sha256=f"{number:064x}",
        title=f"Book {number}",
        series="Oxbow",
        series_index=float(number),
    )
    index_book(store, _book(store, work, number), _go_on)
    return work


def _book(store: Store, work: WorkId, number: int) -> BookId:
    with store.read() as r:
        return next(book for book, name in vectors.books_of(r, work) if name == f"Book {number}.epub")


def _embed(store: Store, work: WorkId, embedder: PlainEmbedder, number: int = 1) -> None:
    embed_book(store, _book(store, work, number), embedder, _CHOICE, _go_on, _HURRY)


def _index(store: Store, work: WorkId, wanted: str = "") -> VectorIndex | None:
    with store.read() as r:
        return neighbours.usable_index(r, work, wanted)


def _found(store: Store, work: WorkId, text: str, within: PosRange = _ALL, limit: int = 1) -> list[str]:
    """Return the texts of the passages nearest to a query."""
    with store.read() as r:
        index = neighbours.usable_index(r, work, "")
        assert index is not None
        query = PlainEmbedder().embed_query(text)
        found = neighbours.nearest(r, index, work, query, within, limit)
        return [passages.text_of_passage(r, id_) or "gone" for id_, _cosine in found]


def _ids(store: Store, work: WorkId) -> list[PassageId]:
    with store.read() as r:
        return [row.id for row in passages_of(r, work)]


def _embedded(store: Store) -> list[tuple[int, int]]:
    with store.read() as r:
        return list(r.execute("SELECT index_id, passage_id FROM embedded ORDER BY index_id, passage_id"))


def _add(store: Store, index: VectorIndex, rows: list[tuple[ToEmbed, Vector]]) -> None:
    with store.write() as w:
        vectors.add_vectors(w, index, rows)


def _nearest(store: Store, index: VectorIndex, work: WorkId, query: Vector) -> list[tuple[PassageId, float]]:
    with store.read() as r:
        return neighbours.nearest(r, index, work, query, _ALL, 5)


def test_a_passage_is_found_by_its_vector(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY, _BELL)
    _embed(store, work, PlainEmbedder())
    assert _found(store, work, "the ferry at Oxbow left in the dark")[0].startswith("The ferry")


def test_nearness_is_the_cosine(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY)
    _embed(store, work, PlainEmbedder())
    with store.read() as r:
        index = neighbours.usable_index(r, work, "")
        assert index is not None
        own = vectors.vector_of(r, index, _ids(store, work)[0])
        assert own is not None
        (best, cosine), *_rest = neighbours.nearest(r, index, work, own, _ALL, 5)
        assert best == _ids(store, work)[0]
        assert cosine == pytest.approx(1.0)
        assert neighbours.cosines(r, index, own, [best])[best] == pytest.approx(1.0, abs=1e-6)


def test_a_passage_not_wholly_read_is_nobodys_neighbour(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY, _BELL)
    _embed(store, work, PlainEmbedder())
    with store.read() as r:
        rows = passages_of(r, work)
    ferry = next(row for row in rows if row.pos <= rows[1].pos < row.pos_end)
    bounded = PosRange(0, ferry.pos_end - 1)
    assert "The ferry" not in "".join(_found(store, work, "the ferry at Oxbow", bounded, 99))
    assert "The ferry" in "".join(_found(store, work, "the ferry at Oxbow", PosRange(0, ferry.pos_end), 99))


def test_neighbours_are_of_one_work(store: Store) -> None:
    work = _shelved(store, _LAMP)
    other = shelve(store, [document_of([_FERRY * 8])], sha256="f" * 64, title="Book 9")
    index_book(store, _book(store, other, 9), _go_on)
    _embed(store, work, PlainEmbedder())
    _embed(store, other, PlainEmbedder(), 9)
    assert "ferry" not in "".join(_found(store, work, "the ferry at Oxbow", limit=99))


def test_a_book_is_searched_once_it_is_whole(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY, _BELL)

    def stop(done: int, _total: int) -> None:
        if done:
            raise _StoppedError

    embedder = PlainEmbedder(batch=1)
    with pytest.raises(_StoppedError):
        embed_book(store, _book(store, work, 1), embedder, _CHOICE, stop)
    assert len(_embedded(store)) == 1
    assert _index(store, work) is None
    _embed(store, work, embedder)
    assert len(embedder.texts) == len(set(embedder.texts)) == len(_ids(store, work))
    assert _index(store, work) is not None


def test_the_same_text_is_embedded_once_wherever_it_stands(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY)
    _embed(store, work, PlainEmbedder())
    _shelved(store, _LAMP, _FERRY, number=2)
    embedder = PlainEmbedder()
    _embed(store, work, embedder, 2)
    assert embedder.texts == []
    assert len(_embedded(store)) == len(_ids(store, work))


def test_two_embedders_are_never_mixed(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY)
    _shelved(store, _BELL, number=2)
    _embed(store, work, PlainEmbedder(), 1)
    _embed(store, work, PlainEmbedder(), 2)
    other = PlainEmbedder("other", dims=DIMS * 2)
    _embed(store, work, other, 1)
    before = _index(store, work, "other")
    assert before is not None
    assert before.embedder == "plain", "the old one serves until the new one is whole"
    _embed(store, work, other, 2)
    after = _index(store, work, "other")
    assert after is not None
    assert (after.embedder, after.dims) == ("other", DIMS * 2)
    with store.read() as r:
        assert [index.embedder for index in vectors.indexes(r)] == ["other"], "and is deleted then"
        tables = [name for (name,) in r.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'vectors_%'")]
    assert {name.split("_")[1] for name in tables} == {str(after.id)}


def test_an_embedder_may_change_its_length_and_gets_a_table_of_its_own(store: Store) -> None:
    work = _shelved(store, _LAMP)
    _embed(store, work, PlainEmbedder(dims=16))
    with store.write() as w:
        first = vectors.index_of(w, "plain")
        second = vectors.make_index(w, "plain", 64, _CHOICE)
    assert first is not None
    assert first.table != second.table


@pytest.mark.parametrize("dims", [1, DIMS - 1, DIMS * 2])
def test_a_vector_of_another_length_is_refused_and_leaves_nothing(store: Store, dims: int) -> None:
    work = _shelved(store, _LAMP)
    _embed(store, work, PlainEmbedder())
    before = _embedded(store)
    wrong = unit_vector([1.0] * dims)
    row = ToEmbed(PassageId(99), work, 0, b"x" * 12)
    with store.read() as r:
        index = vectors.index_of(r, "plain")
    assert index is not None
    with pytest.raises(VectorInvalidError):
        _add(store, index, [(row, unit_vector([1.0] * DIMS)), (row, wrong)])
    with pytest.raises(VectorInvalidError):
        _nearest(store, index, work, wrong)
    assert _embedded(store) == before
    assert len(_found(store, work, "lamp", limit=99)) == len(before)


@pytest.mark.parametrize("value", [math.nan, math.inf, 0.0, 1.0], ids=["nan", "infinite", "zeros", "too long"])
def test_what_is_no_unit_vector_is_refused_at_the_last_door_too(store: Store, value: float) -> None:
    work = _shelved(store, _LAMP)
    _embed(store, work, PlainEmbedder())
    before, index = _embedded(store), _index(store, work)
    assert index is not None
    spoilt = Vector(array("f", [value] * DIMS).tobytes())
    with pytest.raises(VectorInvalidError):
        _add(store, index, [(ToEmbed(PassageId(99), work, 0, b"x" * 12), spoilt)])
    assert _embedded(store) == before
    assert len(_found(store, work, "lamp", limit=99)) == len(before)


def test_a_passage_has_one_vector_however_often_it_is_written(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY)
    _embed(store, work, PlainEmbedder())
    with store.write() as w:
        index = vectors.index_of(w, "plain")
        assert index is not None
        row = ToEmbed(_ids(store, work)[0], work, 5, b"x" * 12)
        vectors.add_vectors(w, index, [(row, unit_vector([1.0] * DIMS))] * 3)
    assert len(_found(store, work, "lamp", limit=99)) == len(_ids(store, work))


def test_what_moves_with_its_volume_keeps_its_bound(store: Store) -> None:
    work = _shelved(store, _LAMP)
    _shelved(store, _FERRY, number=2)
    _embed(store, work, PlainEmbedder(), 1)
    _embed(store, work, PlainEmbedder(), 2)
    first_volume = PosRange(0, (1 << 40) - 1)
    assert _found(store, work, "ferry", first_volume)[0].startswith("Ilse")
    with store.write() as w:
        grouping.reorder(w, work, list(reversed(grouping.volumes_of(w, work))))
    assert _found(store, work, "ferry", first_volume)[0].startswith("The ferry")
    assert "Ilse" not in "".join(_found(store, work, "lamp", first_volume, 99))


def test_what_moves_into_another_work_is_found_there_only(store: Store) -> None:
    work = _shelved(store, _LAMP)
    _shelved(store, _FERRY, number=2)
    _embed(store, work, PlainEmbedder(), 1)
    _embed(store, work, PlainEmbedder(), 2)
    with store.write() as w:
        apart = grouping.regroup(w, grouping.volumes_of(w, work)[1:], None)
    assert _found(store, apart, "ferry")[0].startswith("The ferry")
    assert "ferry" not in "".join(_found(store, work, "ferry", limit=99))


def test_a_new_volume_in_front_moves_the_others(store: Store) -> None:
    work = _shelved(store, _FERRY, number=2)
    _embed(store, work, PlainEmbedder(), 2)
    _shelved(store, _LAMP, number=1)
    assert _found(store, work, "ferry", PosRange(0, (1 << 40) - 1)) == []
    assert _found(store, work, "ferry", PosRange(1 << 40, END))[0].startswith("The ferry")


def test_vectors_of_text_that_is_gone_are_swept_away(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY)
    _embed(store, work, PlainEmbedder())
    with store.write() as w:
        w.execute("DELETE FROM passage WHERE id = ?", (_ids(store, work)[0],))
        assert vectors.has_orphans(w)
        assert vectors.sweep(w)
        assert not vectors.has_orphans(w)
    assert [passage for _index, passage in _embedded(store)] == _ids(store, work)


def test_the_last_vector_takes_its_table_with_it(store: Store) -> None:
    work = _shelved(store, _LAMP)
    _embed(store, work, PlainEmbedder())
    with store.write() as w:
        w.execute("DELETE FROM passage")
        vectors.sweep(w)
        assert vectors.indexes(w) == []


def test_a_library_without_vectors_never_loads_sqlite_vec(store: Store) -> None:
    work = _shelved(store, _LAMP)
    _shelved(store, _FERRY, number=2)
    with store.write() as w:
        grouping.reorder(w, work, list(reversed(grouping.volumes_of(w, work))))
        assert not w.execute("SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'vec0')").get


class _Moody(PlainEmbedder):
    """Refuses more than one text at once, and is busy before each answer."""

    def embed_passages(self, texts: list[str]) -> list[Vector]:  # type: ignore[override]
        if len(texts) > 1:
            raise CallRefusedError("moody", 400)
        self.requests = getattr(self, "requests", 0) + 1
        if self.requests % 2:
            raise ModelBusyError("moody")
        return super().embed_passages(texts)


def test_what_is_too_much_at_once_is_sent_in_parts_and_what_is_busy_asked_again(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY, _BELL)
    _embed(store, work, _Moody())
    assert len(_embedded(store)) == len(_ids(store, work))


class _Ending(PlainEmbedder):
    """Takes three passages and is busy for ever after."""

    def embed_passages(self, texts: list[str]) -> list[Vector]:  # type: ignore[override]
        if self.texts:
            raise ModelBusyError("ending")
        return super().embed_passages(texts)


def test_a_failure_names_the_passages_and_keeps_those_before_them(store: Store) -> None:
    work = _shelved(store, _LAMP, _FERRY, _BELL, _LAMP + _BELL)
    with pytest.raises(EmbeddingFailedError, match="passages 4 to"):
        _embed(store, work, _Ending())
    assert len(_embedded(store)) == 3
