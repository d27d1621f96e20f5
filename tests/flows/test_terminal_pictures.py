"""A picture over the whole screen, on terminals that show pixels and on others."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from tests.builders import make_epub
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_CELL = (b"\x1b[16t", b"\x1b[6;20;10t")
_KITTY = (b"\x1b_Gi=31,", b"\x1b_Gi=31;OK\x1b\\")
_SIXEL = (b"\x1b[c", b"\x1b[?62;4;22c")
_SENT = re.compile(rb"\x1b_G(?:a=t[^;]*,)?m=[01];([A-Za-z0-9+/=]+)\x1b\\")
_SHOWN = re.compile(rb"\x1b7\x1b\[(\d+);(\d+)H\x1b_Ga=p,i=(\d+),c=(\d+),r=(\d+),q=2,C=1\x1b\\\x1b8")
_DRAWN = re.compile(rb'\x1b7\x1b\[(\d+);(\d+)H\x1bP0;1;0q"1;1;(\d+);(\d+)#0;2;[^\x1b]*\x1b\\\x1b8')


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a book of one picture, twice as wide as high."""
    folder = tmp_path_factory.mktemp("pictures")
    book = make_epub(
        folder / "harbour.epub",
        title="Harbour",
        chapters=[("One", "<p>The harbour.</p><p><img src='p.png' alt='A map of the harbour'/></p><p>Later.</p>")],
        missing=["p.png"],
    )
    written = io.BytesIO()
    Image.effect_noise((600, 300), 90).convert("RGB").save(written, "PNG")
    with zipfile.ZipFile(book, "a") as zipped:
        zipped.writestr("OEBPS/p.png", written.getvalue())
    import_book(folder / "home", book)
    return folder / "home"


def _opened(home: Path, *answers: tuple[bytes, bytes], env: dict[str, str | None] | None = None) -> Terminal:
    terminal = open_reader(
        home, "Harbour", env={"TMUX": None, "STY": None, **(env or {})}, answers=answers, columns=100, rows=30
    )
    terminal.text_before(b"\x1b[?2004h")
    terminal.wait_for("The harbour")
    terminal.settle(0.5)
    terminal.send("gp")
    terminal.wait_for("A map of the harbour")
    return terminal


def _wait_received(terminal: Terminal, pattern: re.Pattern[bytes]) -> Sequence[bytes]:
    for _time in range(60):  # the process that draws is niced
        terminal.settle(0.5, timeout_s=30.0)
        if match := pattern.search(terminal.received):
            return match.groups()
    raise AssertionError(f"{pattern.pattern!r} was not written:\n{terminal.text()}")


def _close(terminal: Terminal) -> None:
    terminal.press(" ")
    terminal.wait_for("Later")
    terminal.send("q")
    terminal.wait_exit()
    assert terminal.exit_status == 0
    assert terminal.left_on() == []


def test_kitty_is_given_a_png_that_fits_and_it_is_taken_away(home: Path) -> None:
    with _opened(home, _KITTY, _CELL) as terminal:
        row, column, number, columns, rows = (int(each) for each in _wait_received(terminal, _SHOWN))
        png = base64.b64decode(b"".join(_SENT.findall(terminal.received)))
        with Image.open(io.BytesIO(png)) as image:
            # 100 columns of 10 pixels and 29 rows of 20, the last one for the words
            assert image.size == (1000, 500)
        assert (columns, rows) == (100, 25)
        assert (row, column) == (3, 1)
        terminal.settle()
        assert "▀" not in terminal.text()
        assert "A map of the harbour" in terminal.text()
        _close(terminal)
        assert b"\x1b_Ga=d,d=I,i=%d,q=2\x1b\\" % number in terminal.received
        assert b"\x1bP0;1;0q" not in terminal.received


def test_a_closed_picture_is_not_sent_to_its_end(home: Path) -> None:
    with _opened(home, _KITTY, _CELL) as terminal:
        while b"a=t,f=100" not in terminal.received:
            assert terminal.read(1.0) is not None
        terminal.press(" ")
        terminal.wait_for("Later")
        terminal.settle()
        assert terminal.received.rfind(b"\x1b_Ga=d,d=I") > terminal.received.rfind(b"a=t,f=100")
        assert not _SHOWN.search(terminal.received[terminal.received.rfind(b"\x1b_Ga=d,d=I") :])
        terminal.send("q")
        terminal.wait_exit()


def test_sixel_is_drawn_where_the_terminal_has_it(home: Path) -> None:
    with _opened(home, _CELL, _SIXEL) as terminal:
        row, column, width, height = (int(each) for each in _wait_received(terminal, _DRAWN))
        assert (width, height) == (1000, 500)
        assert (row, column) == (3, 1)
        terminal.settle()
        assert "▀" not in terminal.text()
        _close(terminal)


def test_without_an_answer_a_picture_stays_in_half_blocks(home: Path) -> None:
    with _opened(home) as terminal:
        terminal.wait_for("▀")
        terminal.settle()
        assert not _SHOWN.search(terminal.received)
        assert b"\x1bP0;1;0q" not in terminal.received
        _close(terminal)


def test_a_terminal_that_does_not_tell_the_size_of_its_cells_gets_half_blocks(home: Path) -> None:
    with _opened(home, _KITTY) as terminal:
        terminal.wait_for("▀")
        terminal.settle()
        assert b"a=t,f=100" not in terminal.received
        _close(terminal)


@pytest.mark.parametrize(
    "env",
    [
        {"TMUX": "/tmp/tmux,1,0", "TERM": "tmux-256color"},
        {"TERM": "screen-256color"},
        {"TERM_PROGRAM": "Apple_Terminal"},
    ],
    ids=lambda env: "-".join(env.values()),
)
def test_kitty_is_not_asked_where_the_question_would_show(home: Path, env: dict[str, str | None]) -> None:
    with _opened(home, _KITTY, env=env) as terminal:
        terminal.wait_for("▀")
        terminal.settle()
        assert b"\x1b_G" not in terminal.received
        _close(terminal)
