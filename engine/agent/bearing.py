"""How much of the text is shown of a cited place, so that what is shown bears what is said.

A passage ends where it was cut, and the name or the number a sentence tells may stand just before
or behind it. What is shown is whole sentences, the paragraph of a short place, and as many
sentences beside it as hold what is missing: never beyond the boundary, and no more than a preview
has room for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.agent.claims import telling_grams
from engine.agent.sentences import cut_sentences
from engine.domain.locator import Locator
from engine.text.fold import fold_words
from engine.text.grams import grams_of
from engine.text.script import Script, script_of

if TYPE_CHECKING:
    from engine.agent.citations import Place

REACH_CHARS = 1_200
"""So much of the text to each side of a place is looked at."""
_MOST, _MOST_DENSE = 900, 500
"""Characters shown of one place, and of one in a script without spaces between its words."""
_ROOM = 1.4
"""Times as many where what is missing stands beside it."""
_LEAST_GAIN, _FURTHER = 1.0, 3
"""Of what is missing, for each third of what may be shown that stands between: a name far off makes nothing clearer."""
_WORD_GAIN, _PAIR_GAIN = 0.34, 0.2
"""A sentence beside the place is shown for one name or number that is missing, for three words, or five pairs."""
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"[“「『«\"]([^“”「」『』«»\"]{6,})[”」』»\"]")
_OMITTED = re.compile(r"\.{2,}|…+|\[[^\]]*\]|/")
_LEAST_QUOTED, _LEAST_KEPT, _LEAST_TAKEN = 2, 0.6, 0.5
"""A quotation of so many telling grams is a false one when fewer than that share of them stand in what is shown; a
sentence without a place of its own takes over one that holds that share of its words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text around a place that may be shown."""

    text: str
    start: int
    """Offset in its document."""
    notes: tuple[tuple[int, str], ...] = ()
    """(offset in the document, what it says) of each note that hangs in it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a place."""

    locator: Locator
    text: str


@dataclass(frozen=True, slots=True)
class Needs:
    """What a sentence tells that a passage can hold."""

    names: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    """Grams, without the words any sentence has."""

    def __or__(self, other: Needs) -> Needs:
        """Return what either needs."""
        return Needs(self.names | other.names, self.numbers | other.numbers, self.words | other.words)

    def missing_in(self, texts: Iterable[str]) -> Needs:
        """Return what none of some texts holds."""
        joined = "\n".join(texts)
        folded = fold_words(joined)
        return Needs(
            frozenset(name for name in self.names if name not in joined),
            self.numbers - set(_NUMBER.findall(joined)),
            self.words - grams_of(folded),
        )

    @property
    def weight(self) -> float:
        """How much it matters that it is shown."""
        words = sum(_PAIR_GAIN if not word.isascii() else _WORD_GAIN for word in self.words)
        return len(self.names) + len(self.numbers) + words


class Bearing:
    """Shows of each place what bears the sentences that cite it."""

    def __init__(
        self,
        around: Callable[[Place], Stretch],
        names_in: Callable[[str], Sequence[str]],
        *,
        is_checked: bool = True,
    ) -> None:
        """Take how to look.

        Args:
            around: Returns the text around a place, as far as it may be seen.
            names_in: Returns the names of the work in some words.
            is_checked: Whether a sentence has to have something in common with what it cites; what explains
                a passage says what does not stand there.
        """
        self._is_checked = is_checked
        self._around = around
        self._names_in = names_in
        self._stretches: dict[Locator, Stretch] = {}

    def needs(self, sentence: str) -> Needs:
        """Return what a sentence tells, without its citations."""
        return Needs(frozenset(self._names_in(sentence)), frozenset(_NUMBER.findall(sentence)), telling_grams(sentence))

    def shown(self, place: Place, needs: Needs, missing: Needs | None = None) -> Shown:
        """Return what is shown of a place.

        Args:
            place: That is cited.
            needs: What is said of it.
            missing: What nothing else shown for it holds; None to look no further than the paragraph.
        """
        stretch = self._stretches.get(place.locator)
        if stretch is None:
            stretch = self._stretches[place.locator] = self._around(place)
        first, end = place.locator.start - stretch.start, place.locator.end - stretch.start
        if not stretch.text[first:end].strip():
            return Shown(place.locator, "")
        window = _Window(stretch.text, first, end)
        window.take_paragraph()
        window.leave_out(needs)
        if missing is not None:
            window.take_missing(missing)
        start, stop = window.bounds()
        locator = Locator(place.locator.document, stretch.start + start, stretch.start + stop)
        text = stretch.text[start:stop]
        if missing is not None:
            left = missing.missing_in([text])
            hanging = [note for at, note in stretch.notes if locator.start <= at <= locator.end]
            borne = [note for note in hanging if left.weight - left.missing_in([note]).weight >= _LEAST_GAIN]
            text = "\n".join([text, *borne])
        return Shown(locator, text)

    def bears(self, sentence: str, shown: Sequence[str], asked: str = "") -> bool:
        """Say whether what is shown has anything to do with a sentence, and holds what the sentence quotes of it.

        Args:
            sentence: Without its citations.
            shown: Of each place it cites.
            asked: The question, which may be quoted too.
        """
        if not self._is_checked:
            return True
        joined = "\n".join(shown)
        held = grams_of(fold_words(joined)) | telling_grams(asked)
        for part in (part for quoted in _QUOTED.findall(sentence) for part in _OMITTED.split(quoted)):
            grams = telling_grams(part)
            is_quotation = len(grams) >= _LEAST_QUOTED and _is_dense(part) == _is_dense(joined)
            if is_quotation and len(grams & held) < _LEAST_KEPT * len(grams):
                return False
        if _is_dense(sentence) != _is_dense(joined):
            return True  # asked and told in another language than the book's
        needs = self.needs(sentence)
        return not needs.words or needs.missing_in(shown) != needs

    def bears_all(self, sentence: str, shown: Sequence[str]) -> bool:
        """Say whether what is shown holds each name and number of a sentence, and most of its words."""
        needs = self.needs(sentence)
        missing = needs.missing_in(shown)
        is_told = not missing.names and not missing.numbers and bool(needs.words)
        kept = len(needs.words) - len(missing.words)
        return is_told and kept >= _LEAST_TAKEN * len(needs.words) and self.bears(sentence, shown)


class _Window:
    """The sentences of a stretch that are shown: those from `first` to before `end`."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._cuts = [0]
        for sentence in cut_sentences(text):
            self._cuts.append(self._cuts[-1] + len(sentence))
        self._most = _MOST_DENSE if _is_dense(text) else _MOST
        last = end - len(text[start:end]) + len(text[start:end].rstrip())
        begin = last - len(text[start:last].lstrip())
        self.first = max(n for n, cut in enumerate(self._cuts[:-1]) if cut <= begin)
        self.end = min(n for n, cut in enumerate(self._cuts) if cut >= last)

    def _said(self, first: int, end: int) -> str:
        return self._text[self._cuts[first] : self._cuts[end]]

    def _fits(self, first: int, end: int, room: float = 1.0) -> bool:
        return len(self._said(first, end).strip()) <= self._most * room

    def bounds(self) -> tuple[int, int]:
        """Return where what is shown starts and ends in the text, without blanks at its ends."""
        said = self._said(self.first, self.end)
        start = self._cuts[self.first] + len(said) - len(said.lstrip())
        return start, self._cuts[self.first] + len(said.rstrip())

    def take_paragraph(self) -> None:
        """Take the sentences of the same paragraph, as long as there is room: those before a place tell of whom."""
        while (
            self.first and "\n" not in self._said(self.first - 1, self.first) and self._fits(self.first - 1, self.end)
        ):
            self.first -= 1
        last = len(self._cuts) - 1
        while (
            self.end < last and "\n" not in self._said(self.end - 1, self.end) and self._fits(self.first, self.end + 1)
        ):
            self.end += 1

    def leave_out(self, needs: Needs) -> None:
        """Leave out sentences at the ends that hold nothing of what is needed, while there are too many."""
        while self.end - self.first > 1 and not self._fits(self.first, self.end):
            ends = ((self.first, self.first + 1), (self.end - 1, self.end))
            gains = [needs.weight - needs.missing_in([self._said(*each)]).weight for each in ends]
            if min(gains) >= _LEAST_GAIN:
                return
            if gains[0] <= gains[1]:
                self.first += 1
            else:
                self.end -= 1

    def take_missing(self, missing: Needs) -> None:
        """Take the nearest sentences that hold what is missing, as long as there is room."""
        while True:
            found = [each for each in (self._before(missing), self._behind(missing)) if each is not None]
            if not found:
                return
            self.first, self.end = min(found, key=lambda each: len(self._said(*each)))
            missing = missing.missing_in([self._said(self.first, self.end)])

    def _before(self, missing: Needs) -> tuple[int, int] | None:
        for first in range(self.first - 1, -1, -1):
            if not self._fits(first, self.end, _ROOM):
                return None
            if self._is_worth(missing, first, self.first):
                return first, self.end
        return None

    def _behind(self, missing: Needs) -> tuple[int, int] | None:
        for end in range(self.end + 1, len(self._cuts)):
            if not self._fits(self.first, end, _ROOM):
                return None
            if self._is_worth(missing, self.end, end):
                return self.first, end
        return None

    def _is_worth(self, missing: Needs, first: int, end: int) -> bool:
        said = self._said(first, end)
        gain = missing.weight - missing.missing_in([said]).weight
        return gain >= _LEAST_GAIN * max(1.0, _FURTHER * len(said) / self._most)


def _is_dense(text: str) -> bool:
    """Say whether most of a text stands in a script without spaces between its words."""
    letters = [char for char in text if char.isalpha()]
    dense = sum(script_of(char) in (Script.HAN, Script.KANA, Script.HANGUL) for char in letters)
    return dense * 2 > len(letters)
