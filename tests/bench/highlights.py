"""Print what a page costs in a work with 2 000 highlights, its names underlined and a search marked.

`python tests/bench/highlights.py [BOOKS]`. The installed program on a pty at 200x50, as in reading.py; the
exit status tells whether the budget held.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.locator import Locator
from engine.domain.notes import NoteKind, Tone
from engine.library import Library
from engine.paths import paths_under
from tests.bench.reading import Reader, Row, books_folder, key_cost, room_for_time
from tests.reader import finish_work

HIGHLIGHTS = 2000
_CHARS = 40
_BUDGET_MS = 8


def mark(home: Path) -> None:
    """Highlight passages all over the work, and count it as read."""
    library = Library(paths_under(home))
    (work,) = library.works()
    documents = [d for volume in library.outline(work.id).volumes for d in volume.documents if d.is_linear]
    length = sum(document.length for document in documents)
    step, tones, kept = length // HIGHLIGHTS, list(Tone), 0
    for document in documents:
        for start in range(0, document.length - _CHARS, max(1, step)):
            text = library.text_of(document.id, start, start + _CHARS)
            if text.strip() and kept < HIGHLIGHTS:
                kind = NoteKind.ANNOTATION if kept % 5 == 0 else NoteKind.HIGHLIGHT
                place = Locator(document.id, start, start + _CHARS)
                library.add_note(work.id, kind, place, "Mind this." * (kept % 5 == 0), tones[kept % len(tones)])
                kept += 1
    last = documents[-1]
    library.set_frontier(work.id, last.id, last.length)
    library.close()
    assert kept > HIGHLIGHTS * 0.95, kept


def measure(books: Path, home: Path) -> list[Row]:
    """Return the rows of a page before and after the highlights."""
    reader = Reader(home)
    reader.run("import", str(books / "novel.epub"))
    finish_work(home)
    rows = [Row("page-down, names and a search", _page_ms(reader, has_marks=False), "ms CPU", _BUDGET_MS)]
    mark(home)
    rows.append(Row(f"the same with {HIGHLIGHTS} highlights", _page_ms(reader, has_marks=True), "ms CPU", _BUDGET_MS))
    return rows


def _page_ms(reader: Reader, *, has_marks: bool) -> float:
    with reader.start("1") as terminal:
        terminal.settle(1.5)
        terminal.press("/the\r")
        terminal.settle(1.0)
        assert ("▌" in terminal.text()) == has_marks
        seconds, _size = key_cost(terminal, lambda _n: " ")
        terminal.press("\x1bgg")
        terminal.send("q")
        terminal.wait_exit()
    return seconds * 1e3


def main() -> int:
    """Print the table; return the number of rows over budget."""
    room = room_for_time()
    with tempfile.TemporaryDirectory() as home:
        rows = measure(books_folder(sys.argv[1] if len(sys.argv) > 1 else None), Path(home))
    for row in rows:
        verdict = "OVER" if row.is_over(room) else "ok"
        print(f"{row.name:42} {row.value:9.2f} {row.unit:16} budget {row.budget:6g}  {verdict}")
    print(f"{room:.2f} times the time budgets are allowed on this machine, now")
    return sum(row.is_over(room) for row in rows)


if __name__ == "__main__":
    raise SystemExit(main())
