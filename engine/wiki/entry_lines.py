"""Read a writer's lines: sentences, rows and headings of an entry, each with the notes it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.analysis.ledger import Found
from engine.text.sanitize import sanitize
from engine.wiki.dossiers import Dossier

_LONGEST_SENTENCE = 500
_LONGEST_HEADING = 60
_MOST_CELLS = 8
_MOST_NODES = 8
_CITES = re.compile(r"\s*[\[［【]\s*(n\d{1,6}(?:\s*[,，、 ]\s*n\d{1,6})*)\s*[\]］】]\s*[.。]?\s*$")


@dataclass(slots=True)
class Composed:
    """An entry as its writer has it, taken apart."""

    summary: list[tuple[str, Found]] = field(default_factory=list)
    cells: list[tuple[str, str, Found]] = field(default_factory=list)
    sections: list[tuple[str, list[tuple[str, Found]]]] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """Numbers of notes."""
    groundless: list[str] = field(default_factory=list)
    """Sentences without a note of the dossier."""


def parse_entries(reply: str, wanted: Sequence[Dossier]) -> dict[str, Composed]:
    """Take a writer's reply apart: entries by their keys. Never raises."""
    by_key = {dossier.key: dossier for dossier in wanted}
    found: dict[str, Composed] = {}
    dossier = wanted[0] if len(wanted) == 1 else None
    for raw in sanitize(reply).split("\n"):
        line = raw.strip()
        begins = re.match(r"=\s*([kt]\d{1,5})\b", line)
        if begins:
            dossier = by_key.get(begins[1])
        elif dossier is not None and line:
            _take_line(found.setdefault(dossier.key, Composed()), line, dossier)
    return {key: each for key, each in found.items() if each.summary or each.sections}


def _take_line(composed: Composed, line: str, dossier: Dossier) -> None:
    if line.startswith("##"):
        composed.sections.append((line.strip("# ")[:_LONGEST_HEADING], []))
        return
    if line.startswith("*") and not _CITES.search(line):
        numbers = [int(each) for each in re.findall(r"n(\d{1,6})", line)]
        composed.nodes += [n for n in numbers if n in dossier.notes][: _MOST_NODES - len(composed.nodes)]
        return
    if line[0] not in ".-|":
        return
    text, numbers = cited_notes(line[1:].strip())
    if not text or len(text) > _LONGEST_SENTENCE:
        return
    found = _evidence(numbers, dossier)
    if not found:
        composed.groundless.append(text)
    elif line[0] == ".":
        composed.summary.append((text, found))
    elif line[0] == "|":
        label, _bar, value = text.strip("| ").partition("|")
        if value.strip() and len(composed.cells) < _MOST_CELLS:
            composed.cells.append((label.strip(), value.strip(), found))
    elif composed.sections:
        composed.sections[-1][1].append((text, found))
    else:
        composed.summary.append((text, found))


def cited_notes(text: str) -> tuple[str, list[int]]:
    """Return a sentence, and the numbers at its end."""
    match = _CITES.search(text)
    if match is None:
        return text, []
    numbers = dict.fromkeys(int(n) for n in re.findall(r"\d+", match[1]))
    return text[: match.start()].strip(), list(numbers)


def _evidence(numbers: Sequence[int], dossier: Dossier) -> Found:
    """Return the evidence of some notes; none if its writer was not shown one of them."""
    if not all(number in dossier.notes for number in numbers):
        return ()
    return tuple(dict.fromkeys(evidence for number in numbers for evidence in dossier.notes[number].found))
