"""Measure this reader beside epy, baca and bookreader-tui on three books, in one run; print the table as Markdown.

Each program lives in an environment of its own (made on first use in a cache folder); the driver is
`tuibench.py`, the books are those of `makebooks.py`, both beside the corpora. Ours has the work
imported into a kept home first, as it is used; the import has a row of its own. Spoilers are off and
`terminal_scroll` is on. A cell that takes longer than 150 s is given up.

Usage: python tests/peers.py [--write docs/benchmarks.md] [--only NAME] [--books FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.reader import finish_work

_LIMIT_S = 150
_CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "understory-peers"
_DOWN = "n " * 39


@dataclass(frozen=True, slots=True)
class Program:
    """A reader and the keys that do the same things in it."""

    name: str
    package: str
    """On PyPI; empty for ours."""
    script: str
    keys: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A book, and the words that tell where its pages are."""

    file: str
    title: str
    ready: str
    last_ready: str
    word: str
    found: str


PROGRAMS = (
    Program(
        "understory",
        "",
        "understory",
        "pagedown=space,line=j,last=t G Right G Enter,first=t g Enter,search=g / {word} Enter",
        "its contents show volumes closed: Right opens the last one",
    ),
    Program("epy", "epy-reader", "epy", "pagedown=space,line=j,last=t G Enter,first=t g Enter,search=/ {word} Enter"),
    Program("baca", "baca", "baca", "pagedown=space,line=j,last=Tab G Enter,first=Tab g Enter,search=/ {word} Enter"),
    Program(
        "bookreader-tui",
        "bookreader-tui",
        "bookreader",
        f"pagedown=space,line=j,last={_DOWN.strip()}",
        "its jump is the last of 39 `n`, its contents answered no key; it has no search in a book",
    ),
)
BOOKS = (
    Book(
        "novel.epub", "novel, 123 000 words", "opening line", "Chapteropen 40", "Zyzzogeton", "Zyzzogeton +beaconlight"
    ),
    Book("huge_zh.epub", "huge, 5.0 M characters", "首页开篇", "章首标记400由", "鵷鶵", "鵷鶵灯塔在此"),
    Book("single.epub", "single, one 10.6 MB document", "opening line", "", "Zyzzogeton", "Zyzzogeton +beaconlight"),
)
ROWS = (
    ("launch, wall ms", lambda cell: cell.get("launch_ms")),
    ("launch, CPU ms", lambda cell: cell.get("launch_cpu_ms")),
    ("memory, RSS MB", lambda cell: cell.get("rss_mb")),
    ("page-down, CPU ms", lambda cell: _inside(cell, "pagedown", "cpu_ms")),
    ("page-down, done ms", lambda cell: _inside(cell, "pagedown", "done_ms")),
    ("page-down, KB", lambda cell: _kilobytes(_inside(cell, "pagedown", "bytes"))),
    ("line, CPU ms", lambda cell: _inside(cell, "line", "cpu_ms")),
    ("line, done ms", lambda cell: _inside(cell, "line", "done_ms")),
    ("line, KB", lambda cell: _kilobytes(_inside(cell, "line", "bytes"))),
    ("jump to the last chapter, ms", lambda cell: cell.get("last_ms")),
    ("search a word near the end, ms", lambda cell: cell.get("search_ms")),
    ("memory after all that, MB", lambda cell: cell.get("rss_search_mb") or cell.get("rss_last_mb")),
)

_TEXTUAL = "Textual, imported and started, takes 190 ms of CPU and 15 MB before there is a book; epy draws with curses"
REASONS = (
    ("bookreader-tui", "jump", "its 39 steps of a chapter are pressed before; only the last of them is timed"),
    ("epy", "launch", _TEXTUAL),
    ("epy", "memory", _TEXTUAL),
    ("epy", "line", "a key through Textual's event loop and compositor costs 3 ms before anything is drawn"),
    ("epy", "jump", "three keys through Textual, and the contents are drawn in between; epy's are a plain list"),
    ("epy", "page-down, KB", "with its animation off"),
)
"""Why a program may be ahead: its name, what the row's title begins with, the reason."""

Cell = dict[str, object]
"""The driver's JSON for one program and book."""


def _inside(cell: Mapping[str, object], name: str, key: str) -> object:
    inner = cell.get(name)
    return inner.get(key) if isinstance(inner, dict) else None


def _kilobytes(size: object) -> object:
    return round(size / 1000, 1) if isinstance(size, (int, float)) else None


def script_of(program: Program) -> Path:
    """Return the program's script, installing it into its own environment on first use."""
    if not program.package:
        return Path(sys.executable).with_name(program.script)
    folder = _CACHE / program.package
    script = folder / "bin" / program.script
    if not script.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", program.package], check=True)
    return script


def measure(program: Program, book: Book, books: Path, tools: Path, home: Path) -> Cell:
    """Run the driver once and return what it found."""
    words = ["--ready", book.ready, "--word", book.word, "--found", book.found]
    words += ["--last-ready", book.last_ready] if book.last_ready else ["--skip", "last"]
    target = str(books / book.file)
    if not program.package:
        words += ["--home", str(home), "--env", f"UNDERSTORY_HOME={home}"]
    done = subprocess.run(
        [
            sys.executable, tools / "tuibench.py", "--cmd", f"{script_of(program)} {{book}}", "--book", target,
            "--keys", program.keys, "--backend", "pty", "--timeout", str(_LIMIT_S), *words,
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    try:
        run = json.loads(done.stdout)["runs"][0]
    except (ValueError, KeyError, IndexError):
        return {"died": (done.stderr or done.stdout)[-300:]}
    return run if isinstance(run, dict) else {}


def import_first(book: Path, home: Path) -> float:
    """Import a book into the kept home; return the CPU seconds of that."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "UNDERSTORY_HOME": str(home)}
    subprocess.run([script_of(PROGRAMS[0]), "import", str(book)], check=True, env=env, stdout=subprocess.DEVNULL)
    finish_work(home)
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config" / "config.toml").write_text('spoilers = "off"\nterminal_scroll = true\n', encoding="utf-8")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table(book: Book, cells: Mapping[str, Cell], import_s: float) -> list[str]:
    """Return one book's table as lines of Markdown."""
    names = list(cells)
    lines = [f"### {book.title}", "", f"| | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    lines.append(
        f"| import, once, CPU s | {' | '.join(f'{import_s:.1f}' if n == 'understory' else '' for n in names)} |"
    )
    for title, value_of in ROWS:
        lines.append(f"| {title} | {' | '.join(_shown(value_of(cells[name]), cells[name]) for name in names)} |")
    lines += [
        f"\n{name}: {cell.get('launch_fail') or cell.get('died')}" for name, cell in cells.items() if _failed(cell)
    ]
    return [*lines, ""]


def _failed(cell: Cell) -> bool:
    return "launch_fail" in cell or "died" in cell


def _shown(value: object, cell: Cell) -> str:
    if value is None:
        return "failed" if _failed(cell) else "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def losses(book: Book, cells: Mapping[str, Cell]) -> list[str]:
    """Name each figure in which another program is ahead of ours."""
    ours = cells.get("understory", {})
    found = []
    for title, value_of in ROWS:
        mine = value_of(ours)
        for name, cell in cells.items():
            theirs = value_of(cell)
            if (
                name != "understory"
                and isinstance(mine, (int, float))
                and isinstance(theirs, (int, float))
                and theirs < mine
            ):
                found.append(f"{book.file}: {title}: {name} {theirs} before ours {mine} ({_reason(name, title)})")
    return found


def _reason(name: str, title: str) -> str:
    return next((why for who, row, why in REASONS if who == name and title.startswith(row)), "not explained")


def main() -> int:
    """Measure, print, and write the document when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="a Markdown file whose part under '## Measured' is replaced")
    parser.add_argument("--only", help="one program beside ours")
    parser.add_argument("--books", type=Path, help="folder of the books; made from the corpora when missing")
    chosen = parser.parse_args()
    tools = Path(os.environ.get("UNDERSTORY_CORPORA", "../shared/corpora")).resolve().parent / "tools"
    books = chosen.books or Path(tempfile.gettempdir()) / "understory-bench-books"
    if not (books / "single.epub").exists():
        subprocess.run([sys.executable, tools / "makebooks.py", books], check=True, stdout=subprocess.DEVNULL)
    programs = [p for p in PROGRAMS if chosen.only in (None, p.name) or not p.package]
    lines, lost = [f"Python {platform.python_version()}, {os.cpu_count()} cores, 200x50, medians of 20 keys.", ""], []
    for book in BOOKS:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            import_s = import_first(books / book.file, home)
            cells = {program.name: measure(program, book, books, tools, home) for program in programs}
        part = table(book, cells, import_s)
        print("\n".join(part), flush=True)
        lines += part
        lost += losses(book, cells)
    lines += ["### Where another is ahead", "", *(f"- {loss}" for loss in lost), ""]
    print("\n".join(lines[-len(lost) - 3 :]))
    if chosen.write:
        head = chosen.write.read_text(encoding="utf-8").partition("## Measured")[0]
        chosen.write.write_text(f"{head}## Measured\n\n" + "\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
