"""The screen of all notes: listed, filtered, gone to, edited, deleted and brought back, exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.locator import Locator
from engine.domain.notes import NoteId, NoteKind, Tone
from engine.errors.notes import NoteRefusedError
from engine.library import Library
from tests.builders import make_epub
from tests.hidden_words import Planted
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp
from tui.screens.notes import NotesScreen
from tui.screens.reading import ReadingScreen

_SIZES = [(80, 24), (200, 50)]


def _passage(library: Library, work: WorkId, share: float) -> Locator:
    """Return the first words of the paragraph at a share of a work."""
    documents = [d for volume in library.outline(work).volumes for d in volume.documents]
    document = documents[int(share * (len(documents) - 1))]
    text = library.text_of(document.id, 0, document.length)
    start = text.index("\n", int(document.length * 0.4)) + 1
    return Locator(document.id, start, start + 12)


@pytest.fixture
def noted(planted_library: Library) -> Library:
    """A library with one note of each kind, and one of another work."""
    return _with_notes(planted_library)


@pytest.fixture
def noted_english(english: Library) -> Library:
    """The same in English, where the language does not matter."""
    return _with_notes(english)


def _with_notes(library: Library) -> Library:
    work = library.works()[0].id
    library.add_note(work, NoteKind.HIGHLIGHT, _passage(library, work, 0.1), tone=Tone.WARN)
    library.add_note(work, NoteKind.ANNOTATION, _passage(library, work, 0.5), "mind 灯 this")
    library.add_note(work, NoteKind.EXCERPT, _passage(library, work, 0.9))
    library.add_jotting(work, "read the end again")
    library.add_jotting(None, "buy lamp oil")
    return library


def _only_markdown(folder: Path) -> str:
    (file,) = folder.glob("*.md")
    return file.read_text("utf-8")


def _listed(app: UnderstoryApp) -> list[str]:
    """Return the rows of the list, the cursor's included."""
    assert isinstance(app.screen, NotesScreen)
    return [line.strip() for line in lines_of(app)[2:] if line.strip()]


@pytest.mark.parametrize("size", _SIZES, ids=str)
async def test_the_notes_of_the_work_are_listed_with_their_comments(noted: Library, size: tuple[int, int]) -> None:
    async with reading(noted, size=size) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gN")
        rows = _listed(app)
        assert "mind 灯 this" in rows
        assert any(row.startswith("█") and row.endswith("warn") for row in rows)
        assert "- read the end again" in rows
        assert "buy lamp oil" not in shown_by(app)
        await type_ahead(app, pilot, "w")
        assert "- buy lamp oil" in _listed(app)


async def test_enter_goes_to_the_passage_and_the_way_back_leads_here(noted: Library, planted: Planted) -> None:
    async with reading(noted) as (app, pilot):
        await settle(app, pilot)
        here = page_of(app).here
        await type_ahead(app, pilot, "gNj\r")
        at = noted.notes()[1].locator
        assert at is not None
        assert page_of(app).text.shows(at.document, at.start)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here


async def test_a_filter_leaves_what_holds_the_words_and_esc_shows_all(noted_english: Library) -> None:
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gN/again\r")
        assert _listed(app)[-1] == "- read the end again"
        assert len(_listed(app)) == 2
        await type_ahead(app, pilot, "\x1b")
        assert len(_listed(app)) > 5
        await type_ahead(app, pilot, "ff")
        assert "comments" in lines_of(app)[0]
        await type_ahead(app, pilot, "\x1b\x1b")
        assert isinstance(app.screen, ReadingScreen)


async def test_a_note_is_deleted_and_brought_back(noted_english: Library) -> None:
    before = [shown.note.uid for shown in noted_english.notes()]
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNjd")
        assert [shown.note.uid for shown in noted_english.notes()] == [before[0], *before[2:]]
        await type_ahead(app, pilot, "u")
        assert [shown.note.uid for shown in noted_english.notes()] == before
        await type_ahead(app, pilot, "u")
        assert "Nothing to bring back." in shown_by(app)


async def test_a_comment_and_a_colour_are_changed_in_the_list(noted_english: Library) -> None:
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNc")
        await type_ahead(app, pilot, "now with words")
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        await type_ahead(app, pilot, "h")
        first = noted_english.notes()[0].note
        assert (first.kind, first.comment, first.tone) == (NoteKind.ANNOTATION, "now with words", Tone.FAINT)


async def test_n_jots_something_down_for_this_work(noted_english: Library) -> None:
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNn")
        await type_ahead(app, pilot, "a thought")
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        assert "- a thought" in _listed(app)
        assert [s.work for s in noted_english.notes() if s.note.comment == "a thought"] == [1]


async def test_what_is_listed_is_exported_beside_the_reader(
    noted_english: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNffE")
        await settle(app, pilot)
        assert "Exported to" in shown_by(app)
    written = _only_markdown(tmp_path)
    assert ("mind 灯 this" in written, "read the end" in written) == (True, False)


async def test_a_click_goes_to_a_note_of_another_work(noted_english: Library, tmp_path: Path) -> None:
    book = make_epub(tmp_path / "b.epub", title="Other", chapters=[("One", "<p>Oil and rope.</p>" * 300)])
    report = noted_english.import_now(book)
    assert report.work is not None
    noted_english.add_note(report.work, NoteKind.EXCERPT, noted_english.find_words(report.work, "Oil and rope."))
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNw")
        row = next(y for y, line in enumerate(lines_of(app)) if "> Oil and rope." in line)
        await pilot.click(offset=(10, row))
        await settle(app, pilot)
        await settle(app, pilot)
        assert page_of(app).session.index.outline.title == "Other"


async def test_a_link_opens_at_its_passage_with_her_place_one_step_back(noted_english: Library) -> None:
    anchor = noted_english.notes()[1].note.anchor
    at = noted_english.notes()[1].locator
    assert anchor is not None
    assert at is not None
    async with reading(noted_english, str(anchor.link)) as (app, pilot):
        await settle(app, pilot)
        await settle(app, pilot)
        assert page_of(app).text.shows(at.document, at.start)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).session.index.work_share(page_of(app).pos) == 0


async def test_keys_typed_ahead_act_on_what_the_list_becomes(noted_english: Library) -> None:
    before = [shown.note.uid for shown in noted_english.notes()]
    async with reading(noted_english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gNddu")
        await settle(app, pilot)
        assert [shown.note.uid for shown in noted_english.notes()] == before[1:]


async def test_a_brought_note_that_lies_ahead_is_veiled_and_kept_as_it_is(english: Library) -> None:
    work = english.works()[0].id
    made = english.add_note(work, NoteKind.ANNOTATION, _passage(english, work, 0.9), "the butler did it")
    english.drop_note(made.note.id)
    english.bring_notes([replace(made.note, id=NoteId(0))])
    async with reading(english) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "gN")
        assert "butler" not in shown_by(app)
        assert "░░░░" in shown_by(app)
        await type_ahead(app, pilot, "c")
        assert "It lies ahead." in shown_by(app)
        await type_ahead(app, pilot, "dE")
        assert isinstance(app.screen, NotesScreen)
    (kept,) = english.notes(work)
    assert kept.note.comment == "the butler did it"


def _full(*_what: object) -> None:
    raise NoteRefusedError.of_no_passage()


async def test_words_that_cannot_be_kept_stand_there_again_with_the_reason(
    noted_english: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = noted_english
    reason = NoteRefusedError.of_no_passage().message[:20]
    async with reading(library, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "gN")
        with monkeypatch.context() as broken:
            broken.setattr(library, "add_jotting", _full)
            await type_ahead(app, pilot, "n")
            await type_ahead(app, pilot, "keep this")
            await pilot.press("ctrl+s")
            await settle(app, pilot)
            assert "keep this" in shown_by(app)
            assert reason in shown_by(app)
        await pilot.press("ctrl+s")
        await settle(app, pilot)
    assert "keep this" in [shown.note.comment for shown in library.listed_notes(None)]


async def test_what_cannot_be_brought_back_can_be_tried_again(
    noted_english: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = noted_english
    async with reading(library, size=(100, 30)) as (app, pilot):
        await type_ahead(app, pilot, "gN")
        await type_ahead(app, pilot, "d")
        await settle(app, pilot)
        with monkeypatch.context() as broken:
            broken.setattr(library, "keep_note", _full)
            await type_ahead(app, pilot, "u")
            await settle(app, pilot)
        await type_ahead(app, pilot, "u")
        await settle(app, pilot)
    assert Tone.WARN in [shown.note.tone for shown in library.listed_notes(None)]
