"""The word list of jieba, where it is installed: which strings are ordinary words."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from engine.analysis.rules.checks import GoOn, carry_on

_REJECTED = 9.0
"""More evidence than any string has."""
_RARE = 3
_FREQUENT = 1000
_FREQUENT_NOUN = 0.4
_PARTS = 4
_PROPER = frozenset(("nr", "nrt", "nrfg", "nz", "ns", "nt", "x"))


def ordinary_words(go_on: GoOn = carry_on) -> Mapping[str, float]:
    """Return ordinary words, and in nats how much more each needs to be a person; empty without jieba.

    Rarer nouns and verbs need no more than other strings, but are no places. Proper names of the
    list are left out: it must not know whom a book is about. The list is read as a file, for
    importing jieba builds a dictionary that takes a second.
    """
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).with_name("dict.txt")
    if not path.is_file():
        return {}
    words: dict[str, float] = {}
    for part in range(_PARTS):
        go_on()
        words.update(_words_in(path, part))
    return words


@cache
def _words_in(path: Path, part: int) -> Mapping[str, float]:
    """Read one of the list's parts; 80 ms."""
    text = path.read_text(encoding="utf-8")
    first, end = (text.rfind("\n", 0, len(text) * edge // _PARTS) + 1 for edge in (part, part + 1))
    words: dict[str, float] = {}
    for line in text[first:end].splitlines():
        word, _, rest = line.partition(" ")
        count, _, tag = rest.partition(" ")
        if 1 < len(word) < 5 and int(count) > _RARE and tag not in _PROPER:
            words[word] = _malus(int(count), tag)
    return words


def _malus(count: int, tag: str) -> float:
    """Judge by the list's frequency and part of speech; rarer words of content are as often somebody's name."""
    if tag[0] in "nvazqm":
        return 0.0 if count <= _FREQUENT else _FREQUENT_NOUN if tag[0] == "n" else _REJECTED
    return _REJECTED
