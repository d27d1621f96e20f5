"""What is sent to terminals of every kind: no colour they do not have, and no more than a slow line carries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.reader import import_book, make_numbered, open_reader

_SGR = re.compile(rb"\x1b\[([0-9;]*)m")


@pytest.fixture(scope="module")
def read_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("colours")
    import_book(folder / "home", make_numbered(folder / "numbers.epub"))
    return folder / "home"


def _slow(env: dict[str, str], kinds: set[str]) -> ParameterSet:
    return pytest.param(env, kinds, marks=pytest.mark.slow)


def _sent(home: Path, **env: str | None) -> bytes:
    """Read a page and look at the contents; return all that was sent."""
    with open_reader(home, "Numbers", env={"COLORTERM": None, **env}) as terminal:
        terminal.wait_for(r"\(\d\.\d+\)")
        terminal.wait_ready()
        terminal.press(" ")
        terminal.press("t")
        terminal.press("j")
        terminal.send("\x1b")
        terminal.settle(0.5)
        terminal.send("q")
        terminal.wait_exit()
        assert terminal.exit_status == 0
        assert terminal.left_on() == []
        return terminal.received


def _kinds(sent: bytes) -> set[str]:
    """Name the kinds of colour in what was sent."""
    kinds = set()
    for codes in _SGR.findall(sent):
        if re.search(rb"(^|;)[34]8;2;", codes):
            kinds.add("true")
        elif re.search(rb"(^|;)[34]8;5;", codes):
            kinds.add("256")
        elif re.search(rb"(^|;)(3[0-7]|4[0-7]|9[0-7]|10[0-7])(;|$)", codes):
            kinds.add("16")
    return kinds


@pytest.mark.parametrize(
    ("env", "kinds"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"true"}),
        ({"TERM": "xterm-256color"}, {"256"}),
        _slow({"TERM": "tmux-256color"}, {"256"}),
        _slow({"TERM": "screen-256color"}, {"256"}),
        ({"TERM": "linux"}, {"16"}),
        _slow({"TERM": "screen"}, {"16"}),
        _slow({"TERM": "xterm"}, {"16"}),
        _slow({"TERM": "vt100"}, {"16"}),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, set()),
        _slow({"TERM": "linux", "NO_COLOR": "1"}, set()),
    ],
    ids=lambda value: " ".join(f"{name}={each}" for name, each in value.items()) if isinstance(value, dict) else "",
)
def test_only_colours_the_terminal_has_are_sent(read_home: Path, env: dict[str, str], kinds: set[str]) -> None:
    assert _kinds(_sent(read_home, **env)) == kinds


def test_a_theme_chosen_for_a_better_terminal_gives_way(tmp_path: Path) -> None:
    home = tmp_path / "home"
    import_book(home, make_numbered(tmp_path / "numbers.epub"))
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text('theme = "ink"\n', "utf-8")
    assert _kinds(_sent(home, TERM="linux")) == {"16"}


def test_a_page_of_sixteen_colours_is_small(read_home: Path) -> None:
    with open_reader(read_home, "Numbers", columns=200, rows=50, env={"TERM": "xterm", "COLORTERM": None}) as terminal:
        terminal.wait_for(r"\(\d\.\d+\)")
        terminal.wait_ready()
        terminal.settle(0.3)
        assert terminal.press(" ") <= 7900


@pytest.mark.parametrize("env", [{}, {"SSH_CONNECTION": "1 2 3 4"}], ids=["near", "far"])
def test_the_mouse_can_be_left_to_the_terminal(read_home: Path, env: dict[str, str]) -> None:
    with open_reader(read_home, "--no-mouse", "Numbers", env=env) as terminal:
        terminal.wait_for(r"\(\d\.\d+\)")
        terminal.wait_ready()
        terminal.send("q")
        terminal.wait_exit()
        assert not re.search(rb"\x1b\[\?100[0-6]", terminal.received)
        assert terminal.left_on() == []
