"""Read books of many producers in the real program, by keys and by mouse, and keep notes in them.

Prints a line a book and size: what went wrong, of turning pages, laying the page anew by a setting and undoing that,
highlights, comments and excerpts by keys and by mouse, the screen of notes, pictures, and bringing the notes into an
empty library. The interface speaks the book's language where it can. CI takes every third book at one size,
`QUALITY=full` all at both.

Usage: python tests/quality/producers.py [NAME]
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.commands import CHECKOUT, records, run_command
from tests.corpora import corpora_with
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_SIZES = ((80, 24), (200, 50))
_BOOKS = (
    ("calibre, EPUB 2", "epub/producers/calibre-epub2__gingatetsudo.epub", "ja"),
    ("calibre, from AZW3", "epub/producers/calibre-from-azw3__nahan.epub", "zh_CN"),
    ("calibre, from DOCX", "epub/producers/calibre-from-docx__the-sport-of-the-gods.epub", "en"),
    ("EbookLib", "epub/producers/ebooklib__nahan.epub", "zh_CN"),
    ("lncrawl", "epub/producers/lncrawl__hongloumeng-1-20.epub", "zh_CN"),
    ("mkepub", "epub/producers/mkepub__the-man-who-was-thursday.epub", "en"),
    ("pandoc", "epub/producers/pandoc-epub3__the-sport-of-the-gods.epub", "en"),
    ("Sphinx", "epub/producers/sphinx__alice.epub", "en"),
    ("Standard Ebooks", "epub/standardebooks/sherlock-holmes/01-arthur-conan-doyle_a-study-in-scarlet.epub", "en"),
    ("epub.js", "epub/third-party/epub.js__alice.epub", "en"),
    ("IDPF, vertical with pictures", "epub/idpf-epub3-samples/haruko-jpeg.epub", "ja"),
    ("IDPF, from right to left", "epub/idpf-epub3-samples/israelsailing.epub", "en"),
    ("ours, in English", "ashfall-1.epub", "en"),
    ("ours, in Chinese", "tingmolu-1.epub", "zh_CN"),
    ("ours, in Japanese", "azukariame-1.epub", "ja"),
)
_COMMENT = "mind this 灯"
_LEAST_LETTERS = 8


@dataclass(slots=True)
class Visit:
    """A book open in the real program."""

    terminal: Terminal
    home: Path
    kept: int = 0
    """Notes kept so far."""

    def rows(self) -> list[str]:
        """Return the rows of the page, without the bars above and below it."""
        return self.terminal.text().split("\n")[1:-3]

    def page(self) -> str:
        """Return the letters of the page's first rows."""
        return _letters("".join(self.rows()))[:400]

    def worded_row(self) -> tuple[int, int]:
        """Return row and column, from 1, of a long row's beginning; (0, 0) when the page has none."""
        lines = self.terminal.text().split("\n")
        for number in range(2, len(lines) - 3):
            line = lines[number]
            is_text = line.strip()[:1].isalpha() and not {"░", "█", "▀"} & set(line)
            if is_text and len(_letters(line)) >= _LEAST_LETTERS:
                return number + 1, len(line) - len(line.lstrip()) + 1
        return 0, 0


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalpha())


def _turns(visit: Visit) -> bool:
    before = visit.page()
    visit.terminal.press(" ", 0.4)
    after = visit.page()
    visit.terminal.press("b", 0.4)
    return after != before and visit.page() == before


def _opens(visit: Visit) -> bool:
    terminal = visit.terminal
    terminal.text_before(b"\x1b[?2004h")
    terminal.settle(0.6)
    for keys in ("30%", "n", "]", "[", " ", " ", "b"):  # to a page of text
        terminal.press(keys, 0.4)
        # A page that has another behind it: short books end here.
        if keys in ("[", " ", "b") and visit.worded_row() != (0, 0) and _turns(visit):
            return True
    return visit.worded_row() != (0, 0)


def _is_laid_anew(visit: Visit) -> bool:
    """Make the column narrower in the settings, and undo that: the first row holds the same place each time."""
    before = visit.page()
    visit.terminal.press("S", 0.4)
    visit.terminal.press("hhhhhh", 0.5)
    visit.terminal.press("\r", 0.5)
    narrow = visit.page()
    visit.terminal.press("S", 0.4)
    visit.terminal.press("uuuuuu", 0.5)
    visit.terminal.press("\r", 0.5)
    return _holds_its_place(narrow, before) and visit.page() == before


def _holds_its_place(page: str, before: str) -> bool:
    """Say whether a page's first row still holds the letter that was the first; a row of Hebrew begins at its end."""
    is_turned = any(unicodedata.bidirectional(c) in ("R", "AL") for c in before[:20])
    return is_turned or before[:6] in page[:80]


def _keeps(keys: str) -> Callable[[Visit], bool]:
    def keeps(visit: Visit) -> bool:
        visit.terminal.press("v", 0.4)
        for key in keys:
            visit.terminal.press(key, 0.3)
        visit.kept += 1
        return True  # whether it was kept is seen when they are listed

    return keeps


def _comments(visit: Visit) -> bool:
    visit.terminal.press("v", 0.4)
    visit.terminal.press(")", 0.3)
    visit.terminal.press("c", 0.4)
    visit.terminal.press(_COMMENT, 0.4)
    visit.terminal.press("\x13", 0.5)
    visit.kept += 1
    return True


def _marks_by_mouse(visit: Visit) -> bool:
    row, column = visit.worded_row()
    drag = "".join(f"\x1b[<32;{column + moved};{row}M" for moved in (2, 4))
    visit.terminal.press(f"\x1b[<0;{column};{row}M{drag}\x1b[<0;{column + 4};{row}m", 0.4)
    visit.terminal.press("h", 0.4)
    visit.kept += 1
    page = visit.page()
    visit.terminal.press(f"\x1b[<65;{column};{row}M" * 3, 0.4)
    moved = visit.page()
    visit.terminal.press(f"\x1b[<64;{column};{row}M" * 3, 0.4)
    return moved != page and visit.page() == page


def _lists_and_goes(visit: Visit) -> bool:
    """Go to the first note from a page that does not show it, and back to that page."""
    is_elsewhere = _goes_elsewhere(visit)
    page = visit.page()
    visit.terminal.press("gN", 0.6)
    is_listed = _COMMENT.partition(" ")[0] in visit.terminal.text()
    visit.terminal.press("\r", 0.6)
    went = visit.worded_row() != (0, 0) and visit.page() != page
    visit.terminal.press("\x0f", 0.5)
    return is_elsewhere and is_listed and went and visit.page() == page


def _goes_elsewhere(visit: Visit) -> bool:
    """Turn to a page that does not show the notes: of the next chapter, else the first or the last one."""
    noted = visit.page()[:_LEAST_LETTERS]
    for keys in ("]", "gg", "G"):
        visit.terminal.press(keys, 0.5)
        visit.terminal.press("n", 0.4)  # not counted as read
        if noted not in _letters("".join(visit.rows())):
            return True
    return False


def _shows_pictures(visit: Visit) -> bool:
    """Open the first picture of the page, if there is one, and come back."""
    page = visit.page()
    visit.terminal.press("gp", 0.8)
    visit.terminal.press("\x1b", 0.6)
    return visit.page() == page


def _leaves(visit: Visit) -> bool:
    visit.terminal.send("q")
    visit.terminal.wait_exit()
    return visit.terminal.exit_status == 0 and visit.terminal.left_on() == []


def _brings_back(visit: Visit) -> bool:
    """Export what was kept, bring it into an empty library, and compare."""
    env = {"UNDERSTORY_HOME": str(visit.home), "HOME": str(visit.home)}
    file = visit.home / "notes.json"
    file.write_text(run_command("notes", "export", "--json", env=env).stdout, encoding="utf-8")
    with tempfile.TemporaryDirectory() as empty:
        other = {"UNDERSTORY_HOME": empty, "HOME": empty}
        run_command("notes", "import", str(file), env=other)
        brought = run_command("notes", "export", "--json", env=other).stdout
    kept = records(file.read_text("utf-8"))
    return len(_notes_of(kept)) == visit.kept and _notes_of(records(brought)) == _notes_of(kept)


def _notes_of(lines: Sequence[dict[str, Any]]) -> list[str]:  # Any: as JSON has it
    """Return each note as it is written, without when the file was."""
    return sorted(json.dumps(note, sort_keys=True) for note in lines if "uid" in note)


_TASKS: tuple[tuple[str, Callable[[Visit], bool]], ...] = (
    ("a page of text", _opens),
    ("a page on and back", _turns),
    ("laid anew", _is_laid_anew),
    ("highlight", _keeps("Wh")),
    ("comment", _comments),
    ("excerpt", _keeps(")x")),
    ("by mouse", _marks_by_mouse),
    ("notes", _lists_and_goes),
    ("picture", _shows_pictures),
    ("left", _leaves),
    ("export and import", _brings_back),
)


def _path(corpora: Path, name: str) -> Path:
    return corpora / name if "/" in name else CHECKOUT / "engine" / "samples" / name


def visit_book(book: Path, language: str, size: tuple[int, int]) -> Iterator[tuple[str, bool]]:
    """Read a book, and yield each thing done and whether it went well."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        import_book(home, book)
        config = home / "config"
        config.mkdir(exist_ok=True)
        (config / "config.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
        with open_reader(home, "1", columns=size[0], rows=size[1]) as terminal:
            visit = Visit(terminal, home)
            for words, task in _TASKS:
                yield words, task(visit)


def main() -> int:
    """Print the table; return 1 when anything failed."""
    corpora = corpora_with("epub")
    if corpora is None:
        return 0
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    is_full = os.environ.get("QUALITY") == "full"
    failed = done = 0
    for number, (producer, name, language) in enumerate(_BOOKS):
        for turn, size in enumerate(_SIZES):
            if not re.search(wanted, producer) or (not is_full and not wanted and (number % 3 or turn != number % 2)):
                continue
            bad = []
            for words, went in visit_book(_path(corpora, name), language, size):
                done += 1
                bad += [] if went else [words]
            failed += len(bad)
            sys.stdout.write(f"{producer:30} {size[0]:>3}x{size[1]}  {language:6} {', '.join(bad) or 'all done'}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{done} things done, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
