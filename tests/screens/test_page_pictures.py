"""Pictures on the page."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from textual.pilot import Pilot

from engine.config import PictureStyle, Settings
from engine.library import Library
from tests.epubs import write_epub
from tests.piloted import library_with, lines_of, page_of, reading, settle
from tui.app import UnderstoryApp


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """A library with a picture between two paragraphs, on a terminal of all colours."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    written = io.BytesIO()
    Image.new("RGB", (160, 80), "#ff0000").save(written, "PNG")
    body = "<p>before it</p><div><img src='a.png' alt='A red field'/></div><p>behind it</p>"
    path = write_epub(tmp_path / "b.epub", {"c0.xhtml": body}, extra={"OEBPS/a.png": written.getvalue()})
    library = library_with(path)
    yield library
    library.close()


async def _drawn(app: UnderstoryApp, pilot: Pilot[None]) -> list[str]:
    await settle(app, pilot)
    await settle(app, pilot)
    return lines_of(app)


async def test_a_picture_stands_in_the_flow_in_half_blocks(library: Library) -> None:
    async with reading(library) as (app, pilot):
        lines = await _drawn(app, pilot)
        art = [n for n, line in enumerate(lines) if "▀" in line]
        assert [lines[n].strip() for n in art] == ["▀" * 20] * 5
        assert lines[art[-1] + 1].strip() == "A red field"
        strip = page_of(app).text.render_line(art[0] - 2)
        colours = {str(segment.style) for segment in strip if segment.text == "▀"}
        assert len(colours) == 1


@pytest.mark.parametrize(
    ("style", "words"), [(PictureStyle.LINE, "[illustration: A red field]"), (PictureStyle.OFF, "")]
)
async def test_pictures_may_be_a_line_or_off(library: Library, style: PictureStyle, words: str) -> None:
    async with reading(library, settings=Settings(pictures=style)) as (app, pilot):
        lines = await _drawn(app, pilot)
        assert not any("▀" in line for line in lines)
        assert words in "\n".join(lines)


async def test_few_colours_make_a_picture_a_line(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "linux")
    async with reading(library) as (app, pilot):
        assert "[illustration: A red field]" in "\n".join(await _drawn(app, pilot))


async def test_a_damaged_picture_is_told_and_moves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    written = io.BytesIO()
    Image.new("RGB", (160, 80), "#ff0000").save(written, "PNG")
    path = write_epub(
        tmp_path / "b.epub", {"c0.xhtml": "<div><img src='a.png'/></div><p>behind it</p>"},
        extra={"OEBPS/a.png": written.getvalue()[:60]},
    )  # fmt: skip
    assert zipfile.is_zipfile(path)
    library = library_with(path)
    async with reading(library) as (app, pilot):
        await pilot.pause()
        before = next(n for n, line in enumerate(lines_of(app)) if "behind" in line)
        lines = await _drawn(app, pilot)
        assert next(n for n, line in enumerate(lines) if "behind" in line) == before
        assert "[illustration]" in "\n".join(lines)
    library.close()


async def test_pictures_on_paper_are_drawn_anew(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await _drawn(app, pilot)
        before = page_of(app).text.render_line(4)
        app.use_chosen(app.chosen.__class__(Settings(immersive=True, theme="moss")))
        await _drawn(app, pilot)
        assert page_of(app).text.render_line(4) != before


async def test_a_picture_is_shown_over_the_whole_screen(library: Library) -> None:
    async with reading(library, size=(60, 20)) as (app, pilot):
        await _drawn(app, pilot)
        await pilot.press("g", "p")
        lines = await _drawn(app, pilot)
        assert sum("▀" in line for line in lines) >= 14
        assert lines[-1].strip() == "A red field"
        await pilot.press("x")
        await settle(app, pilot)
        assert page_of(app).text.has_focus


async def test_a_page_without_a_picture_says_so(tmp_path: Path) -> None:
    library = library_with(write_epub(tmp_path / "b.epub", {"c0.xhtml": "<p>only words</p>"}))
    async with reading(library) as (app, pilot):
        await pilot.press("g", "p")
        assert "picture" in "\n".join(await _drawn(app, pilot)) or app.has_few_colours
    library.close()


@pytest.mark.parametrize(("columns", "is_shown"), [(120, True), (80, False)])
async def test_a_cover_stands_beside_the_shelf_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int, is_shown: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    written = io.BytesIO()
    Image.new("RGB", (60, 80), "#00ff00").save(written, "PNG")
    documents = {"c0.xhtml": "<img src='a.png'/>", "c1.xhtml": "<p>words</p>"}
    library = library_with(write_epub(tmp_path / "b.epub", documents, extra={"OEBPS/a.png": written.getvalue()}))
    async with reading(library, size=(columns, 30)) as (app, pilot):
        await pilot.press("L")
        await pilot.pause(0.5)
        lines = await _drawn(app, pilot)
        assert any(line.endswith("▀" * 20) for line in lines) is is_shown
    library.close()
