"""What a work has for itself, its mode of veiling above all: it holds there and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import PER_WORK, SpoilerMode
from engine.domain.book import WorkId
from engine.domain.finds import SearchReach, Sought
from engine.domain.locator import select_quote
from engine.domain.notes import Anchor, Note, NoteKind
from engine.library import Library
from engine.library.spoken_settings import spoken_settings
from engine.paths import paths_under
from engine.spoilers.policy import END
from tests.builders import make_epub
from tests.commands import run_command
from tests.shelving import wait_for_names, wait_until_indexed

_READ, _UNREAD = "The rereader knows the lighthouse.", "The newcomer fears the lighthouse."


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    paths = paths_under(home)
    paths.data_dir.mkdir(parents=True)
    opened = Library(paths)
    for title, words in (("Read", _READ), ("Unread", _UNREAD)):
        body = f"<p>It began.</p>{'<p>On and on it went.</p>' * 60}<p>{words}</p>"
        assert not opened.import_now(make_epub(home / f"{title}.epub", title=title, chapters=[("One", body)])).error
    wait_until_indexed(opened)
    yield opened
    opened.close()


def _work(library: Library, title: str) -> WorkId:
    return next(work.id for work in library.works() if work.title == title)


def _books(library: Library, title: str) -> tuple[str, ...]:
    return tuple(volume.book_sha256 for volume in library.outline(_work(library, title)).volumes)


def _show_all_of(library: Library, title: str) -> None:
    library.keep_own_settings(_books(library, title), {"spoilers": "off"})


def test_what_a_work_has_for_itself_comes_back(library: Library) -> None:
    library.keep_own_settings(_books(library, "Read"), {"column_width": 50, "spoilers": "strict"})
    assert library.own_settings(_books(library, "Read")) == {"column_width": 50, "spoilers": "strict"}
    assert library.own_settings(_books(library, "Unread")) == {}


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"spoilers": 5}', '{"spoilers": "off"}', '{"theme": "ink"}'])
def test_what_cannot_be_read_shows_nothing_more(library: Library, text: str) -> None:
    library.remember(f"settings/{_books(library, 'Read')[0]}", text)
    assert library.mode_of(_work(library, "Read")) is SpoilerMode.AUTO
    assert set(library.own_settings(_books(library, "Read"))) <= PER_WORK


def test_a_mode_holds_in_its_work_alone(library: Library) -> None:
    _show_all_of(library, "Read")
    assert library.bound(_work(library, "Read")).boundary == END
    assert library.bound(_work(library, "Unread")).boundary < END
    library.spoilers = SpoilerMode.STRICT
    assert library.mode_of(_work(library, "Read")) is SpoilerMode.OFF
    assert library.mode_of(_work(library, "Unread")) is SpoilerMode.STRICT


def test_a_stricter_mode_holds_where_all_others_show_everything(library: Library) -> None:
    library.keep_own_settings(_books(library, "Unread"), {"spoilers": "strict"})
    library.spoilers = SpoilerMode.OFF
    assert library.bound(_work(library, "Unread")).boundary < END


def test_a_search_of_the_library_takes_each_work_in_its_own_mode(library: Library) -> None:
    _show_all_of(library, "Read")
    found = library.search("lighthouse")
    assert [hit.work_title for hit in found.hits] == ["Read"]
    for title in ("Read", "Unread"):
        sought = Sought("lighthouse", None, SearchReach.LIBRARY, None, lists_all=True)
        everywhere = library.find_everywhere(_work(library, title), sought, library.mode_of(_work(library, title)))
        assert everywhere.text is not None
        assert [hit.work_title for hit in everywhere.text.hits] == ["Read"]


def test_notes_of_another_work_are_found_in_its_own_mode(library: Library) -> None:
    for title, words in (("Read", _READ), ("Unread", _UNREAD)):
        _keep_note(library, title, words)
    _show_all_of(library, "Read")
    sought = Sought("lighthouse", None, SearchReach.LIBRARY, None)
    found = library.find_everywhere(_work(library, "Read"), sought, SpoilerMode.OFF).notes
    assert [shown.note.title for shown in found] == ["Read"]


def _keep_note(library: Library, title: str, words: str) -> None:
    volume = library.outline(_work(library, title)).volumes[0]
    document = volume.documents[0]
    text = library.text_of(document.id, 0, 1 << 20)
    at = text.index(words)
    quote = select_quote(text, at, at + len(words))
    anchor = Anchor(volume.book_sha256, document.spine_index, at, at + len(words), quote)
    library.keep_note(Note(NoteKind.HIGHLIGHT, anchor, title=title))


def test_while_settings_change_the_work_that_is_read_is_shown_as_they_stand(library: Library) -> None:
    _show_all_of(library, "Read")
    library.hold_mode(_work(library, "Read"), SpoilerMode.AUTO)
    assert library.bound(_work(library, "Read")).boundary < END
    library.hold_mode(_work(library, "Unread"), SpoilerMode.AUTO)
    assert library.bound(_work(library, "Read")).boundary == END


def test_a_new_volume_is_not_shown_before_it_is_read(library: Library) -> None:
    _show_all_of(library, "Read")
    library.keep_own_settings(_books(library, "Read"), {"spoilers": "off", "column_width": 50})
    new = library.outline(_work(library, "Unread")).volumes[0].id
    work = library.regroup([new], _work(library, "Read"))
    assert library.mode_of(work) is SpoilerMode.AUTO
    books = tuple(volume.book_sha256 for volume in library.outline(work).volumes)
    assert library.own_settings(books) == {"column_width": 50}


def test_the_companion_neither_sees_nor_proposes_the_mode(library: Library) -> None:
    assert "spoilers" not in {line.name for line in spoken_settings(library.paths.config_file)}


def test_commands_take_each_work_in_its_own_mode_unless_they_name_one(library: Library) -> None:
    wait_for_names(library, 60.0)
    _show_all_of(library, "Read")
    library.close()
    assert [_READ in hit for hit in _printed("--all", "lighthouse")] == [True]
    assert [_READ in hit for hit in _printed("Read", "lighthouse")] == [True]
    assert _printed("Unread", "lighthouse") == []
    assert _printed("Read", "lighthouse", "--spoilers", "auto") == []


def _printed(*words: str) -> list[str]:
    (hits,) = [json.loads(line) for line in run_command("search", *words, "--json").stdout.splitlines()]
    return [hit["text"] for hit in hits]
