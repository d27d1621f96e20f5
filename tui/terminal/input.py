"""What the terminal sends, made into Textual's events.

A sequence that arrives in pieces is put together; one that is whole and means nothing here (a
late answer, a key of another keyboard) is dropped. Neither is ever taken for typed letters,
for letters are commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.keys import Keys
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from tui.terminal.told import CellTold, DeviceTold, KittyTold, PasteCut

MOST_PASTED_CHARS = 20_000
"""Of one paste; the longest thing anyone types here is a question or a comment."""
ALT_GAP_S = 0.025
"""A terminal sends Alt and its key at once; what comes later was typed after Esc."""
_ESC = "\x1b"
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(
    r"\x1b(?:\[M[^\x1b]{3}"  # mouse, the oldest way
    r"|\[\[[A-E]"  # function keys of the Linux console
    r"|\[\d+\$(?!y)"  # keys with shift in rxvt
    r"|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]"
    r"|O[0-9;]*[@-~]"
    r"|[\]P_][^\x07\x1b]*(?:\x07|\x1b\\))"
)
_UNFINISHED = re.compile(
    r"\x1b(?:\[M[^\x1b]{0,2}|\[\[|\[[0-?]*[ -/]*|O[0-9;]*|(?:\][0-9]|P[0-9>!$+]|_G)[^\x07\x1b]*\x1b?|[\]P_])?\Z"
)
_POSITION = re.compile(r"\x1b\[(\d{1,4});(\d{1,4})R")
_MOUSE = re.compile(r"\x1b\[<(?:\d|\d\d|1[01]\d|12[0-7]);\d{1,4};\d{1,4}[Mm]")
_KITTY = re.compile(r"\x1b_Gi=(\d{1,9})[^;]*;([^\x07\x1b]*)\x1b\\")
_CELL = re.compile(r"\x1b\[6;(\d{1,3});(\d{1,3})t")
_DEVICE = re.compile(r"\x1b\[\?([\d;]{1,80})c")
_MOST_UNFINISHED_CHARS = 256
_NOT_TYPED = re.compile("[\x80-\x9f\ufffd\ud800-\udfff]")


class TerminalInput:
    """Takes characters as they come and returns events. Knows no clock: the time is told."""

    def __init__(self, escape_delay_s: float) -> None:
        """Start with nothing pending.

        Args:
            escape_delay_s: How long a sequence may stand still before it counts as the key Esc.
        """
        self._delay = escape_delay_s
        self._keys = XTermParser()
        self._rest = ""
        """An unfinished sequence."""
        self._rest_at = 0.0
        """When its last character came."""
        self._paste: str | None = None
        """What was pasted so far; None while nothing is being pasted."""
        self._is_cut = False

    def wait_s(self, now: float) -> float | None:
        """Return how long until `tick` has something to do, None when nothing is pending."""
        return max(0.0, self._rest_at + self._delay - now) if self._rest and self._paste is None else None

    def feed(self, text: str, now: float) -> Iterator[Message]:
        """Take characters.

        Args:
            text: What came, decoded; a character that could not be is U+FFFD.
            now: Seconds, of any clock that goes on evenly.
        """
        if self._rest == _ESC and now - self._rest_at > ALT_GAP_S and text[:1] not in "[O" and self._paste is None:
            self._rest = ""
            yield from self._key(_ESC)
        text, self._rest, self._rest_at = self._rest + text, "", now
        at = 0
        while at < len(text):
            if self._paste is not None:
                found, at = self._take_paste(text, at)
            elif text[at] == _ESC:
                found, at = self._sequence(text, at)
            else:
                escape = text.find(_ESC, at)
                end = len(text) if escape < 0 else escape
                found, at = self._typed(text[at:end]), end
            yield from found

    def tick(self, now: float) -> Iterator[Message]:
        """Give up waiting for the end of a sequence: it was the key Esc."""
        if not self._rest or self._paste is not None or now - self._rest_at < self._delay:
            return
        rest, self._rest = self._rest, ""
        yield from self._key(rest if rest in ANSI_SEQUENCES_KEYS else _ESC)

    def _sequence(self, text: str, start: int) -> tuple[Iterable[Message], int]:
        """Return what the sequence at `start` means and where it ends."""
        match = _SEQUENCE.match(text, start)
        if match is not None:
            return self._meaning(match[0]), match.end()
        if _UNFINISHED.match(text, start):
            self._rest = _shortened(text[start:])
            return (), len(text)
        following = text[start + 1]
        if following == _ESC:
            return self._key(_ESC), start + 1
        if following in "[O":  # broken off by something that cannot belong to it
            end = start + 2
            while end < len(text) and " " <= text[end] <= "?":
                end += 1
            return (), end
        return self._key(following, alt=True), start + 2

    def _meaning(self, sequence: str) -> Iterable[Message]:
        if sequence == _PASTE_START:
            self._paste, self._is_cut = "", False
            return ()
        position = _POSITION.fullmatch(sequence)
        if position is not None:
            return (events.CursorPosition(int(position[2]) - 1, int(position[1]) - 1),)
        if sequence.startswith("\x1b[<"):
            mouse = self._keys.parse_mouse_code(sequence) if _MOUSE.fullmatch(sequence) else None
            return () if mouse is None else (mouse,)
        if sequence.startswith("\x1b[?2026;") and sequence.endswith("$y"):
            return () if sequence[8:-2] in ("0", "4") else (TerminalSupportsSynchronizedOutput(),)
        return _told(sequence) or self._key(sequence)

    def _key(self, sequence: str, *, alt: bool = False) -> Iterable[events.Key]:
        """Return the keys a whole sequence stands for; none when Textual does not know it."""
        try:
            keys = list(self._keys._sequence_to_key_events(sequence, alt=alt))
        except (ValueError, OverflowError):  # a code point that is none
            return ()
        return [key for key in keys if key.key != Keys.Ignore]

    def _typed(self, text: str) -> Iterator[Message]:
        for character in _NOT_TYPED.sub("", text):
            yield from self._key(character)

    # pasting

    def _take_paste(self, text: str, at: int) -> tuple[Iterable[Message], int]:
        """Keep what was pasted, up to the limit, and return the paste when it ended.

        Esc typed twice ends a paste whose end was lost on the way.
        """
        ends = [(end, mark) for mark in (_PASTE_END, _ESC + _ESC) if (end := text.find(mark, at)) >= 0]
        if ends:
            end, mark = min(ends)
            self._keep(text[at:end])
            return self._end_paste(), end + len(mark)
        stop = text.rfind(_ESC, max(at, len(text) - len(_PASTE_END)))
        if stop < 0 or not _PASTE_END.startswith(text[stop:]):
            stop = len(text)
        self._keep(text[at:stop])
        self._rest = text[stop:]
        return (), len(text)

    def _keep(self, pasted: str) -> None:
        assert self._paste is not None
        room = MOST_PASTED_CHARS - len(self._paste)
        self._paste += pasted[:room]
        self._is_cut = self._is_cut or len(pasted) > room

    def _end_paste(self) -> Iterable[Message]:
        pasted, self._paste = self._paste or "", None
        paste = events.Paste(_NOT_TYPED.sub("", pasted).replace("\0", ""))
        return (paste, PasteCut(len(pasted))) if self._is_cut else (paste,)


def _told(sequence: str) -> tuple[Message, ...]:
    """Return what an answer about pictures says; nothing for any other sequence."""
    if kitty := _KITTY.fullmatch(sequence):
        return (KittyTold(is_able=kitty[2] == "OK"),)
    if cell := _CELL.fullmatch(sequence):
        return (CellTold(int(cell[2]), int(cell[1])),)
    if device := _DEVICE.fullmatch(sequence):
        return (DeviceTold(frozenset(int(number) for number in device[1].split(";") if number)),)
    return ()


def _shortened(unfinished: str) -> str:
    """Return an unfinished sequence, cut in the middle when nobody would send one so long."""
    if len(unfinished) <= _MOST_UNFINISHED_CHARS:
        return unfinished
    if unfinished[1] == "[":
        return "\x1b[?"  # whatever ends it now, it is no key
    return unfinished[:3] + ("\x1b" if unfinished.endswith("\x1b") else "")
