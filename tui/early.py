"""The first page, before anything else: the screen as it was left, written before Textual is imported.

Only sys, os, termios and signal may be imported here, for all that is imported now delays the
first page. The page is shown only when its first line (`page_key`) still holds: the same
terminal, arguments, settings, and a library nobody has written to since. It is removed
whenever it is read, so whoever is killed leaves none.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

if sys.platform != "win32":
    import termios

TYPE_CHECKING = False  # typing takes 4 ms to import
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any  # as termios has it: numbers and a list of bytes

_LOOK_VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "TMUX", "STY")
ENTER = b"\x1b[?1049h\x1b[?25l"
"""To the alternate screen, without a cursor."""
LEAVE = b"\x1b[0m\x1b[2J\x1b[H\x1b[?1049l\x1b[?25h"
"""Cleared first, for there are terminals without an alternate screen."""
SYNC_QUESTION = b"\x1b[?2026$p"
"""Can frames be drawn at once?"""
PLACE_QUESTION = b"\x1b[6n"
"""Where is the cursor? After an ambiguous character it tells how wide that was; and all answers have come before it."""
_MOST_PAGE_BYTES = 1 << 20
_SIGNALS = ("SIGHUP", "SIGTERM", "SIGINT")


class EarlyTerminal:
    """The terminal from the first byte on, until Textual's driver takes over and after it has let go."""

    def __init__(self) -> None:
        self.attributes: list[Any] | None = None
        """The line settings as they were found; None when there is no terminal."""
        self.is_entered = False
        """The alternate screen shows."""
        self.is_asked = False
        """The questions were asked, and the last answer has not come yet."""
        self.page = ""
        """What was painted; empty for a blank page."""

    def begin(self, words: Sequence[str]) -> None:
        """Show the last page if it is still right, else a blank one, and keep what is typed for later.

        Args:
            words: The command line.
        """
        # Who asks for a size is to ask the terminal: these may be of another, or of before it was made larger.
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        if sys.platform == "win32":
            return  # Textual's own driver does all there
        try:
            found = termios.tcgetattr(0)
            self.attributes = found
            for name in _SIGNALS:
                signal.signal(getattr(signal, name), self._leave_at_once)
            signal.signal(signal.SIGTSTP, self._stop)
            termios.tcsetattr(0, termios.TCSANOW, quiet(found))
            self._paint(_taken_page(words))
        except (termios.error, OSError):
            self.restore()

    def _paint(self, page: bytes) -> None:
        self.page = page.decode("utf-8", "replace")
        self.is_entered = True
        # Apple's terminal prints the question.
        questions = SYNC_QUESTION if os.environ.get("TERM_PROGRAM") != "Apple_Terminal" else b""
        questions += b"\x1b[H" + ("“".encode() if is_utf8() else b"") + PLACE_QUESTION
        self.is_asked = True
        write_all(ENTER + questions + b"\x1b[H" + (page or b"\x1b[2J"))

    def restore(self) -> None:
        """Give the terminal back as it was found. May be called at any time, any number of times."""
        if self.is_asked and self.is_entered:
            self._await_answer()
        if self.is_entered:
            self.is_entered = False
            try:  # noqa: SIM105  (contextlib is not loaded yet)
                write_all(LEAVE)
            except OSError:
                pass  # the line is down
        if self.attributes is not None:
            try:  # noqa: SIM105
                termios.tcsetattr(0, termios.TCSANOW, self.attributes)
            except termios.error:
                pass

    def _await_answer(self) -> None:
        """Take the answer to our question, or it would stand in the shell's next line; at most 0.3 s."""
        self.is_asked = False
        try:
            waiting = quiet(self.attributes or termios.tcgetattr(0))
            waiting[6] = [*waiting[6]]
            waiting[6][termios.VMIN], waiting[6][termios.VTIME] = 0, 3
            termios.tcsetattr(0, termios.TCSANOW, waiting)
            while (heard := os.read(0, 64)) and b"R" not in heard:
                pass
        except (termios.error, OSError):
            pass

    def _leave_at_once(self, number: int, _frame: FrameType | None) -> None:
        self.is_asked = False
        self.restore()
        os._exit(128 + number)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        """Let go of the terminal while stopped (Ctrl-Z), and take it again."""
        self.is_asked = False
        self.restore()
        os.kill(os.getpid(), signal.SIGSTOP)
        if self.attributes is not None:
            termios.tcsetattr(0, termios.TCSANOW, quiet(self.attributes))
        self.is_entered = True
        write_all(ENTER + (self.page.encode() or b"\x1b[H\x1b[2J"))


def quiet(attributes: list[Any]) -> list[Any]:
    """Return line settings that neither echo nor wait for the end of a line; Ctrl-C still interrupts."""
    changed = [*attributes]
    changed[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    changed[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
    return changed


def write_all(data: bytes) -> None:
    """Write to the terminal, however many pieces it takes.

    Raises:
        OSError: the terminal is gone.
    """
    while data:
        data = data[os.write(1, data) :]


def is_utf8() -> bool:
    """Say whether the locale's characters are UTF-8; what is not told counts as such."""
    name = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    return "." not in name or "utf" in name.lower()


# the saved page


def _taken_page(words: Sequence[str]) -> bytes:
    """Return the saved page when it is right for this start, and remove it; b"" when there is none."""
    file = saved_page_file()
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return b""
    try:
        os.unlink(file)  # noqa: PTH108  (pathlib takes 5 ms to import)
        saved = os.read(descriptor, _MOST_PAGE_BYTES)
        first, _newline, page = saved.partition(b"\n")
        arguments, _tab, key = first.partition(b"\t")
        asked = _arguments(words)
        is_same = asked in (b"", arguments) and key == page_key(os.get_terminal_size(1))
    except OSError:
        return b""
    finally:
        os.close(descriptor)
    return page if is_same else b""


def saved_page(words: Sequence[str], size: tuple[int, int], page: str) -> bytes:
    """Return the file that `begin` reads: its key in the first line, then the page.

    Args:
        words: The command line the page was reached by; a start without any shows it too.
        size: Columns and rows.
        page: What to write to the terminal.
    """
    return _arguments(words) + b"\t" + page_key(size) + b"\n" + page.encode("utf-8", "replace")


def _arguments(words: Sequence[str]) -> bytes:
    """Return what was asked for, in one line, with the state of the file it may name."""
    plain = [word for word in words if word != "--no-mouse"]
    named = "\0".join(plain[1:] if plain[:1] == ["open"] else plain)
    if not named:
        return b""
    return f"{named}\0{_state(named)}".encode("utf-8", "surrogateescape").replace(b"\n", b" ").replace(b"\t", b" ")


def page_key(size: tuple[int, int]) -> bytes:
    """Return what a saved page depends on: size, terminal, language, settings, and the library as it was left."""
    config, data = config_folder(), data_folder()
    themes = config + "/themes"
    files = [config + "/config.toml", config + "/keys.toml", themes, *_files(themes)]
    files += [data + "/library.db", data + "/library.db-wal"]
    parts = [f"{size[0]}x{size[1]}", *[os.environ.get(name, "-") for name in _LOOK_VARIABLES], *map(_state, files)]
    return "\x1f".join(parts).encode("utf-8", "surrogateescape").replace(b"\n", b" ")


def _state(path: str) -> str:
    """Return when a file was changed and its size; "-" when there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return "-"
    return f"{found.st_mtime_ns}.{found.st_size}"


def _files(folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in sorted(os.listdir(folder))]  # noqa: PTH208
    except OSError:
        return []


def saved_page_file() -> str:
    """Return the path of the saved page."""
    return _folder("state", "XDG_STATE_HOME", "/.local/state") + "/screen"


def config_folder() -> str:
    """Return the folder of the settings, as `engine.paths` does."""
    return _folder("config", "XDG_CONFIG_HOME", "/.config")


def data_folder() -> str:
    """Return the folder of the library, as `engine.paths` does."""
    return _folder("data", "XDG_DATA_HOME", "/.local/share")


def _folder(kind: str, variable: str, fallback: str) -> str:
    home = os.environ.get("UNDERSTORY_HOME")
    if home:
        return os.path.abspath(os.path.expanduser(home)) + "/" + kind  # noqa: PTH100, PTH111
    given = os.environ.get(variable, "")
    return (given if given.startswith("/") else os.environ.get("HOME", "") + fallback) + "/understory"
