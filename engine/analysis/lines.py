"""Read a model's lines: one statement a line, told apart by its first character.

The format is told in `prompts/read.md`. It costs half the tokens of JSON, and a line that is broken or cut off costs
nothing but itself. What is not understood is counted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from engine.analysis.proposals import (
    Basis,
    Cited,
    FactStatus,
    LearnedHow,
    Proposals,
    Said,
    SaidEvent,
    SaidFact,
    SaidIdentity,
    SaidLearning,
    SaidOfChapter,
    SaidPoint,
    SaidQuestion,
    SaidRelation,
    Sureness,
)
from engine.domain.knowledge import PointKind
from engine.text.sanitize import sanitize

_E = TypeVar("_E", bound=StrEnum)

MOST_CHARS = 200_000
"""Of a reply; the rest is not looked at."""
_LONGEST_LINE = 2_000
_LONGEST_TEXT = 600
_LONGEST_NAME = 80
_CITED = re.compile(r"\s*[\[［【]\s*[¶#]?(\d{1,4})\s*[|｜:：]\s*([^\n]*?)\s*[\]］】]\s*[.。]?\s*$")
_KEY = r"[kp]\d{1,5}"
_KEYS = rf"{_KEY}(?:\s*[,，、]\s*{_KEY})*"
_KINDS = "|".join(PointKind)
_POINT = re.compile(rf"({_KEY})(?:\s+({_KINDS}|none))?(?:\s+([1-5])(?=\s|$))?\s*(.*)", re.IGNORECASE)
_RELATION = re.compile(rf"({_KEY})\s*[:：|｜]?\s+(.+)")
_EVENT = re.compile(rf"({_KEYS}|-)?\s*[|｜]([^|｜]*)[|｜]([^|｜]*)[|｜](.+)")
_IDENTITY = re.compile(rf"({_KEY})\s*[,=]?\s*({_KEY})(?:\s+(\w+))?")
_QUESTION = re.compile(r"(q\d{1,4})\s*[:：|｜]?\s*(.+)")
_FACT = re.compile(rf"(f\d{{1,4}})\s+(\w+)(?:\s+(?:hidden\s+from\s+)?({_KEYS}|-))?\s*[|｜:：]?\s*(.+)", re.IGNORECASE)
_LEARNED = re.compile(rf"(f\d{{1,4}})\s+({_KEYS})\s+(\w+)(?:\s+(\w+))?")
_CHAPTER = re.compile(r"(\d{1,4})\s*[:：|｜.]?\s*(.+)")


def parse_reading(reply: str) -> Proposals:
    """Take a reader's reply apart. Never raises; what is not understood is counted in `strays`."""
    found = Proposals()
    for raw in sanitize(reply[:MOST_CHARS]).split("\n"):
        line = raw.strip().strip("`").strip()
        if not line or raw.strip().startswith("```"):
            continue
        take = _TAKES.get(line[0])
        if take is not None and len(line) <= _LONGEST_LINE and take(found, line[1:].strip()):
            found.lines += 1
        else:
            found.strays += 1
    return found


def split_cited(text: str) -> tuple[str, tuple[Cited, ...]]:
    """Return a line's words, and the evidence at its end."""
    cited: list[Cited] = []
    while (match := _CITED.search(text)) is not None:
        start = _last_bracket(text, match.start(), match.end())
        inner = _CITED.match(text, start)
        match = inner or match
        cited.append(Cited(int(match[1]), match[2].strip().strip("\"“”「」'‘’")))
        text = text[: match.start()]
    return text.strip(), tuple(reversed(cited))


def _last_bracket(text: str, start: int, end: int) -> int:
    """Return where the last piece of evidence begins: the search found the first of several."""
    for at in range(end - 1, start, -1):
        if text[at] in "[［【" and _CITED.match(text, at):
            return at
    return start


def keys_in(text: str) -> tuple[str, ...]:
    """Return the keys of a list such as "k1,p2", each once."""
    return tuple(dict.fromkeys(re.findall(_KEY, text or "")))


def _said(text: str, cited: tuple[Cited, ...]) -> Said:
    return Said(text.strip()[:_LONGEST_TEXT], cited)


def _take_point(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _POINT.fullmatch(words)
    if match is None:
        return False
    kind = match[2].lower() if match[2] else ""
    is_nothing = kind == "none"
    known = PointKind(kind) if kind and not is_nothing else None
    name = match[4].strip()[:_LONGEST_NAME]
    found.points.append(SaidPoint(match[1].lower(), known, int(match[3] or 0), name, cited, is_nothing))
    return True


def _take_form(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    if not found.points or not words or len(words) > _LONGEST_NAME:
        return False
    found.points[-1].forms.append(_said(words, cited))
    return True


def _take_note(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    if not found.points or not words:
        return False
    found.points[-1].notes.append(_said(words, cited))
    return True


def _take_relation(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _RELATION.fullmatch(words)
    if not found.points or match is None:
        return False
    found.points[-1].relations.append(SaidRelation(match[1].lower(), _said(match[2], cited)))
    return True


def _take_event(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _EVENT.fullmatch(words)
    if match is None:
        return False
    when, where = match[2].strip(" -")[:_LONGEST_NAME], match[3].strip(" -")[:_LONGEST_NAME]
    found.events.append(SaidEvent(keys_in(match[1]), when, where, _said(match[4], cited)))
    return True


def _take_identity(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _IDENTITY.match(words)
    if match is None or match[1] == match[2]:
        return False
    basis = _one_of(Basis, match[3] or "", Basis.INFERENCE)
    found.identities.append(SaidIdentity(match[1].lower(), match[2].lower(), basis, cited))
    return True


def _take_question(found: Proposals, line: str, *, is_answer: bool = False) -> bool:
    words, cited = split_cited(line)
    match = _QUESTION.fullmatch(words)
    if match is None:
        return False
    found.questions.append(SaidQuestion(match[1], is_answer, _said(match[2], cited)))
    return True


def _take_answer(found: Proposals, line: str) -> bool:
    return _take_question(found, line, is_answer=True)


def _take_fact(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _FACT.fullmatch(words)
    if match is None:
        return False
    status = _one_of(FactStatus, match[2], FactStatus.CLAIMED)
    found.facts.append(SaidFact(match[1], status, keys_in(match[3]), _said(match[4], cited)))
    return True


def _take_learning(found: Proposals, line: str) -> bool:
    words, cited = split_cited(line)
    match = _LEARNED.match(words)
    if match is None:
        return False
    how = _one_of(LearnedHow, match[3], LearnedHow.UNKNOWN)
    sure = _one_of(Sureness, match[4] or "", Sureness.SUSPECT)
    found.learnings.append(SaidLearning(match[1], keys_in(match[2]), how, sure, cited))
    return True


def _take_recap(found: Proposals, line: str, *, is_teaser: bool = False) -> bool:
    words, cited = split_cited(line)
    match = _CHAPTER.fullmatch(words)
    if match is None:
        return False
    found.chapters.append(SaidOfChapter(int(match[1]), is_teaser, _said(match[2], cited)))
    return True


def _take_teaser(found: Proposals, line: str) -> bool:
    return _take_recap(found, line, is_teaser=True)


def _take_gist(found: Proposals, line: str) -> bool:
    found.gist = f"{found.gist}\n{line}".strip()
    return True


def _one_of(kind: type[_E], word: str, otherwise: _E) -> _E:
    try:
        return kind(word.lower())
    except ValueError:
        return otherwise


_TAKES: dict[str, Callable[[Proposals, str], bool]] = {
    "#": _take_point,
    "=": _take_form,
    "-": _take_note,
    ">": _take_relation,
    "*": _take_event,
    "&": _take_identity,
    "?": _take_question,
    "!": _take_answer,
    "$": _take_fact,
    "%": _take_learning,
    "@": _take_recap,
    "~": _take_teaser,
    "^": _take_gist,
}
