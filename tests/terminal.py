"""A real terminal for tests: a pty, an emulated screen, exact CPU time and byte counts of the program in it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pyte

from tests.pace import PATIENCE_S

_UNKNOWN_TO_PYTE = re.compile(
    rb"\x1b\[58:[0-9:]*m|\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[\?[0-9;]*u|\x1b[_P\]].*?(?:\x1b\\|\x07)",
    re.DOTALL,
)
_ANSWERS = (
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b[c", b"\x1b[?62;22c"),
    (b"\x1b[5n", b"\x1b[0n"),
)
_UNFINISHED_STRING = re.compile(rb"\x1b[_P\]](?:(?!\x1b\\)[^\x07])*\Z")
_WHOLE_ESCAPE = re.compile(rb"\x1b(\[[0-9;?<>=]*[ -/]*[a-zA-Z@]|[()][A-Z0-9]|[=>78cDEHM])")


class Terminal:
    """A program on a pty of its own, as a terminal shows it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 120,
        rows: int = 36,
        env: Mapping[str, str | None] | None = None,
        ambiguous_cells: int = 1,
        answers: Sequence[tuple[bytes, bytes]] = (),
    ) -> None:
        """Start it.

        Args:
            command: The program and its arguments.
            columns: Of the terminal.
            rows: Of the terminal.
            env: On top of the environment; None takes a variable away.
            ambiguous_cells: How wide it says it draws ambiguous characters.
            answers: What it says to questions, before what it says of itself anyhow.
        """
        full = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        for name in ("COLUMNS", "LINES"):  # of the terminal the tests run on
            full.pop(name, None)
        for name, value in (env or {}).items():
            full.pop(name, None)
            if value is not None:
                full[name] = value
        self.columns, self.rows = columns, rows
        self.received = b""
        """Every byte the program wrote."""
        self._fed = 0
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(command[0], list(command), full)
        self.attributes = termios.tcgetattr(self.fd)
        """The line's settings as the program finds them."""
        asked = {question for question, _answer in answers}
        usual = [each for each in _ANSWERS if each[0] not in asked]
        self._answers = (*answers, *usual, (b"\x1b[6n", f"\x1b[1;{1 + ambiguous_cells}R".encode()))
        self._is_reaped = False
        self.exit_status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # the wire

    def read(self, timeout_s: float) -> bytes | None:
        """Take what the program wrote within the time; b"" for nothing, None when it closed the pty."""
        ready, _w, _x = select.select([self.fd], [], [], timeout_s)
        if not ready:
            return b""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return None
        if not data:
            return None
        for question, answer in self._answers:
            if question in data:
                self.send(answer)
        self.received += data
        return data

    def send(self, keys: str | bytes) -> None:
        """Type."""
        data = keys.encode() if isinstance(keys, str) else keys
        try:
            os.write(self.fd, data)
        except OSError:
            return

    def wait_ready(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until the program itself draws, not only the page it left the last time.

        Raises:
            AssertionError: it did not.
        """
        end = time.perf_counter() + timeout_s
        while b"\x1b[?2026h" not in self.received:
            if self.read(0.02) is None or time.perf_counter() > end:
                raise AssertionError(f"nothing was drawn:\n{self._for_people()}")

    def settle(self, quiet_s: float = 0.25, timeout_s: float = 15.0) -> int:
        """Read until nothing came for a while; return the number of bytes."""
        before, end = len(self.received), time.perf_counter() + timeout_s
        while time.perf_counter() < end:
            if not self.read(quiet_s):
                break
        return len(self.received) - before

    def press(self, keys: str | bytes, quiet_s: float = 0.25) -> int:
        """Type, wait until the screen rests, return the bytes that took."""
        self.send(keys)
        return self.settle(quiet_s)

    def wait_for(self, pattern: str, timeout_s: float = PATIENCE_S) -> float:
        """Wait until the screen shows a pattern; return the seconds since the start of the program.

        Raises:
            AssertionError: it did not come; the screen is in the message.
        """
        end = time.perf_counter() + timeout_s
        while time.perf_counter() < end:
            if re.search(pattern, self.text()):
                return time.perf_counter() - self.started
            if self.read(0.02) is None:
                break
        raise AssertionError(f"{pattern!r} was not shown:\n{self._for_people()}")

    def wait_gone(self, pattern: str, timeout_s: float = PATIENCE_S) -> float:
        """Wait until the screen no longer shows a pattern; return the seconds since the start of the program.

        Raises:
            AssertionError: it is still there; the screen is in the message.
        """
        end = time.perf_counter() + timeout_s
        while time.perf_counter() < end:
            if not re.search(pattern, self.text()):
                return time.perf_counter() - self.started
            if self.read(0.02) is None:
                break
        raise AssertionError(f"{pattern!r} is still shown:\n{self.text()}")

    # the screen

    def text(self) -> str:
        """Return the screen as lines of text; the second half of a wide character is left out."""
        self._feed()
        lines = []
        for y in range(self._screen.lines):
            row = self._screen.buffer[y]
            lines.append("".join(row[x].data for x in range(self._screen.columns)))
        return "\n".join(lines)

    def text_before(self, marker: bytes, timeout_s: float = PATIENCE_S) -> str:
        """Return what the screen showed when the program wrote a sequence for the first time.

        Raises:
            AssertionError: it did not write it.
        """
        end = time.perf_counter() + timeout_s
        while marker not in self.received:
            if self.read(0.02) is None or time.perf_counter() > end:
                raise AssertionError(f"{marker!r} was not written:\n{self._for_people()}")
        screen = pyte.Screen(self.columns, self.rows)
        pyte.ByteStream(screen).feed(_UNKNOWN_TO_PYTE.sub(b"", self.received.partition(marker)[0]))
        return "\n".join("".join(screen.buffer[y][x].data for x in range(self.columns)) for y in range(self.rows))

    def _for_people(self) -> str:
        return "\n".join(line.rstrip() for line in self.text().splitlines()).rstrip()

    def cells(self) -> list[list[Any]]:
        """Return the screen's cells with their colours, for pictures."""  # Any: pyte has no types
        self._feed()
        return [[self._screen.buffer[y][x] for x in range(self.columns)] for y in range(self.rows)]

    def _feed(self) -> None:
        data = self.received[self._fed :]
        cut = data.rfind(b"\x1b")
        if cut >= 0 and len(data) - cut < 24 and not _WHOLE_ESCAPE.match(data[cut:]):
            data = data[:cut]
        if string := _UNFINISHED_STRING.search(data):
            data = data[: string.start()]
        self._fed += len(data)
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data))

    def spill(self, text: str) -> None:
        """Let something else write over the screen, as another program may."""
        self._feed()
        self._stream.feed(text.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the window's size."""
        self._feed()
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen.resize(rows, columns)

    def left_on(self) -> list[str]:
        """Return what the program turned on and did not turn off again; empty for a terminal given back."""
        modes: dict[bytes, bytes] = {}
        for mode, state in re.findall(rb"\x1b\[\?(\d+)([hl])", self.received):
            modes[mode] = state
        usual = {b"7": b"h", b"25": b"h"}
        left = [mode.decode() for mode, state in modes.items() if state != usual.get(mode, b"l")]
        if self.received.count(b"\x1b[>1u") != self.received.count(b"\x1b[<u"):
            left.append("keyboard")
        if self.fd >= 0 and termios.tcgetattr(self.fd) != self.attributes:
            left.append("line settings")
        return left

    # the process

    def cpu_s(self) -> float:
        """Return the CPU seconds of the process so far, all threads, ended ones too (Linux)."""
        return time.clock_gettime((~self.pid) << 3 | 2)

    def rss_mb(self) -> float:
        """Return the resident memory."""
        with Path(f"/proc/{self.pid}/status").open(encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def is_running(self) -> bool:
        """Say whether the program still runs."""
        if not self._is_reaped:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._is_reaped, self.exit_status = True, os.waitstatus_to_exitcode(status)
        return not self._is_reaped

    def wait_exit(self, timeout_s: float = PATIENCE_S) -> float:
        """Wait for the program's end and return how long that took.

        Raises:
            AssertionError: it still runs.
        """
        start = time.perf_counter()
        while self.is_running():
            self.read(0.01)
            if time.perf_counter() - start > timeout_s:
                raise AssertionError(f"still running after {timeout_s} s:\n{self._for_people()}")
        return time.perf_counter() - start

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal."""
        if self.is_running():
            os.kill(self.pid, number)

    def close(self) -> None:
        """End the program if it runs, and close the pty."""
        if self.is_running():
            self.kill(signal.SIGTERM)
            try:
                self.wait_exit(3.0)
            except AssertionError:
                self.kill()
                self.wait_exit(3.0)
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def hang_up(self) -> None:
        """Close the pty under the program, as a dropped line does."""
        os.close(self.fd)
        self.fd = -1
