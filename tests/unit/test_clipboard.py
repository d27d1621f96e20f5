"""What is sent to a terminal to be copied, and the file that always has it."""

from __future__ import annotations

import base64
import stat
from pathlib import Path

import pytest

from tui.terminal.clipboard import MOST_SENT_BYTES, clipboard_sequence, give_to_tmux, write_clipboard_file

_TMUX = {"TMUX": "/tmp/tmux-0/default,1,0"}


@pytest.mark.parametrize("text", ["the 6.40", "灯塔守", "ﾗﾝﾌﾟ番\n二", "[/b] \x1b]52;c;eA==\x07"])
def test_a_text_is_sent_as_base64_and_nothing_else_of_it(text: str) -> None:
    encoded = base64.b64encode(text.encode()).decode()
    assert clipboard_sequence(text, {}) == f"\x1b]52;c;{encoded}\x07"


def test_inside_tmux_it_is_sent_to_tmux_and_to_the_terminal_around_it() -> None:
    plain = clipboard_sequence("the 6.40", {})
    wrapped = "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    assert clipboard_sequence("the 6.40", _TMUX) == plain + wrapped


@pytest.mark.parametrize(
    ("characters", "is_sent"), [(0, False), (MOST_SENT_BYTES // 3, True), (MOST_SENT_BYTES, False)]
)
def test_a_terminal_is_not_sent_what_it_would_throw_away(characters: int, is_sent: bool) -> None:
    sequence = clipboard_sequence("漢" * characters, {})
    assert bool(sequence) is is_sent
    assert len(sequence) <= 100_000


def test_without_tmux_nothing_is_given_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not give_to_tmux("x", {})
    assert not give_to_tmux("x", {**_TMUX, "PATH": "/nowhere"})


def test_the_file_is_the_readers_alone_and_holds_the_last_text(tmp_path: Path) -> None:
    file = tmp_path / "clipboard.txt"
    write_clipboard_file("first, and longer", file)
    write_clipboard_file("二\r\n", file)
    assert file.read_bytes() == "二\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_put_in_its_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    file = tmp_path / "clipboard.txt"
    file.symlink_to(victim)
    write_clipboard_file("copied", file)
    assert (victim.read_text(), file.read_text(), file.is_symlink()) == ("mine", "copied", False)
