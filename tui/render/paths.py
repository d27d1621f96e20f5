"""Paths typed by the reader: completed as a shell does, and resolved to the books they name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.paths import is_file, is_folder, typed_path

_MOST_BOOKS = 5_000
_MOST_CANDIDATES = 200
_QUOTED = re.compile(r"""(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+""")


def split_words(line: str) -> list[str]:
    """Split a line at blanks as a shell does; quotes and backslashes keep blanks, an open quote ends at the end."""
    return [_unquoted(word) for word in _QUOTED.findall(line)]


def _unquoted(word: str) -> str:
    parts = re.findall(r"""\\(.)|"((?:[^"\\]|\\.)*)"?|'([^']*)'?|([^\\"']+)""", word)
    return "".join(
        escaped or re.sub(r"\\(.)", r"\1", double) or single or plain for escaped, double, single, plain in parts
    )


def quoted(path: str) -> str:
    """Write a path so that `split_words` reads it back as one word."""
    return re.sub(r"([\s\"'\\])", r"\\\1", path)


def complete(line: str) -> tuple[str, tuple[str, ...]]:
    """Complete the last word of a line as a path.

    Returns:
        The line with what is certain added, and the names that are still possible when there
        are several (folders end with a slash). Only folders and EPUBs are offered.
    """
    last = _QUOTED.findall(line)[-1] if line and not line[-1].isspace() else ""
    typed = _unquoted(last)
    folder, _slash, begun = typed.rpartition("/")
    place = typed_path(folder + "/" if folder or typed.startswith("/") else ".")
    names = _names_in(place, begun)
    if not names:
        return line, ()
    common = os.path.commonprefix(names)  # noqa: RUF071  (names of one folder, not paths)
    if len(common) <= len(begun) and len(names) > 1:
        return line, tuple(names)
    whole = typed[: len(typed) - len(begun)] + common
    done = line[: len(line) - len(last)] + quoted(whole)
    is_whole = len(names) == 1 and not common.endswith("/")
    return done + (" " if is_whole else ""), () if len(names) == 1 else tuple(names)


def _names_in(place: Path, begun: str) -> list[str]:
    try:
        entries = [entry for entry in os.scandir(place) if entry.name.startswith(begun)]
    except OSError:
        return []
    if not begun.startswith("."):
        entries = [entry for entry in entries if not entry.name.startswith(".")]
    names = [entry.name + "/" if entry.is_dir() else entry.name for entry in entries]
    return sorted(name for name in names if name.endswith("/") or name.lower().endswith(".epub"))[:_MOST_CANDIDATES]


def books_named(line: str) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the files a line names, and the words that name nothing.

    A folder stands for all EPUBs in and below it; `*` and `?` are patterns.
    """
    found: list[Path] = []
    unknown: list[str] = []
    for word in split_words(line):
        path = typed_path(word)
        if is_file(path):
            found.append(path)
        elif is_folder(path):
            found += _books_under(path)
        elif any(sign in word for sign in "*?["):
            matches = _matches(path)
            found += [book for book in matches if is_file(book)]
            if not matches:
                unknown.append(word)
        else:
            unknown.append(word)
    return tuple(dict.fromkeys(found))[:_MOST_BOOKS], tuple(unknown)


def _books_under(folder: Path) -> list[Path]:
    """Return the EPUBs in and below a folder, up to the limit; links to folders are not followed."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [Path(place, name) for name in names if name.lower().endswith(".epub")]
        if len(found) > _MOST_BOOKS:
            break
    return sorted(found)


def _matches(pattern: Path) -> list[Path]:
    try:
        return sorted(pattern.parent.glob(pattern.name)) if pattern.name else []
    except (OSError, ValueError):  # a pattern of "**" beside other characters is none
        return []
