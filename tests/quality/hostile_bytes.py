"""Read a book made of hostile strings in the real program and look at every byte that reaches the terminal.

The strings stand in the text, in titles of chapters, in notes and in the book's own title and author.
What the program itself may send (moves, colours, modes) is taken out of the byte stream by an exact
grammar; nothing may be left in the rest but printable text and line ends.

Usage: python tests/quality/hostile_bytes.py [COUNT]   (QUALITY=ci reads 2 000 strings, else 10 000)
"""

from __future__ import annotations

import html
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.builders import make_epub
from tests.terminal import Terminal

_OURS = re.compile(
    rb"\x1b\[[0-9;]*[HJKmABCDLMrt]|\x1b\[\?[0-9;]+(?:[hl]|\$p)|\x1b\[[<>=][0-9;]*u|\x1b\[\?u|\x1b\[[0-9]* q"
    rb"|\x1b\[>[0-9;]*[mq]|\x1b\[[0-9]*n|\x1b[=>78]|\x1b\[!p|\x1b\]22;default\x07"
)
_HOSTILE = re.compile(
    "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u206f"
    "\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
_ALPHABET = [
    *(chr(code) for code in range(0x20, 0xA0)),
    *"\u00ad\u061c\u200b\u200d\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\U000e0041\U0001f469漢字かなéعربي",
    "&#27;",
    "&#155;",
    "&#7;",
    "&#27;]52;c;eA==&#7;",
    "&#27;[2J",
    "&#27;]0;owned&#27;\\",
    "&#27;P+q544e&#27;\\",
    "[/b]",
    "[@click=app.quit()]x[/]",
    "[red]",
]
_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ROWS, _COLUMNS = 50, 120


def strings(count: int) -> list[str]:
    """Return hostile strings, the same in every run, as XHTML; character references are left as they are."""
    dice = random.Random(11)
    made = ["".join(dice.choices(_ALPHABET, k=dice.randint(1, 24))) for _each in range(count)]
    return [re.sub(r"&amp;(#\d+;)", r"&\1", html.escape(_IN_XML.sub(" ", text), quote=False)) for text in made]


def make_book(path: Path, texts: list[str]) -> Path:
    """Write a book of these strings, a paragraph each, with hostile titles."""
    size = max(1, len(texts) // 10)
    chapters = [
        (f"\x9b31m{texts[first]} [/b]", "".join(f"<p>{text}</p>" for text in texts[first : first + size]))
        for first in range(0, len(texts), size)
    ]
    chapters = [(_IN_XML.sub("\u202e", title), body) for title, body in chapters]
    return make_epub(path, title="[/b]\u202eowned", author="[@click=app.quit()]\u2066x", chapters=chapters)


def left_over(received: bytes) -> list[str]:
    """Return the hostile characters of a byte stream, with what stands around them."""
    text = _OURS.sub(b"", received).decode("utf-8", "backslashreplace")
    return [repr(text[max(0, m.start() - 20) : m.end() + 20]) for m in _HOSTILE.finditer(text)]


def read_through(book: Path, home: Path) -> tuple[int, int, list[str]]:
    """Read the book to its end; return pages, bytes and hostile characters found in them and in the log."""
    program = str(Path(sys.executable).with_name("understory"))
    env = {"UNDERSTORY_HOME": str(home), "HOME": str(home)}
    subprocess.run([program, "import", str(book)], check=True, env={**os.environ, **env}, capture_output=True)
    pages = 0
    with Terminal([program, "1"], columns=_COLUMNS, rows=_ROWS, env=env) as terminal:
        terminal.settle(1.0)
        terminal.press("t")
        terminal.press("t")
        while _turn(terminal) and pages < 5_000:
            pages += 1
        terminal.send("q")
        terminal.wait_exit()
        received = terminal.received
    found = left_over(received)
    for log in home.rglob("*.log"):
        found += left_over(log.read_bytes())
    return pages, len(received), found


def _turn(terminal: Terminal) -> bool:
    """Turn a page; False when nothing changed within a second."""
    before = terminal.text()
    terminal.send(" ")
    for _each in range(50):
        terminal.read(0.02)
        if terminal.text() != before:
            return True
    return False


def main() -> int:
    """Print what was found; return the number of hostile characters."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000 if os.environ.get("QUALITY", "ci") == "ci" else 10_000
    with tempfile.TemporaryDirectory() as folder:
        book = make_book(Path(folder) / "hostile.epub", strings(count))
        pages, size, found = read_through(book, Path(folder) / "home")
    print(f"{count} hostile strings, {pages} pages, {size} bytes to the terminal: {len(found)} hostile characters")
    print("\n".join(found[:20]))
    return len(found)


if __name__ == "__main__":
    raise SystemExit(main())
