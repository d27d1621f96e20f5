"""Keys typed faster than the program draws: each does its part, none ends the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reader import first_number, import_book, make_numbered, open_reader


@pytest.fixture(scope="module")
def read_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ahead")
    import_book(folder / "home", make_numbered(folder / "numbers.epub"))
    return folder / "home"


_KEYS = ["?xxx", "L\x1b\x1b\x1b"]
_MORE_KEYS = ["?\x1b\x1b\x1b", "?x?x?x?xx", ":\x1b\x1b\x1b", "t\x1b\x1b\x1bt", "??????"]


@pytest.mark.parametrize("keys", [*_KEYS, *(pytest.param(each, marks=pytest.mark.slow) for each in _MORE_KEYS)])
def test_a_dialog_closed_twice_is_closed_once(read_home: Path, keys: str) -> None:
    with open_reader(read_home, "Numbers") as terminal:
        terminal.wait_for(r"\(\d\.1\)")
        terminal.wait_ready()
        terminal.press(keys, 0.5)
        assert terminal.is_running(), terminal.text()
        terminal.press("\x1b", 0.6)
        terminal.press("\x1b", 0.6)
        terminal.press("gg", 0.4)
        terminal.press("]", 0.4)
        assert first_number(terminal).endswith(".1")
