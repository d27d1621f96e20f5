"""The language of the real program: of commands, of what works in the background, of the screen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.builders import make_epub
from tests.commands import CHECKOUT, records, run_command
from tests.reader import import_book, make_numbered
from tests.terminal import Terminal


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "书库还是空的"),
        ({"LANG": "ja_JP.UTF-8"}, "書庫は空です"),
        ({"LC_ALL": "C", "LANG": "ja_JP.UTF-8", "LANGUAGE": "ja"}, "The library is empty"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_TW:en"}, "书库还是空的"),
        ({}, "The library is empty"),
    ],
)
def test_a_command_speaks_the_language_of_its_locale(env: dict[str, str], said: str) -> None:
    assert said in run_command("list", env=env).stderr


@pytest.mark.parametrize(("language", "said"), [("zh_CN", "书库还是空的"), ("ja", "書庫は空です"), ("en", "is empty")])
def test_the_setting_goes_before_the_locale(language: str, said: str) -> None:
    assert run_command("config", "language", language, env={"LANG": "fr_FR.UTF-8"}).returncode == 0
    assert said in run_command("list", env={"LANG": "ja_JP.UTF-8", "LANGUAGE": "zh_CN"}).stderr


def test_what_an_import_met_is_told_in_the_language_of_the_setting(tmp_path: Path) -> None:
    """The book is read by another process."""
    book = make_epub(tmp_path / "book.epub", title="Low Water", chapters=[("1", "<p>One.</p>")], missing=["gone.png"])
    assert run_command("config", "language", "ja").returncode == 0
    told = run_command("import", str(book)).stderr
    assert "gone.png がありません" in told


def test_data_is_the_same_in_every_language(tmp_path: Path) -> None:
    book = make_epub(tmp_path / "book.epub", title="Low Water", chapters=[("1", "<p>One.</p>")])
    assert run_command("import", str(book)).returncode == 0
    shown = [run_command("list", "--json", env={"LANG": f"{name}.UTF-8"}).stdout for name in ("C", "zh_CN", "ja_JP")]
    assert len(records(shown[0])) == 1
    assert shown[1:] == shown[:1] * 2


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "本章还剩"),
        ({"LANG": "ja_JP.UTF-8"}, "章の残り"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "min left in chapter"),
    ],
)
def test_the_page_speaks_it_as_well(env: dict[str, str], said: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    import_book(home, make_numbered(tmp_path / "numbers.epub"))
    full = {**env, "UNDERSTORY_HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    with Terminal([sys.executable, "-m", "tui", "Numbers"], env=full) as terminal:
        terminal.wait_for(r"\(1\.1\)")
        assert said in terminal.text()
        terminal.send("q")
        terminal.wait_exit()


def test_the_page_left_in_one_language_does_not_flash_up_in_another(tmp_path: Path) -> None:
    home = tmp_path / "home"
    import_book(home, make_numbered(tmp_path / "numbers.epub"))
    env = {"UNDERSTORY_HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    for language in ("ja_JP.UTF-8", "zh_CN.UTF-8"):
        with Terminal([sys.executable, "-m", "tui", "Numbers"], env={**env, "LANG": language}) as terminal:
            terminal.wait_for(r"\(1\.1\)")
            terminal.send("q")
            terminal.wait_exit()
    assert "章の残り".encode() not in terminal.received
