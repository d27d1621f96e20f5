"""Twenty-four passages in three languages, and what a good explanation of each must and must not say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.agent.sentences import cut_sentences
from engine.domain.book import WorkId
from engine.domain.locator import Locator
from engine.library import Library
from tests.conversing import index_all
from tests.knowledge import know, named, place_of, shelve_story

LANGUAGES = ("en", "zh", "ja")
_CASES = Path(__file__).parent / "cases"
AHEAD = {"en": "Much later the lamp went out.", "zh": "很久以后，灯灭了。", "ja": "ずっと後になって、灯が消えた。"}
"""Stands behind each passage and was not read."""
_NAMES = {
    "en": ("Ilse", "Tobias", "Hask", "Pell"),
    "zh": ("阿禾", "老秤", "韩九"),
    "ja": ("イルゼ", "トビアス", "ハスク", "ペル"),
}
"""Of whoever comes up in any of them."""


@dataclass(frozen=True)
class Case:
    """A passage to be explained."""

    language: str
    kind: str
    earlier: str
    """A chapter before; empty for none."""
    before: str
    line: str
    selection: str
    must: tuple[tuple[str, ...], ...]
    """Of each group one is to be said."""
    must_not: tuple[str, ...]
    most_sentences: int
    cites_earlier: bool
    """It can only be understood from the chapter before."""

    @property
    def name(self) -> str:
        """For a list."""
        return f"{self.language} {self.kind}"


def cases() -> list[Case]:
    """Return all of them."""
    return [_case(language, each) for language in LANGUAGES for each in _read(language)]


def _read(language: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((_CASES / f"explain_{language}.json").read_text("utf-8"))
    return found


def _case(language: str, record: dict[str, Any]) -> Case:
    return Case(
        language, record["kind"], record["earlier"], record["before"], record["line"], record["selection"],
        tuple(tuple(group) for group in record["must"]), tuple(record["must_not"]), record["most_sentences"],
        record["cites_earlier"],
    )  # fmt: skip


def shelve_case(library: Library, case: Case) -> tuple[WorkId, Locator]:
    """Shelve the work of a case, read up to the end of its line; return it and the selection."""
    chapters: list[Sequence[str]] = [[case.earlier]] if case.earlier else []
    sha256 = f"{abs(hash(case.name)):x}".rjust(64, "0")[-64:]
    work = shelve_story(library, *chapters, [case.before, case.line, AHEAD[case.language]], language=case.language,
                        sha256=sha256)  # fmt: skip
    know(library, work, *map(named, _NAMES[case.language]))
    index_all(library, work)
    document, start = place_of(library, work, case.line)
    library.set_frontier(work, document, start + len(case.line))
    at = start + case.line.index(case.selection)
    return work, Locator(document, at, at + len(case.selection))


def faults(case: Case, text: str, cited: Sequence[str] = ()) -> list[str]:
    """Return what is wrong with an explanation.

    Args:
        case: Of which passage.
        text: What was shown.
        cited: Where its citations stand, in words.
    """
    folded = text.casefold()
    missing = [" / ".join(group) for group in case.must if not any(word.casefold() in folded for word in group)]
    said = [word for word in case.must_not if word.casefold() in folded]
    sentences = [each for each in cut_sentences(text) if each.strip()]
    found = [f"does not say: {each}" for each in missing] + [f"says: {each}" for each in said]
    if len(sentences) > case.most_sentences + 1:  # the plain line comes on top
        found.append(f"{len(sentences)} sentences, {case.most_sentences + 1} are the most")
    if case.cites_earlier and not cited:
        found.append("cites nothing")
    return found
