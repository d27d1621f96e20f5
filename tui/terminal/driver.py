"""The driver under Textual: it goes on where the early page began, survives any byte, and gives everything back.

What it does otherwise than Textual's own, and why:

- the alternate screen is entered once, by whoever comes first;
- input is read by `tui.terminal.input`: no byte ends the program, no torn sequence becomes a command;
- a closed line ends the program instead of spinning or raising;
- the mouse tells presses, drags and wheel, not each motion (bytes up a slow line);
- keys are not asked to tell their modifiers one by one (a chord would break on Shift);
- focus and size are not reported by escape sequences; SIGWINCH does for the latter;
- suspended and resumed on the event loop, not inside the signal's handler.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import sys
import termios
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.message import Message

from tui.early import ENTER, LEAVE, EarlyTerminal, is_utf8, quiet
from tui.terminal.input import TerminalInput
from tui.terminal.output import TerminalOutput
from tui.terminal.told import LineDown, WidthTold

if TYPE_CHECKING:
    from textual.app import App

_READ_BYTES = 1 << 16
_MOUSE = ("\x1b[?1000", "\x1b[?1002", "\x1b[?1006")
_START = "\x1b[?2004h\x1b[?7l"
"""Pastes in brackets, no wrapping at the last column."""
_KEYS_APART, _KEYS_STILL_APART, _KEYS_AS_BEFORE = "\x1b[>1u", "\x1b[=1u", "\x1b[<u"
"""Keys told apart that look the same (Tab and Ctrl-I): pushed once, set again where it may have been lost."""
_OLD_TERMINALS = ("linux", "vt")
"""They print what they do not know of such a sequence."""
_STOP = "\x1b[?2026l\x1b[?7h\x1b[?2004l" + LEAVE.decode()
_MOST_CONTROL_CHARS = 64
"""What is longer draws something."""
_NEAR_DELAY_S, _FAR_DELAY_S = 0.1, 0.35
_ANSWER_WAIT_S = 0.7
"""After the start; an answer that comes when we are gone would stand in the shell's next line."""


class ReaderDriver(LinuxDriver):
    """Textual's Linux driver with our own ends."""

    early: ClassVar[EarlyTerminal] = EarlyTerminal()
    """The terminal as it was taken over; set by `driver_for`."""
    escape_delay_s: ClassVar[float] = 0.1
    """How long a sequence may be in pieces."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._output: TerminalOutput | None = None
        self._wake: tuple[int, int] | None = None
        self._reader: threading.Thread | None = None
        self._is_stopped = False
        self._drawn = self.early.page
        """What was drawn last."""
        self._drawn_size = self._get_terminal_size()
        self._started = time.monotonic()
        self._is_old = os.environ.get("TERM", "").startswith(_OLD_TERMINALS)
        self._answered = threading.Event()

    # out

    def write(self, data: str) -> None:
        """Write to the terminal; what was drawn last, the early page too, is not drawn again."""
        if len(data) > _MOST_CONTROL_CHARS and data.startswith("\x1b["):  # no OSC, which draws nothing
            is_shown = bool(self._drawn) and data.startswith(self._drawn)
            rest = data[len(self._drawn) :] if is_shown else data
            self._drawn = data if len(rest) > _MOST_CONTROL_CHARS else self._drawn
            data = rest
        if self._output is not None and data:
            self._output.write(data)

    def tell(self, sequence: str) -> None:
        """Write a sequence that draws nothing, however long it is and whatever was written before."""
        if self._output is not None:
            self._output.write(sequence)

    def drawn_by_hand(self) -> None:
        """Be told that the screen was changed by short sequences, so that nothing drawn before counts any more."""
        self._drawn = ""

    def hurry(self) -> None:
        """Wait no longer for a line that stands still."""
        if self._output is not None:
            self._output.hurry()

    # the terminal taken and given back

    def start_application_mode(self) -> None:
        """Take the terminal: modes, input, the size."""
        early = self.early
        if early.attributes is None:
            early.attributes = termios.tcgetattr(self.fileno)
        termios.tcsetattr(self.fileno, termios.TCSANOW, _raw(early.attributes))
        encoding = "utf-8" if is_utf8() else sys.__stdout__.encoding if sys.__stdout__ else "ascii"
        self._output = TerminalOutput(1, encoding, self._line_down)
        self._is_stopped = False
        if not early.is_entered:
            early.is_entered = True
            self.write(ENTER.decode())
        self._write_modes(_KEYS_APART)
        signal.signal(signal.SIGWINCH, self._size_changed)
        self._size_changed()
        self._wake = os.pipe()
        self._reader = threading.Thread(target=self._run_input_thread, name="terminal-input", daemon=True)
        self._reader.start()

    def _write_modes(self, keys: str) -> None:
        mouse = "".join(f"{mode}h" for mode in _MOUSE) if self._mouse else ""
        self.write(_START + ("" if self._is_old else keys) + mouse)

    def disable_input(self) -> None:
        """Stop listening."""
        if self._wake is None:
            return
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        heard, told = self._wake
        self._wake = None
        os.write(told, b".")
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(1.0)
        os.close(told)
        os.close(heard)

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        if self._is_stopped:
            return
        self._is_stopped = True
        if self.early.is_asked and self._output is not None and not self._output.is_down:
            self._answered.wait(max(0.0, self._started + _ANSWER_WAIT_S - time.monotonic()))
        self.disable_input()
        if self._output is not None:
            self._output.drop_waiting()
        mouse = "".join(f"{mode}l" for mode in _MOUSE) if self._mouse else ""
        self.write(mouse + ("" if self._is_old else _KEYS_AS_BEFORE) + _STOP)
        self.early.is_entered = False
        if self._output is not None:
            self._output.close()
        self.early.restore()
        with contextlib.suppress(termios.error):  # the line is down
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def close(self) -> None:
        """Do nothing: all was closed when the terminal was given back."""

    # stopped by Ctrl-Z and gone on with

    def _sigtstp_application(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._suspend)

    def _suspend(self) -> None:
        if not self._is_stopped:
            self.suspend_application_mode()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._resume)

    def _resume(self) -> None:
        """Take the terminal again; after a stop nobody announced, only its modes."""
        self._drawn = ""
        with contextlib.suppress(termios.error):  # the line is down, and whoever told us so ends the program
            self._take_again()
        self.send_message(self.SignalResume())

    def _take_again(self) -> None:
        if self._is_stopped:
            self.resume_application_mode()
        elif self.early.attributes is not None:
            termios.tcsetattr(self.fileno, termios.TCSANOW, _raw(self.early.attributes))
            self.write(ENTER.decode())
            self._write_modes(_KEYS_STILL_APART)

    # in

    def _size_changed(self, *_: object) -> None:
        if self._drawn_size != self._get_terminal_size():
            self._drawn_size, self._drawn = self._get_terminal_size(), ""
        size = Size(*self._get_terminal_size())
        self.send_message(events.Resize(size, size))

    def _line_down(self) -> None:
        if self._output is not None:
            self._output.give_up()
        with contextlib.suppress(RuntimeError):  # the program has ended
            self.send_message(LineDown())

    def run_input_thread(self) -> None:
        """Read and pass on what the terminal sends, until told to stop or the line is down."""
        assert self._wake is not None
        waking = self._wake[0]
        terminal = TerminalInput(self.escape_delay_s)
        decoder = getincrementaldecoder("utf-8")("replace")
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(waking, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _mask in selector.select(terminal.wait_s(time.monotonic()))}
                if waking in ready:
                    return
                if self.fileno in ready:
                    data = self._read()
                    if not data:
                        self._line_down()
                        return
                    self._pass_on(terminal.feed(decoder.decode(data), time.monotonic()))
                self._pass_on(terminal.tick(time.monotonic()))

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, _READ_BYTES)
        except OSError:
            return b""

    def _pass_on(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if not isinstance(message, events.CursorPosition):
                self.process_message(message)
            elif self.early.is_asked:
                self.early.is_asked = False
                self._answered.set()
                if message.x in (1, 2):
                    self.send_message(WidthTold(message.x == 2))


def driver_for(early: EarlyTerminal, escape_delay_s: float) -> type[ReaderDriver]:
    """Return the driver that goes on with a terminal taken early.

    Args:
        early: The terminal.
        escape_delay_s: How long a sequence may be in pieces.
    """
    return type("BoundDriver", (ReaderDriver,), {"early": early, "escape_delay_s": escape_delay_s})


def escape_delay_s(environ: Mapping[str, str]) -> float:
    """Return how long to wait for the rest of a sequence: longer where the keys come over a network.

    ESCDELAY (milliseconds) may make it longer still.
    """
    is_far = any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY", "MOSH_CONNECTION"))
    least = _FAR_DELAY_S if is_far else _NEAR_DELAY_S
    asked = environ.get("ESCDELAY", "")
    return max(least, int(asked) / 1000) if asked.isdecimal() and len(asked) < 6 else least


def _raw(attributes: list[Any]) -> list[Any]:  # Any: as termios has it
    """Return line settings for a program that takes every key, Ctrl-C and Ctrl-Z too."""
    changed = quiet(attributes)
    changed[3] &= ~termios.ISIG
    changed[6] = [*changed[6]]
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    return changed
