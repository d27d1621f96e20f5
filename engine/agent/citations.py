"""What an answer may say: only what it can show.

A citation counts when a tool returned that very place in this turn and it lies before the
boundary. A sentence about the book that has none is veiled; so is one that names what the
boundary hides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.agent.claims import Claims, says_nothing_was_found
from engine.config import SpoilerMode
from engine.domain.chat import Citation
from engine.domain.locator import Locator, Pos, locator_from_text
from engine.text.sanitize import sanitize
from engine.translate import _

_NUMBERED = re.compile(r"\ue000(\d+)\ue001")
"""How a number of ours stands in a judged sentence until it is drawn; a model cannot write that."""
_PRIVATE = re.compile(r"[\ue000\ue001]")
_OWN_NUMBER = re.compile(r"\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|\^?\d{1,3}")
_BRACKETS = re.compile(r"[ \t]*\[([^\[\]\n]{1,80})\](?!\()")
_PLAIN = r"f\d{1,18}-\d{1,12}-\d{1,12}"
_LOOSE = re.compile(rf"[【［(（]\s*(\[?{_PLAIN}(?:[\]\[;,，、\s]+{_PLAIN})*\]?)\s*[】］)）]")
"""A citation in the brackets some models write."""
_PARAGRAPH = re.compile(r"\n\s*\n\s*$")


@dataclass(frozen=True, slots=True)
class Place:
    """A passage a tool has returned in this turn."""

    locator: Locator
    pos: Pos
    pos_end: Pos
    where: str
    quote: str
    is_elsewhere: bool = False
    """In another work, whose own boundary was kept when it was returned."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence as it may be shown."""

    text: str
    """Empty for a veiled one; its numbers are not drawn yet, see `drawn` and `renumbered`."""
    veiled_chars: int = 0
    """How long it is; 0 for a sentence that is shown."""
    is_unproven: bool = False
    """About the book and without a citation, shown because spoilers are off."""


@dataclass(slots=True)
class Judge:
    """Judges the sentences of one answer, in their order.

    Attributes:
        mode: off marks what it cannot show, the others veil it.
        boundary: What ends at or before this pos may be cited.
        is_about_book: Says whether words hold a name, place or term of the work, known to the reader or not.
        is_hidden: Says whether words name what the boundary hides.
        given: Words the reader has before her eyes, which may be quoted without a citation.
        asked: Her question; that its answer lies ahead may be said in its words without a citation.
    """

    mode: SpoilerMode
    boundary: Pos
    is_about_book: Callable[[str], bool]
    is_hidden: Callable[[str], bool]
    given: str = ""
    asked: str = ""
    _places: dict[int, list[Place]] = field(default_factory=dict)
    _numbers: dict[Locator, int] = field(default_factory=dict)
    _goes_on: bool = False
    """The sentence before, in the same paragraph, was about the book."""
    citations: list[Citation] = field(default_factory=list)
    _claims: Claims = field(init=False)

    def __post_init__(self) -> None:
        self._claims = Claims(self.is_about_book, self.given, self.asked)

    def hear(self, material: str) -> None:
        """Take what was looked up: a sentence made of its words is about the book."""
        self._claims.hear(material)

    def allow(self, place: Place) -> None:
        """Let the answer cite a place a tool has returned."""
        self._places.setdefault(place.locator.document, []).append(place)

    def know(self, citations: Sequence[Citation]) -> None:
        """Take over the citations of what was said before the turn waited."""
        self.citations = list(citations)
        self._numbers = {citation.locator: citation.number for citation in citations}

    def begin_paragraph(self) -> None:
        """Take the next sentence for the first of a paragraph."""
        self._goes_on = False

    def judge(self, sentence: str, *, is_given: bool = False) -> tuple[Judged, tuple[Citation, ...]]:
        """Return a sentence as it may be shown, and the citations it is the first to use.

        Args:
            sentence: With the citations behind it.
            is_given: It needs none: it says again what the reader has before her eyes. What is hidden stays hidden.
        """
        before = len(self.citations)
        sentence = _LOOSE.sub(_in_brackets, _PRIVATE.sub("", sentence))
        bare = _BRACKETS.sub("", sentence)
        numbers: list[int] = []
        words = _BRACKETS.sub(lambda match: self._numbered(match, numbers), sentence)
        shown = sanitize(words)
        is_last = bool(_PARAGRAPH.search(sentence))
        is_about = bool(numbers) or self._claims_something(bare)
        self._goes_on = is_about and not is_last
        text = self._as_may_be(shown, is_about=is_about, is_proven=is_given or bool(numbers))
        if text.veiled_chars and says_nothing_was_found(bare):
            text = Judged(_("This is not told so far.") + shown[len(shown.rstrip()) :])
        if not _NUMBERED.search(text.text):
            del self.citations[before:]
            self._numbers = {at: number for at, number in self._numbers.items() if number <= before}
        return text, tuple(self.citations[before:])

    def _claims_something(self, bare: str) -> bool:
        """Say whether a sentence without a citation claims something of the book."""
        claims = self._claims
        if claims.tells_no_more_than_asked(bare):
            return False
        if claims.names_the_book(bare):
            return True
        return not says_nothing_was_found(bare) and (self._goes_on or claims.speaks_of_it(bare))

    def _as_may_be(self, shown: str, *, is_about: bool, is_proven: bool) -> Judged:
        is_open = self.mode is SpoilerMode.OFF
        is_hidden = not is_open and self.is_hidden(shown)
        if not shown.strip() or not (is_hidden or (is_about and not is_proven)):
            return Judged(shown)
        if is_open:
            return Judged(shown, is_unproven=True)
        return Judged("", veiled_chars=max(1, len(shown.strip())))

    def _numbered(self, match: re.Match[str], numbers: list[int]) -> str:
        """Return the number of a citation in brackets; nothing for one that proves nothing."""
        cited = [locator_from_text(part) for part in re.split(r"[;,，、\s]+", match[1]) if part]
        if not any(cited) and not match[1].lstrip().startswith(("f", "w", "p")):
            # What a model numbers by itself would look proven; other brackets are of the prose.
            return "" if _OWN_NUMBER.fullmatch(match[1].strip()) else match[0]
        kept = [self._number_of(locator) for locator in cited if locator is not None]
        found = [number for number in kept if number is not None]
        numbers += found
        return "".join(f" \ue000{number}\ue001" for number in dict.fromkeys(found))

    def _number_of(self, locator: Locator) -> int | None:
        for place in self._places.get(locator.document, []):
            is_inside = place.locator.start <= locator.start and locator.end <= place.locator.end
            if is_inside and (place.is_elsewhere or place.pos_end <= self.boundary):
                break
        else:
            return None
        number = self._numbers.get(place.locator)
        if number is None:
            number = self._numbers[place.locator] = len(self.citations) + 1
            self.citations.append(Citation(number, place.locator, place.where, place.quote))
        return number


def _in_brackets(match: re.Match[str]) -> str:
    return f"[{match[1].replace('[', ' ').replace(']', ' ').strip()}]"


def drawn(text: str) -> str:
    """Return judged text with its numbers as they are read."""
    return _NUMBERED.sub(r"[\1]", text)


def renumbered(text: str, citations: Sequence[Citation]) -> tuple[str, tuple[Citation, ...]]:
    """Return a judged text with its numbers drawn anew in their order, and the citations that stand in it."""
    by_number = {citation.number: citation for citation in citations}
    used = [int(number) for number in dict.fromkeys(_NUMBERED.findall(text))]
    new = {old: number for number, old in enumerate(used, 1)}
    shown = _NUMBERED.sub(lambda match: f"[{new[int(match[1])]}]", text)
    return shown, tuple(replace(by_number[old], number=number) for old, number in new.items())
