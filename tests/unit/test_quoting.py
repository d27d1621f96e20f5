"""The companion without a model: what it quotes of the book, and when it asks before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.agent.quoting import quote
from engine.config import SpoilerMode
from engine.domain.chat import AnswerReady, Card, Cited, SpoilerAsked, SpoilerChoice, TextAdded
from engine.library import Library
from engine.library.book_view import BookView
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE, Upto
from tests.conversing import LAST, SECOND, index_all, told_library
from tests.knowledge import know, named, place_of, shelve_story, upto_words


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library, _work = told_library(tmp_path / "home")
    yield library
    library.close()


def _book(library: Library, upto: Upto = WHOLE, mode: SpoilerMode = SpoilerMode.AUTO) -> BookView:
    return BookView(library, library.works()[0].id, upto, mode)


def _read(library: Library, words: str) -> Upto:
    return upto_words(library, library.works()[0].id, words)


def test_the_book_is_quoted(library: Library) -> None:
    events = list(quote(_book(library), "Who is Tobias Marrow?"))
    assert [event.title for event in events if isinstance(event, Card)] == ["Tobias Marrow"]
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert SECOND in ready.text


def test_it_is_asked_before_what_lies_ahead(library: Library) -> None:
    book = _book(library, _read(library, SECOND))
    assert isinstance(list(quote(book, "cinder yard"))[-1], SpoilerAsked)
    events = list(quote(book, "cinder yard", SpoilerChoice.FULL))
    assert LAST in repr(events)


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("Who is Anna Vale?", True),  # a name from ahead, though "Vale" alone may be read
        ("Who is the mother of Ilse Marrow?", True),
        ("Who kept the lamp?", False),
        ("Who is Ilse Marrow?", False),
        ("Who is Captain Nemo?", False),
    ],
)
def test_it_is_asked_when_only_what_lies_ahead_would_answer(library: Library, question: str, is_asked: bool) -> None:
    events = list(quote(_book(library, _read(library, SECOND)), question))
    assert isinstance(events[-1], SpoilerAsked) is is_asked
    assert "cinder" not in repr(events)


def test_words_in_quotation_marks_are_found_as_they_stand(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    told = "The lamp was lit again. 「ほんとうのさいわい」とジョバンニは言いました。"
    work = shelve_story(
        library, ["ほんとうの話をすれば、さいわい雨はやみました。" * 3], [told], ["さいわいほんとうに晴れました。"]
    )
    know(library, work)
    index_all(library, work)
    question = "「ほんとうのさいわい」という言葉はどこに出てきますか。"
    [ready] = [each for each in quote(_book(library), question) if isinstance(each, AnswerReady)]
    assert ready.text.endswith("「ほんとうのさいわい」とジョバンニは言いました。 [1]")
    assert "[2]" not in ready.text
    library.close()


@pytest.mark.parametrize(
    ("question", "is_introduced"),
    [
        ("Who is Tobias Marrow?", True),
        ("Tobias Marrow是谁？", True),
        ("Tobias Marrowとは誰ですか。", True),
        ("What did Tobias Marrow count?", False),
    ],
)
def test_whoever_is_asked_for_is_introduced_by_the_wiki(library: Library, question: str, is_introduced: bool) -> None:
    texts = [event.text for event in quote(_book(library), question) if isinstance(event, TextAdded)]
    assert texts[0].startswith("ch ") is not is_introduced
    assert SECOND in "".join(texts)


def test_of_a_long_passage_only_what_answers_is_quoted(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    filler = "The dog slept beside the stove. " * 12
    work = shelve_story(library, [f"{filler}{SECOND} {filler}"])
    know(library, work, named("Tobias Marrow"))
    index_all(library, work)
    events = list(quote(_book(library), "Who counted the oil?"))
    [cited] = [event.citations[0] for event in events if isinstance(event, Cited)]
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text == f"ch 1: {SECOND} [1]"
    document, start = place_of(library, work, SECOND)
    assert (cited.locator.document, cited.locator.start, cited.locator.end) == (document, start, start + len(SECOND))
    library.close()


def test_strict_quotes_without_asking(library: Library) -> None:
    book = _book(library, _read(library, SECOND), SpoilerMode.STRICT)
    assert isinstance(list(quote(book, "Who is Anna Vale?"))[-1], AnswerReady)


def test_chapters_are_quoted_before_the_title_page(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    title, told = "The Lamp, a tale of the lamp, by Nobody", "The lamp stood in the tower above the line."
    work = shelve_story(library, [title], [told], [LAST])
    know(library, work)
    with library._store.write() as w:
        w.execute("UPDATE chapter SET kind = 'front' WHERE id = (SELECT min(id) FROM chapter)")
    index_all(library, work)
    [ready] = [each for each in quote(_book(library), "Where is the lamp?") if isinstance(each, AnswerReady)]
    assert told in ready.text
    assert title not in ready.text
    library.close()
