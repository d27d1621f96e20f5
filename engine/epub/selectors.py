"""Selectors of a stylesheet: an element, classes, an id, and what must stand around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.epub.markup import attribute, local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

_COMPOUND = re.compile(r"(?:([A-Za-z][\w-]*)|\*)?((?:[.#][\w-]+)*)")
_CLASS_OR_ID = re.compile(r"([.#])([\w-]+)")
_COMBINATOR = re.compile(r"\s*(>)\s*|\s+")
_LONGEST = 200
_MOST_AROUND = 4
_DEEPEST = 64
"""Elements looked at around one."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be."""

    element: str = ""
    """Local name in lower case; empty for any."""
    classes: frozenset[str] = frozenset()
    id: str = ""

    def fits(self, element: _Element) -> bool:
        """Say whether an element is that."""
        if self.element and local_name(element) != self.element:
            return False
        if self.classes and not self.classes.issubset((element.get("class") or "").split()):
            return False
        return not self.id or attribute(element, "id") == self.id


@dataclass(frozen=True, slots=True)
class Selector:
    """An element, and what stands around it."""

    subject: Compound
    around: tuple[tuple[bool, Compound], ...] = ()
    """From the inside out: (whether it must be the parent of what is inside, what it is)."""

    @property
    def weight(self) -> tuple[int, int, int]:
        """Ids, classes and elements: of two rules the heavier one wins."""
        parts = (self.subject, *(compound for _is_child, compound in self.around))
        return (
            sum(1 for part in parts if part.id),
            sum(len(part.classes) for part in parts),
            sum(1 for part in parts if part.element),
        )

    def is_around(self, element: _Element) -> bool:
        """Say whether what must stand around an element does."""
        inner: _Element | None = element
        for is_child, compound in self.around:
            outer = inner.getparent() if inner is not None else None
            for _each in range(_DEEPEST):
                if outer is None or is_child or compound.fits(outer):
                    break
                outer = outer.getparent()
            if outer is None or not compound.fits(outer):
                return False
            inner = outer
        return True


def parse_selector(text: str) -> Selector | None:
    """Read a selector; None for one that asks for anything else, such as a state or a neighbour."""
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    parts: list[tuple[bool, Compound]] = []
    is_child = False
    at = 0
    while True:
        match = _COMPOUND.match(text, at)
        if match is None or (match.end() == at and text[at : at + 1] != "*"):
            return None
        parts.append((is_child, _compound(match)))
        at = match.end()
        if at == len(text):
            break
        combinator = _COMBINATOR.match(text, at)
        if combinator is None or len(parts) > _MOST_AROUND:
            return None
        is_child, at = combinator[1] is not None, combinator.end()
    around = tuple((parts[n + 1][0], parts[n][1]) for n in range(len(parts) - 2, -1, -1))
    return Selector(parts[-1][1], around)


def _compound(match: re.Match[str]) -> Compound:
    named = _CLASS_OR_ID.findall(match[2])
    ids = [name for sign, name in named if sign == "#"]
    return Compound(
        (match[1] or "").lower(), frozenset(name for sign, name in named if sign == "."), ids[0] if ids else ""
    )
