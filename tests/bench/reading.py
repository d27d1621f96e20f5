"""Print the reading rows of the budgets: start, page, line, jump, resize, memory, bytes, idle.

The installed program runs on a pty at 200x50. CPU is the process's own clock, so another
program on the machine does not count. `main` prints a table and returns the rows that are
over budget.

Usage: python tests/bench/reading.py [BOOKS]   (a folder with huge_zh.epub and novel.epub; made when missing)
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.pace import ROOM, allowance
from tests.reader import finish_work
from tests.terminal import Terminal

_PROGRAM = str(Path(sys.executable).with_name("understory"))
_COLUMNS, _ROWS = 200, 50
_REPEAT = 20
_WALL_ROOM = 1.6
"""A clock on the wall also counts what other programs do meanwhile: 0.6 s alone was 1.7 s at a load of 8."""
_PLAIN = Path(__file__).with_name("plain_app.py")
_PLAIN_KEY_MS = 3.6
"""What a key costs there on the machine the budgets were set on, idle."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    value: float
    unit: str
    budget: float

    def is_over(self, room: float) -> bool:
        """Say whether the budget is missed; time may take `room` times as long, see `tests/pace.py`."""
        if self.unit == "s wall":
            room *= _WALL_ROOM
        return self.value > self.budget * (room if self.unit.startswith(("ms", "s ")) else 1)


def bare_python_s() -> float:
    """Return the CPU seconds of `python -c pass`, the least a program in Python can take."""
    times = []
    for _each in range(5):
        before = _children_s()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        times.append(_children_s() - before)
    return min(times)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Reader:
    """The program, reading a book in a home of its own."""

    def __init__(self, home: Path, *, env: dict[str, str | None] | None = None) -> None:
        self.home = home
        # Without byte code on the disk each start would compile the program: 70 ms no reader pays.
        self._env = {"UNDERSTORY_HOME": str(home), "HOME": str(home), "PYTHONDONTWRITEBYTECODE": None, **(env or {})}

    def start(self, *arguments: str) -> Terminal:
        """Start the program on the pty."""
        return Terminal([_PROGRAM, *arguments], columns=_COLUMNS, rows=_ROWS, env=self._env)

    def run(self, *arguments: str) -> float:
        """Run a headless command; return the CPU seconds of it and its helper."""
        before = _children_s()
        env = {name: value for name, value in {**os.environ, **self._env}.items() if value is not None}
        subprocess.run([_PROGRAM, *arguments], check=True, env=env, stdout=subprocess.DEVNULL)
        return _children_s() - before


def interactive_s(reader: Reader, ready: str, *arguments: str, times: int = 5) -> float:
    """Return the least CPU seconds from start until a key has turned the page.

    The key is pressed as soon as the page is seen, which may be the early page; the turn itself
    is within the figure.
    """
    found = []
    for _each in range(times):
        with reader.start(*arguments) as terminal:
            terminal.wait_for(ready)
            terminal.send(" ")
            terminal.wait_gone(ready)
            found.append(terminal.cpu_s())
            terminal.press("bgg")
            terminal.send("q")
            terminal.wait_exit()
    return min(found)


def key_cost(terminal: Terminal, press: Callable[[int], str]) -> tuple[float, float]:
    """Press a key some times in two rounds; return CPU seconds and bytes a press, the median of the cheaper round.

    What the machine does once in a while makes one round dearer, a slow program both.
    """
    rounds = [_round_cost(terminal, press, range(first, first + _REPEAT // 2)) for first in (0, _REPEAT // 2)]
    return min(rounds)


def _round_cost(terminal: Terminal, press: Callable[[int], str], numbers: Iterable[int]) -> tuple[float, float]:
    terminal.settle(0.5)
    seconds, sizes = [], []
    for number in numbers:
        terminal.settle(0.1)
        before = terminal.cpu_s()
        sizes.append(terminal.press(press(number), 0.12))
        seconds.append(terminal.cpu_s() - before)
    return statistics.median(seconds), statistics.median(sizes)


def plain_key_ms() -> float:
    """Return the CPU milliseconds of a key in the least app that draws a full page with Textual."""
    with Terminal([sys.executable, str(_PLAIN)], columns=_COLUMNS, rows=_ROWS) as terminal:
        terminal.wait_for("row 0 of page 0")
        seconds, _size = key_cost(terminal, lambda _n: " ")
        terminal.send("\x11")
        terminal.wait_exit()
    return seconds * 1e3


def resize_cost(terminal: Terminal) -> float:
    """Return the median CPU seconds of a change of width."""
    seconds = []
    for number in range(10):
        terminal.settle(0.1)
        before = terminal.cpu_s()
        terminal.resize(_COLUMNS - (30 if number % 2 == 0 else 0), _ROWS)
        terminal.settle(0.3)
        seconds.append(terminal.cpu_s() - before)
    return statistics.median(seconds)


def room_for_time() -> float:
    """Return what budgets in time are multiplied by: the machine's own pace, or that of Textual's keys on it."""
    return max(allowance(), plain_key_ms() / _PLAIN_KEY_MS * ROOM)


def measure(books: Path, home: Path) -> list[Row]:
    """Import the big and the small book and measure reading them."""
    rows: list[Row] = []
    small, big = Reader(home / "small"), Reader(home / "big")
    small.run("import", str(books / "novel.epub"))
    rows += _first_page(big, books / "huge_zh.epub")
    cpu = big.run("import", str(books / "huge_zh.epub"))
    for reader in (small, big):
        finish_work(reader.home)
    rows.append(Row("import 5 M characters, text", cpu, "s CPU", 20))
    bare = bare_python_s()
    start_small = interactive_s(small, "opening line", "1")
    start_big = interactive_s(big, "首页开篇", "1")
    rows.append(Row("typed to interactive", (start_small - bare) * 1e3, "ms CPU", 320))
    rows.append(Row("re-open 5 M characters, above that", (start_big - start_small) * 1e3, "ms CPU", 100))
    with big.start() as terminal:
        terminal.wait_for("首页开篇")
        terminal.settle(0.5)
        rows += _keys(terminal)
    rows += _sixteen_colours(big)
    return rows


def _first_page(big: Reader, book: Path) -> list[Row]:
    homes = [Reader(big.home.with_name(f"first {number}")) for number in range(3)]
    wall = min(_first_page_s(reader, book) for reader in homes)
    return [Row("first page of a book not imported yet", wall, "s wall", 1.0)]


def _first_page_s(reader: Reader, book: Path) -> float:
    with reader.start(str(book)) as terminal:
        wall = terminal.wait_for("首页开篇")
        terminal.settle(0.3)
        terminal.send("q")
        terminal.wait_exit()
    return wall


def _keys(terminal: Terminal) -> list[Row]:
    rows = []
    rss = terminal.rss_mb()
    cpu, size = key_cost(terminal, lambda _n: " ")
    rows += [Row("page-down", cpu * 1e3, "ms CPU", 8), Row("page-down, true colour", size / 1e3, "KB", 9.5)]
    cpu, _size = key_cost(terminal, lambda _n: "j")
    rows.append(Row("line down", cpu * 1e3, "ms CPU", 6))
    terminal.press("v")
    cpu, size = key_cost(terminal, lambda _n: "l")
    rows += [Row("caret, a character on", cpu * 1e3, "ms CPU", 4), Row("caret, a character on", size, "bytes", 400)]
    terminal.press("\x1b")
    cpu, _size = key_cost(terminal, lambda n: f"{(n * 37 + 11) % 100}%")
    rows.append(Row("jump anywhere", cpu * 1e3, "ms CPU", 15))
    rows.append(Row("resize", resize_cost(terminal) * 1e3, "ms CPU", 30))
    rows.append(Row("memory, open", rss, "MB", 90))
    rows.append(Row("memory, after 20 jumps", terminal.rss_mb(), "MB", 90))
    idle, size = min(_rest(terminal) for _each in range(3))
    rows.append(Row("idle", idle * 1e3, "ms CPU a second", 2))
    rows.append(Row("idle", float(size), "bytes", 0))
    return rows


def _rest(terminal: Terminal) -> tuple[float, int]:
    """Press nothing for three seconds; return CPU seconds a second and the bytes that came nevertheless.

    The calmest of some rests is what idling costs: what is put off until the keys rest (the place saved,
    the memory tidied) is done once.
    """
    terminal.settle(0.5)
    before, start, received = terminal.cpu_s(), time.perf_counter(), len(terminal.received)
    terminal.settle(3.0, 3.0)
    return (terminal.cpu_s() - before) / (time.perf_counter() - start), len(terminal.received) - received


def _sixteen_colours(reader: Reader) -> list[Row]:
    narrow = Reader(reader.home, env={"COLORTERM": None, "TERM": "xterm"})
    with narrow.start() as terminal:
        terminal.settle(1.0)
        _cpu, size = key_cost(terminal, lambda _n: " ")
    return [Row("page-down, 16 colours", size / 1e3, "KB", 7.9)]


def books_folder(given: str | None) -> Path:
    """Return the folder of benchmark books, making them when needed.

    Raises:
        SystemExit: the generator beside the corpora is not there; one line said so, and it is no failure.
    """
    folder = Path(given or tempfile.gettempdir()) / ("" if given else "understory-bench-books")
    if not (folder / "huge_zh.epub").exists():
        corpora = os.environ.get("UNDERSTORY_CORPORA")
        maker = Path(corpora or "").parent / "tools" / "makebooks.py"
        if not corpora or not maker.exists():
            print("left out: no tools/makebooks.py beside UNDERSTORY_CORPORA, which makes the books to measure with")
            raise SystemExit(0)
        subprocess.run([sys.executable, str(maker), str(folder)], check=True, stdout=subprocess.DEVNULL)
    return folder


def main() -> int:
    """Print the table; return the number of rows over budget."""
    books = books_folder(sys.argv[1] if len(sys.argv) > 1 else None)
    with tempfile.TemporaryDirectory() as home:
        before = room_for_time()
        rows = measure(books, Path(home))
        room = max(before, room_for_time())
    for row in rows:
        verdict = "OVER" if row.is_over(room) else "ok"
        print(f"{row.name:42} {row.value:9.2f} {row.unit:16} budget {row.budget:6g}  {verdict}")
    print(f"{room:.2f} times the time budgets are allowed on this machine, now")
    return sum(row.is_over(room) for row in rows)


if __name__ == "__main__":
    raise SystemExit(main())
