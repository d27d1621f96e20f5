"""Keys as bad lines and odd terminals bring them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.reader import first_number, import_book, make_numbered, open_reader
from tests.terminal import Terminal

_FAR = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}


@pytest.fixture
def read_home(tmp_path: Path) -> Path:
    import_book(tmp_path / "home", make_numbered(tmp_path / "numbers.epub"))
    return tmp_path / "home"


def _open(home: Path, env: dict[str, str] | None = None) -> Terminal:
    terminal = open_reader(home, "Numbers", env=env or {})
    terminal.wait_for(r"\(\d\.\d+\)")
    terminal.wait_ready()
    terminal.press(" ", 0.4)
    return terminal


@pytest.mark.parametrize("typed", [b"\xff\xfe", b"\x80\x81\xc3", b"\x1b[M \xff\xff", b"\xe4\xb8", "漢字".encode("gbk")])
def test_bytes_that_are_no_characters_do_nothing(read_home: Path, typed: bytes) -> None:
    with _open(read_home) as terminal:
        before = first_number(terminal)
        terminal.press(typed, 0.4)
        assert first_number(terminal) == before
        terminal.press("j", 0.4)
        terminal.press("j", 0.4)
        assert first_number(terminal) != before


@pytest.mark.parametrize("gap_s", [0.1, 0.25])
def test_over_a_slow_line_a_torn_arrow_is_an_arrow(read_home: Path, gap_s: float) -> None:
    with _open(read_home, _FAR) as terminal:
        page = terminal.text()
        for _each in range(2):
            terminal.send("\x1b")
            time.sleep(gap_s)
            terminal.send("[B")
            terminal.settle(0.3)
        moved = terminal.text()
        assert moved != page
        terminal.press("k", 0.4)
        terminal.press("k", 0.4)
        assert terminal.text() == page


@pytest.mark.parametrize("env", [{}, _FAR], ids=["near", "far"])
def test_escape_alone_closes_what_is_open(read_home: Path, env: dict[str, str]) -> None:
    with _open(read_home, env) as terminal:
        page = terminal.text()
        terminal.press("?", 0.4)
        assert terminal.text() != page
        terminal.press("\x1b", 0.7)
        assert terminal.text() == page


def test_a_paste_of_300_kb_types_nothing_and_is_said_to_be_cut(read_home: Path) -> None:
    with _open(read_home) as terminal:
        page = first_number(terminal)
        terminal.send(b"\x1b[200~")
        for _each in range(75):
            terminal.send(b"qj ]" * 1024)
            terminal.read(0.0)
        terminal.send(b"\x1b[201~")
        terminal.wait_for("Only the first")
        assert terminal.is_running()
        assert first_number(terminal) == page


def test_a_garbled_screen_is_drawn_anew(read_home: Path) -> None:
    with _open(read_home) as terminal:
        page = terminal.text()
        terminal.spill("x" * 5000)
        assert terminal.text() != page
        terminal.send("\x0c")
        terminal.wait_gone("x{20}")
        terminal.settle(0.5)
        assert terminal.text() == page
