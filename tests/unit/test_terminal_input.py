"""What the terminal sends becomes keys; what it does not mean never does."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from textual import events

from tui.terminal.input import MOST_PASTED_CHARS, TerminalInput
from tui.terminal.told import PasteCut

_DELAY_S = 0.3
_SEQUENCES = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "left": "\x1bOD",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[4~",
    "shift+tab": "\x1b[Z",
    "f1": "\x1b[[A",
    "f5": "\x1b[15~",
    "ctrl+right": "\x1b[1;5C",
}


def _names(found: list[object]) -> list[str]:
    return [event.key for event in found if isinstance(event, events.Key)]


def _heard(pieces: list[str], gap_s: float, delay_s: float = _DELAY_S) -> list[object]:
    """Feed pieces with the same pause between them, then wait; return all events."""
    terminal, now = TerminalInput(delay_s), 0.0
    found: list[object] = []
    for piece in pieces:
        found += terminal.feed(piece, now)
        for tenth in range(1, 11):
            found += terminal.tick(now + gap_s * tenth / 10)
        now += gap_s
    found += terminal.tick(now + delay_s)
    return found


def _all_splits(text: str) -> list[list[str]]:
    return [[text[:cut], text[cut:]] for cut in range(1, len(text))] + [list(text)]


@pytest.mark.parametrize(("key", "sequence"), _SEQUENCES.items())
@pytest.mark.parametrize("gap_s", [0.0, 0.001, 0.02, 0.05, 0.1, 0.2, 0.25])
def test_a_sequence_cut_anywhere_is_one_key(key: str, sequence: str, gap_s: float) -> None:
    heard = [_names(_heard(pieces, gap_s)) for pieces in _all_splits(sequence)]
    assert heard == [[key]] * len(heard)


@pytest.mark.parametrize("gap_s", [0.0, 0.1, 0.25])
def test_a_mouse_report_cut_anywhere_is_one_click_and_no_key(gap_s: float) -> None:
    heard = [_heard(pieces, gap_s) for pieces in _all_splits("\x1b[<0;12;5M")]
    assert [[type(event) for event in each] for each in heard] == [[events.MouseDown]] * len(heard)


def test_escape_alone_is_the_escape_key_after_the_delay() -> None:
    terminal = TerminalInput(_DELAY_S)
    assert list(terminal.feed("\x1b", 0.0)) == []
    assert list(terminal.tick(0.29)) == []
    assert _names(list(terminal.tick(0.31))) == ["escape"]


def test_escape_and_a_letter_typed_after_it_are_two_keys() -> None:
    assert _names(_heard(["\x1b", "j"], 0.12)) == ["escape", "j"]


def test_escape_twice_is_two_keys() -> None:
    assert _names(_heard(["\x1b\x1b"], 0.0)) == ["escape", "escape"]


def test_alt_and_a_letter_sent_at_once_is_no_letter() -> None:
    assert _names(_heard(["\x1bq"], 0.0)) == ["alt+q"]


@pytest.mark.parametrize(
    "answer",
    [
        "\x1b[?62;22c",
        "\x1b[?2048;0$y",
        "\x1b[4;1$y",
        "\x1b[8;50;200t",
        "\x1b[99;99X",
        "\x1b[32;10;10M",
        "\x1b[M !!",
        "\x1b[<0;99999999999999999999;5M",
        "\x1b[I",
    ],
)
@pytest.mark.parametrize("gap_s", [0.0, 0.2])
def test_what_no_key_sends_is_no_key(answer: str, gap_s: float) -> None:
    heard = [_names(_heard(pieces, gap_s)) for pieces in [[answer], *_all_splits(answer)]]
    assert heard == [[]] * len(heard)


@pytest.mark.parametrize(
    "answer",
    [
        "\x1b]11;rgb:1717/1616/1a1a\x07",
        "\x1b]11;rgb:1717/1616/1a1a\x1b\\",
        "\x1bP>|xterm(370)\x1b\\",
        "\x1b_Gi=31;OK\x1b\\",
    ],
)
@pytest.mark.parametrize("gap_s", [0.0, 0.2])
def test_a_string_nobody_asked_for_is_no_key(answer: str, gap_s: float) -> None:
    splits = [[answer], *[[answer[:cut], answer[cut:]] for cut in range(3, len(answer))]]
    heard = [_names(_heard(pieces, gap_s)) for pieces in splits]
    assert heard == [[]] * len(heard)


def test_a_long_answer_types_nothing() -> None:
    assert _names(_heard(["\x1b]52;c;" + "q" * 5000, "q" * 5000, "\x1b", "\\j"], 0.1)) == ["j"]


def test_a_sequence_broken_off_by_a_letter_of_another_script_leaves_the_letter() -> None:
    assert _names(_heard(["\x1b[1;", "读q"], 0.1)) == ["读", "q"]


@pytest.mark.parametrize("typed", ["\ufffd", "\ufffd\ufffd", "\x80", "\x9b"])
def test_what_was_no_character_is_no_key(typed: str) -> None:
    assert _names(_heard([typed, "j"], 0.1)) == ["j"]


def test_where_the_cursor_stands_is_told() -> None:
    found = _heard(["\x1b[1;3R"], 0.0)
    assert [(event.x, event.y) for event in found if isinstance(event, events.CursorPosition)] == [(2, 0)]


def test_a_paste_is_one_event_however_it_comes() -> None:
    heard = [_heard(pieces, 0.05) for pieces in _all_splits("\x1b[200~quit\nq读\x1b[201~")]
    assert [[event.text for event in each if isinstance(event, events.Paste)] for each in heard] == [
        ["quit\nq读"]
    ] * len(heard)
    assert [_names(each) for each in heard] == [[]] * len(heard)


def test_the_end_of_a_paste_may_come_late() -> None:
    assert _names(_heard(["\x1b[200~quit\x1b", "[201~", "j"], 5.0)) == ["j"]


def test_a_paste_of_300_kb_is_cut_and_said_to_be() -> None:
    found = _heard(["\x1b[200~", *["q" * 4096] * 75, "\x1b[201~", "j"], 0.001)
    assert [len(event.text) for event in found if isinstance(event, events.Paste)] == [MOST_PASTED_CHARS]
    assert [event.kept_chars for event in found if isinstance(event, PasteCut)] == [MOST_PASTED_CHARS]
    assert _names(found) == ["j"]


def test_escape_twice_ends_a_paste_that_lost_its_end() -> None:
    assert _names(_heard(["\x1b[200~qqq", "\x1b", "\x1b", "j"], 0.2)) == ["j"]


def test_random_bytes_never_raise() -> None:
    chance = random.Random(7)
    terminal, now = TerminalInput(_DELAY_S), 0.0
    alphabet = [*range(256), *b"\x1b\x1b\x1b\x1b[[[[]PO_<?;;0123456789MmuR~$"]
    for _each in range(10_000):
        text = bytes(chance.choices(alphabet, k=chance.randint(1, 24))).decode("utf-8", "replace")
        list(terminal.feed(text, now))
        now += chance.choice([0.0, 0.01, 0.2, 0.4])
        list(terminal.tick(now))
    assert len(terminal._rest) <= 300


@pytest.mark.parametrize("chars", [1, 10, 1000])
def test_waiting_ends_when_nothing_is_pending(chars: int) -> None:
    terminal = TerminalInput(_DELAY_S)
    list(terminal.feed("j" * chars, 0.0))
    assert terminal.wait_s(0.0) is None
    list(terminal.feed("\x1b", 1.0))
    assert [terminal.wait_s(now) for now, _later in pairwise([1.0, 1.3, 2.0])] == pytest.approx([0.3, 0.0])
