"""Names nobody would give a file, typed at the shell: one sentence, and the exit code of a file not found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.reader import open_reader

_ODD = ["~nobody-of-that-name/x.epub", "a" * 300 + ".epub", "x" * 5_000]


@pytest.mark.parametrize("name", _ODD, ids=["no such home", "too long a name", "too long a path"])
def test_an_import_of_an_odd_name_says_so(name: str) -> None:
    done = run_command("import", name)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


@pytest.mark.parametrize("name", _ODD, ids=["no such home", "too long a name", "too long a path"])
def test_the_reader_opened_with_an_odd_name_says_so(tmp_path: Path, name: str) -> None:
    with open_reader(tmp_path, name) as terminal:
        terminal.wait_exit(20)
        assert terminal.exit_status in (3, 4)
        assert terminal.left_on() == []
        assert b"went wrong" not in terminal.received


def test_a_pipe_named_like_a_book_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.epub"
    os.mkfifo(pipe)
    done = run_command("import", str(pipe))
    assert done.returncode == 3
    with open_reader(tmp_path / "home", str(pipe)) as terminal:
        terminal.wait_exit(20)
        assert terminal.exit_status == 3


def test_a_home_that_is_nobody_s_is_a_folder_like_any_other(tmp_path: Path) -> None:
    done = run_command("list", env={"UNDERSTORY_HOME": "~nobody-of-that-name/x"}, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("went wrong")) == (0, 0)
