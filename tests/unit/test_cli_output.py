"""What a command writes is safe for a terminal, whole for a program, and never fails to be written."""

from __future__ import annotations

import io
import json
import random
import re

import pytest

from engine.cli.output import Output, columns, text_from_argument
from engine.errors import shown_path

_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
_ALPHABET = [
    *map(chr, range(0xA0)),
    *"\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2028\u2029\u2066\u2069\u206f\ufeff",
    *"\ufdd0\ufffe\uffff\ufffc\ud800\udcff\U000e0001\U000e0041\U0001f469漢字かなé",
    "\x1b[31m",
    "\x1b]52;c;eA==\x07",
    "\r\n",
]


def _strings(count: int) -> list[str]:
    dice = random.Random(7)  # the same strings in every run
    return ["".join(dice.choices(_ALPHABET, k=dice.randint(0, 12))) for _ in range(count)]


class _Streams:
    """An Output over two byte buffers."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._out, self._err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2))
        self.output = Output(self._out, self._err)

    def written(self) -> tuple[str, str]:
        """Return what was written to both, read as UTF-8."""
        self.output.flush()
        out, err = (stream.buffer.getvalue() for stream in (self._out, self._err))
        return out.decode("utf-8"), err.decode("utf-8")


def test_ten_thousand_strings_bring_no_hostile_character_to_either_stream() -> None:
    streams, strings = _Streams(), _strings(10_000)
    for text in strings:
        streams.output.line(text)
        streams.output.record({"text": text, "list": [text]})
        streams.output.talk(text)
        streams.output.ask(text)
    for line in columns([[text, text] for text in strings]):
        streams.output.line(line)
    assert [_HOSTILE.findall(text) for text in streams.written()] == [[], []]


def test_ten_thousand_strings_reach_a_program_unchanged() -> None:
    streams, strings = _Streams(), _strings(10_000)
    for text in strings:
        streams.output.record({"text": text})
    # A pair of surrogates comes back as the one character it stands for, as everywhere in JSON.
    expected = [text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for text in strings]
    lines = streams.written()[0].split("\n")[:-1]
    assert [json.loads(line)["text"] for line in lines] == expected


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "gb18030"])
def test_a_pipe_gets_utf8_whatever_the_locale_says(encoding: str) -> None:
    streams = _Streams(encoding)
    streams.output.line("红楼梦 é")
    streams.output.talk("銀河")
    assert streams.written() == ("红楼梦 é\n", "銀河\n")


def test_progress_is_not_shown_where_nobody_watches() -> None:
    streams = _Streams()
    streams.output.progress("half way")
    assert streams.written() == ("", "")


def test_columns_line_up_in_cells() -> None:
    assert columns([["1", "红楼", "x"], ["10", "ab", "y"]], right=frozenset({0})) == [
        " 1  红楼  x",
        "10  ab    y",
    ]
    assert columns([]) == []


def test_a_cell_of_several_lines_stays_in_its_row() -> None:
    assert columns([["a\nb", "c"]]) == ["a b  c"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/tmp/红.epub", "/tmp/红.epub"), ("/tmp/\udcb9.epub", "/tmp/\\xb9.epub"), ("a\ud800", "a\\ud800")],
)
def test_any_path_can_be_shown(path: str, shown: str) -> None:
    assert shown_path(path) == shown


def test_words_the_locale_could_not_read_are_read_as_utf8() -> None:
    assert text_from_argument("红".encode().decode("ascii", "surrogateescape")) == "红"
    assert text_from_argument("红") == "红"
