"""A comment written in the reader's own editor, on a real terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.commands import records, run_command
from tests.reader import import_book, make_numbered, open_reader

_EDITOR = """
import pathlib, sys
file = pathlib.Path(sys.argv[1])
file.write_text(file.read_text("utf-8") + " from outside \\x1b[31m", encoding="utf-8")
"""


def test_ctrl_e_hands_the_comment_to_the_editor_and_takes_it_back(tmp_path: Path) -> None:
    home, editor = tmp_path / "home", tmp_path / "my editor.py"
    editor.write_text(_EDITOR, encoding="utf-8")
    import_book(home, make_numbered(tmp_path / "numbers.epub"))
    with open_reader(home, "Numbers", env={"EDITOR": f"{sys.executable} '{editor}'", "VISUAL": None}) as terminal:
        terminal.wait_for(r"\(\d\.\d+\)")
        terminal.wait_ready()
        terminal.press("v", 0.4)
        terminal.press("c", 0.4)
        terminal.wait_for("Ctrl")
        terminal.press("written here", 0.4)
        terminal.send("\x05")
        terminal.wait_for("from outside")
        terminal.press("\x13", 0.4)
        terminal.wait_for("Kept")
        terminal.send("q")
        terminal.wait_exit()
    env = {"UNDERSTORY_HOME": str(home), "HOME": str(home)}
    (kept,) = records(run_command("notes", "list", "--json", env=env).stdout)
    assert kept["comment"] == "written here from outside \ufffd[31m"
