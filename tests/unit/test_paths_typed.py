"""Paths typed for an import: split, completed, resolved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.paths import open_file
from tui.render.paths import books_named, complete, quoted, split_words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of books with awkward names, which is also the working folder."""
    for name in ("one.epub", "a b.epub", "第一卷.epub", "notes.txt", "sub/two.epub", "sub/deep/three.EPUB"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a b", ["a", "b"]),
        (r"a\ b", ["a b"]),
        ('"a b" c', ["a b", "c"]),
        ("'it is'.epub", ["it is.epub"]),
        ('"open quote', ["open quote"]),
        ("第一卷 第二卷", ["第一卷", "第二卷"]),
        ("", []),
    ],
)
def test_a_line_is_split_as_a_shell_does(line: str, words: list[str]) -> None:
    assert split_words(line) == words


@pytest.mark.parametrize("path", ["plain", "a b", "it's", 'say "x"', "back\\slash", "第一卷"])
def test_a_quoted_path_is_one_word_again(path: str) -> None:
    assert split_words(quoted(path)) == [path]


@pytest.mark.parametrize(
    ("typed", "line"),
    [("on", "one.epub "), ("a", r"a\ b.epub "), ("第", "第一卷.epub "), ("su", "sub/"), ("sub/t", "sub/two.epub ")],
)
def test_what_is_certain_is_completed(folder: Path, typed: str, line: str) -> None:
    assert complete(typed)[0] == line


def test_what_is_not_certain_is_listed(folder: Path) -> None:
    assert complete("sub/") == ("sub/", ("deep/", "two.epub"))


def test_only_books_and_folders_are_offered(folder: Path) -> None:
    assert complete("not") == ("not", ())


def test_a_folder_stands_for_the_books_in_and_below_it(folder: Path) -> None:
    books, unknown = books_named("sub")
    assert ([book.name for book in books], unknown) == (["three.EPUB", "two.epub"], ())


def test_a_pattern_stands_for_the_books_that_fit(folder: Path) -> None:
    assert [book.name for book in books_named("*.epub")[0]] == ["a b.epub", "one.epub", "第一卷.epub"]


def test_a_name_of_nothing_is_told(folder: Path) -> None:
    assert books_named("gone.epub one.epub") == ((Path("one.epub"),), ("gone.epub",))


@pytest.mark.parametrize("typed", ["~nobody-of-that-name/a.epub", "x" * 5_000, "sub/" + "y" * 300, "a**b.epub"])
def test_a_name_no_file_can_have_is_told_like_any_other(folder: Path, typed: str) -> None:
    assert books_named(typed) == ((), (typed,))
    assert complete(typed) == (typed, ())


def test_a_pipe_is_never_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.epub")
    with pytest.raises(OSError, match="no file"):
        open_file(folder / "pipe.epub")
