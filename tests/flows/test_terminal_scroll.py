"""Rows moved by the terminal look as if they had been drawn, whatever lies over them and however fast the keys come."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from tests.builders import make_epub
from tests.reader import import_book, open_reader
from tests.terminal import Terminal

_KEYS = [
    "j",
    "k",
    "j",
    "j",
    "k",
    "5j",
    "3k",
    "jjjjjjj",
    "kkk",
    "jkjkj",
    " ",
    "b",
    "]",
    "[",
    "G",
    "gg",
    "t",
    "\x1b",
    "?",
    "\x1b",
]
_KEYS += ["f", "z", "+", "-", "=", "T", "50%", "jjj jjj", "j?", "\x1bj", "tj", "\x1b", "/tide\r", "n", "\x1b", "M", "D"]


@pytest.fixture(scope="module")
def wordy_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with headings, notes, links, emphasis, wide characters and paragraphs of all lengths."""
    folder = tmp_path_factory.mktemp("wordy")
    texts = [
        "<p>({n}) the tide went out and the ferry lay on its side until noon, {n} times over.</p>",
        "<p>（{n}）“他说：我们走吧，”阿丽丝看了看那只兔子——它很慌张……然后消失了。</p>",
        '<p>({n}) see <a href="c2.xhtml">the second part</a> and <em>note</em> the <b>rest</b> of it.</p>',
        "<h2>Section {n}</h2>",
        "<p>({n}) " + "a long paragraph that goes on over several rows of the page, " * 6 + "and ends.</p>",
    ]
    body = "".join(texts[n % len(texts)].format(n=n) for n in range(1, 90))
    book = make_epub(folder / "book.epub", title="Wordy", chapters=[("One", body), ("Two", body), ("Three", body)])
    import_book(folder / "home", book)
    return folder / "home"


def _reader(home: Path, folder: Path, *, can_scroll: bool, columns: int, rows: int) -> Terminal:
    own = Path(shutil.copytree(home, folder))
    (own / "config").mkdir(exist_ok=True)
    (own / "config" / "config.toml").write_text(f"terminal_scroll = {str(can_scroll).lower()}\n", "utf-8")
    terminal = open_reader(own, "Wordy", columns=columns, rows=rows)
    terminal.wait_ready()
    terminal.settle(0.4)
    return terminal


def _picture(terminal: Terminal) -> list[str]:
    """Return each cell as it looks: of a blank only its ground counts."""
    return [
        " ".join(
            f"{cell.data}{cell.bg}{cell.reverse}{cell.underscore}"
            + (f"{cell.fg}{cell.bold}{cell.italics}" if cell.data.strip() else "")
            for cell in row
        )
        for row in terminal.cells()
    ]


def _come_to_look_alike(one: Terminal, other: Terminal) -> bool:
    """Say whether two terminals look alike within some seconds, however slow the machine is."""
    for _each in range(12):
        one.settle(0.2)
        other.settle(0.2)
        if _picture(one) == _picture(other):
            return True
    return False


def _compare(home: Path, folder: Path, keys: list[str], *, columns: int = 90, rows: int = 30) -> int:
    """Press the same keys in a reader that scrolls and in one that draws; return how often rows were moved."""
    with (
        _reader(home, folder / "scrolled", can_scroll=True, columns=columns, rows=rows) as scrolled,
        _reader(home, folder / "drawn", can_scroll=False, columns=columns, rows=rows) as drawn,
    ):
        for number, pressed in enumerate(keys):
            scrolled.send(pressed)
            drawn.send(pressed)
            assert _come_to_look_alike(scrolled, drawn), (number, pressed, scrolled.text(), drawn.text())
        return len(re.findall(rb"\x1b\[\d+;\d+r", scrolled.received))


def test_line_by_line_each_row_is_moved(wordy_home: Path, tmp_path: Path) -> None:
    assert _compare(wordy_home, tmp_path, ["j"] * 12 + ["k"] * 5 + ["3j", "2k"]) >= 17


def test_while_panels_and_dialogs_are_open(wordy_home: Path, tmp_path: Path) -> None:
    keys = ["j", "t", "j", "j", "\x1b", "j", "?", "j", "\x1b", "k", "f", "j", "k", "zj", "jz", "k", "j"]
    _compare(wordy_home, tmp_path, keys)


def test_while_a_notice_stands(wordy_home: Path, tmp_path: Path) -> None:
    _compare(wordy_home, tmp_path, ["gg", "[", "j", "[j", "j", "[", "k", "5", "j", "g", "j", "j"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("columns", [60, 150])
def test_whatever_is_pressed(wordy_home: Path, tmp_path: Path, seed: int, columns: int) -> None:
    chance = random.Random(seed)
    _compare(wordy_home, tmp_path, chance.choices(_KEYS, k=60), columns=columns)


@pytest.mark.parametrize("mouse", ["\x1b[<65;40;10M", "\x1b[<64;40;10M" * 3])
def test_the_wheel_moves_rows_too(wordy_home: Path, tmp_path: Path, mouse: str) -> None:
    assert _compare(wordy_home, tmp_path, [" ", "\x1b[<65;40;10M", mouse, mouse, "j"]) >= 2
