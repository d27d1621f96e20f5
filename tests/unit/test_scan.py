"""Searching the text: words and patterns, exact counts, nothing beyond the boundary."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import DocumentText, Ruby, WorkId
from engine.domain.search import PosRange, TextQuery, query_from_text
from engine.errors import PatternInvalidError, PatternSlowError
from engine.library import Library
from tests.shelving import document_of, paths_in, shelve

_END = PosRange(0, 1 << 62)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


def _found(
    library: Library,
    work: WorkId,
    typed: str,
    mode: SpoilerMode = SpoilerMode.OFF,
    shown: PosRange | None = None,
    within: tuple[PosRange, ...] = (),
) -> list[str]:
    runs = library.scan(work, query_from_text(typed), mode, within=within, shown=shown)
    return [
        library.text_of(run.document, start, end)
        for run in runs
        if run is not None
        for start, end in zip(run.starts, run.ends, strict=True)
    ]


def _shelved(library: Library, *documents: DocumentText) -> WorkId:
    return shelve(library._store, documents)


@pytest.mark.parametrize(
    ("paragraph", "typed", "found"),
    [
        ("Ilse kept the Lamp. The lamp burned.", "lamp", ["Lamp", "lamp"]),
        ("Tobias — Tobias’s lamp", "tobias's", ["Tobias’s"]),
        ("她点亮了燈塔，灯塔很远。", "灯塔", ["燈塔", "灯塔"]),
        ("彼女はｱﾘｽと呼ばれた。アリス。", "ありす", ["ｱﾘｽ", "アリス"]),
        ("那是诺赞。", "诺", ["诺"]),
        ("one two\tthree\nfour", "two three four", ["two\tthree\nfour"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ('a " AND NEAR( b', '" AND NEAR(', ['" AND NEAR(']),
        ("nothing", "", []),
        ("100 % sure", "100 %", ["100 %"]),
    ],
)
def test_words_are_found_as_they_are_printed(library: Library, paragraph: str, typed: str, found: list[str]) -> None:
    assert _found(library, _shelved(library, document_of([paragraph])), typed) == found


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("/l.mp/", ["Lamp", "lamp"]),
        ("/L[A-Z]mp", ["Lamp", "lamp"]),
        (r"/\blamp\b", ["Lamp", "lamp"]),
        ("/^the/", ["The"]),
        ("/x*/", []),
        ("/lamp.*oil/", []),
    ],
)
def test_a_pattern_stands_between_slashes(library: Library, typed: str, found: list[str]) -> None:
    work = _shelved(library, document_of(["Ilse kept the Lamp.", "The lamp burned.", "No oil."]))
    assert _found(library, work, typed) == found


def test_a_pattern_that_is_none_is_refused_with_its_reason(library: Library) -> None:
    work = _shelved(library, document_of(["a"]))
    with pytest.raises(PatternInvalidError, match="missing"):
        _found(library, work, "/(a/")


def test_a_pattern_that_would_never_end_is_ended(library: Library) -> None:
    work = _shelved(library, document_of(["a" * 5000 + "c"]))
    start = time.process_time()
    with pytest.raises(PatternSlowError):
        _found(library, work, "/(a|aa)+[xyz]/")
    assert time.process_time() - start < 4


def test_every_hit_is_counted(library: Library) -> None:
    work = _shelved(library, document_of(["the lamp and the lamp"] * 600), document_of(["lamp"] * 7, spine_index=1))
    assert len(_found(library, work, "lamp")) == 1207


def test_a_reading_finds_what_it_stands_beside(library: Library) -> None:
    document = document_of(["私は神聖文字を食べる。"])
    read = DocumentText(
        0, "c0.xhtml", document.text, document.blocks, rubies=(Ruby(2, 6, "ヒエログリフ"), Ruby(7, 8, "た"))
    )
    work = _shelved(library, read)
    assert _found(library, work, "ひえろぐりふ") == ["神聖文字"]
    assert _found(library, work, "たべる") == ["食べる"]
    assert _found(library, work, "聖文") == ["聖文"]
    assert _found(library, work, "私は") == ["私は"]


def test_a_word_across_the_cut_of_a_long_paragraph_is_found(library: Library) -> None:
    paragraph = "x" * 16_380 + "lamplight" + "y" * 20_000
    work = _shelved(library, document_of([paragraph]))
    assert _found(library, work, "lamplight") == ["lamplight"]


def test_nothing_beyond_the_frontier_is_found_and_that_there_is_more_is_told_only_in_auto(library: Library) -> None:
    documents = [document_of(["a lamp"], spine_index=0), document_of(["lamps and a lamp, lamp"], spine_index=1)]
    work = _shelved(library, *documents)
    second = library.outline(work).volumes[0].documents[1].id
    library.set_frontier(work, second, 7)
    query = TextQuery("lamp")
    assert _found(library, work, "lamp", SpoilerMode.AUTO) == ["lamp", "lamp"]
    assert _found(library, work, "lamp", SpoilerMode.STRICT) == ["lamp", "lamp"]
    assert library.is_found_beyond(work, query, SpoilerMode.AUTO)
    assert not library.is_found_beyond(work, query, SpoilerMode.STRICT)
    assert not library.is_found_beyond(work, query, SpoilerMode.OFF)
    assert not library.is_found_beyond(work, TextQuery("train"), SpoilerMode.AUTO)


def test_a_word_that_only_ends_beyond_the_frontier_is_not_found(library: Library) -> None:
    work = _shelved(library, document_of(["the ﬁrst lamplighter"]))
    (document,) = library.outline(work).volumes[0].documents
    library.set_frontier(work, document.id, len("the ﬁrst lamplig"))
    assert _found(library, work, "lamplighter", SpoilerMode.AUTO) == []
    assert _found(library, work, "lamplig", SpoilerMode.AUTO) == ["lamplig"]
    assert _found(library, work, "/lamp.*/", SpoilerMode.AUTO) == ["lamplig"]


def test_the_page_that_is_shown_is_searched_wherever_it_stands(library: Library) -> None:
    work = _shelved(library, document_of(["one lamp"]), document_of(["two lamps here"], spine_index=1))
    base = len("one lamp")
    shown = PosRange(base + 4, base + 9)
    assert _found(library, work, "lamps", SpoilerMode.STRICT, shown) == ["lamps"]
    assert _found(library, work, "two", SpoilerMode.STRICT, shown) == []


def test_ranges_are_searched_in_the_order_given(library: Library) -> None:
    work = _shelved(library, document_of(["lamp one"]), document_of(["lamp two"], spine_index=1))
    ranges = (PosRange(8, 16), PosRange(0, 8))
    runs = [run for run in library.scan(work, TextQuery("lamp"), SpoilerMode.OFF, within=ranges) if run is not None]
    assert [run.base for run in runs] == [8, 0]


def test_a_removed_book_leaves_no_folded_text(library: Library) -> None:
    work = _shelved(library, document_of(["lamp"]))
    with library._store.read() as r:
        assert r.execute("SELECT count(*) FROM folded").get == 1
    library.remove(work)
    with library._store.read() as r:
        assert r.execute("SELECT count(*) FROM folded").get == 0


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("lamp", TextQuery("lamp")),
        ("/lamp", TextQuery("lamp", is_pattern=True)),
        ("/lamp/", TextQuery("lamp", is_pattern=True)),
        (r"/a\/", TextQuery(r"a\/", is_pattern=True)),
        ("/", TextQuery("/")),
        ("and/or", TextQuery("and/or")),
    ],
)
def test_a_slash_in_front_makes_a_pattern(typed: str, query: TextQuery) -> None:
    assert query_from_text(typed) == query
