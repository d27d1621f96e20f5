"""What a search by relevance finds, in which order, how far, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import BookId, ChapterKind, WorkId
from engine.domain.hits import Findings, SearchFilter, SearchMode
from engine.domain.locator import Locator
from engine.library import Library
from engine.paths import paths_under
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import WHOLE, Reach, Upto
from engine.text.snippet import cut_snippet
from tests.knowledge import know, named, point_called, shelve_story

_FILLER = "Snow fell on the quiet line and nobody came that way for a long time. " * 6
_STORY = (
    [_FILLER, "Ilse carried the lamp oil up the stairs.", _FILLER],
    ["Oren found a letter behind the clock.", _FILLER, "The lamp was out, and the oil was gone."],
    [_FILLER, "Miss Marrow burned the letter in the stove."],
)
_ZH = (
    ["沈听墨推门进来，把一盏青瓷灯放在桌上。" + "雪一直下着，街上没有行人。" * 20],
    ["那盏灯在风里晃了三晃，终究没有熄灭。" + "城门早已关了，更夫打着梆子走远。" * 20],
)
_JA = (
    ["アリスは灯台の鍵を海に投げた。" + "波の音だけが聞こえていた。" * 25],
    ["その夜、灯台の火は消えなかった。" + "誰も理由を聞かなかった。" * 25],
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"), SpoilerMode.AUTO)
    yield library
    library.close()


def _shelve(library: Library, story: tuple[list[str], ...] = _STORY, language: str = "en", sha: str = "a") -> WorkId:
    work = shelve_story(library, *story, language=language, sha256=sha * 64)
    with library._store.read() as r:
        books = [BookId(id_) for (id_,) in r.execute("SELECT id FROM book WHERE index_rev = 0")]
    for book in books:
        index_book(library._store, book, lambda _done, _of: None)
    with library._store.write() as w:
        w.execute("UPDATE job SET state = 'done'")
    return work


def _best(found: Findings) -> str:
    return min(found.hits, key=lambda hit: hit.rank).text


def _upto(library: Library, work: WorkId, words: str) -> Upto:
    """Return the place behind some words."""
    for volume in library.outline(work).volumes:
        for document in volume.documents:
            text = library.document_text(document.id).text
            if words in text:
                end = text.index(words) + len(words)
                return Upto(Reach.PLACE, Locator(document.id, end - len(words), end))
    raise AssertionError(words)


@pytest.mark.parametrize(
    ("story", "typed", "held"),
    [
        (_STORY, "lamp oil", "lamp oil up"),
        (_STORY, "Who burned the letter?", "burned the letter"),
        (_STORY, "the letters were burning", "burned the letter"),
        (_STORY, "Orens found letter before the clock", "behind the clock"),
        (_ZH, "听墨", "沈听墨"),
        (_ZH, "沈聽墨", "沈听墨"),
        (_ZH, "那盏灯在雨里晃了三晃", "晃了三晃"),
        (_ZH, "桌", "桌上"),
        (_ZH, "终究没有熄灭的是什么？", "没有熄灭"),
        (_JA, "ｱﾘｽ", "アリス"),
        (_JA, "灯台の鍵を山に投げた", "海に投げた"),
        (_JA, "鍵", "鍵を"),
    ],
)
def test_words_names_and_lines_half_remembered_are_found(
    library: Library, story: tuple[list[str], ...], typed: str, held: str
) -> None:
    work = _shelve(library, story)
    assert held in _best(library.search(typed, [work], upto=WHOLE))


@pytest.mark.parametrize(
    "typed",
    ['"', "*", "AND", "NEAR(", "lamp OR", '" * AND NEAR(', "^lamp", "grams:lamp", "-", "", "   ", "\x00", "'", "{"],
)
def test_any_string_is_a_query(library: Library, typed: str) -> None:
    work = _shelve(library)
    found = library.search(typed, [work], upto=WHOLE)
    assert found.count >= len(found.hits)


def test_hits_stand_in_the_order_of_the_story_with_their_rank_kept(library: Library) -> None:
    work = _shelve(library)
    in_story = library.search("lamp oil letter", [work], upto=WHOLE)
    by_rank = library.search("lamp oil letter", [work], upto=WHOLE, by_rank=True)
    assert [hit.pos for hit in in_story.hits] == sorted(hit.pos for hit in in_story.hits)
    assert [hit.rank for hit in by_rank.hits] == list(range(1, len(by_rank.hits) + 1))
    assert sorted(in_story.hits, key=lambda hit: hit.rank) == list(by_rank.hits)


def test_the_count_is_exact_whatever_the_limit(library: Library) -> None:
    work = _shelve(library, tuple([_FILLER + f"The bell rang {n} times."] for n in range(60)))
    found = library.search("bell rang", [work], upto=WHOLE, limit=3)
    assert (found.count, len(found.hits)) == (60, 3)


@pytest.mark.parametrize(("typed", "count"), [("蕾娜斯", 1), ("蕾娜", 2), ("娜斯", 2)])
def test_a_short_name_is_found_only_as_it_stands(library: Library, typed: str, count: int) -> None:
    work = _shelve(library, (["蕾娜斯来了。" + "雪。" * 200], ["蕾娜走了，娜斯没有来。" + "雪。" * 200]))
    assert library.search(typed, [work], upto=WHOLE).count == count


def test_a_short_name_that_stands_whole_only_beyond_the_boundary_is_not_counted(library: Library) -> None:
    story = (["蕾娜斯来了。" + "雪。" * 200], ["蕾娜走了，娜斯没有来。可是蕾娜斯回来了。" + "雪。" * 200])
    work = _shelve(library, story)
    found = library.search("蕾娜斯", [work], upto=_upto(library, work, "娜斯没有来。"))
    assert (found.count, len(found.hits)) == (1, 1)


def test_nothing_beyond_the_boundary_is_found_and_that_there_is_more_is_told(library: Library) -> None:
    work = _shelve(library)
    upto = _upto(library, work, "behind the clock.")
    found = library.search("letter", [work], upto=upto)
    strict = library.search("letter", [work], upto=upto, spoilers=SpoilerMode.STRICT)
    assert (found.count, found.has_more, strict.has_more) == (1, True, False)
    assert "stove" not in found.hits[0].text
    assert library.search("stove", [work], upto=upto) == Findings((), 0, SearchMode.LEXICAL, has_more=True)
    assert library.search("letter", [work], upto=upto, spoilers=SpoilerMode.OFF).count == 2


def test_the_passage_being_read_is_searched_up_to_the_boundary(library: Library) -> None:
    work = _shelve(library, (["Ilse lit the lamp. Then she drowned it.", _FILLER],))
    upto = _upto(library, work, "lit the lamp.")
    [hit] = library.search("lamp", [work], upto=upto).hits
    assert (hit.text, hit.locator.end) == ("Ilse lit the lamp.", len("Ilse lit the lamp."))
    assert library.search("drowned", [work], upto=upto).hits == ()


def test_a_reader_who_has_read_nothing_finds_nothing(library: Library) -> None:
    work = _shelve(library)
    assert library.search("lamp", [work]) == Findings((), 0, SearchMode.LEXICAL, has_more=True)


def test_a_name_finds_its_point_under_every_name_known_there(library: Library) -> None:
    work = _shelve(library)
    know(library, work, named("Ilse", "Miss Marrow"), named("Oren"))
    found = library.search("Ilse", [work], upto=WHOLE)
    assert "Miss Marrow burned" in "".join(hit.text for hit in found.hits)
    before = library.search("Ilse", [work], upto=_upto(library, work, "oil was gone."))
    assert [hit.text[hit.marks[0][0] : hit.marks[0][1]] for hit in before.hits] == ["Ilse"]


def test_a_filter_leaves_only_what_was_asked_for(library: Library) -> None:
    work = _shelve(library)
    know(library, work, named("Ilse", "Miss Marrow"), named("Oren"))
    oren = point_called(library, work, "Oren")
    volume = library.outline(work).volumes[0].id
    with library._store.write() as w:
        w.execute("UPDATE passage SET kind = 'afterword' WHERE id >> 20 = (SELECT max(id) FROM document)")

    def count(only: SearchFilter) -> int:
        return library.search("letter", [work], upto=WHOLE, only=only).count

    assert count(SearchFilter(volumes=frozenset({volume}))) == 2
    assert count(SearchFilter(kinds=frozenset({ChapterKind.AFTERWORD}))) == 1
    assert count(SearchFilter(kinds=frozenset({ChapterKind.NOTES}))) == 0
    assert count(SearchFilter(point=oren.id)) == 1


def test_across_the_library_each_work_goes_to_its_own_frontier(library: Library) -> None:
    first, second = _shelve(library), _shelve(library, (["A lamp burned."], ["Another lamp."]), sha="b")
    place = _upto(library, second, "A lamp burned.").place
    assert place is not None
    library.set_frontier(second, place.document, place.end)
    found = library.search("lamp")
    assert [(hit.work, hit.text) for hit in found.hits] == [(second, "A lamp burned.")]
    assert {hit.work for hit in library.search("lamp", upto=WHOLE).hits} == {first, second}


def test_words_found_are_marked_in_the_original_text(library: Library) -> None:
    work = _shelve(library, (["Ｔｈｅ Lamps… of the keeper’s lamp.", _FILLER],))
    [hit] = library.search("lamp keeper", [work], upto=WHOLE).hits
    assert [hit.text[start:end] for start, end in hit.marks] == ["Lamps", "keeper’s", "lamp"]


def test_what_is_not_there_is_said_in_one_sentence(library: Library) -> None:
    work = _shelve(library)
    found = library.search("lamp", [work], mode=SearchMode.SEMANTIC, upto=WHOLE)
    assert (found.mode, found.count) == (SearchMode.LEXICAL, 2)
    assert found.notice.count(".") == 1
    assert library.search("lamp", [work], upto=WHOLE).notice == ""


def test_a_text_not_indexed_yet_is_said_to_be_so(library: Library) -> None:
    work = shelve_story(library, *_STORY)
    assert not library.is_indexed([work])
    assert "indexed" in library.search("lamp", [work], upto=WHOLE).notice


def test_a_snippet_shows_the_marks_on_one_line() -> None:
    text = "word " * 60 + "the lamp\nof the keeper " + "word " * 60
    start = text.index("lamp")
    words, marks = cut_snippet(text, [(start, start + 4)], 60)
    assert [words[a:b] for a, b in marks] == ["lamp"]
    assert words.startswith("…word ")
    assert words.endswith(" …")
    assert "\n" not in words
    assert cut_snippet("short", [(0, 5)], 60) == ("short", ((0, 5),))
