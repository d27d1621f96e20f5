"""Notes: kept on disk at once, known by the book's content, in the order of the story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import DeepLink, Locator, select_quote
from engine.domain.notes import MOST_PASSAGE_CHARS, Anchor, Note, NoteId, NoteKind, ShownNote, Tone
from engine.errors import PlaceUnknownError
from engine.errors.notes import NoteGoneError, NoteRefusedError, QuoteMissingError
from engine.library import Library
from engine.spoilers.policy import WHOLE
from tests.builders import make_epub
from tests.shelving import document_of, paths_in, shelve

_PARAGRAPHS = ["The lamp burned low.", "“Nobody came,” she said.", "第三段在这里，灯还亮着。"]
_DOCUMENT = document_of(_PARAGRAPHS)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    return shelve(library._store, [_DOCUMENT])


def _words(library: Library, shown: ShownNote) -> str:
    assert shown.locator is not None
    return library.text_of(shown.locator.document, shown.locator.start, shown.locator.end)


@pytest.mark.parametrize("words", ["lamp burned", "“Nobody came,”", "灯还亮着"])
def test_a_note_is_there_after_the_library_was_opened_anew(library: Library, work: WorkId, words: str) -> None:
    made = library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, words), "Mind this.", Tone.WARN)
    another = Library(library.paths)
    (shown,) = another.notes(work)
    assert shown == made
    assert _words(another, shown) == words
    assert (shown.note.comment, shown.note.tone, shown.note.title) == ("Mind this.", Tone.WARN, "A Book")
    assert shown.note.chapter == "Chapter 0"
    assert len(shown.note.uid) == 16
    another.close()


def test_words_are_found_whatever_signs_stand_between_them(library: Library, work: WorkId) -> None:
    found = library.find_words(work, '"Nobody came", she said')
    assert library.text_of(found.document, found.start, found.end) == "Nobody came,” she said"


def test_words_that_stand_nowhere_are_refused(library: Library, work: WorkId) -> None:
    with pytest.raises(QuoteMissingError, match="nowhere in this work"):
        library.find_words(work, "the dragon")


def test_notes_come_in_story_order_and_jottings_behind_them(library: Library, work: WorkId) -> None:
    library.add_jotting(work, "To be read again.")
    library.add_note(work, NoteKind.EXCERPT, library.find_words(work, "灯"))
    library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "lamp"))
    assert [shown.note.kind for shown in library.notes(work)] == ["highlight", "excerpt", "jotting"]


def test_a_jotting_may_belong_to_no_work(library: Library, work: WorkId) -> None:
    library.add_jotting(None, "Buy lamp oil.")
    assert library.notes(work) == ()
    (shown,) = library.notes()
    assert (shown.work, shown.note.comment) == (None, "Buy lamp oil.")


def test_a_changed_comment_replaces_the_one_before(library: Library, work: WorkId) -> None:
    made = library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "lamp")).note
    changed = library.change_note(replace(made, kind=NoteKind.ANNOTATION, comment="Whose?")).note
    assert (changed.id, changed.uid, changed.rev, changed.comment) == (made.id, made.uid, 1, "Whose?")
    assert len(library.notes(work)) == 1


def test_two_windows_that_change_one_note_both_keep_their_words(library: Library, work: WorkId) -> None:
    made = library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "lamp"), "first").note
    other = Library(library.paths)
    other.change_note(replace(made, comment="from the other window"))
    library.change_note(replace(made, comment="from this one"))
    assert sorted(shown.note.comment for shown in library.notes(work)) == ["from the other window", "from this one"]
    other.close()


def test_a_note_taken_away_cannot_be_changed_and_can_be_brought_back(library: Library, work: WorkId) -> None:
    made = library.add_note(work, NoteKind.EXCERPT, library.find_words(work, "lamp")).note
    library.drop_note(made.id)
    library.drop_note(made.id)
    with pytest.raises(NoteGoneError):
        library.change_note(replace(made, comment="late"))
    library.keep_note(replace(made, id=NoteId(0)))
    (again,) = library.notes(work)
    assert replace(again.note, id=made.id) == made


@pytest.mark.parametrize(
    ("kind", "comment"), [(NoteKind.ANNOTATION, "  \n"), (NoteKind.JOTTING, ""), (NoteKind.ANNOTATION, "")]
)
def test_a_comment_without_words_is_refused(library: Library, work: WorkId, kind: NoteKind, comment: str) -> None:
    with pytest.raises(NoteRefusedError):
        library.add_note(work, kind, library.find_words(work, "lamp"), comment)
    assert library.notes() == ()


def test_a_passage_longer_than_a_chapter_is_refused(library: Library) -> None:
    work = shelve(library._store, [document_of(["x" * (MOST_PASSAGE_CHARS + 1)])])
    document = library.outline(work).volumes[0].documents[0].id
    with pytest.raises(NoteRefusedError, match="at most"):
        library.add_note(work, NoteKind.HIGHLIGHT, Locator(document, 0, MOST_PASSAGE_CHARS + 1))


def test_a_place_of_another_work_is_refused(library: Library, work: WorkId) -> None:
    other = shelve(library._store, [_DOCUMENT], sha256="b" * 64, title="Other")
    with pytest.raises(PlaceUnknownError):
        library.add_note(other, NoteKind.HIGHLIGHT, library.find_words(work, "lamp"))


def test_no_byte_of_a_comment_drives_a_terminal(library: Library, work: WorkId) -> None:
    made = library.add_jotting(work, "red \x1b[31malert\x07 \u202eevil\r\nline")
    assert made.note.comment == "red \ufffd[31malert\ufffd evil\nline"


def test_notes_outlive_the_book_and_come_back_with_it(library: Library, work: WorkId) -> None:
    library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "lamp"))
    library.add_jotting(work, "Again.")
    library.remove(work)
    assert [(shown.work, shown.note.title) for shown in library.notes()] == [(None, "A Book")] * 2
    again = shelve(library._store, [_DOCUMENT])
    assert [shown.note.kind for shown in library.notes(again)] == ["highlight", "jotting"]


def test_notes_follow_their_volume_into_another_work(library: Library, work: WorkId) -> None:
    other = shelve(library._store, [document_of(["Other words."])], sha256="b" * 64, title="Other")
    library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "lamp"))
    library.add_jotting(work, "Again.")
    library.regroup([volume.id for volume in library.outline(work).volumes], other)
    assert [shown.note.kind for shown in library.notes(other)] == ["highlight", "jotting"]


def test_a_damaged_library_gives_the_notes_back(library: Library, work: WorkId) -> None:
    library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "lamp"), "Mind this.")
    library.add_jotting(None, "Buy oil.")
    kept = [replace(shown.note, id=NoteId(0)) for shown in library.notes()]
    library.close()
    library.paths.library_db.write_bytes(b"this is no library any more" * 400)
    mended = Library(library.paths)
    brought = [replace(shown.note, id=NoteId(0)) for shown in mended.notes()]
    assert sorted(brought, key=lambda note: note.uid) == sorted(kept, key=lambda note: note.uid)
    mended.close()


def test_a_link_leads_to_its_passage_and_by_its_words_when_the_text_has_moved(library: Library, work: WorkId) -> None:
    (made,) = [library.add_note(work, NoteKind.EXCERPT, library.find_words(work, "灯还亮着"))]
    anchor = made.note.anchor
    assert anchor is not None
    assert library.place_of_link(anchor.link) == (work, made.locator)
    moved = DeepLink(anchor.link.book_sha16, 0, 3, 7, anchor.link.exact)
    assert library.place_of_link(moved) == (work, made.locator)
    with pytest.raises(PlaceUnknownError):
        library.place_of_link(DeepLink("f" * 16, 0, 3, 7))


def test_what_is_kept_of_a_file_stands_in_its_import(library: Library, tmp_path: Path) -> None:
    book = make_epub(tmp_path / "b.epub", title="Other", chapters=[("One", "<p>Oil and rope.</p>" * 30)])
    preview = library.preview(book)
    document = preview.outline().volumes[0].documents[0].id
    quote = select_quote(preview.text_of(document, 0, 60), 18, 21)
    made = preview.keep_note(Note(NoteKind.HIGHLIGHT, Anchor(library.book_sha256(book), 0, 18, 21, quote)))
    assert made.locator == Locator(document, 18, 21)
    assert preview.notes() == (made,)
    report = library.import_now(book)
    assert report.work is not None
    (shown,) = library.notes(report.work)
    assert (_words(library, shown), shown.note) == ("and", made.note)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("LAMP", ["lamp"]),
        ("still", ["灯还亮着"]),
        ("燈還亮", ["灯还亮着"]),
        ("lamp still", []),
        ("", []),
        ("oil", [""]),
    ],
)
def test_notes_are_found_by_their_words_in_any_spelling(
    library: Library, work: WorkId, words: str, found: list[str]
) -> None:
    library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "lamp"))
    library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "灯还亮着"), "Still burning.")
    library.add_jotting(work, "Oil?")
    hits = [shown.note for shown in library.search_notes(work, words, WHOLE)]
    assert [note.anchor.quote.exact if note.anchor else "" for note in hits] == found


def test_a_search_finds_no_passage_beyond_the_frontier_and_the_list_shows_it(library: Library, work: WorkId) -> None:
    library.add_note(work, NoteKind.ANNOTATION, library.find_words(work, "灯还亮着"), "Still burning.")
    document = library.outline(work).volumes[0].documents[0].id
    library.set_frontier(work, document, 30)
    assert library.search_notes(work, "burning") == library.search_notes(None, "burning") == ()
    assert len(library.notes(work)) == 1
    library.set_frontier(work, document, len(_DOCUMENT.text))
    assert len(library.search_notes(work, "burning")) == len(library.search_notes(None, "burning")) == 1


def _brought(library: Library, work: WorkId, words: str, comment: str = "") -> None:
    """Keep a note as a file of another library brings it."""
    made = library.add_note(
        work, NoteKind.ANNOTATION if comment else NoteKind.HIGHLIGHT, library.find_words(work, words), comment
    )
    library.drop_note(made.note.id)
    assert library.bring_notes([replace(made.note, id=NoteId(0))]) == 1


def test_a_brought_note_has_no_words_in_a_list_before_its_passage_is_read(library: Library, work: WorkId) -> None:
    _brought(library, work, "灯还亮着", "He lives.")
    _brought(library, work, "lamp burned", "Dim.")
    library.add_note(work, NoteKind.HIGHLIGHT, library.find_words(work, "第三段"))
    document = library.outline(work).volumes[0].documents[0].id
    library.set_frontier(work, document, 30)
    dim, own, ahead = library.listed_notes(work)
    assert (dim.note.comment, dim.is_ahead, own.is_ahead) == ("Dim.", False, False)
    assert own.note.anchor is not None
    assert own.note.anchor.quote.exact == "第三段"
    assert ahead.is_ahead
    assert "He lives." not in repr(ahead)
    assert "灯" not in repr(ahead)
    assert "He lives." in repr(library.listed_notes(work, SpoilerMode.OFF))
    assert "He lives." in repr(library.notes(work))
    library.set_frontier(work, document, len(_DOCUMENT.text))
    assert [shown.is_ahead for shown in library.listed_notes(work)] == [False] * 3
