"""The novels with lists of their characters, as the analyst reads them: from the EPUB, like any book."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.domain.book import BlockKind
from engine.domain.knowledge import PointKind, Roster, TextBlock
from engine.domain.locator import pos_of
from engine.epub.reader import open_epub
from tests.quality.entity_score import Found, Listed, Score, folded, score

_LEAST_LISTED = 5
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")


@dataclass(frozen=True, slots=True)
class Book:
    """One novel and what people say of it."""

    name: str
    language: str
    text: str
    """As the list's makers had it."""
    blocks: tuple[TextBlock, ...]
    listed: tuple[Listed, ...]
    also: frozenset[str]
    floor: int

    def score(self, roster: Roster) -> Score:
        """Score a roster of this book."""
        return score(self.text, self.listed, people_of(roster), floor=self.floor, also=self.also)


def people_of(roster: Roster) -> list[Found]:
    """Return the people of a roster with all their names."""
    return [
        Found(point.name, tuple(alias.form for alias in point.aliases), point.count)
        for point in roster.points
        if point.kind is PointKind.PERSON
    ]


def load_books(folder: Path) -> Iterator[Book]:
    """Read every book of a folder whose characters somebody has listed."""
    for path in sorted(folder.iterdir()):
        if (path / "book.json").exists():
            book = _load(path)
            if len(book.listed) >= _LEAST_LISTED:
                yield book


def _load(path: Path) -> Book:
    # The corpus' own format; checked by use.
    about = json.loads((path / "book.json").read_text("utf-8"))
    quotes_file = path / "quotes.jsonl"
    quotes: dict[str, int] | None = None
    if quotes_file.exists():
        quotes = {}
        for line in quotes_file.read_text("utf-8").splitlines():
            speaker = json.loads(line)["speaker"]
            quotes[speaker] = quotes.get(speaker, 0) + 1
    listed = tuple(
        Listed(
            each["name"],
            tuple(a["alias"] for a in each["aliases"] if a["first_chapter"] is not None),
            None if quotes is None else quotes.get(each["name"], 0),
        )
        for each in about.get("characters", [])
        if each.get("type", "person") == "person"
    )
    blocks = load_blocks(path)
    text_file = path / "text.txt"
    text = text_file.read_text("utf-8") if text_file.exists() else "\n".join(block.text for block in blocks)
    floor = about.get("min_mentions") or (10 if quotes else 30)
    also = frozenset(folded(name) for name in about.get("also_people", []))
    return Book(path.name, str(about["language"]), text, blocks, listed, also, floor)


def load_blocks(path: Path) -> tuple[TextBlock, ...]:
    """Read the blocks of a work, whether somebody has listed its characters or not."""
    return tuple(_blocks_of(sorted(path.glob("*.epub"))))


def _blocks_of(epubs: list[Path]) -> Iterator[TextBlock]:
    """Yield the blocks of one EPUB a volume; each document counts as a chapter."""
    for ord_, path in enumerate(epubs):
        base = 0
        with open_epub(path) as book:
            for index in range(len(book.spine)):
                document = book.document(index)
                for block in document.blocks:
                    readings = tuple(r for r in document.rubies if block.start <= r.start and r.end <= block.end)
                    yield TextBlock(
                        pos_of(ord_, base + block.start),
                        document.text[block.start : block.end],
                        index,
                        block.kind is BlockKind.HEADING,
                        tuple(type(r)(r.start - block.start, r.end - block.start, r.reading) for r in readings),
                    )
                base += len(document.text) + 1
