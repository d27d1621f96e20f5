"""What an answer may say: only what it can show.

A citation counts when a tool returned that very place in this turn and it lies before the
boundary. A sentence about the book that has none is veiled; so is one that names what the
boundary hides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.agent.bearing import Bearing, Needs
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
_QUOTE_CHARS = 48


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
        bearing: Shows of a cited place what bears the sentence; None to show it as it was returned.
        has_more: The work goes on beyond the boundary; else a sentence may take over the citations beside it.
    """

    mode: SpoilerMode
    boundary: Pos
    is_about_book: Callable[[str], bool]
    is_hidden: Callable[[str], bool]
    given: str = ""
    asked: str = ""
    bearing: Bearing | None = None
    has_more: bool = True
    _places: dict[int, list[Place]] = field(default_factory=dict)
    _numbers: dict[Locator, int] = field(default_factory=dict)
    _cited: dict[int, tuple[Place, Needs]] = field(default_factory=dict)
    """By number: the place as it was returned, and what is said of it."""
    _beside: tuple[int, ...] = ()
    """Numbers of the last sentence of this paragraph that had any."""
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
        self._beside = ()

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
        is_about = bool(numbers) or self._claims_something(bare)
        is_proven = is_given or (bool(numbers) and self._is_borne(bare, numbers))
        if is_about and not is_proven and not numbers:
            shown, is_proven = self.taking_over(shown, self._beside)
        self._goes_on = is_about
        self._beside = tuple(numbers) or self._beside
        text = self._as_may_be(shown, is_about=is_about, is_proven=is_proven)
        if text.veiled_chars and says_nothing_was_found(bare):
            text = Judged(_("This is not told so far.") + (shown[len(shown.rstrip()) :] or " "))
        if _PARAGRAPH.search(sentence):
            self.begin_paragraph()
        if numbers and not _NUMBERED.search(text.text):
            del self.citations[before:]
            self._numbers = {at: number for at, number in self._numbers.items() if number <= before}
            self._beside = ()
        return text, tuple(self.citations[before:])

    def may_take_over(self, judged: Judged) -> bool:
        """Say whether a sentence that is veiled may be shown with the citations of the one that follows it."""
        return bool(judged.veiled_chars) and self._goes_on and self.bearing is not None and not self.has_more

    def taking_over(self, shown: str, numbers: Sequence[int] | None = None) -> tuple[str, bool]:
        """Return a sentence without a place with those of the sentence beside it, if what they show holds all it says.

        Only where nothing lies ahead: there a sentence from memory might tell what is to come.

        Args:
            shown: The sentence.
            numbers: Of the citations; None for those of the last sentence.

        Returns:
            (the sentence, whether it has them).
        """
        numbers = self._beside if numbers is None else numbers
        if self.bearing is None or self.has_more or not numbers:
            return shown, False
        shown = sanitize(_BRACKETS.sub("", _PRIVATE.sub("", shown)))
        bare = shown.strip()
        texts = self._widened(bare, numbers)
        if not self.bearing.bears_all(bare, texts):
            return shown, False
        marks = "".join(f" \ue000{number}\ue001" for number in dict.fromkeys(numbers))
        return f"{shown.rstrip()}{marks}{shown[len(shown.rstrip()) :] or ' '}", True

    def _is_borne(self, bare: str, numbers: Sequence[int]) -> bool:
        """Show of each cited place what bears a sentence; say whether it does."""
        if self.bearing is None:
            return True
        texts = self._widened(bare, numbers)
        return not any(texts) or self.bearing.bears(bare, texts, f"{self.asked}\n{self.given}")

    def _widened(self, bare: str, numbers: Sequence[int]) -> list[str]:
        """Return what is shown of some places once they bear a sentence too, and keep it."""
        assert self.bearing is not None
        needs = self.bearing.needs(bare)
        cited = [number for number in dict.fromkeys(numbers) if number in self._cited]
        for number in cited:
            place, before = self._cited[number]
            self._cited[number] = (place, before | needs)
        missing = needs.missing_in(self.bearing.shown(*self._cited[number]).text for number in cited)
        texts = []
        for number in cited:
            place, all_ = self._cited[number]
            known = self.citations[number - 1]
            wanted = missing | all_.missing_in([self.bearing.shown(place, all_).text]) if known.text else missing
            found = self.bearing.shown(place, all_, wanted)
            if found.text:
                begins = " ".join(found.text.split())[:_QUOTE_CHARS]
                self.citations[number - 1] = replace(
                    known, locator=found.locator, quote=begins, text=" ".join(found.text.split())
                )
                texts.append(found.text)
        return texts

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
        around = [
            place
            for place in self._places.get(locator.document, [])
            if place.locator.start <= locator.start
            and locator.end <= place.locator.end
            and (place.is_elsewhere or place.pos_end <= self.boundary)
        ]
        if not around:
            return None
        # A chapter read after a search has the same words within more of them.
        place = min(around, key=lambda each: each.locator.end - each.locator.start)
        number = self._numbers.get(place.locator)
        if number is None:
            number = self._numbers[place.locator] = len(self.citations) + 1
            self._cited[number] = (place, Needs())
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
