"""The reader on a terminal of its own, with a book whose every paragraph tells its number."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.library.door import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.commands import CHECKOUT
from tests.shelving import wait_for_names
from tests.terminal import Terminal

PARAGRAPHS, CHAPTERS = 60, 5
_WORDS = "the tide went out and the ferry lay on its side until noon"
_START = "import sys; sys.argv = ['understory', *sys.argv[1:]]; from tui.__main__ import main; sys.exit(main())"


def make_numbered(path: Path, *, title: str = "Numbers", chapters: int = CHAPTERS) -> Path:
    """Write a book whose paragraphs begin with (chapter.paragraph)."""
    bodies = [
        (f"Part {chapter}", "".join(f"<p>({chapter}.{number}) {_WORDS}.</p>" for number in range(1, PARAGRAPHS + 1)))
        for chapter in range(1, chapters + 1)
    ]
    return make_epub(path, title=title, chapters=bodies)


def import_book(home: Path, book: Path) -> None:
    """Import a book into a home and wait until its names are known, so that nothing is left to do there."""
    env = {**os.environ, "UNDERSTORY_HOME": str(home), "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-c", _START, "import", str(book)], check=True, env=env, capture_output=True)
    finish_work(home)


def finish_work(home: Path) -> None:
    """Wait until the library of a home has no work left."""
    library = Library(paths_under(home))
    try:
        wait_for_names(library, 600.0)
    finally:
        library.close()


def open_reader(
    home: Path,
    *words: str,
    columns: int = 100,
    rows: int = 30,
    env: Mapping[str, str | None] | None = None,
    before: str = "",
    ambiguous_cells: int = 1,
    answers: Sequence[tuple[bytes, bytes]] = (),
) -> Terminal:
    """Start the reader.

    Args:
        home: Its home.
        words: The command line.
        columns: Of the terminal.
        rows: Of the terminal.
        env: On top of the environment; None takes a variable away.
        before: Python to run first, in the same process.
        ambiguous_cells: How wide the terminal says it draws ambiguous characters.
        answers: What it says to questions.
    """
    full: dict[str, str | None] = {"UNDERSTORY_HOME": str(home), "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    full.update(env or {})
    command = [sys.executable, "-c", f"{before}\n{_START}", *words]
    return Terminal(command, columns=columns, rows=rows, env=full, ambiguous_cells=ambiguous_cells, answers=answers)


def first_number(terminal: Terminal) -> str:
    """Return the number of the first paragraph on the screen, "" when there is none."""
    match = re.search(r"\((\d+\.\d+)\)", terminal.text())
    return match[1] if match else ""
