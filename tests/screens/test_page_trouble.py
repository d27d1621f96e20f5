"""The page where what it stands on is not as it was: places that do not exist, text that changes under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.domain.book import DocumentId
from engine.library import Library
from tests.builders import make_epub
from tests.piloted import library_with, lines_of, page_of, reading, settle, shown_by
from tui.render.cells import cell_width
from tui.widgets.notice_line import NoticeLine


@pytest.mark.parametrize("offset", [-5, 10**9])
async def test_a_place_outside_its_document_leads_to_the_nearest(english: Library, offset: int) -> None:
    async with reading(english) as (app, pilot):
        document = page_of(app).session.index.outline.volumes[0].documents[2].id
        page_of(app).jump(document, offset)
        await settle(app, pilot)
        assert not page_of(app).text.is_travelling
        assert page_of(app).here is not None
        assert page_of(app).here[0] == document  # type: ignore[index]  # asserted above
        await pilot.press("[")
        assert app.is_running


async def test_a_page_drawn_while_other_text_comes_does_no_harm(english: Library) -> None:
    async with reading(english) as (app, pilot):
        text = page_of(app).text
        text.replace((), DocumentId(9_999), 0)
        text.refresh()
        page_of(app).frontier_moved()
        await pilot.pause()
        assert app.is_running


@pytest.mark.parametrize(
    "body", ["", "<p></p>", "<p><a epub:type='noteref' href='#n'>1</a></p><aside id='n'>N</aside>"]
)
async def test_a_book_without_a_single_letter_opens_and_is_left(tmp_path: Path, body: str) -> None:
    library = library_with(make_epub(tmp_path / "b.epub", title="Hollow", chapters=[("One", body)]))
    async with reading(library) as (app, pilot):
        assert "Hollow" in lines_of(app)[0]
        await pilot.press("space", "]", "t", "escape", "j", "q")
        assert app._exit
    library.close()


async def test_a_book_of_hundreds_of_one_line_documents_opens_at_once(tmp_path: Path) -> None:
    chapters = [(f"Day {n}", f"<p>Day {n}: nothing.</p>") for n in range(100, 400)]
    library = library_with(make_epub(tmp_path / "b.epub", title="Days", chapters=chapters))
    async with reading(library) as (app, pilot):
        await pilot.press("g", "g", "5", "0", "%")
        await settle(app, pilot)
        assert "Day 250: nothing." in shown_by(app)
        await pilot.press("[")
        await settle(app, pilot)
        assert "Day 249: nothing." in shown_by(app)
    library.close()


_LONG = (
    "/home/mirel/.local/share/understory/library.db: the disk is full. "
    "Make room there and try again; what was kept is safe."
)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (40, 15)])
async def test_what_to_do_about_a_failure_is_not_cut_off(english: Library, size: tuple[int, int]) -> None:
    async with reading(english, size=size) as (app, pilot):
        first = lines_of(app)[1]
        page_of(app).notice(_LONG)
        await settle(app, pilot)
        shown = "".join("".join(lines_of(app)).split())
        assert "".join(_LONG.split()) in shown
        assert lines_of(app)[1] == first


async def test_in_a_window_of_six_rows_a_notice_leaves_room_for_the_page(english: Library) -> None:
    async with reading(english, size=(20, 6)) as (app, pilot):
        page_of(app).notice(_LONG)
        await settle(app, pilot)
        assert page_of(app).query_one(NoticeLine).size.height == 2
        assert "…" in "".join(lines_of(app))


@pytest.mark.parametrize("words", ["灯火已经熄灭，没有人来。" * 12, "灯" * 200, "x" * 400])
async def test_a_notice_in_any_writing_keeps_to_the_window(english: Library, words: str) -> None:
    async with reading(english, size=(60, 20)) as (app, pilot):
        page_of(app).notice(words)
        await settle(app, pilot)
        assert all(cell_width(line) <= 60 for line in lines_of(app))
        assert words[:20] in "".join(lines_of(app))
