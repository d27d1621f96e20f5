"""Leaving, in every way there is: the place is kept, the terminal given back, nothing goes on running."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.commands import CHECKOUT
from tests.reader import first_number, import_book, make_numbered, open_reader
from tests.terminal import Terminal

_MOST_S = 2.0
_CRASH = """
from tui.screens import reading
def fail(self): raise RuntimeError("as asked")
reading.ReadingScreen.toggle_zen = fail
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_numbered(tmp_path_factory.mktemp("book") / "numbers.epub")


@pytest.fixture
def read_home(book: Path, tmp_path: Path) -> Path:
    import_book(tmp_path / "home", book)
    return tmp_path / "home"


def _open(home: Path, *words: str, before: str = "") -> Terminal:
    terminal = open_reader(home, *(words or ("Numbers",)), before=before)
    terminal.wait_for(r"\(\d\.1\)")
    terminal.wait_ready()
    terminal.settle(0.2)
    return terminal


def _children(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def _place(home: Path) -> str:
    """Open the book again and return where it opens."""
    with _open(home) as terminal:
        number = first_number(terminal)
        terminal.send("q")
        terminal.wait_exit()
    return number


def test_by_q(read_home: Path) -> None:
    with _open(read_home) as terminal:
        terminal.press("]")
        terminal.send("q")
        assert terminal.wait_exit() < _MOST_S
        assert terminal.exit_status == 0
        assert terminal.left_on() == []
    assert _place(read_home) == "2.1"


def test_between_two_chapters(read_home: Path) -> None:
    """The first row is a blank one of the chapter before."""
    with _open(read_home) as terminal:
        terminal.press("]")
        terminal.press("k")
        terminal.send("q")
        terminal.wait_exit()
    assert _place(read_home) == "2.1"


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_by_a_signal(read_home: Path, name: str) -> None:
    number = getattr(signal, name)
    with _open(read_home) as terminal:
        terminal.press("]")
        terminal.kill(number)
        assert terminal.wait_exit() < _MOST_S
        assert terminal.exit_status == 128 + number
        assert terminal.left_on() == []
    assert (read_home / "state" / "screen").exists()
    assert _place(read_home) == "2.1"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.15, 0.3])
def test_by_a_signal_while_starting(read_home: Path, name: str, delay_s: float) -> None:
    with open_reader(read_home, "Numbers") as terminal:
        while b"\x1b[?1049h" not in terminal.received:
            terminal.read(1.0)
        time.sleep(delay_s)
        terminal.kill(getattr(signal, name))
        assert terminal.wait_exit() < _MOST_S
        assert terminal.exit_status == 128 + getattr(signal, name)
        assert terminal.left_on() == []


def test_by_the_line_going_down(read_home: Path) -> None:
    with _open(read_home) as terminal:
        terminal.press("]")
        terminal.hang_up()
        start = time.perf_counter()
        while terminal.is_running() and time.perf_counter() - start < 5:
            time.sleep(0.01)
        assert time.perf_counter() - start < _MOST_S
        assert terminal.exit_status == 129
    assert _place(read_home) == "2.1"


@pytest.mark.slow
def test_by_the_line_going_down_without_a_signal(read_home: Path) -> None:
    """As where somebody took the hang-up for itself; reading from a dead line must not spin."""
    before = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])"
    with _open(read_home, before=before) as terminal:
        terminal.press("]")
        terminal.hang_up()
        start = time.perf_counter()
        while terminal.is_running() and time.perf_counter() - start < 5:
            time.sleep(0.01)
        assert time.perf_counter() - start < _MOST_S
    assert _place(read_home) == "2.1"


@pytest.mark.slow
def test_by_a_signal_while_nobody_reads_what_is_drawn(read_home: Path) -> None:
    with _open(read_home) as terminal:
        for _each in range(40):
            terminal.send(" b")
            time.sleep(0.01)
        terminal.send("]")
        time.sleep(1.5)
        terminal.kill(signal.SIGTERM)
        start = time.perf_counter()
        while terminal.is_running() and time.perf_counter() - start < 5:
            time.sleep(0.01)
        assert time.perf_counter() - start < _MOST_S
        assert terminal.exit_status == 128 + signal.SIGTERM


def test_by_a_crash(read_home: Path) -> None:
    with _open(read_home, before=_CRASH) as terminal:
        terminal.press("]")
        terminal.send("z")
        assert terminal.wait_exit() < _MOST_S
        assert terminal.exit_status == 1
        assert terminal.left_on() == []
        said = terminal.received.rpartition(b"\x1b[?1049l")[2].decode()
        assert "RuntimeError" in said
        assert "tide" not in said
    assert not (read_home / "state" / "screen").exists()
    assert _place(read_home) == "2.1"


@pytest.mark.parametrize("module", ["tui.start", "tui.app", "engine.library", "textual.app", "tui.terminal.driver"])
def test_by_a_module_that_cannot_be_loaded(read_home: Path, module: str) -> None:
    with open_reader(read_home, before=f"import sys; sys.modules[{module!r}] = None") as terminal:
        assert terminal.wait_exit() < 5
        assert terminal.exit_status == 1
        assert terminal.left_on() == []


def test_stopped_by_ctrl_z_and_gone_on_with(read_home: Path) -> None:
    with _open(read_home) as terminal:
        terminal.press("]")
        page = terminal.text()
        terminal.send("\x1a")
        _wait_stopped(terminal)
        assert terminal.left_on() == []
        terminal.kill(signal.SIGCONT)
        terminal.settle(0.5)
        assert terminal.text() == page
        terminal.press("]")
        assert first_number(terminal) == "3.1"
        terminal.send("q")
        assert terminal.wait_exit() < _MOST_S
        assert terminal.exit_status == 0
        assert terminal.left_on() == []


@pytest.mark.slow
def test_stopped_and_gone_on_with_three_times(read_home: Path) -> None:
    with _open(read_home) as terminal:
        for _each in range(3):
            terminal.send("\x1a")
            _wait_stopped(terminal)
            terminal.kill(signal.SIGCONT)
            terminal.settle(0.4)
        terminal.press("]")
        assert first_number(terminal) == "2.1"
        terminal.send("q")
        assert terminal.wait_exit() < _MOST_S
        assert terminal.left_on() == []


def test_stopped_from_outside_and_gone_on_with(read_home: Path) -> None:
    with _open(read_home) as terminal:
        terminal.press("]")
        page = terminal.text()
        terminal.kill(signal.SIGSTOP)
        _wait_stopped(terminal)
        terminal.kill(signal.SIGCONT)
        terminal.settle(0.5)
        assert terminal.text() == page
        terminal.press("]")
        assert first_number(terminal) == "3.1"
        terminal.send("q")
        assert terminal.wait_exit() < _MOST_S
        assert terminal.left_on() == []


def test_stopped_in_a_shell(read_home: Path) -> None:
    env = {"UNDERSTORY_HOME": str(read_home), "HOME": str(read_home), "PYTHONPATH": str(CHECKOUT), "PS1": "shell> "}
    with Terminal(["bash", "--norc", "--noprofile", "-i"], columns=100, rows=30, env=env) as terminal:
        terminal.wait_for("shell> ")
        terminal.send(f"{sys.executable} -m tui Numbers\n")
        terminal.wait_for(r"\(1\.1\)")
        terminal.settle(0.3)
        terminal.press("]")
        terminal.send("\x1a")
        terminal.wait_for("Stopped")
        terminal.send("echo $((6*7))\n")
        terminal.wait_for(r"\n42")
        terminal.send("fg\n")
        terminal.wait_for(r"\(2\.1\)")
        terminal.press("]")
        assert first_number(terminal) == "3.1"
        terminal.send("q")
        terminal.wait_for("shell> ")
        terminal.send("exit 7\n")
        terminal.wait_exit()
        assert terminal.exit_status == 7


def _wait_stopped(terminal: Terminal) -> None:
    process, end = psutil.Process(terminal.pid), time.perf_counter() + 5
    while process.status() != psutil.STATUS_STOPPED:
        terminal.read(0.01)
        assert time.perf_counter() < end, "it goes on running"
    terminal.settle(0.1)


@pytest.mark.parametrize("how", ["q", "TERM", "line"])
def test_while_importing_no_helper_stays(tmp_path: Path, how: str) -> None:
    book = make_numbered(tmp_path / "long.epub", chapters=200)
    with open_reader(tmp_path / "home", str(book)) as terminal:
        terminal.wait_for(r"\(1\.1\)")
        helpers = _children(terminal.pid)
        assert helpers
        if how == "q":
            terminal.send("q")
        elif how == "TERM":
            terminal.kill(signal.SIGTERM)
        else:
            terminal.hang_up()
        start = time.perf_counter()
        while terminal.is_running() and time.perf_counter() - start < 5:
            if terminal.fd >= 0:
                terminal.read(0.01)
        assert time.perf_counter() - start < _MOST_S
        _gone, alive = psutil.wait_procs(helpers, timeout=3)
        assert alive == []


def test_by_the_line_going_down_while_stopped(read_home: Path) -> None:
    with _open(read_home) as terminal:
        terminal.press("]")
        terminal.send("\x1a")
        _wait_stopped(terminal)
        terminal.hang_up()
        start = time.perf_counter()
        terminal.kill(signal.SIGHUP)  # as the kernel does for a stopped process whose shell is gone
        terminal.kill(signal.SIGCONT)
        while terminal.is_running() and time.perf_counter() - start < 5:
            time.sleep(0.01)
        assert time.perf_counter() - start < _MOST_S
    assert _place(read_home) == "2.1"


@pytest.mark.parametrize("term", ["linux", "vt220"])
def test_on_a_terminal_that_knows_little(read_home: Path, term: str) -> None:
    with open_reader(read_home, "Numbers", env={"TERM": term, "COLORTERM": None}) as terminal:
        terminal.wait_for(r"\(\d\.1\)")
        terminal.wait_ready()
        terminal.send("q")
        terminal.wait_exit()
        assert b"\x1b[>" not in terminal.received
        assert terminal.left_on() == []
