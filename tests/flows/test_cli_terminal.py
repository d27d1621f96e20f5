"""The commands on a real terminal: questions, progress, the key test."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from tests.builders import make_epub
from tests.commands import CHECKOUT, FERRY, run_command
from tests.terminal import Terminal


def _terminal(*words: str, **env: str | None) -> Terminal:
    command = [sys.executable, "-m", "tui", *words]
    return Terminal(command, columns=100, rows=24, env={"PYTHONPATH": str(CHECKOUT), **env})


def test_remove_asks_and_a_yes_removes(shelf: str) -> None:
    with _terminal("remove", shelf) as terminal:
        terminal.wait_for(re.escape(f"Remove {FERRY}?"))
        terminal.send("y\r")
        terminal.wait_exit()
        assert terminal.exit_status == 0
    assert FERRY not in run_command("list").stdout


def test_remove_asks_and_anything_else_keeps(shelf: str) -> None:
    with _terminal("remove", shelf) as terminal:
        terminal.wait_for(re.escape(f"Remove {FERRY}?"))
        terminal.send("\r")
        terminal.wait_exit()
    assert FERRY in run_command("list").stdout


def test_progress_is_shown_in_one_line_and_leaves_no_trace(tmp_path: Path) -> None:
    chapters = [(f"Chapter {n}", "<p>word </p>" * 2000) for n in range(40)]
    book = make_epub(tmp_path / "long.epub", title="Long", chapters=chapters)
    with _terminal("import", str(book)) as terminal:
        terminal.wait_exit(30.0)
        shown = [line.rstrip() for line in terminal.text().splitlines() if line.strip()]
        assert b" %" in terminal.received
    assert shown == ["opened    1  Long · 40 chapters · 399 960 characters"]


def test_progress_drives_no_dumb_terminal(book: Path) -> None:
    with _terminal("import", str(book), TERM="dumb") as terminal:
        terminal.wait_exit(30.0)
        assert b"\x1b" not in terminal.received


def test_the_key_test_shows_what_arrives(home: Path) -> None:
    with _terminal("doctor", "--keys") as terminal:
        terminal.wait_for("Press keys")
        terminal.send("\x1b[A")
        terminal.wait_for(r"'\\x1b\[A'$|'\\x1b\[A' ")
        terminal.send("q")
        terminal.wait_exit()
        assert terminal.exit_status == 0
        assert "pieces" not in terminal.text()


def test_the_key_test_notices_a_split_key_and_names_the_cure(home: Path) -> None:
    with _terminal("doctor", "--keys") as terminal:
        terminal.wait_for("Press keys")
        terminal.send("\x1b")
        time.sleep(0.2)
        terminal.send("[A")
        terminal.wait_for("in two pieces, [12]")
        terminal.send("q")
        terminal.wait_exit()
        assert terminal.exit_status == 1
        assert "ESCDELAY=300" in terminal.text()


def test_a_dumb_terminal_gets_a_hint_in_place_of_a_page() -> None:
    with _terminal("demo", TERM="dumb") as terminal:
        terminal.wait_exit()
        assert terminal.exit_status == 2
        assert b"\x1b" not in terminal.received
        assert "TERM" in terminal.text()
