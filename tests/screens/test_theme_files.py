"""Themes of the reader's own are picked up while she reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.config import Settings
from engine.library import Library
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, lines_of, reading
from tui.app import UnderstoryApp

_THEME = """
name = "mine"
dark = true
[colors]
paper = "#101010"
ink = "{ink}"
faint = "#a0a0a0"
accent = "#ffcc66"
mark = "#444400"
veil = "#808080"
warn = "#ff8080"
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """A library with a short book, on a terminal of all colours."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    library = library_with(make_epub(tmp_path / "en.epub", title="Short", chapters=chapters_of("en", chapters=1)))
    yield library
    library.close()


def _write(library: Library, content: str) -> None:
    folder = library.paths.config_dir / "themes"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.toml").write_text(content, encoding="utf-8")


async def _until_ink(app: UnderstoryApp, pilot: Pilot[None], colour: str) -> str:
    for _each in range(60):
        if _ink(app) == colour:
            break
        await pilot.pause(0.1)
    return _ink(app)


def _ink(app: UnderstoryApp) -> str:
    colour = app.page_style().ink.color
    return colour.name if colour is not None else ""


async def test_a_changed_theme_changes_the_page(library: Library) -> None:
    _write(library, _THEME.format(ink="#eeeeee"))
    async with reading(library, settings=Settings(theme="mine")) as (app, pilot):
        assert app.theme == "mine"
        _write(library, _THEME.format(ink="#99ff99"))
        assert await _until_ink(app, pilot, "#99ff99") == "#99ff99"


async def test_a_theme_that_cannot_be_used_is_told_and_another_is_taken(library: Library) -> None:
    _write(library, _THEME.format(ink="#eeeeee"))
    async with reading(library, settings=Settings(theme="mine")) as (app, pilot):
        _write(library, _THEME.format(ink="nearly white"))
        for _each in range(60):
            if app.theme != "mine":
                break
            await pilot.pause(0.1)
        assert app.theme == "paper"
        await pilot.pause(0.3)
        assert any("mine.toml" in line for line in lines_of(app))
