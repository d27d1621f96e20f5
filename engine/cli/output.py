"""What a command says: data on stdout, talk on stderr, nothing that drives a terminal on either."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping, Sequence
from typing import TextIO

from engine.text.sanitize import sanitize
from engine.text.width import padded, width_cells

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]

# C1, DEL, soft hyphen, bidi and zero-width controls, tags, surrogates: JSON leaves these as they are,
# a terminal may not. C0 it escapes itself.
_UNSAFE_IN_JSON = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)


class Output:
    """The two streams of a command, made safe once for whatever is written to them."""

    def __init__(self, stdout: TextIO, stderr: TextIO) -> None:
        """Take the streams; both are set to an encoding that cannot fail."""
        self._out = stdout
        self._err = stderr
        for stream in (stdout, stderr):
            _make_unfailing(stream)
        self._is_watched = _is_terminal(stderr) and os.environ.get("TERM", "") not in ("", "dumb")
        self._is_line_open = False

    def line(self, text: str = "") -> None:
        """Write one line of data; control characters in it are made visible, newlines stay."""
        self._out.write(sanitize(text) + "\n")

    def record(self, record: Mapping[str, Json]) -> None:
        """Write one JSON object on a line of its own; the values arrive unchanged at whoever parses it."""
        self._out.write(_json(record) + "\n")

    def array(self, records: Sequence[Mapping[str, Json]]) -> None:
        """Write one JSON array, an object a line."""
        if not records:
            self._out.write("[]\n")
        for number, record in enumerate(records):
            self._out.write("[" if number == 0 else " ")
            self._out.write(_json(record) + ("]" if number == len(records) - 1 else ",") + "\n")

    def talk(self, text: str) -> None:
        """Write a sentence to the reader that is no data; it stays one line whatever names it quotes."""
        self.end_progress()
        self._err.write(sanitize(text).replace("\n", " ") + "\n")

    def ask(self, question: str) -> None:
        """Write a question and leave the line open for the answer."""
        self.end_progress()
        self._err.write(sanitize(question))
        self._err.flush()

    def progress(self, text: str) -> None:
        """Show a passing sentence in place of the last one, if somebody watches."""
        if self._is_watched:
            self._err.write("\r\x1b[K" + sanitize(text).replace("\n", " "))
            self._err.flush()
            self._is_line_open = True

    def end_progress(self) -> None:
        """Take the passing sentence away."""
        if self._is_line_open:
            self._err.write("\r\x1b[K")
            self._is_line_open = False

    def flush(self) -> None:
        """Hand everything to the system.

        Raises:
            BrokenPipeError: whoever read the data has gone.
        """
        self.end_progress()
        self._out.flush()
        self._err.flush()


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Set rows in columns that line up on a terminal, wide characters included.

    Args:
        rows: Cells, as many in each row.
        right: Columns to set flush right.
    """
    clean = [[sanitize(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(width_cells, column)) for column in zip(*clean, strict=True)]
    return [
        "  ".join(padded(*cell, is_right=i in right) for i, cell in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in clean
    ]


def text_from_argument(argument: str) -> str:
    """Return a typed word as text, whatever the locale took it for."""
    try:
        return os.fsencode(argument).decode("utf-8", "replace")
    except UnicodeEncodeError:
        return argument


def _json(record: Mapping[str, Json]) -> str:
    import json  # 5 ms; only for --json

    text = json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
    return _UNSAFE_IN_JSON.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    point = ord(match[0])
    if point < 0x10000:
        return f"\\u{point:04x}"
    point -= 0x10000
    return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _make_unfailing(stream: TextIO) -> None:
    if not isinstance(stream, io.TextIOWrapper):
        return
    if _is_terminal(stream):
        stream.reconfigure(errors="replace")
    else:
        # A file or a pipe gets UTF-8 in every locale, so that data does not depend on who asks.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
