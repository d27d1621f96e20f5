"""Keep notes of novels, import another edition of each, and count which notes stand where they should.

In the other edition paragraphs were put in, typos mended, quotation marks, dashes and spaces set
otherwise, and the chapters divided at other places. Where each character went is known, so a
note is exact, lost (and listed as lost), or wrong.

Usage: python tests/quality/reanchoring.py [COUNT]   (QUALITY=ci takes 100 notes, else 1 000)
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.book import PICTURE_CHAR, WorkId
from engine.domain.locator import Locator
from engine.domain.notes import NoteId, NoteKind
from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.corpora import corpora_with
from tests.epubs import read_epub

LANGUAGES = ("en", "zh", "ja")
LEAST_EXACT = 0.99
_PARAGRAPHS = 900
_A_CHAPTER = 30
_A_CHAPTER_LATER = 37
_PUT_IN, _MENDED = 0.04, 0.08
_FROM_NOWHERE = -1
_SIGNS = {
    "en": {"“": '"', "”": '"', "’": "'", "—": "–"},
    "zh": {"“": "「", "”": "」", "，": ",", "…": "⋯"},
    "ja": {"「": "『", "」": "』", "…": "⋯", "！": "!"},
}
_NEW = {
    "en": "A note by the editor stood here in the second printing, number {n}.",
    "zh": "第二版在这里加了一段编者的话，第{n}段。",
    "ja": "第二版ではここに編者の言葉が加えられている、その{n}。",
}


@dataclass(slots=True)
class Edition:
    """A text as paragraphs, with where each character of the first edition stands in it."""

    paragraphs: list[str] = field(default_factory=list)
    came_from: list[list[int] | None] = field(default_factory=list)
    """For each paragraph the offset of its characters in the older paragraph; None for one put in."""


@dataclass(slots=True)
class Tally:
    """What became of the notes."""

    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def is_content(self) -> bool:
        """Say whether nearly all are exact and none is wrong."""
        count = sum(self.kinds.values())
        return count > 0 and not self.wrong and self.kinds["exact"] >= LEAST_EXACT * count


def novel(corpora: Path, language: str, count: int) -> list[str]:
    """Return so many paragraphs of the novels of a language, as they follow each other."""
    paragraphs: list[str] = []
    for book in sorted((corpora / "novels").glob(f"{language}*/**/*.epub")):
        for document in read_epub(book).documents:
            texts = (document.text[block.start : block.end].strip() for block in document.blocks)
            paragraphs += [text for text in texts if text and not {"\n", "\t", PICTURE_CHAR} & set(text)]
        if len(paragraphs) >= count:
            break
    return paragraphs[:count]


def second_edition(paragraphs: Sequence[str], language: str, dice: random.Random) -> Edition:
    """Return the paragraphs as another edition has them."""
    made = Edition()
    for number, paragraph in enumerate(paragraphs):
        if dice.random() < _PUT_IN:
            made.paragraphs.append(_NEW[language].format(n=number))
            made.came_from.append(None)
        text, came_from = _reset(paragraph, language)
        if dice.random() < _MENDED and len(text) > 8:
            text, came_from = _mend(text, came_from, dice)
        made.paragraphs.append(text)
        made.came_from.append(came_from)
    return made


def _reset(paragraph: str, language: str) -> tuple[str, list[int]]:
    signs = _SIGNS[language]
    return "".join(signs.get(char, char) for char in paragraph), list(range(len(paragraph)))


def _mend(text: str, came_from: list[int], dice: random.Random) -> tuple[str, list[int]]:
    """Change, leave out or put in one letter."""
    inside = [n for n in range(1, len(text) - 1) if text[n - 1 : n + 2].isalpha()]  # no blank is left over
    if not inside:
        return text, came_from
    at = dice.choice(inside)
    letter = dice.choice("etaoin") if text[at].isascii() else dice.choice("的一是不了人")
    way = dice.randrange(3)
    if way == 0:
        return text[:at] + letter + text[at + 1 :], came_from
    if way == 1:
        return text[:at] + text[at + 1 :], came_from[:at] + came_from[at + 1 :]
    return text[:at] + letter + text[at:], [*came_from[:at], _FROM_NOWHERE, *came_from[at:]]


def _chapters(paragraphs: Sequence[str], size: int) -> list[tuple[str, str]]:
    parts = [paragraphs[first : first + size] for first in range(0, len(paragraphs), size)]
    return [(f"Part {n}", "".join(f"<p>{escape(p)}</p>" for p in part)) for n, part in enumerate(parts, 1)]


def _places(library: Library, work: WorkId, paragraphs: Sequence[str]) -> list[tuple[int, int]]:
    """Return (document, offset) of each paragraph, in order."""
    found: list[tuple[int, int]] = []
    for document in library.outline(work).volumes[0].documents:
        text, at = library.document_text(document.id).text, 0
        while len(found) < len(paragraphs) and (start := text.find(paragraphs[len(found)], at)) >= 0:
            found.append((document.id, start))
            at = start + len(paragraphs[len(found) - 1])
    assert len(found) == len(paragraphs), (len(found), len(paragraphs))
    return found


def _passage(paragraph: str, language: str, dice: random.Random) -> tuple[int, int]:
    """Return the start and end of a passage: a word or two, a clause, a sentence or more."""
    unit = 5 if language == "en" else 2
    size = min(len(paragraph), unit * dice.choice([1, 2, 3, 6, 12, 30, 80]))
    start = dice.randrange(len(paragraph) - size + 1)
    end = start + size
    while start < end and not paragraph[start].isalnum():
        start += 1
    while end > start and not paragraph[end - 1].isalnum():
        end -= 1
    return start, end


def measure(paragraphs: Sequence[str], language: str, count: int, folder: Path) -> Tally:
    """Keep notes of a first edition, import the second, and look where they stand."""
    dice = random.Random(f"{language}{count}")
    library = Library(paths_under(folder / "home"))
    first = make_epub(
        folder / "1.epub", title="The Book", chapters=_chapters(paragraphs, _A_CHAPTER), language=language
    )
    work = library.import_now(first).work
    assert work is not None
    places = _places(library, work, paragraphs)
    kept: dict[NoteId, tuple[int, int, int]] = {}
    while len(kept) < count:
        number = dice.randrange(len(paragraphs))
        start, end = _passage(paragraphs[number], language, dice)
        if start < end:
            document, offset = places[number]
            at = Locator(type(library.outline(work).volumes[0].documents[0].id)(document), offset + start, offset + end)
            kept[library.add_note(work, NoteKind.HIGHLIGHT, at).note.id] = (number, start, end)
    edition = second_edition(paragraphs, language, dice)
    second = make_epub(
        folder / "2.epub", title="The Book", chapters=_chapters(edition.paragraphs, _A_CHAPTER_LATER), language=language
    )
    report = library.import_now(second)
    assert report.work == work, report
    tally = _compared(library, work, edition, kept)
    library.close()
    return tally


def _compared(library: Library, work: WorkId, edition: Edition, kept: dict[NoteId, tuple[int, int, int]]) -> Tally:
    places = _places(library, work, edition.paragraphs)
    olds = [number for number, came_from in enumerate(edition.came_from) if came_from is not None]
    tally = Tally()
    notes = {shown.note.id: shown for shown in library.notes(work)}
    for id_, (number, start, end) in kept.items():
        shown, newer = notes[id_], olds[number]
        came_from, (document, offset) = edition.came_from[newer] or [], places[newer]
        inside = [n for n, old in enumerate(came_from) if start <= old < end]
        if shown.locator is None:
            tally.kinds["lost" if shown.note.is_lost else "unlisted"] += 1
            anchor = shown.note.anchor
            tally.lost.append(anchor.quote.exact if anchor is not None else "")
            continue
        wanted = (document, offset + inside[0], offset + inside[-1] + 1) if inside else None
        if wanted == (shown.locator.document, shown.locator.start, shown.locator.end):
            tally.kinds["exact"] += 1
        else:
            tally.kinds["wrong"] += 1
            text = library.text_of(shown.locator.document, shown.locator.start, shown.locator.end)
            was = edition.paragraphs[newer][inside[0] : inside[-1] + 1] if inside else ""
            tally.wrong.append(f"{was!r} was taken for {text!r}")
    return tally


def main() -> int:
    """Print the table; return 1 when a gate is missed."""
    full = os.environ.get("QUALITY", "ci") != "ci"
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000 if full else 100
    corpora = corpora_with("novels")
    if corpora is None:
        return 0
    is_content = True
    for number, language in enumerate(LANGUAGES):
        share = count // 3 + (number < count % 3)
        with tempfile.TemporaryDirectory() as folder:
            paragraphs = novel(corpora, language, _PARAGRAPHS if count > 200 else _PARAGRAPHS // 3)
            tally = measure(paragraphs, language, share, Path(folder))
        print(f"{language}  {share:5} notes  " + "  ".join(f"{k} {n}" for k, n in sorted(tally.kinds.items())))
        for line in tally.wrong[:20]:
            print(f"      {line}")
        for line in tally.lost[:20]:
            print(f"      lost: {line!r}")
        is_content = is_content and tally.is_content
    return 0 if is_content else 1


if __name__ == "__main__":
    raise SystemExit(main())
