"""Highlights, comments and excerpts on the page: made by keys, seen, opened, changed, there at the next start."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from textual.widgets import TextArea

from engine.domain.notes import NoteKind, Tone
from engine.library import Library
from tests.hidden_words import Planted
from tests.piloted import page_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp
from tui.modals.comment_card import CommentCard
from tui.modals.comment_editor import CommentEditor


def _kept(library: Library) -> list[tuple[str, str, str]]:
    """Return (kind, passage, comment) of each note."""
    notes = [shown.note for shown in library.notes()]
    return [(str(n.kind), n.anchor.quote.exact if n.anchor else "", n.comment) for n in notes]


def _marked(app: UnderstoryApp) -> str:
    """Return what is drawn in a highlight's colour."""
    page = page_of(app).page
    style = page._page_style
    assert style is not None
    grounds = [look.bgcolor for look in (style.mark, style.mark_accent, style.mark_warn, style.mark_faint)]
    return "".join(
        segment.text
        for y in range(page.size.height)
        for segment in page.render_line(y)
        if segment.style is not None and segment.style.bgcolor in grounds
    )


async def test_h_highlights_what_is_selected(planted_library: Library, planted: Planted) -> None:
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "30%vww")
        selection = page_of(app).selection
        assert selection is not None
        at = selection.reach.locator
        await type_ahead(app, pilot, "h")
        words = planted_library.text_of(at.document, at.start, at.end)
        assert _kept(planted_library) == [("highlight", words, "")]
        assert _marked(app) == words
        assert any(line.startswith("▎") for line in [page_of(app).page.render_line(y).text for y in range(20)])


async def test_highlights_are_there_at_the_next_start(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwh")
        before = _marked(app)
    async with reading(english) as (app, pilot):
        await settle(app, pilot)
        assert before == _marked(app) != ""


async def test_c_asks_for_a_comment_and_enter_on_the_passage_shows_it(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwc")
        assert isinstance(app.screen, CommentEditor)
        await type_ahead(app, pilot, "Why this? 灯")
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        (kept,) = _kept(english)
        assert (kept[0], kept[2]) == ("annotation", "Why this? 灯")
        await type_ahead(app, pilot, "\r")
        assert isinstance(app.screen, CommentCard)
        assert "Why this? 灯" in shown_by(app)
        await type_ahead(app, pilot, "\x1b")
        assert not isinstance(app.screen, CommentCard)


async def test_a_comment_begun_is_not_thrown_away_by_one_key(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwc")
        await type_ahead(app, pilot, "half a thought")
        await type_ahead(app, pilot, "\x1b")
        assert "Esc again leaves it" in shown_by(app)
        await type_ahead(app, pilot, "\x1b")
        assert _kept(english) == []


async def test_x_keeps_an_excerpt_and_marks_nothing(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwx")
        assert [kept[0] for kept in _kept(english)] == ["excerpt"]
        assert "Kept as an excerpt" in shown_by(app)
        assert _marked(app) == ""


async def test_a_highlight_gets_another_colour_goes_and_comes_back(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwh")
        await type_ahead(app, pilot, "gh")
        await type_ahead(app, pilot, "h")
        assert [shown.note.tone for shown in english.notes()] == [Tone.ACCENT]
        await type_ahead(app, pilot, "gh")
        await type_ahead(app, pilot, "d")
        assert (_kept(english), _marked(app)) == ([], "")
        await type_ahead(app, pilot, "gN")
        assert "Nothing kept yet" in shown_by(app)
        await type_ahead(app, pilot, "u")
        assert [kept[0] for kept in _kept(english)] == ["highlight"]


async def test_a_comment_is_changed_and_without_words_a_highlight_is_left(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwc")
        await type_ahead(app, pilot, "first")
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        await type_ahead(app, pilot, "ghc")
        await type_ahead(app, pilot, " and second")
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        assert [kept[2] for kept in _kept(english)] == ["first and second"]
        await type_ahead(app, pilot, "ghc")
        app.screen.query_one(TextArea).text = ""
        await pilot.press("ctrl+s")
        await settle(app, pilot)
        assert [kept[::2] for kept in _kept(english)] == [("highlight", "")]


async def test_f_goes_from_highlight_to_highlight(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vh")
        await type_ahead(app, pilot, "vjjvh")
        await type_ahead(app, pilot, "gh")
        first = shown_by(app)
        await type_ahead(app, pilot, "f")
        assert isinstance(app.screen, CommentCard)
        second = shown_by(app)
        await type_ahead(app, pilot, "f")
        assert first != second
        assert shown_by(app) == first


async def test_a_click_on_a_highlight_opens_it(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwh")
        rows = [page_of(app).page.render_line(y).text for y in range(18)]
        row = next(y for y, text in enumerate(rows) if text.startswith("▎"))
        page = page_of(app).page
        await pilot.click(offset=(page.region.x + 4, page.region.y + row))
        await settle(app, pilot)
        assert isinstance(app.screen, CommentCard)


async def test_a_comment_is_written_in_the_readers_own_editor(english: Library) -> None:
    library = english
    (work,) = library.works()
    document = library.outline(work.id).volumes[0].documents[0].id
    words = library.text_of(document, 0, 40)
    library.add_note(work.id, NoteKind.HIGHLIGHT, library.find_words(work.id, words.split("\n")[0]))
    async with reading(library) as (app, pilot):
        await settle(app, pilot)
        await type_ahead(app, pilot, "ghc")
        await pilot.press("ctrl+e")  # a pilot's terminal cannot be handed on, and it says so
        await settle(app, pilot)
        assert "cannot be started" in shown_by(app)


async def test_pages_read_on_from_become_a_sitting_that_is_kept_at_the_end(
    english: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(0.0, 40.0)
    monkeypatch.setattr("tui.session.time", SimpleNamespace(monotonic=lambda: next(clock)))
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "    ")
    time_read = english.reading_time(english.works()[0].id)
    assert time_read.sittings == 1
    assert 160.0 <= time_read.seconds <= 4 * 180.0
    assert time_read.characters > 1000


@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=str)
async def test_the_card_never_lies_over_its_passage(english: Library, size: tuple[int, int]) -> None:
    async with reading(english, size=size) as (app, pilot):
        await type_ahead(app, pilot, "vh")
        await type_ahead(app, pilot, f"v{size[1] // 2 - 4}jvh")
        await type_ahead(app, pilot, "gh")
        assert app.screen.query_one("VerticalScroll").region.y > size[1] // 2
        await type_ahead(app, pilot, "f")
        assert app.screen.query_one("VerticalScroll").region.bottom <= size[1] // 2


async def test_keys_typed_behind_a_highlight_find_it(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "vwhghh")
        await settle(app, pilot)
        assert [shown.note.tone for shown in english.notes()] == [Tone.ACCENT]
