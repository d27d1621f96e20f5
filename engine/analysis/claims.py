"""What a statement names and counts, and the paragraphs next to its own that bear it out.

A writer cites the paragraph that carries a fact; who "she" is and how many there were often stand one paragraph before.
Whoever checks a sentence is shown its passages only, so the program cites that one as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.analysis.content import numbers
from engine.analysis.evidence import Desk
from engine.domain.statements import NewStatement, Quote, Role
from engine.store.blocks import PlacedBlock
from engine.text.names import name_spans

_QUOTE_CHARS = 40
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Completed:
    """A statement with all that bears it out, as far as it stands next to what its writer cited."""

    statement: NewStatement
    unnamed: tuple[str, ...] = ()
    """Names it shows that stand neither in its passages nor next to them, under no form of theirs."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A name or a number a statement shows."""

    shown: str
    find: Callable[[str], int | None]
    """Returns where it stands in a text, None where it does not."""
    is_name: bool


def plain_text(statement: NewStatement) -> str:
    """Return a statement's words in one line, the tabs of cells and events as separators."""
    return " · ".join(part for part in statement.text.split("\t") if part.strip())


def claim_of(statement: NewStatement) -> str:
    """Return what a statement says of the story, without how it is known."""
    if statement.role in (Role.FACT, Role.KNOWLEDGE):
        return statement.text.rpartition("\t")[2]
    return plain_text(statement)


def complete(desk: Desk, statement: NewStatement, subject: str = "") -> Completed:
    """Return a statement that also cites the paragraphs next to its own that hold what these lack of it.

    A paragraph that holds more of what is missing is taken first, of two alike the one that comes before.

    Args:
        desk: The text.
        statement: Any; one without evidence comes back as it is.
        subject: Whom it is about, where its words do not say so.
    """
    found = [evidence for quote in statement.quotes if (evidence := desk.find(quote)) is not None]
    if not found:
        return Completed(statement)
    passages = [desk.block_text(each) for each in found]
    missing = [part for part in _parts(desk, statement, subject) if not any(_stands(part, text) for text in passages)]
    near = desk.next_to(found) if missing else []
    added: list[Quote] = []
    while missing:
        block, held = _best(near, missing)
        if block is None:
            break
        added.append(_quote(block, held[0]))
        missing = [part for part in missing if part not in held]
    unnamed = tuple(part.shown for part in missing if part.is_name)
    return Completed(replace(statement, quotes=(*statement.quotes, *added)) if added else statement, unnamed)


def opening_of(block: PlacedBlock) -> Quote:
    """Return the first words of a paragraph as what a statement cites it by."""
    return Quote(block.document, block.start, block.block.text[:_QUOTE_CHARS].rstrip())


def _parts(desk: Desk, statement: NewStatement, subject: str) -> list[_Part]:
    claim = claim_of(statement)
    parts = {
        forms: _Part(shown, lambda text, forms=forms: _first_name(text, forms), is_name=True)  # type: ignore[misc]
        for shown, forms in desk.names_in(f"{subject}\n{claim}")
    }
    counted = numbers(desk.without_names(claim)) - desk.numbers_in_names
    return [
        *parts.values(),
        *(_Part(n, lambda text, n=n: _first_number(text, n), is_name=False) for n in sorted(counted)),  # type: ignore[misc]
    ]


def _stands(part: _Part, text: str) -> bool:
    return part.find(text) is not None


def _best(near: Sequence[PlacedBlock], missing: Sequence[_Part]) -> tuple[PlacedBlock | None, list[_Part]]:
    best: PlacedBlock | None = None
    most: list[_Part] = []
    for block in near:
        held = [part for part in missing if _stands(part, block.block.text)]
        if len(held) > len(most):
            best, most = block, held
    return best, most


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
