"""Break paragraphs at every width from 2 to 200 and count what a reader would call a fault.

The text is made up in Chinese, Japanese and English, mixed with emoji, flags, combining marks
and half-width kana; where UNDERSTORY_CORPORA names the corpora, paragraphs of their novels
come on top. Run it alone: `python tests/quality/wrapping.py`.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from rich.cells import cell_len

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.text.segment import grapheme_bounds
from tests.corpora import corpora_with
from tui.render import breaks
from tui.render.wrap import wrap, wrap_measured

WIDTHS = range(2, 201)
KINSOKU_WIDTH = 4
"""From here on there is room for a character and its closing mark."""
NEVER_FIRST = frozenset("、。，．：；？！…）〕］｝〉》」』】”々ー・ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ")
NEVER_LAST = frozenset("（〔［｛〈《「『【“‘")
SAMPLES = {
    "zh": "他说：“你好”，于是——走了很远的路……《春》（下）。诺赞·修雷！",
    "ja": "彼女は「行こう」と、ラーメンっぽい々ーッょ。『グリモワール』……そして——消えた！？",
    "en": "the lamp-lighter’s (old) “coat” — said: well-known, 6.40 and/or 3-4 $12 e.g. don’t ",
}
ODD = [
    "👨‍👩‍👧",
    "❤️",
    "🇯🇵",
    "ﾊﾞ",
    "ｶﾟ",
    "か\u3099",
    "e\u0301",
    "क्ष",
    "ก็",
    "한국",
    "שלום",
    "\u200b",
    "\u00a0",
    "\u3000",
    "👍🏽",
    "★",
]
PARAGRAPHS = 150
"""Of each kind; a fifth of the made-up ones hold something odd."""


def made_up(language: str, count: int = PARAGRAPHS) -> list[str]:
    """Return paragraphs of nonsense in a language, the same at each run."""
    source = random.Random(language)
    made = []
    for number in range(count):
        parts = source.choices(SAMPLES[language], k=source.randint(1, 220))
        if number % 5 == 0:
            parts += source.choices(ODD, k=9)
            source.shuffle(parts)
        made.append("".join(parts))
    return made


def from_novels(corpora: Path, language: str, count: int = PARAGRAPHS) -> list[str]:
    """Return paragraphs of real novels, the same at each run; [] when the corpora hold none."""
    from tests.epubs import read_epub  # lxml and what it brings: only this run needs it

    books = sorted((corpora / "novels").glob(f"{language}*/**/*.epub"))
    paragraphs: list[str] = []
    for book in books[:6]:
        for document in read_epub(book).documents:
            paragraphs += [document.text[block.start : block.end] for block in document.blocks]
    random.Random(language).shuffle(paragraphs)
    return [paragraph for paragraph in paragraphs if "\t" not in paragraph][:count]


def faults(text: str, width: int) -> Iterator[str]:
    """Yield the name of each fault in the rows of a text at a width."""
    starts = wrap(text, width)
    bounds = frozenset(grapheme_bounds(text))
    yield from ("text lost" for _once in [0] if starts[0] != 0 or starts != sorted(set(starts)))
    for start, end in pairwise([*starts, len(text)]):
        row = text[start:end].rstrip(" \n")
        if cell_len(row) > width and len(_places(text, start, start + len(row), bounds)) > 0:
            yield "too wide"
        if start not in bounds:
            yield "character split"
        if width >= KINSOKU_WIDTH and start and _is_torn(text, start):
            before = max(each for each in starts if each < start)
            yield "torn" if _could_be_whole(text, before, start, bounds) else "torn, no other way"
    yield from _differences(text, width, starts)


def _differences(text: str, width: int, starts: list[int]) -> Iterator[str]:
    if "\n" not in text and wrap_measured(text, width, width) != starts:
        yield "fast path differs"


def _is_torn(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if before == "\n" or (before == " " and after in "’”"):
        return False
    return after in NEVER_FIRST or before in NEVER_LAST or (before == after and after in "…—")


def _places(text: str, start: int, end: int, bounds: frozenset[int]) -> list[int]:
    """List where a row from `start` to `end` could be cut."""
    inside = [place for place in range(start + 1, end) if place in bounds]
    return [place for place in inside if cell_len(text[place]) and text[place] != " " and text[place - 1] != "\u200d"]


def _could_be_whole(text: str, start: int, end: int, bounds: frozenset[int]) -> bool:
    places = _places(text, start, end, bounds)
    return any(not breaks.is_torn(text[place - 1], text[place]) for place in places)


def count_faults(paragraphs: Iterable[str], widths: Iterable[int]) -> Counter[str]:
    """Count faults over all paragraphs and widths; "rows" and "characters" say how much was looked at."""
    found: Counter[str] = Counter()
    sizes = list(widths)
    for paragraph in paragraphs:
        for width in sizes:
            found.update(faults(paragraph, width))
            found["characters"] += len(paragraph)
            found["rows"] += len(wrap(paragraph, width))
    return found


def main() -> int:
    """Print a line for each language and source; return 1 when a fault was found."""
    corpora = corpora_with("novels")
    is_bad = False
    for language in SAMPLES:
        sources = {"made up": made_up(language)}
        if corpora is not None:
            sources["novels"] = from_novels(corpora, language)
        for source, paragraphs in sources.items():
            begun = time.process_time()
            found = count_faults(paragraphs, WIDTHS)
            counted = {name: found.pop(name, 0) for name in ("rows", "characters", "torn, no other way")}
            verdict = ", ".join(f"{name}: {count}" for name, count in found.items()) or "no fault"
            _say(f"{language} {source}: {len(paragraphs)} paragraphs at {len(WIDTHS)} widths: {verdict}")
            _say(
                f"    {counted['rows']} rows, {counted['characters']} characters, "
                f"{time.process_time() - begun:.1f} s; {counted['torn, no other way']} rows had no better end"
            )
            is_bad = is_bad or bool(found)
    return int(is_bad)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
