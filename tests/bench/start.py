"""Measure the start at 200x50: the early page, the running page, and the bytes of both.

`main` prints a table and returns the rows over budget. CPU only: processes of other programs do not count,
though a busy machine makes everything a little dearer; what Textual alone takes stands beside it for that.

Usage: python tests/bench/start.py [TIMES]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.pace import allowance
from tests.reader import import_book, make_numbered
from tests.terminal import Terminal

_SCRIPT = Path(sys.executable).with_name("understory")
_COLUMNS, _ROWS = 200, 50
_STOP_AFTER_EARLY_PAGE = """
import os, tui.early
begin = tui.early.EarlyTerminal.begin
def begin_only(self, words):
    begin(self, words)
    os._exit(0)
tui.early.EarlyTerminal.begin = begin_only
exec(open({script!r}).read())
"""
"""The installed script as it is, but for its end."""


@dataclass(frozen=True, slots=True)
class StartCost:
    """Of one start, in the median of some."""

    early_ms: float
    """CPU until the page of the last time is on the screen, above `python -c pass`."""
    running_ms: float
    """CPU until the page itself is drawn and keys are taken, above `python -c pass`."""
    textual_ms: float
    """CPU to import Textual alone, above `python -c pass`."""
    early_bytes: int
    running_bytes: int
    """Sent after the early page."""


def _spent_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def _python_ms(code: str) -> float:
    before = _spent_ms()
    subprocess.run([sys.executable, "-c", code], check=True)
    return _spent_ms() - before


def _open(home: Path, command: list[str]) -> Terminal:
    env = {"UNDERSTORY_HOME": str(home), "HOME": str(home), "PYTHONDONTWRITEBYTECODE": None}
    return Terminal(command, columns=_COLUMNS, rows=_ROWS, env=env)


def _read_once(home: Path) -> tuple[float, int, int]:
    """Open the book, wait until it is drawn, leave; return CPU ms, bytes of the early page, bytes after it."""
    with _open(home, [str(_SCRIPT)]) as terminal:
        terminal.wait_ready()
        terminal.settle(0.4)
        cpu_ms = terminal.cpu_s() * 1e3
        early = len(terminal.received.partition(b"\x1b[?2004h")[0])
        whole = len(terminal.received)
        terminal.send("q")
        terminal.wait_exit()
    return cpu_ms, early, whole - early


def _early_once(home: Path) -> float:
    saved = home / "state" / "screen"
    page = saved.read_bytes()
    before = _spent_ms()
    with _open(home, [sys.executable, "-c", _STOP_AFTER_EARLY_PAGE.format(script=str(_SCRIPT))]) as terminal:
        terminal.wait_exit()
        while terminal.read(0.05):
            pass
        assert b"(1.1)" in terminal.received, "the early page did not show"
    saved.write_bytes(page)
    return _spent_ms() - before


def measure(folder: Path, times: int) -> StartCost:
    """Start the reader some times, each kind in turn."""
    home = folder / "home"
    import_book(home, make_numbered(folder / "numbers.epub"))
    with _open(home, [str(_SCRIPT), "Numbers"]) as terminal:
        terminal.wait_for(r"\(1\.1\)")
        terminal.wait_ready()
        terminal.send("q")
        terminal.wait_exit()
    bare, early, running, textual = [], [], [], []
    sizes = (0, 0)
    for _each in range(times):
        bare.append(_python_ms("pass"))
        textual.append(_python_ms("import gc; gc.disable(); from textual.app import App"))
        early.append(_early_once(home))
        cpu_ms, *found = _read_once(home)
        running.append(cpu_ms)
        sizes = found[0], found[1]
    least = statistics.median(bare)
    costs = [statistics.median(each) - least for each in (early, running, textual)]
    return StartCost(costs[0], costs[1], costs[2], *sizes)


def main() -> int:
    """Print the table; return the number of rows over budget."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        cost = measure(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 9)
    rows = [("early page", cost.early_ms, "ms CPU", 8), ("running page", cost.running_ms, "ms CPU", 320)]
    room = allowance()
    for name, value, unit, budget in rows:
        print(f"{name:20} {value:8.1f} {unit:8} budget {budget:<5} {'OVER' if value > budget * room else 'ok'}")
    print(f"{'Textual alone':20} {cost.textual_ms:8.1f} ms CPU")
    print(f"{'machine':20} {room:8.2f} times the budgets allowed")
    print(f"{'bytes':20} {cost.early_bytes} early, {cost.running_bytes} after it")
    return sum(value > budget * room for _name, value, _unit, budget in rows)


if __name__ == "__main__":
    raise SystemExit(main())
