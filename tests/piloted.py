"""The real program in a test: a library with a book in it, the app under Pilot, and what its screen shows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from textual import events
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from engine.config import Settings
from engine.library import Library
from engine.paths import default_paths, paths_under
from tests.builders import make_epub
from tests.pace import PATIENCE_S
from tui.app import UnderstoryApp
from tui.screens.reading import ReadingScreen
from tui.session import ReadingSession
from tui.start import Target, make_app, open_target

_CALM_ROUNDS = 2
"""What a round brings shows in the next one."""

PARAGRAPHS = {
    "en": "Nobody ever boarded the 6.40, and still it stood there with its doors open, number {n}. ",
    "zh": "灯塔里的火从来没有熄过，可是谁也说不清，第{n}次添油的人究竟是谁。",
    "ja": "誰も乗らない六時四十分の列車は、今夜も扉を開けたまま、{n}番目の雪の中に立っていた。",
}


def chapters_of(language: str, chapters: int = 6, paragraphs: int = 40) -> list[tuple[str, str]]:
    """Return (title, XHTML) of chapters whose paragraphs are numbered."""
    return [
        (
            f"{language} {chapter}",
            f"<h1>{language} {chapter}</h1>"
            + "".join(f"<p>{PARAGRAPHS[language].format(n=f'{chapter}.{p}') * 3}</p>" for p in range(paragraphs)),
        )
        for chapter in range(1, chapters + 1)
    ]


def library_with(*books: Path) -> Library:
    """Import books into the test's own library."""
    library = Library(default_paths())
    for book in books:
        report = library.import_now(book)
        assert not report.error, report.error
    return library


def home_with_book(folder: Path, language: str) -> Path:
    """Make an `UNDERSTORY_HOME` under `folder` whose library holds one book in a language; return it."""
    book = make_epub(
        folder / f"{language}.epub", title=f"book {language}", chapters=chapters_of(language), language=language
    )
    home = folder / language
    paths = paths_under(home)
    paths.data_dir.mkdir(parents=True)
    library = Library(paths)
    report = library.import_now(book)
    library.close()
    assert not report.error, report.error
    return home


@asynccontextmanager
async def reading(
    library: Library, words: str = "1", *, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> AsyncIterator[tuple[UnderstoryApp, Pilot[None]]]:
    """Open a work as `understory WORDS` does, and leave it as `q` does."""
    opening = open_target(library, Target(words))
    session = ReadingSession(opening.source) if opening.source is not None else None
    if settings is not None:
        library.use_settings(settings)  # as at the start
    app = make_app(default_paths(), library, settings or Settings(), opening, session)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot
    if app.session is not None:
        app.session.close()


def page_of(app: UnderstoryApp) -> ReadingScreen:
    """Return the reading screen."""
    screen = app.screen
    assert isinstance(screen, ReadingScreen)
    return screen


def lines_of(app: UnderstoryApp) -> list[str]:
    """Return the rows of the screen as text."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


async def settle(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    """Wait for the keys typed, the workers behind the page, and what they brought to be drawn.

    One brings the other: a key asks for a page, the page sets off the keys that waited for it.
    """
    calm = 0
    while calm < _CALM_ROUNDS:
        await pilot.pause()
        calm = 0 if _is_busy(app) else calm + 1
        with suppress(WorkerCancelled):  # one that was given up is done too
            await app.workers.wait_for_complete()


def _is_busy(app: UnderstoryApp) -> bool:
    pumps = (app, *(node for screen in app.screen_stack for node in screen.walk_children(with_self=True)))
    return bool(app.has_keys_to_give or list(app.workers) or any(pump.message_queue_size for pump in pumps))


async def type_ahead(app: UnderstoryApp, pilot: Pilot[None], keys: str) -> None:
    """Send keys as one burst, none waiting for what the one before it does; "\\r" is Enter, "\\x1b" Esc."""
    names = {"\r": "enter", "\x1b": "escape", "\b": "backspace", " ": "space", "\x12": "ctrl+r", "\x14": "ctrl+t"}
    for char in keys:
        app.post_message(events.Key(names.get(char, char), char if char.isprintable() else None))
    await settle(app, pilot)


def shown_by(app: UnderstoryApp) -> str:
    """Return the whole screen as text."""
    return "\n".join(lines_of(app))


async def until_shown(app: UnderstoryApp, pilot: Pilot[None], words: str) -> str:
    """Wait until some words stand on the screen, and return the whole screen as text."""
    deadline = time.monotonic() + PATIENCE_S
    while words not in (shown := shown_by(app)):
        assert time.monotonic() < deadline, f"{words!r} was not shown:\n{shown}"
        await pilot.pause(0.05)
    return shown


async def type_line(app: UnderstoryApp, pilot: Pilot[None], text: str) -> None:
    """Type into whatever asks, and Enter."""
    await settle(app, pilot)
    await pilot.press(*text, "enter")
    await settle(app, pilot)
