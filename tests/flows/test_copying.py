"""What a copy sends to a real terminal: the bytes, inside tmux and outside, and what a selection costs."""

from __future__ import annotations

import base64
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import make_epub
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_OSC = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
_WRAPPED = re.compile(rb"\x1bPtmux;\x1b\x1b\]52;c;([A-Za-z0-9+/=]*)\x07\x1b\\")
_MOST_CARET_BYTES = 400
_LONG = "<p>" + "漢字とかな交じりの文。" * 1000 + "</p>"


@pytest.fixture(scope="module")
def made_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a book of mixed scripts."""
    folder = tmp_path_factory.mktemp("copying")
    body = "<p>Nobody boarded the 6.40. 灯塔守は待つ。</p>" + "<p>It stood there with its doors open.</p>" * 30
    book = make_epub(folder / "lamp.epub", title="Lamp", chapters=[("one", body), ("long", _LONG * 12)])
    import_book(folder / "home", book)
    return folder / "home"


@pytest.fixture
def home(made_home: Path, tmp_path: Path) -> Path:
    """A copy of that home."""
    return Path(shutil.copytree(made_home, tmp_path / "home"))


def _open(home: Path, **env: str | None) -> Terminal:
    terminal = open_reader(home, "Lamp", env={"TMUX": None, **env})
    terminal.wait_for("Nobody boarded")
    terminal.wait_ready()
    terminal.settle(0.5)
    return terminal


def _copy(terminal: Terminal, keys: str) -> bytes:
    """Type, wait for what is said of it, and return what was written meanwhile."""
    before = len(terminal.received)
    terminal.press(keys)
    terminal.wait_for("Copied")
    terminal.settle(0.3)
    return terminal.received[before:]


def _kept(home: Path) -> str:
    return (home / "state" / "clipboard.txt").read_text("utf-8")


def test_a_copy_is_sent_once_as_osc_52_and_kept_in_a_file(home: Path) -> None:
    with _open(home) as terminal:
        written = _copy(terminal, "v)wWy")
        assert [base64.b64decode(each).decode() for each in _OSC.findall(written)] == [_kept(home)]
        assert _kept(home).startswith("Nobody boarded the 6.40. 灯")
        assert b"Ptmux" not in written
        assert stat.S_IMODE((home / "state" / "clipboard.txt").stat().st_mode) == 0o600


def test_inside_tmux_it_is_also_passed_on_to_the_terminal_around_it(home: Path) -> None:
    with _open(home, TMUX="/nowhere/default,1,0", TERM="tmux-256color") as terminal:
        written = _copy(terminal, "vy")
        assert [base64.b64decode(each) for each in _WRAPPED.findall(written)] == [b"Nobody"]
        assert [base64.b64decode(each) for each in _OSC.findall(_WRAPPED.sub(b"", written))] == [b"Nobody"]


def test_the_same_copied_again_is_sent_again(home: Path) -> None:
    with _open(home) as terminal:
        assert len(_OSC.findall(_copy(terminal, "vWy") + _copy(terminal, "ly") + _copy(terminal, "\x1b[Dy"))) == 3


def test_what_is_too_long_for_a_terminal_is_kept_in_the_file_alone(home: Path) -> None:
    with _open(home) as terminal:
        terminal.press("]v")
        written = _copy(terminal, "}}}}}}}}}}y")
        assert _OSC.findall(written) == []
        terminal.wait_for("a terminal takes no more than 74 kB")
        assert "the first 200 kB" in terminal.text()
        assert 199_000 < len(_kept(home).encode()) <= 200_000


def test_a_selection_by_the_mouse_is_copied(home: Path) -> None:
    with _open(home) as terminal:
        row = next(n for n, line in enumerate(terminal.text().split("\n"), 1) if "Nobody" in line)
        column = terminal.text().split("\n")[row - 1].index("boarded") + 1
        held = "".join(f"\x1b[<32;{column + moved};{row}M" for moved in (3, 6))
        terminal.press(f"\x1b[<0;{column};{row}M{held}\x1b[<0;{column + 6};{row}m")
        _copy(terminal, "y")
        assert _kept(home) == "boarded"


def test_a_step_of_the_caret_draws_its_row_and_no_more(home: Path) -> None:
    with _open(home) as terminal:
        terminal.press("v")
        sizes = [terminal.press(key, 0.15) for key in ("l", "l", "w", "l", "\x1b[D", "b")]
        assert max(sizes) <= _MOST_CARET_BYTES


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    """A tmux server of the test's own, as it comes."""
    program = shutil.which("tmux")
    if program is None:
        pytest.skip("tmux is not installed")
    command = [program, "-S", str(tmp_path / "tmux.socket"), "-f", "/dev/null"]
    yield command
    subprocess.run([*command, "kill-server"], check=False, capture_output=True)


def test_a_real_tmux_has_it_in_its_paste_buffer(home: Path, tmux: list[str]) -> None:
    subprocess.run([*tmux, "new-session", "-d", "-x", "80", "-y", "24", "cat"], check=True)
    told = subprocess.run(
        [*tmux, "display", "-p", "#{socket_path},#{pid},0"], check=True, capture_output=True, text=True
    )
    with _open(home, TMUX=told.stdout.strip()) as terminal:
        _copy(terminal, "vy")
        assert "given to tmux, sent to the terminal, kept in" in terminal.text()
    shown = subprocess.run([*tmux, "show-buffer"], check=True, capture_output=True, text=True)
    assert shown.stdout == "Nobody"
