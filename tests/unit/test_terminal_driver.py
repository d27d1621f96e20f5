"""What the driver sends, and what it need not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tui.terminal.driver import ReaderDriver, escape_delay_s

_FRAME = "\x1b[1;1H\x1b[38;2;44;39;34m" + "a page of text " * 10
_CURSOR = "\x1b[1;1H"
_COPY = "\x1b]52;c;" + "QUJD" * 40 + "\x07"


class _Output:
    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)


def _written(*pieces: str, shown: str = "") -> list[str]:
    driver = object.__new__(ReaderDriver)
    output = _Output()
    driver._drawn, driver._output = shown, output  # type: ignore[assignment]  # all that `write` needs
    for piece in pieces:
        driver.drawn_by_hand() if piece == "by hand" else driver.write(piece)
    return output.written


def test_a_frame_that_shows_already_is_not_sent_again() -> None:
    assert _written(_FRAME + _CURSOR, shown=_FRAME) == [_CURSOR]
    assert _written(_FRAME, _FRAME) == [_FRAME]


def test_a_frame_is_sent_again_after_another() -> None:
    other = _FRAME.replace("page", "leaf")
    assert _written(_FRAME, other, _FRAME) == [_FRAME, other, _FRAME]


def test_a_frame_is_sent_again_after_rows_were_moved_by_hand() -> None:
    assert _written(_FRAME, "by hand", _FRAME) == [_FRAME, _FRAME]


def test_what_is_copied_twice_is_sent_twice() -> None:
    assert _written(_FRAME, _COPY, _COPY, _FRAME) == [_FRAME, _COPY, _COPY]


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, 0.1),
        ({"ESCDELAY": "25"}, 0.1),
        ({"ESCDELAY": "500"}, 0.5),
        ({"SSH_CONNECTION": "1 2 3 4"}, 0.35),
        ({"SSH_TTY": "/dev/pts/1", "ESCDELAY": "100"}, 0.35),
        ({"SSH_CONNECTION": "1 2 3 4", "ESCDELAY": "900"}, 0.9),
        ({"ESCDELAY": "nonsense"}, 0.1),
    ],
)
def test_torn_sequences_are_waited_for_longer_over_a_network(environ: Mapping[str, str], seconds: float) -> None:
    assert escape_delay_s(environ) == pytest.approx(seconds)
