"""The citations of a conversation lead to their words in another edition too."""

from __future__ import annotations

from pathlib import Path

from engine.domain.conversations import Scene
from engine.domain.locator import Locator
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from tests.builders import make_epub
from tests.conversing import ask, index_all

_LINES = [f"Line {n}: the lamp on pier {n} burned low, and nobody came to mend it." for n in range(60)]


def _book(path: Path, lines: list[str], chapters: int) -> Path:
    size = len(lines) // chapters + 1
    parts = [lines[first : first + size] for first in range(0, len(lines), size)]
    bodies = [(f"Part {n}", "".join(f"<p>{line}</p>" for line in part)) for n, part in enumerate(parts, 1)]
    return make_epub(path, title="Lamps", chapters=bodies)


def test_a_conversation_follows_its_book_into_another_edition(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    work = library.import_now(_book(tmp_path / "1.epub", _LINES, 3)).work
    assert work is not None
    index_all(library, work)
    place = library.find_words(work, "the lamp on pier 40 burned")
    turn, _heard = ask(library, work, "pier 40", upto=WHOLE)
    before = library.turn(turn)
    assert before.view.citations
    words = [_words(library, each.locator)[:60] for each in before.view.citations]
    second = ["A foreword of the second printing.", *_LINES[:30], "A line that was put in.", *_LINES[30:]]
    assert library.import_now(_book(tmp_path / "2.epub", second, 4)).work == work
    after = library.turn(turn)
    assert [each.locator for each in after.view.citations] != [each.locator for each in before.view.citations]
    assert [_words(library, each.locator)[:60] for each in after.view.citations] == words
    assert [each.id for each in library.conversations(work)] == [after.conversation]
    assert place.document not in {each.locator.document for each in after.view.citations}
    library.close()


def test_a_conversation_is_there_again_when_its_book_comes_back(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    book = _book(tmp_path / "1.epub", _LINES, 3)
    work = library.import_now(book).work
    assert work is not None
    index_all(library, work)
    selection = library.find_words(work, "the lamp on pier 40 burned")
    turn, _heard = ask(library, work, "pier 40", upto=WHOLE)
    words = [_words(library, each.locator) for each in library.turn(turn).view.citations]
    library.remove(work)
    again = library.import_now(book).work
    assert again is not None
    [conversation] = library.conversations(again)
    [kept] = library.conversation_turns(conversation.id)
    assert [_words(library, each.locator) for each in kept.view.citations] == words
    assert selection.document not in {each.locator.document for each in kept.view.citations}
    assert kept.scene == Scene(again)
    library.close()


def _words(library: Library, at: Locator) -> str:
    return library.text_of(at.document, at.start, at.end)
