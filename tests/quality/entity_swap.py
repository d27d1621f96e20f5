"""The same novels with every listed character under an invented foreign name: no rule can know these."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from engine.analysis.rules.chinese_words import SURNAMES, TRANSLITERATION
from tests.quality.entity_books import Book
from tests.quality.entity_score import Listed

_SEED = 5
_SIZES = (2, 2, 3, 3, 4)
"""Characters of an invented name, by how often."""


def with_foreign_names(book: Book) -> Book:
    """Return a Chinese book with one name of foreign sounds, without a family name, for all names of each character."""
    invented = _invent(book.text)
    listed: list[Listed] = []
    new_names: dict[str, str] = {}
    for character in book.listed:
        name = next(invented)
        listed.append(Listed(name, (name,), None))
        for alias in (character.name, *character.aliases):
            new_names.setdefault(alias, name)
    pattern = re.compile("|".join(map(re.escape, sorted(new_names, key=len, reverse=True))))

    def swap(text: str) -> str:
        return pattern.sub(lambda match: new_names[match[0]], text)

    blocks, pos = [], 0
    for block in book.blocks:
        blocks.append(replace(block, text=swap(block.text), pos=pos))
        pos += len(blocks[-1].text) + 1
    return replace(
        book,
        name=f"{book.name}, foreign names",
        text=swap(book.text),
        blocks=tuple(blocks),
        listed=tuple(listed),
    )


def _invent(text: str) -> Iterator[str]:
    """Yield names that do not stand in a text, each once, the same in every run."""
    chance = random.Random(_SEED)
    every = sorted(TRANSLITERATION)
    first = sorted(TRANSLITERATION - SURNAMES)
    seen: set[str] = set()
    while True:
        name = chance.choice(first) + "".join(chance.choices(every, k=chance.choice(_SIZES) - 1))
        if name not in text and name not in seen:
            seen.add(name)
            yield name
