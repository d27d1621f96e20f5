"""Terminals that draw “ ” — and their like two cells wide: no line is pushed out of its place."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import category, east_asian_width

import pytest

from tests.builders import make_epub
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_ZH = "“他说：我们走吧，”阿丽丝看了看那只兔子——它很慌张……然后消失了。①"
_EN = "“You kept the lamp burning,” said the stationmaster — and ‘you’ were gone… α β γ ×"
_PIECE = re.compile(rb"\x1b\[(\d+);(\d+)H((?:[^\x1b\r\n]|\x1b\[[0-9;]*m)*)")
_SGR = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def quoting_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quoting")
    body = "".join(f"<p>{number} {text}{text}</p>" for number in range(30) for text in (_ZH, _EN))
    book = make_epub(folder / "book.epub", title="“Quoted” — …", chapters=[("“One”…", body), ("Two—", body)])
    import_book(folder / "home", book)
    return folder / "home"


def _cells(text: str) -> int:
    wide = "WFA"
    return sum(0 if category(char) == "Mn" else 2 if east_asian_width(char) in wide else 1 for char in text)


def _overflows(terminal: Terminal) -> list[str]:
    """Return what was written beyond the last column, or over what stands beside it."""
    found = []
    pieces = [(int(y), int(x), _SGR.sub(b"", text).decode()) for y, x, text in _PIECE.findall(terminal.received)]
    for (y, x, text), (next_y, next_x, _next) in zip(pieces, [*pieces[1:], (0, 0, "")], strict=True):
        end = x + _cells(text)
        if text and (end > terminal.columns + 1 or (y == next_y and x < next_x < end)):
            found.append(text)
    return found


def _look_around(terminal: Terminal) -> None:
    terminal.settle(0.4)
    for keys in (" ", "j", "t", "j", "\x1b", "?", "\x1b", "]", "L", "\x1b"):
        terminal.press(keys, 0.3)


@pytest.mark.parametrize("columns", [80, *(pytest.param(each, marks=pytest.mark.slow) for each in (60, 120))])
def test_no_line_is_pushed_out_where_the_setting_says_wide(quoting_home: Path, columns: int) -> None:
    config = quoting_home / "config" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text('ambiguous_width = "wide"\n', "utf-8")
    with open_reader(quoting_home, "open", "1", columns=columns) as terminal:
        terminal.wait_ready()
        _look_around(terminal)
        assert _overflows(terminal) == []
    config.unlink()


def test_what_the_terminal_tells_is_taken_and_remembered(quoting_home: Path) -> None:
    with open_reader(quoting_home, "open", "1", env={"TERM": "xterm"}, ambiguous_cells=2) as terminal:
        terminal.wait_ready()
        terminal.settle(0.5)
        start = len(terminal.received)
        _look_around(terminal)
        terminal.received = terminal.received[start:]
        assert _overflows(terminal) == []
        terminal.send("q")
        terminal.wait_exit()
    with open_reader(quoting_home, "open", "1", env={"TERM": "xterm"}, ambiguous_cells=2) as terminal:
        terminal.wait_ready()
        terminal.settle(0.5)
        assert _overflows(terminal) == []


def test_a_narrow_terminal_gets_the_finer_bars(quoting_home: Path) -> None:
    with open_reader(quoting_home, "open", "1", ambiguous_cells=1) as terminal:
        terminal.wait_ready()
        terminal.settle(0.3)
        assert "░" in terminal.text()
        assert _overflows(terminal) != []  # as it would look where they are wide


@pytest.mark.parametrize("told", [1, 2])
def test_the_setting_wins_over_what_the_terminal_tells(quoting_home: Path, told: int) -> None:
    config = quoting_home / "config" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text('ambiguous_width = "narrow"\n', "utf-8")
    with open_reader(quoting_home, "open", "1", ambiguous_cells=told, env={"TERM": "screen"}) as terminal:
        terminal.wait_ready()
        terminal.settle(0.5)
        assert "░" in terminal.text()
    config.unlink()


def test_a_locale_without_utf8_is_not_asked(quoting_home: Path) -> None:
    with open_reader(quoting_home, "open", "1", env={"LC_ALL": "en_US.ISO-8859-1"}) as terminal:
        terminal.wait_ready()
        assert "“".encode() not in terminal.received.partition(b"\x1b[6n")[0]
