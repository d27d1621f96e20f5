"""One search of text, wiki, chapters and notes: what is counted, what is listed, how far it looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import BookId, WorkId
from engine.domain.finds import Finds, SearchReach, Sought
from engine.domain.locator import Locator
from engine.domain.notes import NoteKind
from engine.library import Library
from engine.paths import paths_under
from engine.retrieval.indexing import index_book
from tests.knowledge import know, named, place_of, shelve_story

_FILLER = "Snow fell on the quiet line and nobody came that way for a long time. " * 6
_STORY = (
    [_FILLER, "Ilse carried the lamp oil up the stairs.", _FILLER],
    ["Oren found a letter behind the clock.", _FILLER, "The Lamplighter was out, and the oil was gone."],
    [_FILLER, "Ilse burned the letter in the stove."],
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"), SpoilerMode.AUTO)
    yield library
    library.close()


def _shelve(library: Library, *story: list[str], language: str = "en", sha: str = "a") -> WorkId:
    work = shelve_story(library, *(story or _STORY), language=language, sha256=sha * 64)
    _index(library)
    return work


def _index(library: Library) -> None:
    with library._store.read() as r:
        books = [BookId(id_) for (id_,) in r.execute("SELECT id FROM book WHERE index_rev = 0")]
    for book in books:
        index_book(library._store, book, lambda _done, _of: None)
    with library._store.write() as w:
        w.execute("UPDATE job SET state = 'done'")


def _read_to(library: Library, work: WorkId, words: str) -> None:
    library.set_frontier(work, *place_of(library, work, words))


def _find(library: Library, work: WorkId, words: str, **how: object) -> Finds:
    return library.find_everywhere(work, Sought(words, **how), SpoilerMode.AUTO)  # type: ignore[arg-type]


def _texts(finds: Finds) -> list[str]:
    assert finds.text is not None
    return [hit.text[a:b] for hit in finds.text.hits for a, b in hit.marks]


def test_an_alias_finds_what_is_told_under_the_other_name(library: Library) -> None:
    work = _shelve(library)
    know(library, work, named("Ilse", "The Lamplighter"))
    library.set_frontier(work, *place_of(library, work, "in the stove."))
    finds = _find(library, work, "the lamplighter")
    assert [(entry.name, entry.matched) for entry in finds.entries] == [("Ilse", "The Lamplighter")]
    assert set(_texts(finds)) == {"Ilse", "Lamplighter"}


def test_before_an_alias_is_known_it_finds_nothing_of_the_other(library: Library) -> None:
    work = _shelve(library)
    know(library, work, named("Ilse", "The Lamplighter"))
    _read_to(library, work, "Oren found")
    finds = _find(library, work, "the lamplighter")
    assert (finds.entries, finds.entry_count, _texts(finds)) == ((), 0, [])


def test_two_letters_of_a_name_list_whom_they_may_mean_those_that_begin_so_first(library: Library) -> None:
    work = _shelve(library, ["Oren met Ilse. Coren met Ilse too."])
    know(library, work, named("Coren"), named("Oren"), named("Ilse"))
    library.set_frontier(work, *place_of(library, work, "too."))
    finds = _find(library, work, "or")
    assert ([entry.name for entry in finds.entries], finds.entry_count) == (["Oren", "Coren"], 2)


def test_chapters_ahead_are_neither_listed_nor_counted(library: Library) -> None:
    work = _shelve(library)
    _read_to(library, work, "Oren found")
    assert [find.title for find in _find(library, work, "chapter").chapters] == ["Chapter 0"]
    _read_to(library, work, "Ilse burned")
    found = _find(library, work, "CHAPTER 2").chapters
    assert [(find.title, find.marks) for find in found] == [("Chapter 2", ((0, 7), (8, 9)))]


def test_notes_are_found_as_far_as_was_read(library: Library) -> None:
    work = _shelve(library)
    document, start = place_of(library, work, "burned the letter")
    library.add_note(work, NoteKind.EXCERPT, Locator(document, start, start + 17))
    _read_to(library, work, "Oren found")
    assert _find(library, work, "letter").notes == ()
    library.set_frontier(work, document, start + 17)
    assert len(_find(library, work, "letter").notes) == 1


def test_until_the_text_is_indexed_nothing_is_said_of_it(library: Library) -> None:
    work = shelve_story(library, *_STORY)
    assert _find(library, work, "letter").text is None
    _index(library)
    assert _find(library, work, "letter").text is not None


def test_signs_alone_are_left_to_who_looks_through_the_text(library: Library) -> None:
    assert _find(library, _shelve(library), "...").text is None


def test_the_library_is_searched_each_work_as_far_as_it_was_read(library: Library) -> None:
    first = _shelve(library, ["A letter.", "And one more letter."])
    other = _shelve(library, ["Some letter.", "The last letter."], sha="b")
    library.set_frontier(first, *place_of(library, first, "And one"))
    library.set_frontier(other, *place_of(library, other, "The last"))
    finds = _find(library, other, "letter", reach=SearchReach.LIBRARY)
    assert finds.text is not None
    assert [(hit.work, hit.text.strip()) for hit in finds.text.hits] == [(other, "Some letter."), (first, "A letter.")]


def test_of_a_name_all_passages_are_counted_and_after_typing_listed(library: Library) -> None:
    work = _shelve(library, *[[f"{_FILLER} {n}. The lamp."] for n in range(130)])
    library.set_frontier(work, *place_of(library, work, " 129. The lamp."))
    typed, whole = _find(library, work, "lamp"), _find(library, work, "lamp", lists_all=True)
    assert typed.text is not None
    assert whole.text is not None
    assert (typed.text.count, len(typed.text.hits), len(whole.text.hits)) == (129, 100, 129)
    assert typed.text.is_exact
    assert all(hit.holds_words for hit in whole.text.hits)


@pytest.mark.parametrize(("language", "name"), [("zh", "诸葛亮"), ("zh", "诸葛"), ("ja", "半七郎"), ("en", "lamp oil")])
def test_a_name_of_which_only_a_part_stands_is_not_counted(library: Library, language: str, name: str) -> None:
    work = _shelve(library, ["诸侯见葛衣。半七。葛亮。The lamp."], ["……"], language=language)
    library.set_frontier(work, *place_of(library, work, "……"))
    finds = _find(library, work, name)
    assert finds.text is not None
    assert (finds.text.count, finds.text.is_exact) == (0, False)


def test_names_typed_apart_are_looked_for_together(library: Library) -> None:
    work = _shelve(library, ["诸葛亮见周瑜。"], ["诸葛亮独坐。"], ["周瑜大笑。"], ["……"], language="zh")
    library.set_frontier(work, *place_of(library, work, "……"))
    finds = _find(library, work, "诸葛亮 周瑜")
    assert finds.text is not None
    assert [hit.text.strip() for hit in finds.text.hits] == ["诸葛亮见周瑜。"]


def test_of_a_sentence_the_best_are_listed(library: Library) -> None:
    work = _shelve(library, *[[f"{_FILLER} {n}. The lamp was out."] for n in range(60)])
    library.set_frontier(work, *place_of(library, work, " 59. The lamp"))
    finds = _find(library, work, "who let the lamp go out on the quiet line")
    assert finds.text is not None
    assert (finds.text.is_exact, len(finds.text.hits), finds.text.count) == (False, 20, 60)


@pytest.mark.parametrize(
    ("language", "text", "typed", "marked"),
    [
        ("zh", "臺上的燈還亮著。", "台上的灯", "臺上的燈"),
        ("ja", "ｱﾘｽは燈臺へ行った。", "アリス", "ｱﾘｽ"),
        ("en", "The Café was shut.", "CAFÉ", "Café"),
    ],
)
def test_any_spelling_finds_the_words(library: Library, language: str, text: str, typed: str, marked: str) -> None:
    work = _shelve(library, [text], ["…"], language=language)
    library.set_frontier(work, *place_of(library, work, "…"))
    assert "".join(_texts(_find(library, work, typed))) == marked
