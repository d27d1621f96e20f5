"""Places, facilities and organisations, mention by mention, against LitBank.

LitBank holds 47 beginnings of novels of about 2 000 words, with every mention of an entity marked
by people. The rule:

- Gold are the proper mentions (PROP) of kind GPE, LOC and FAC, which are places here, and ORG.
- The texts are tokenised; blanks before punctuation are taken out first, as a book has none, and
  offsets are mapped. Each text is analysed alone, each of its lines a block.
- Spans are compared without a leading article, a closing 's and closing punctuation; they must be equal.
- A mention of ours is right when its span is gold and its kind is (place, or organisation).
- The baseline takes each run of capitalised words, without the ordinary words it begins with, for
  a mention, and its kind for right always.
- F1 is over all mentions of all texts; the error is 1 - F1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.analysis.rules.analyst import analyse
from engine.analysis.rules.english_words import NOT_NAMES
from engine.domain.knowledge import PointKind, TextBlock
from tests.quality.entity_score import f_of

_KINDS = {
    "PROP_GPE": PointKind.PLACE,
    "PROP_LOC": PointKind.PLACE,
    "PROP_FAC": PointKind.PLACE,
    "PROP_ORG": PointKind.ORGANISATION,
}
_NO_BLANK_BEFORE = re.compile(r"[.,;:!?)”]|['’](?!\w)|['’](?:s|S|ll|ve|re|d|m)\b|n['’]t\b")
_RUN = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_ARTICLE = re.compile(r"(?:the|a|an)\s+", re.I)
_POSSESSIVE = re.compile(r"\s*['’]s?\s*$")
Span = tuple[int, int]


@dataclass(slots=True)
class Tally:
    """Mentions right, too many and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of the mentions found that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Share of gold that was found."""
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        return f_of(self.precision, self.recall)

    def add(self, gold: dict[Span, PointKind], found: dict[Span, PointKind]) -> None:
        """Count one text."""
        right = sum(gold.get(span) is kind for span, kind in found.items())
        self.right += right
        self.wrong += len(found) - right
        self.missed += len(gold) - right


def score_places(folder: Path) -> tuple[Tally, Tally]:
    """Return (the rules' tally, the baseline's) over all texts of a folder."""
    rules, baseline = Tally(), Tally()
    for path in sorted(folder.glob("*.json")):
        text, gold = _load(path)
        rules.add(gold, _found_by_rules(text))
        runs = _capitalised_runs(text)
        baseline.add(gold, {span: gold.get(span, PointKind.PLACE) for span in runs})
    return rules, baseline


def _load(path: Path) -> tuple[str, dict[Span, PointKind]]:
    about = json.loads(path.read_text("utf-8"))
    text, offsets = _natural(about["text"])
    place_of = {offset: i for i, offset in enumerate(offsets)}
    gold: dict[Span, PointKind] = {}
    for entity in about["entities"]:
        for start, end, kind, _words in entity["mentions"]:
            if kind in _KINDS and start in place_of and end - 1 in place_of:
                gold[_bare(text, place_of[start], place_of[end - 1] + 1)] = _KINDS[kind]
    return text, gold


def _natural(text: str) -> tuple[str, list[int]]:
    """Return the text without the tokeniser's blanks, and where each of its characters was."""
    offsets = [
        i
        for i, char in enumerate(text)
        if char != " " or not (_NO_BLANK_BEFORE.match(text, i + 1) or (i and text[i - 1] in "(“"))
    ]
    return "".join(text[i] for i in offsets), offsets


def _bare(text: str, start: int, end: int) -> Span:
    article = _ARTICLE.match(text, start, end)
    start = article.end() if article else start
    possessive = _POSSESSIVE.search(text[start:end])
    end = start + possessive.start() if possessive and possessive.start() else end
    while end > start and not text[end - 1].isalnum() and text[end - 1] != ".":
        end -= 1
    return start, end


def _blocks(text: str) -> Iterator[TextBlock]:
    pos = 0
    for line in text.split("\n"):
        yield TextBlock(pos, line, 0, is_heading=line.isupper())
        pos += len(line) + 1


def _found_by_rules(text: str) -> dict[Span, PointKind]:
    blocks = list(_blocks(text))
    return {
        _bare(text, blocks[mention.block].pos + mention.start, blocks[mention.block].pos + mention.end): point.kind
        for point in analyse(blocks, "en").points
        if point.kind in {PointKind.PLACE, PointKind.ORGANISATION}
        for mention in point.mentions
    }


def _capitalised_runs(text: str) -> Iterator[Span]:
    for match in _RUN.finditer(text):
        start, words = match.start(), match[0].split(" ")
        while words and words[0].lower() in NOT_NAMES:
            start += len(words.pop(0)) + 1
        if words:
            yield _bare(text, start, match.end())
