"""The first page: at once, right or not at all, with the keys typed meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.reader import first_number, import_book, make_numbered, open_reader
from tests.terminal import Terminal


@pytest.fixture(scope="module")
def imported_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a book that was never opened."""
    folder = tmp_path_factory.mktemp("imported")
    import_book(folder / "home", make_numbered(folder / "numbers.epub"))
    return folder / "home"


@pytest.fixture
def read_home(imported_home: Path, tmp_path: Path) -> Path:
    """A home whose book was read to its second page, and left.

    Read in the copy itself: a saved page holds for one state of the library's file, and not
    every machine's file system copies a file's time exactly.
    """
    home = Path(shutil.copytree(imported_home, tmp_path / "home"))
    with open_reader(home, "Numbers") as terminal:
        terminal.wait_for(r"\(1\.1\)")
        terminal.wait_ready()
        terminal.press(" ")
        terminal.wait_gone(r"\(1\.1\)")
        terminal.wait_for(r"\(1\.")
        _leave(terminal)
    return home


_SLOW_START = """
import sys, time, types
sys.modules["tui.start"] = types.ModuleType("tui.start")
sys.modules["tui.start"].__getattr__ = lambda name: time.sleep(0.5)
"""


def _leave(terminal: Terminal) -> None:
    terminal.send("q")
    terminal.wait_exit()
    assert terminal.exit_status == 0


def _early(terminal: Terminal) -> str:
    """Return what the screen shows before the program itself takes it."""
    return terminal.text_before(b"\x1b[?2004h")


def _wait_early(terminal: Terminal) -> None:
    while b"\x1b[?1049h" not in terminal.received:
        assert terminal.read(1.0) is not None


def test_the_last_page_shows_before_the_program_runs(read_home: Path) -> None:
    with open_reader(read_home, before="import sys; sys.modules['tui.start'] = None") as terminal:
        terminal.wait_exit()
        first, _given_back, _rest = terminal.received.partition(b"\x1b[?1049l")
        assert b"(1.1" in first
        assert terminal.left_on() == []


def test_the_early_page_is_the_page_that_stays(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        early = _early(terminal)
        terminal.wait_ready()
        terminal.settle(0.5)
        assert terminal.text() == early
        assert first_number(terminal) != "1.1"
        _leave(terminal)


def test_the_size_is_the_terminals_whatever_the_environment_says(read_home: Path) -> None:
    with open_reader(read_home, env={"COLUMNS": "80", "LINES": "20"}) as terminal:
        early = _early(terminal)
        assert "(1." in early
        terminal.wait_ready()
        terminal.settle(0.5)
        assert terminal.text() == early
        _leave(terminal)


def test_what_the_program_said_last_is_not_on_the_early_page(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        terminal.wait_ready()
        terminal.press("60%", 0.4)
        terminal.wait_for("Count chapters")
        first = first_number(terminal)
        _leave(terminal)
    with open_reader(read_home) as terminal:
        early = _early(terminal)
        assert f"({first})" in early
        assert "Count chapters" not in early
        terminal.wait_ready()
        terminal.settle(0.5)
        assert terminal.text() == early


def test_the_screen_is_taken_once_and_given_back(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        terminal.wait_ready()
        terminal.settle(0.3)
        _leave(terminal)
        assert (terminal.received.count(b"\x1b[?1049h"), terminal.received.count(b"\x1b[?1049l")) == (1, 1)
        assert terminal.left_on() == []


def test_keys_typed_at_once_are_acted_on(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        _wait_early(terminal)
        terminal.send("]")
        terminal.wait_for(r"\(2\.1\)")
        _leave(terminal)


def test_a_page_turned_at_once_is_turned(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        _wait_early(terminal)
        terminal.send(" ")
        terminal.wait_for(r"\(1\.")
        first = first_number(terminal)
        terminal.wait_gone(rf"\({first.replace('.', '[.]')}\)")
        _leave(terminal)


def test_what_is_typed_at_once_is_not_echoed(read_home: Path) -> None:
    with open_reader(read_home, before=_SLOW_START) as terminal:
        _wait_early(terminal)
        terminal.send("zzz")
        terminal.wait_exit()
        assert b"zzz" not in terminal.received


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 99},
        {"rows": 31},
        {"env": {"TERM": "screen-256color"}},
        {"env": {"COLORTERM": None}},
        {"env": {"NO_COLOR": "1"}},
        {"env": {"LANG": "ja_JP.UTF-8"}},
    ],
    ids=str,
)
def test_another_terminal_begins_with_a_blank_page(read_home: Path, change: dict[str, int]) -> None:
    with open_reader(read_home, **change) as terminal:  # type: ignore[arg-type]  # one argument each
        assert _early(terminal).strip("\n ") == ""
        terminal.wait_for(r"\(1\.")
        terminal.wait_ready()
        _leave(terminal)


@pytest.mark.parametrize("name", ["config.toml", "keys.toml", "themes/mine.toml"])
def test_changed_settings_begin_with_a_blank_page(read_home: Path, name: str) -> None:
    file = read_home / "config" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("", "utf-8")
    with open_reader(read_home) as terminal:
        assert _early(terminal).strip("\n ") == ""
        terminal.wait_for(r"\(1\.")
        terminal.wait_ready()
        _leave(terminal)


def test_another_book_begins_with_a_blank_page(read_home: Path, tmp_path: Path) -> None:
    other = make_numbered(tmp_path / "other.epub", title="Other")
    with open_reader(read_home, str(other)) as terminal:
        assert _early(terminal).strip("\n ") == ""
        terminal.wait_for("Other")
        terminal.wait_ready()
        _leave(terminal)


def test_the_same_words_show_the_page_again(read_home: Path) -> None:
    with open_reader(read_home, "Numbers") as terminal:
        assert "(1." in _early(terminal)
        terminal.wait_ready()
        _leave(terminal)


def test_after_a_kill_no_stale_page_shows(read_home: Path) -> None:
    with open_reader(read_home) as terminal:
        terminal.wait_ready()
        terminal.press("]")
        time.sleep(1.0)
        terminal.kill(signal.SIGKILL)
        terminal.wait_exit()
    with open_reader(read_home) as terminal:
        assert _early(terminal).strip("\n ") == ""
        terminal.wait_for(r"\(2\.1\)")
        terminal.wait_ready()
        _leave(terminal)


def test_a_page_left_before_somebody_read_on_elsewhere_does_not_show(read_home: Path) -> None:
    saved = read_home / "state" / "screen"
    kept = saved.read_bytes()
    with open_reader(read_home, columns=80) as terminal:
        terminal.wait_ready()
        terminal.press("]")
        _leave(terminal)
    saved.write_bytes(kept)
    with open_reader(read_home) as terminal:
        assert _early(terminal).strip("\n ") == ""
        terminal.wait_for(r"\(2\.1\)")
        terminal.wait_ready()
        _leave(terminal)


def test_a_saved_page_that_is_garbage_does_no_harm(read_home: Path) -> None:
    (read_home / "state" / "screen").write_bytes(os.urandom(5000))
    with open_reader(read_home) as terminal:
        terminal.wait_for(r"\(1\.")
        terminal.wait_ready()
        _leave(terminal)


def test_a_name_nobody_knows_gives_the_terminal_back_with_a_sentence(read_home: Path) -> None:
    with open_reader(read_home, "No Such Book") as terminal:
        terminal.wait_exit()
        assert terminal.exit_status not in (0, None)
        assert terminal.left_on() == []
        assert "No Such Book" in terminal.received.partition(b"\x1b[?1049l")[2].decode()
