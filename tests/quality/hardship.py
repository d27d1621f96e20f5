"""Read under hardship, and count what is lost: kill -9, dropped lines, resize storms, torn keys, random bytes.

`main` prints a table and returns the number of rows that are not as they must be.

Usage: python tests/quality/hardship.py [N]   (N kills; the other trials follow from it. 500 takes an hour.)
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import psutil

from tests.builders import make_epub
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_COLUMNS, _ROWS = 90, 30
_SHOWN_S = 1.0
_LEAVE_S = 2.0
_MOVES = [" ", " ", " ", "b", "j", "k", "5j", "3k", "}", "{", "]", "[", "gg", "50%", "20%", "80%"]
_GAPS_S = (0.0, 0.01, 0.05, 0.1, 0.15, 0.2, 0.25)
_FORBIDDEN = frozenset(b"q\x11\x1aL:\x10SWAQ")
"""Bytes that may end the program or lead out of the book by right."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    name: str
    value: float
    most: float
    """What it may be."""
    of: str = ""

    @property
    def is_over(self) -> bool:
        """Say whether it is more than it may be."""
        return self.value > self.most


def make_long_book(path: Path, *, chapters: int, title: str = "Hardship") -> Path:
    """Write a book in which no two rows are alike."""
    chance = random.Random(chapters)
    bodies = []
    for chapter in range(1, chapters + 1):
        paragraphs = [
            " ".join(f"{chapter}.{number}.{part} the tide is out." for part in range(chance.randint(1, 12)))
            for number in range(60)
        ]
        bodies.append((f"Part {chapter}", "".join(f"<p>{text}</p>" for text in paragraphs)))
    return make_epub(path, title=title, chapters=bodies)


def text_rows(terminal: Terminal) -> list[str]:
    """Return the rows of the text on the screen, without blank ones."""
    return [row.strip() for row in terminal.text().splitlines()[1:-2] if row.strip()]


def first_row(terminal: Terminal) -> str:
    """Return the first row of the text on the screen."""
    return next(iter(text_rows(terminal)), "")


class Trial:
    """A home with a long book in it, and readers of it."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.chance = random.Random(seed)
        self.book = make_long_book(folder / "long.epub", chapters=40)
        import_book(self.home, self.book)

    def open(self, *words: str, home: Path | None = None, far: bool = False) -> Terminal:
        """Start a reader and wait until it shows a page and rests."""
        env = {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"} if far else {}
        terminal = open_reader(home or self.home, *(words or ("Hardship",)), columns=_COLUMNS, rows=_ROWS, env=env)
        terminal.wait_for(r"tide is out")
        terminal.wait_ready()
        terminal.settle(0.3)
        return terminal

    def wander(self, terminal: Terminal, most: int) -> None:
        """Press some keys."""
        for _each in range(self.chance.randint(0, most)):
            terminal.press(self.chance.choice(_MOVES), self.chance.choice([0.0, 0.02, 0.1]))

    def creep(self, terminal: Terminal) -> set[str]:
        """Perhaps go on by a row or two without looking; return the rows the page may begin with then."""
        rows = self.chance.choice([0, 0, 1, 2])
        may_begin = set(text_rows(terminal)[: 1 + rows])
        terminal.send("j" * rows)
        time.sleep(self.chance.random() * 0.3)
        return may_begin

    def stay(self, terminal: Terminal) -> str:
        """Look at a page for a second, as a reader does at least; return its first row."""
        terminal.settle(0.3)
        row = first_row(terminal)
        end = time.perf_counter() + _SHOWN_S
        while (left := end - time.perf_counter()) > 0:
            if terminal.read(left):  # something was still on its way
                row, end = first_row(terminal), time.perf_counter() + _SHOWN_S
        return row


def kills(trial: Trial, times: int) -> list[Figure]:
    """Kill the reader, and look where it opens: at the page shown for a second, or one shown since."""
    lost = 0
    terminal = trial.open()
    for _each in range(times):
        trial.wander(terminal, 5)
        trial.stay(terminal)
        shown = trial.creep(terminal)
        terminal.kill(signal.SIGKILL)
        terminal.wait_exit()
        terminal.close()
        terminal = trial.open()
        if first_row(terminal) not in shown:
            lost += 1
            print("lost:", shown, "->", first_row(terminal))
    terminal.close()
    return [Figure("places lost by kill -9", lost, 0, f"of {times}")]


def drops(trial: Trial, times: int) -> list[Figure]:
    """Close the line under the reader in the middle of things."""
    middles: list[Callable[[Trial, Terminal], object]] = [_read_on, _resize_on, _search_on, _move_fast]
    lost = orphans = 0
    slowest = 0.0
    for number in range(times):
        if number % 5 == 4:
            is_lost, took, left = _drop_importing(trial)
        else:
            terminal = trial.open()
            trial.wander(terminal, 3)
            trial.stay(terminal)
            middle = middles[number % 4]
            shown = set(text_rows(terminal)[: 2 if middle is _move_fast else 1])
            middle(trial, terminal)
            took, left = _hang_up(terminal)
            is_lost = _opens_elsewhere(trial, shown)
        lost += is_lost
        orphans += left
        slowest = max(slowest, took)
    return [
        Figure("places lost by dropped lines", lost, 0, f"of {times}"),
        Figure("processes left by dropped lines", orphans, 0),
        Figure("seconds from the drop to the end, most", slowest, _LEAVE_S),
    ]


def _read_on(trial: Trial, terminal: Terminal) -> None:
    time.sleep(trial.chance.random() * 0.2)


def _resize_on(trial: Trial, terminal: Terminal) -> None:
    for _each in range(6):
        terminal.resize(trial.chance.randint(20, 150), trial.chance.randint(5, 50))
        time.sleep(0.01)


def _search_on(trial: Trial, terminal: Terminal) -> None:
    terminal.send("/no such words\r")
    time.sleep(trial.chance.random() * 0.2)


def _move_fast(trial: Trial, terminal: Terminal) -> None:
    terminal.send("jk" * 20)  # nobody reads what is drawn
    time.sleep(trial.chance.random() * 0.1)


def _opens_elsewhere(trial: Trial, shown: set[str], *words: str, home: Path | None = None) -> bool:
    with trial.open(*words, home=home) as terminal:
        row = first_row(terminal)
        terminal.send("q")
        terminal.wait_exit()
    if row not in shown:
        print("lost:", shown, "->", row)
    return row not in shown


def _hang_up(terminal: Terminal) -> tuple[float, int]:
    """Close the line; return the seconds until the end, and how many processes are left."""
    helpers = psutil.Process(terminal.pid).children(recursive=True)
    start = time.perf_counter()
    terminal.hang_up()
    while terminal.is_running() and time.perf_counter() - start < 10:
        time.sleep(0.005)
    took = time.perf_counter() - start
    _gone, alive = psutil.wait_procs(helpers, timeout=_LEAVE_S)
    return took, len(alive) + terminal.is_running()


def _drop_importing(trial: Trial) -> tuple[bool, float, int]:
    home = trial.folder / "importing"
    shutil.rmtree(home, ignore_errors=True)
    terminal = trial.open(str(trial.book), home=home)
    terminal.press(" ")
    shown = {trial.stay(terminal)}
    took, left = _hang_up(terminal)
    return _opens_elsewhere(trial, shown, str(trial.book), home=home), took, left


def resizes(trial: Trial, storms: int, steps: int = 200) -> list[Figure]:
    """Change the size 200 times in two seconds, and look whether the same words are at the top."""
    moved = ended = 0
    most_cpu = 0.0
    for _each in range(storms):
        with trial.open() as terminal:
            trial.wander(terminal, 4)
            before = trial.stay(terminal)
            cpu = terminal.cpu_s()
            for step in range(steps):
                odd = [(0, 0), (1, 1), (500, 200), (2, 1), (1, 200), (500, 1), (80, 24)]
                size = (trial.chance.randint(1, 300), trial.chance.randint(1, 90))
                terminal.resize(*(trial.chance.choice(odd) if step % 5 == 0 else size))
                terminal.read(0.005)
            terminal.resize(_COLUMNS, _ROWS)
            terminal.settle(0.5)
            most_cpu = max(most_cpu, terminal.cpu_s() - cpu)
            ended += not terminal.is_running()
            moved += first_row(terminal) != before
            if first_row(terminal) != before:
                print("moved:", before, "->", first_row(terminal))
    return [
        Figure("places moved by resize storms", moved, 0, f"of {storms} of {steps} sizes"),
        Figure("programs ended by resize storms", ended, 0),
        Figure("CPU seconds of a storm, most", most_cpu, 2.0),
    ]


def torn_keys(trial: Trial, times: int) -> list[Figure]:
    """Send keys in pieces, as slow lines do, and count what is not the same as the whole key does."""
    sequences = {"\x1b[B": "j", "\x1b[A": "k", "\x1b[6~": " ", "\x1b[5~": "b", "\x1bOB": "j", "\x1b[<65;40;9M": "3j"}
    wrong = sent = 0
    with trial.open(far=True) as torn, trial.open(far=True) as whole:
        for terminal in (torn, whole):
            terminal.press("50%")
            terminal.press("\x1b", 0.6)
        for number in range(times):
            gap_s = _GAPS_S[number % len(_GAPS_S)]
            sequence, key = trial.chance.choice(list(sequences.items()))
            cut = trial.chance.randint(1, len(sequence) - 1)
            torn.send(sequence[:cut])
            time.sleep(gap_s)
            torn.send(sequence[cut:])
            whole.send(key)
            sent += 1
            wrong += not _come_to_agree(torn, whole)
    return [Figure("wrong commands by torn keys", wrong, 0, f"of {sent}, gaps 0-250 ms")]


def _come_to_agree(one: Terminal, other: Terminal) -> bool:
    for _each in range(20):
        one.settle(0.1)
        other.settle(0.1)
        if first_row(one) == first_row(other):
            return True
    print("differ:", first_row(one), "/", first_row(other))
    return False


def random_bytes(trial: Trial, times: int) -> list[Figure]:
    """Send what no keyboard sends; the program must go on, and the place be found again."""
    ended = strings = 0
    allowed = [byte for byte in range(256) if byte not in _FORBIDDEN]
    alphabet = allowed + [*b"\x1b\x1b\x1b\x1b[[[[]PO_<?;;0123456789MmuR~$"] * 3
    terminal = trial.open()
    while strings < times:
        for _each in range(min(100, times - strings)):
            data = bytes(trial.chance.choices(alphabet, k=trial.chance.randint(1, 24)))
            terminal.send(data)
            strings += 1
            terminal.read(0.0)
        for _each in range(4):
            terminal.press("\x1b", 0.5)
        terminal.settle(0.3)
        if not terminal.is_running():
            ended += 1
            print("ended:", terminal.exit_status, terminal.text().strip()[:300])
            terminal.close()
            terminal = trial.open()
    terminal.close()
    return [Figure("programs ended by random bytes", ended, 0, f"of {strings} strings")]


_CRASH = """
from tui.screens import reading
def fail(self): raise RuntimeError("as asked")
reading.ReadingScreen.toggle_zen = fail
"""
_BROKEN = "import sys; sys.modules['engine.library'] = None"


def leavings(trial: Trial, rounds: int) -> list[Figure]:
    """Leave in eight ways, and look what the terminal was left with."""
    ways: dict[str, tuple[str, Callable[[Terminal], object]]] = {
        "q": ("", lambda terminal: terminal.send("q")),
        "SIGHUP": ("", lambda terminal: terminal.kill(signal.SIGHUP)),
        "SIGTERM": ("", lambda terminal: terminal.kill(signal.SIGTERM)),
        "SIGINT": ("", lambda terminal: terminal.kill(signal.SIGINT)),
        "a crash": (_CRASH, lambda terminal: terminal.send("z")),
        "a broken module": (_BROKEN, lambda _terminal: None),
        "an unknown book": ("", lambda _terminal: None),
        "Ctrl-Z, fg, q": ("", _stop_and_go_on),
    }
    broken = 0
    slowest = 0.0
    for _each in range(rounds):
        for name, (before, leave) in ways.items():
            words = "No Such Book" if name == "an unknown book" else "Hardship"
            with open_reader(trial.home, words, columns=_COLUMNS, rows=_ROWS, before=before) as terminal:
                if words == "Hardship" and before != _BROKEN:
                    terminal.wait_for("tide is out")
                    terminal.wait_ready()
                    terminal.settle(trial.chance.random() * 0.5)
                start = time.perf_counter()
                leave(terminal)
                terminal.wait_exit(10)
                if name in ("q", "SIGHUP", "SIGTERM", "SIGINT", "a crash"):  # the rest includes a start
                    slowest = max(slowest, time.perf_counter() - start)
                if terminal.left_on():
                    broken += 1
                    print("left on:", name, terminal.left_on())
    return [
        Figure("terminals not given back", broken, 0, f"of {rounds * len(ways)}, {len(ways)} ways"),
        Figure("seconds to leave, most", slowest, _LEAVE_S),
    ]


def _stop_and_go_on(terminal: Terminal) -> None:
    terminal.send("\x1a")
    while psutil.Process(terminal.pid).status() != psutil.STATUS_STOPPED:
        terminal.read(0.01)
    terminal.kill(signal.SIGCONT)
    terminal.settle(0.4)
    terminal.send("q")


def main() -> int:
    """Print the table; return the number of rows that are not as they must be."""
    usual = 10 if os.environ.get("QUALITY") == "ci" else 500
    times = int(sys.argv[1]) if len(sys.argv) > 1 else usual
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        parts: list[tuple[Callable[[Trial, int], list[Figure]], int]] = [
            (kills, times),
            (drops, max(5, times * 2 // 5)),
            (leavings, max(1, times // 50)),
            (resizes, max(1, times // 50)),
            (torn_keys, max(14, times)),
            (random_bytes, times * 20),
        ]
        for part, size in parts:
            start = time.perf_counter()
            found = part(trial, size)
            figures += found
            for figure in found:
                verdict = "NOT SO" if figure.is_over else "ok"
                print(f"{figure.name:44} {figure.value:8.2f}   may be {figure.most:<5g} {verdict:7} {figure.of}")
            print(f"    ({time.perf_counter() - start:.0f} s)", flush=True)
    return sum(figure.is_over for figure in figures)


if __name__ == "__main__":
    raise SystemExit(main())
