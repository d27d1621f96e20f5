"""Print what real novels add to the library file beside their text, everything but vectors included.

`UNDERSTORY_CORPORA=... python tests/bench/file_size.py [MILLIONS]`: of characters of Chinese; under `QUALITY=full`
0.5, 2 and 5, and half a million of Japanese and of English; else 0.5. The novels are gone through again, in another
order of paragraphs, where they are not enough. What an empty library takes (0.6 MB) is not theirs; the whole file is
printed beside. The exit status tells whether the budget held.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.epub.reader import open_epub
from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.corpora import corpora_with

MOST = 3.0
_CHAPTER_CHARS = 8_000
_VOLUME_CHARS = 250_000
_NOVELS = {"zh": ("zh",), "ja": ("ja",), "en": ("en-pdnc",)}
_TIMEOUT_S = 3600


def _paragraphs(books: list[Path]) -> Iterator[str]:
    """Yield the paragraphs of some books, then all of them again in another order, without end."""
    kept: list[str] = []
    for book in books:
        with open_epub(book) as epub:
            for item in epub.spine:
                document = epub.document(item.index)
                kept += [line for line in document.text.split("\n") if line.strip()]
    yield from kept
    chance = random.Random(3)
    while True:
        chance.shuffle(kept)
        yield from kept


def _make_volumes(folder: Path, books: list[Path], characters: int, language: str) -> list[Path]:
    paragraphs, made = _paragraphs(books), 0
    volumes: list[Path] = []
    while made < characters:
        chapters: list[tuple[str, str]] = []
        size = 0
        while size < _VOLUME_CHARS and made + size < characters:
            lines, length = [], 0
            while length < _CHAPTER_CHARS:
                lines.append(next(paragraphs))
                length += len(lines[-1])
            chapters.append((f"{len(chapters) + 1}", "".join(f"<p>{escape(line)}</p>" for line in lines)))
            size += length
        made += size
        path = folder / f"{len(volumes) + 1:02}.epub"
        volumes.append(make_epub(path, title=f"Long Vol. {len(volumes) + 1}", chapters=chapters, language=language))
    return volumes


@dataclass(frozen=True, slots=True)
class Measured:
    """Shares of the text."""

    added: float
    """By which the file has grown."""
    whole: float
    largest: dict[str, float]
    """Tables."""


def _size(library: Library) -> int:
    with library._store.read() as r:
        pages = int(r.pragma("page_count")) - int(r.pragma("freelist_count"))
        return pages * int(r.pragma("page_size"))


def novels(corpora: Path, language: str) -> list[Path]:
    """Return the books of a language."""
    return sorted(book for name in _NOVELS[language] for book in (corpora / "novels" / name).rglob("*.epub"))


def measure(books: list[Path], characters: int, language: str) -> Measured:
    """Import so much of some novels, with passages and names, and measure the file."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(paths_under(Path(folder) / "home"))
        empty = _size(library)
        for volume in _make_volumes(Path(folder), books, characters, language):
            library.import_now(volume)
        until = time.monotonic() + _TIMEOUT_S
        while library.jobs():
            assert time.monotonic() < until
            time.sleep(0.3)
        size = _size(library)
        with library._store.read() as r:
            text = float(r.execute("SELECT sum(length(CAST(text AS BLOB))) FROM slice").get)
            sql = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 5"
            largest = {str(name): float(str(taken)) / text for name, taken in r.execute(sql)}
        library.close()
        return Measured((size - empty) / text, size / text, largest)


def main() -> int:
    """Run from the command line."""
    corpora = corpora_with("novels")
    if corpora is None:
        return 0
    wanted = [("zh", 0.5)]
    if len(sys.argv) > 1:
        wanted = [("zh", float(sys.argv[1]))]
    elif os.environ.get("QUALITY", "ci") != "ci":
        wanted = [("zh", 0.5), ("zh", 2.0), ("zh", 5.0), ("ja", 0.5), ("en", 0.5)]
    is_kept = True
    for language, millions in wanted:
        found = measure(novels(corpora, language), int(millions * 1e6), language)
        is_kept = is_kept and found.added <= MOST
        tables = ", ".join(f"{name} {part:.2f}" for name, part in found.largest.items())
        mark = "" if found.added <= MOST else "  TOO MUCH"
        print(
            f"{language}, {millions:g} M characters: {found.added:.2f} x their text of {MOST}{mark}, the whole file"
            f" {found.whole:.2f} ({tables})",
            flush=True,
        )
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
