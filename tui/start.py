"""From what was typed to a running reader: settings, library, the work to open."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import Settings, read_settings
from engine.domain.book import WorkId
from engine.domain.locator import Locator, deep_link_from_text
from engine.domain.source import ReadingSource
from engine.errors import PlaceUnknownError, UnderstoryError
from engine.library import Library
from engine.paths import Paths, default_paths, is_file, typed_path
from engine.translate import use_language
from tui.app import UnderstoryApp
from tui.early import EarlyTerminal, config_folder, data_folder, saved_page, saved_page_file
from tui.keys import PRESETS, READING_ACTIONS, keymap_from, read_key_overrides
from tui.session import ReadingSession
from tui.terminal.ability import TerminalKind, colours_of, has_line_colours
from tui.terminal.leaving import Leaving
from tui.themes import load_themes

if TYPE_CHECKING:
    from textual.driver import Driver


_LINK = "understory://"


@dataclass(frozen=True, slots=True)
class Target:
    """What the reader asked to open."""

    words: str = ""
    """A path, or an id, a title or a part of one; empty opens what was read last."""
    is_demo: bool = False
    has_mouse: bool = True
    """Unless the command line says otherwise, the setting decides."""
    arguments: tuple[str, ...] = ()
    """The command line as it was, by which the next start knows the page again."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A work ready to be shown, and the imports that go on behind it."""

    source: ReadingSource | None
    """None shows the shelf."""
    jobs: tuple[int, ...] = ()
    at: Locator | None = None
    """A passage to go to."""


def run(target: Target, early: EarlyTerminal) -> int:
    """Open the reader and return when it is left.

    Args:
        target: What to open.
        early: The terminal, already taken.

    Returns:
        The process's exit code.

    Raises:
        UnderstoryError: the book or the library cannot be opened.
    """
    paths = default_paths()
    settings, complaints = read_settings(paths.config_file)
    if not target.has_mouse:
        settings = replace(settings, mouse=False)
    use_language(settings.language)
    library = Library(paths)
    library.use_settings(settings)
    app: UnderstoryApp | None = None
    session: ReadingSession | None = None
    try:
        opening = open_target(library, target)
        session = ReadingSession(opening.source) if opening.source is not None else None
        app = make_app(paths, library, settings, opening, session, early, tuple(c.message for c in complaints))
        _run_app(app, early)
        session = app.session
        return app.return_code or 0
    finally:
        if session is not None:
            session.close()
        library.close()
        if app is not None and app.last_page is not None:
            _keep_page(paths, target.arguments, *app.last_page)


def _run_app(app: UnderstoryApp, early: EarlyTerminal) -> None:
    def last() -> None:
        if app.session is not None:
            app.session.close(0.3)
        early.restore()

    leaving = app.leaving = Leaving(last)
    leaving.on_signals(app.leave)
    app.run(mouse=app.settings.mouse)
    leaving.begin(app.return_code or 0)
    if app.failure is not None:
        raise app.failure


def _keep_page(paths: Paths, arguments: Sequence[str], size: tuple[int, int], page: str) -> None:
    """Leave the page for the next start; the library is closed, so that its file says whether anybody writes to it."""
    is_usual = (str(paths.config_dir), str(paths.data_dir)) == (config_folder(), data_folder())
    file = Path(saved_page_file())
    if is_usual and file.parent == paths.state_dir:
        with contextlib.suppress(OSError):
            unfinished = file.with_name(f"screen.{os.getpid()}")
            unfinished.write_bytes(saved_page(arguments, size, page))
            unfinished.replace(file)


def make_app(
    paths: Paths,
    library: Library,
    settings: Settings,
    opening: Opening,
    session: ReadingSession | None,
    early: EarlyTerminal | None = None,
    notices: tuple[str, ...] = (),
) -> UnderstoryApp:
    """Build the program around an open library; without a terminal taken early, Textual takes its own."""
    themes, theme_complaints = load_themes(paths.themes_dir)
    keys_file = paths.config_dir / "keys.toml"
    overrides, file_complaints = read_key_overrides(keys_file)
    wanted = {**PRESETS[settings.keys], **overrides}
    keymap, clashes = keymap_from(READING_ACTIONS, wanted, source=keys_file)
    said = tuple(
        dict.fromkeys((*paths.notices, *library.notices, *notices))
    )  # the library tells those of the folders too
    said += tuple(complaint.message for complaint in (*theme_complaints, *file_complaints, *clashes))
    terminal = TerminalKind(_driver(early), colours_of(os.environ), has_line_colours(os.environ))
    app = UnderstoryApp(
        library, settings, themes, keymap, session=session, jobs=opening.jobs, notices=said, terminal=terminal
    )
    app.start_at = opening.at
    return app


def _driver(early: EarlyTerminal | None) -> type[Driver] | None:
    if early is None or sys.platform == "win32":
        return None
    from tui.terminal.driver import driver_for, escape_delay_s

    return driver_for(early, escape_delay_s(os.environ))


def open_target(library: Library, target: Target) -> Opening:
    """Find the work that was asked for; a file not in the library yet is read at once and imported behind.

    Raises:
        UnderstoryError: no such work, no such file, or a file that is no readable EPUB.
    """
    if target.is_demo:
        return _open_demo(library)
    if not target.words:
        last = library.last_read()
        return Opening(library.reading(last) if last is not None else None)
    if target.words.startswith(_LINK):
        return _open_link(library, target.words)
    path = typed_path(target.words)
    if is_file(path) or (path.suffix.lower() == ".epub" and not _is_known(library, target.words)):
        return open_file(library, path)
    return Opening(library.reading(library.find_work(target.words)))


def _open_link(library: Library, words: str) -> Opening:
    """Open the place an `understory://` address leads to."""
    link = deep_link_from_text(words)
    if link is None:
        raise PlaceUnknownError(words)
    work, at = library.place_of_link(link)
    return Opening(library.reading(work), at=at)


def _is_known(library: Library, words: str) -> bool:
    try:
        library.find_work(words)
    except UnderstoryError:
        return False
    return True


def open_file(library: Library, path: Path) -> Opening:
    """Open an EPUB: from the library when it is there, else from the file while it is imported.

    Raises:
        UnderstoryError: the file cannot be read as a book.
    """
    sha256 = library.book_sha256(path)
    work = library.work_of_book(sha256)
    if work is not None:
        return Opening(library.reading(work))
    source = library.preview(path)
    jobs = library.start_import([path])
    library.start_packs_of([path])
    return Opening(source, jobs)


def _open_demo(library: Library) -> Opening:
    paths = library.samples()
    works: list[WorkId | None] = [library.work_of_book(library.book_sha256(path)) for path in paths]
    first = next((work for work in works if work is not None), None)
    missing = [path for path, work in zip(paths, works, strict=True) if work is None]
    jobs = library.start_import(missing) if missing else ()
    library.start_packs_of(missing)
    if first is not None:
        return Opening(library.reading(first), jobs=jobs)
    return Opening(library.preview(paths[0]), jobs)
