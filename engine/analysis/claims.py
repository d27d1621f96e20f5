"""What a statement names, counts and says in telling words, and the paragraphs besides its own that bear it out.

A writer cites the paragraph that carries a fact; who "she" is, how many there were and which day it was often stand one
paragraph before, or where they were told first. Whoever checks a sentence is shown its passages only, so the program
cites that one as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from engine.analysis.content import numbers
from engine.analysis.evidence import Desk
from engine.analysis.rarity import find_word
from engine.domain.statements import NewStatement, Quote, Role
from engine.store.blocks import PlacedBlock
from engine.text.fold import fold
from engine.text.names import name_spans

_QUOTE_CHARS = 40
_MOST_ADDED = 2
_REACH_BACK = 400
"""Paragraphs before its own in which what stands next to none of them is looked for: a few chapters."""
_COUNTED = re.compile(
    "第[零一二三四五六七八九十百千万两〇兩萬]+[^\\W\\d_]|[二三四五六七八九十百千两兩]+"
    "[份道层層盏盞声聲条條件间間处處句封卷桩场場棵块塊尺寸步双雙艘座根页頁本行字笔筆家户戶遍架柜格排段支号號趟位種枚冊番目]"
)
"""What is counted or stands in a row, in Han characters."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Completed:
    """A statement with all that bears it out, as far as its names, numbers and telling words lead there."""

    statement: NewStatement
    unnamed: tuple[str, ...] = ()
    """Names and telling words it shows that stand in none of its passages, names under no form of theirs."""


class _Kind(IntEnum):
    """What a part of a statement is; what weighs less comes first."""

    WORD = 0
    NUMBER = 1
    NAME = 2


@dataclass(frozen=True, slots=True)
class _Part:
    """A name, a number or a telling word a statement shows."""

    shown: str
    find: Callable[[str], int | None]
    """Returns where it stands in a text, None where it does not."""
    kind: _Kind


def plain_text(statement: NewStatement) -> str:
    """Return a statement's words in one line, the tabs of cells and events as separators."""
    return " · ".join(part for part in statement.text.split("\t") if part.strip())


def claim_of(statement: NewStatement) -> str:
    """Return what a statement says of the story, without how it is known."""
    if statement.role in (Role.FACT, Role.KNOWLEDGE):
        return statement.text.rpartition("\t")[2]
    return plain_text(statement)


def complete(desk: Desk, statement: NewStatement, subject: str = "") -> Completed:
    """Return a statement that also cites the paragraphs that hold what its own lack of it.

    First the two before and behind each of its own are looked through: what holds more of what is missing is taken,
    names and numbers before words, of two alike the one that comes before. What stands in none of them is taken from
    the nearest paragraph further back that holds it beside another part of the statement. Nothing is cited that would
    have the statement shown later, and two paragraphs at most.

    Args:
        desk: The text.
        statement: Any; one without evidence comes back as it is.
        subject: Whom it is about, where its words do not say so.
    """
    found = [evidence for quote in statement.quotes if (evidence := desk.find(quote)) is not None]
    if not found:
        return Completed(statement)
    passages = [desk.block_text(each) for each in found]
    parts = _parts(desk, statement, subject)
    missing = [part for part in parts if not any(_stands(part, text) for text in passages)]
    # The end of its own passages, and where what it shows is known: it is not shown before these anyway.
    last = max(*(each.pos_end for each in found), desk.told_from(statement))
    near = [block for block in desk.next_to(found) if block.block.pos_end <= last] if missing else []
    added: list[Quote] = []
    while missing and len(added) < _MOST_ADDED:
        block, held = _best(near, missing)
        if block is None:
            block, held = _further(desk.before(max(each.pos for each in found), _REACH_BACK), missing, parts)
        if block is None:
            break
        added.append(_quote(block, held[0]))
        missing = [part for part in missing if part not in held]
    unnamed = tuple(part.shown for part in missing if part.kind is not _Kind.NUMBER)
    return Completed(replace(statement, quotes=(*statement.quotes, *added)) if added else statement, unnamed)


def opening_of(block: PlacedBlock) -> Quote:
    """Return the first words of a paragraph as what a statement cites it by."""
    return Quote(block.document, block.start, block.block.text[:_QUOTE_CHARS].rstrip())


def _parts(desk: Desk, statement: NewStatement, subject: str) -> list[_Part]:
    claim = claim_of(statement)
    parts = {
        forms: _Part(shown, lambda text, forms=forms: _first_name(text, forms), _Kind.NAME)  # type: ignore[misc]
        for shown, forms in desk.names_in(f"{subject}\n{claim}")
    }
    said = desk.without_names(claim)
    counted = numbers(said) - desk.numbers_in_names
    # A name that begins with a small letter describes: "rule ninety-one" counts, and "the key" says what it is.
    described = numbers(desk.without_names(f"{subject}\n{claim}", proper_only=True)) - counted
    # The label of a cell is the writer's own word.
    value = claim.partition(" · ")[2] if statement.role is Role.CELL else claim
    told = desk.without_names(value, proper_only=True)
    words = desk.telling_words(told) | {word: word for word in _counted(told)}
    return [
        *parts.values(),
        *(_Part(n, lambda text, n=n: _first_number(text, n), _Kind.NUMBER) for n in sorted(counted)),  # type: ignore[misc]
        *(_Part(n, lambda text, n=n: _first_number(text, n), _Kind.WORD) for n in sorted(described)),  # type: ignore[misc]
        *(_Part(said, lambda text, w=w: find_word(w, text), _Kind.WORD) for w, said in words.items()),  # type: ignore[misc]
    ]


def _counted(text: str) -> list[str]:
    """Return what a Chinese or Japanese sentence counts with a word of measure, as far as it is no number by itself."""
    return [found for found in _COUNTED.findall(fold(text).text) if not numbers(found)]


def _stands(part: _Part, text: str) -> bool:
    return part.find(text) is not None


def _best(near: Sequence[PlacedBlock], missing: Sequence[_Part]) -> tuple[PlacedBlock | None, list[_Part]]:
    """Return the block that holds most of what is missing, the weightiest first, with what it holds."""
    best: PlacedBlock | None = None
    most: list[_Part] = []
    for block in near:
        held = [part for part in missing if _stands(part, block.block.text)]
        if _weight(held) > _weight(most):
            best, most = block, held
    return best, most


def _weight(held: Sequence[_Part]) -> tuple[int, int]:
    words = sum(part.kind is _Kind.WORD for part in held)
    return len(held) - words, words


def _further(
    before: Iterable[PlacedBlock], missing: Sequence[_Part], parts: Sequence[_Part]
) -> tuple[PlacedBlock | None, list[_Part]]:
    """Return the first of some blocks that holds something missing beside something else a statement shows.

    Names stand everywhere: beside a word there must be another word or number, or two names.
    """
    for block in before:
        held = [part for part in missing if _stands(part, block.block.text)]
        if held:
            beside = [
                part
                for part in parts
                if not (part.shown in held[0].shown or held[0].shown in part.shown) and _stands(part, block.block.text)
            ]
            is_alone = len(beside) < 2 and all(part.kind is _Kind.NAME for part in beside)
            if beside and (held[0].kind is _Kind.NAME or not is_alone):
                return block, held
    return None, []


def _first_name(text: str, forms: frozenset[str]) -> int | None:
    """Return where a name stands first, on a stone or in a telegram in capitals."""
    forms |= {form.upper() for form in forms}
    starts = [span[0] for form in forms if (span := next(name_spans(text, form), None)) is not None]
    return min(starts, default=None)


def _first_number(text: str, number: str) -> int | None:
    if number not in numbers(text):
        return None
    words = (match for match in _WORD.finditer(text) if number in numbers(match[0]))
    return next((match.start() for match in words), 0)


def _quote(block: PlacedBlock, part: _Part) -> Quote:
    text = block.block.text
    at = part.find(text) or 0
    return Quote(block.document, block.start, text[at : at + _QUOTE_CHARS].rstrip())
