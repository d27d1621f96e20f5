"""What a statement rests on, and from where on it may be shown.

The writer of a statement is not trusted: the program finds the quotation, and computes the
unlock from everything the words give away. A writer can delay a statement, not hasten it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import groupby, islice

from engine.analysis.common_words import speaks_of_absence
from engine.analysis.content import content_words, is_negated, numbers
from engine.analysis.rarity import Rarity
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Pos
from engine.domain.statements import NewStatement, Quote, QuoteHow, Role, Verdict
from engine.domain.wiki import PointId
from engine.spoilers.policy import END
from engine.store import points
from engine.store.blocks import PlacedBlock, blocks_of_work
from engine.store.connection import Connection
from engine.store.wiki import FoundEvidence
from engine.text.fold import fold
from engine.text.names import name_spans
from engine.text.normalize import nfc

_REACH = 2
"""Paragraphs before and behind the one named in which a quotation is still looked for."""
_FUZZY_RATIO = 90.0
_FUZZY_LETTERS = 6
"""Fewer letters are alike by chance."""
_LEAST_LETTERS = 2
_COPY_RATIO = 90.0
_CLAIMS_MORE = frozenset({Role.CELL, Role.HEADING, Role.RELATION, Role.KNOWLEDGE, Role.GROUP})
"""What says more than its words do, of whom or that somebody knows it: a copy of the evidence is no proof."""
_COPY_LETTERS = 8
_QUOTE_CHARS = 40
_EDGE = 4
"""Characters around what was copied that are looked at too, for a word cut in two."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of a point and where it is known."""

    form: str
    point: PointId
    known_pos: Pos


class Desk:
    """A work's text and names, at hand for judging statements; made once, used for many."""

    def __init__(
        self, placed: Sequence[PlacedBlock], names: Iterable[KnownName], met: Mapping[PointId, Pos], analysed_end: Pos
    ) -> None:
        """Take what is known.

        Args:
            placed: Blocks of the work, in order.
            names: Every name of the roster.
            met: Where each point of the roster is met.
            analysed_end: End of the text the roster was made from.
        """
        self._placed = placed
        self._by_document = {
            document: list(group) for document, group in groupby(placed, key=lambda each: each.document)
        }
        self._names = sorted(names, key=lambda name: -len(name.form))
        self._met = met
        self._numbers: frozenset[str] | None = None
        self._forms: dict[PointId, frozenset[str]] | None = None
        self.analysed_end = analysed_end
        self._rarity = Rarity([each.block for each in placed])

    # Evidence

    def renamed(self, names: Iterable[KnownName], met: Mapping[PointId, Pos]) -> Desk:
        """Return a desk with the same text and other names."""
        other = copy(self)
        other._names = sorted(names, key=lambda name: -len(name.form))
        other._met = met
        other._numbers = None
        other._forms = None
        return other

    def place_of(self, pos: Pos) -> tuple[DocumentId, int]:
        """Return the document offset of a pos; of one between two blocks the end of the first."""
        block = self._placed[max(0, bisect_right(self._placed, pos, key=lambda each: each.block.pos) - 1)]
        return block.document, block.start + min(pos - block.block.pos, len(block.block.text))

    def has(self, document: DocumentId) -> bool:
        """Say whether a document is part of the text."""
        return document in self._by_document

    def at(self, evidence: FoundEvidence) -> FoundEvidence | None:
        """Return evidence with today's pos if its words stand where they are said to, else None."""
        blocks = self._by_document[evidence.document]
        each = blocks[max(0, bisect_right(blocks, evidence.start, key=lambda each: each.start) - 1)]
        start, end = evidence.start - each.start, evidence.end - each.start
        if start < 0 or each.block.text[start:end] != evidence.quote:
            return None
        return _evidence(each, start, end, evidence.how)

    def find(self, quote: Quote) -> FoundEvidence | None:
        """Return where a quotation stands: in the paragraph named or within two of it; None when nowhere."""
        near = self._near(quote.document, quote.near)
        wanted = nfc(quote.exact).strip()
        if sum(char.isalnum() for char in wanted) < _LEAST_LETTERS:
            return None
        for how, look in (
            (QuoteHow.EXACT, _find_exact),
            (QuoteHow.FOLDED, _find_folded),
            (QuoteHow.FUZZY, _find_fuzzy),
        ):
            for each in near:
                span = look(each.block.text, wanted)
                if span is not None:
                    return _evidence(each, *span, how)
        return None

    def _near(self, document: DocumentId, offset: int, reach: int = _REACH) -> list[PlacedBlock]:
        """Return the blocks around an offset, the nearest first."""
        blocks = self._by_document.get(document, [])
        here = max(0, bisect_right(blocks, offset, key=lambda each: each.start) - 1)
        indices = sorted(range(max(0, here - reach), min(len(blocks), here + reach + 1)), key=lambda i: abs(i - here))
        return [blocks[i] for i in indices]

    def next_to(self, found: Sequence[FoundEvidence], reach: int = _REACH) -> list[PlacedBlock]:
        """Return the blocks around some evidence in its own documents, the nearest first, of two alike the earlier."""
        near: dict[Pos, tuple[int, PlacedBlock]] = {}
        own = {each.pos_end for each in found}
        for each in found:
            for distance, block in enumerate(self._near(each.document, each.start, reach)):
                if block.block.pos_end not in own:
                    known = near.get(block.block.pos, (distance, block))
                    near[block.block.pos] = min(known, (distance, block), key=lambda pair: pair[0])
        return [block for _distance, block in sorted(near.values(), key=lambda pair: (pair[0], pair[1].block.pos))]

    def holding(self, folded: str, upto: Pos, most: int) -> Iterator[str]:
        """Yield paragraphs before a pos that hold some folded words, `most` of them at most."""
        found = (
            each.block.text for each in self._placed if each.block.pos < upto and folded in fold(each.block.text).text
        )
        yield from islice(found, most)

    def before(self, upto: Pos, most: int) -> Iterator[PlacedBlock]:
        """Yield the paragraphs of the story that end by a pos, the nearest first, among the `most` before it."""
        end = bisect_right(self._placed, upto, key=lambda each: each.block.pos_end)
        some = reversed(self._placed[max(0, end - most) : end])
        return (each for each in some if each.block.is_story and not each.block.is_heading)

    # Unlock

    def judge(self, statement: NewStatement, evidence: Sequence[FoundEvidence]) -> NewStatement:
        """Return a statement with the verdict the program itself can give: what copies its evidence needs no judge."""
        if statement.verdict is Verdict.SUPPORT:
            return statement
        words = statement.text.rpartition("\t")[2] if statement.role is Role.FACT else statement.text
        may_copy = statement.role not in _CLAIMS_MORE
        is_copy = may_copy and any(_is_near_copy(words, self.block_text(each)) for each in evidence)
        if is_copy and statement.verdict in (Verdict.UNCHECKED, Verdict.NEAR_COPY):
            return replace(statement, verdict=Verdict.NEAR_COPY)
        return replace(statement, verdict=Verdict.UNCHECKED) if statement.verdict is Verdict.NEAR_COPY else statement

    def unlock(
        self,
        statement: NewStatement,
        evidence: Sequence[FoundEvidence],
        *,
        own_pos: Pos = 0,
        analysed_end: Pos | None = None,
    ) -> Pos:
        """Return the pos from which on a statement may be shown.

        The latest of: the end of each block of evidence; where each name it shows is known; where
        each point it is about or links is met; the first occurrence of each rare word; the writer's
        own mark. One that nobody has verified, that has no evidence, or that speaks of absence
        waits for the end of the text that was analysed when it was written.

        Args:
            statement: Judged.
            evidence: What was found of its quotations.
            own_pos: Of `not_before`.
            analysed_end: For a statement written when less was analysed; None for one written now.
        """
        marks = [own_pos, *(each.pos_end for each in evidence)]
        marks += self.name_marks(statement)
        marks += [self._met.get(point, END) for point in _points_of(statement)]
        marks += self._rarity.rare_words(statement.text).values()
        is_verified = statement.verdict in (Verdict.SUPPORT, Verdict.NEAR_COPY)
        if not evidence or not is_verified or speaks_of_absence(statement.text):
            marks.append(self.analysed_end if analysed_end is None else analysed_end)
        return max(marks)

    def words_known_from(self, text: str) -> Pos:
        """Return where the last name and the last rare word of a text are known; 0 for none."""
        return self.told_from(NewStatement(text))

    def told_from(self, statement: NewStatement) -> Pos:
        """Return where the last name and the last rare word a statement shows are known; 0 for none."""
        return max([*self.name_marks(statement), *self._rarity.rare_words(statement.text).values()], default=0)

    def telling_words(self, text: str) -> dict[str, str]:
        """Return the words of a text that few paragraphs of the work have, as it says them, by what to look for."""
        return self._rarity.telling_words(text)

    def first_words(self, pos: Pos) -> Quote | None:
        """Return a quotation of the first paragraph from a pos on, None behind the last."""
        at = bisect_left(self._placed, pos, key=lambda each: each.block.pos)
        for each in self._placed[at:]:
            if any(char.isalnum() for char in each.block.text):
                return Quote(each.document, each.start, each.block.text[:_QUOTE_CHARS].rstrip())
        return None

    def known_from(self, form: str, found: Sequence[FoundEvidence]) -> Pos:
        """Return where a name that a model gives may be known: not before the text itself gives it.

        One whose words do not all stand in its evidence's paragraphs, or in those around them that must then have been
        read too, waits for the end of the text.
        """
        texts = [self.block_text(each) for each in found]
        marks = [each.pos_end for each in found]
        if not any(form in text for text in texts):
            words = content_words(form)
            around = [block.block for each in found for block in self._near(each.document, each.start)]
            if not words or not words <= content_words(" ".join(block.text for block in around)):
                marks.append(self.analysed_end)
            elif not words <= content_words(" ".join(texts)):
                marks += [block.pos_end for block in around]
        marks += self._rarity.rare_words(form).values()
        return max(marks, default=self.analysed_end)

    def name_marks(self, statement: NewStatement) -> list[Pos]:
        """Return where each name the words show is known, as a name of whom the statement speaks of."""
        meant = set(_points_of(statement))
        marks = []
        for bearers in _names_shown(statement.text, self._names):
            known = {name.point: name.known_pos for name in bearers}
            # Whom a shared name means follows from the statement's points; in doubt the latest bearer.
            sure = [pos for point, pos in known.items() if point in meant]
            marks.append(max(sure or known.values()))
        return marks

    def names_in(self, text: str) -> list[tuple[str, frozenset[str]]]:
        """Return the names that stand in a text, each with every form of whoever may bear it.

        What begins with a small letter is a description, such as "the key of Hallow": the name inside counts.
        """
        if self._forms is None:
            self._forms = {
                point: frozenset(name.form for name in names)
                for point, names in groupby(sorted(self._names, key=lambda n: n.point), key=lambda name: name.point)
            }
        proper = [name for name in self._names if not name.form[:1].islower()]
        return [
            (bearers[0].form, frozenset().union(*(self._forms[name.point] for name in bearers)))
            for bearers in _names_shown(text, proper)
        ]

    @property
    def numbers_in_names(self) -> frozenset[str]:
        """The numbers that belong to a name, such as that of a train: "the new 6.40" counts nothing."""
        if self._numbers is None:
            self._numbers = frozenset(n for name in self._names for n in numbers(name.form))
        return self._numbers

    def without_names(self, text: str, *, proper_only: bool = False) -> str:
        """Return a text without the names in it, however they are capitalised; if asked, descriptions stay."""
        folded = text.casefold()
        left = [name for name in self._names if not (proper_only and name.form[:1].islower())]
        for name in (each for each in left if each.form.casefold() in folded):
            if name.form.isascii():
                text = re.sub(rf"\b{re.escape(name.form)}\b", " ", text, flags=re.IGNORECASE)
            else:
                text = text.replace(name.form, " ")
        return text

    def block_text(self, evidence: FoundEvidence) -> str:
        """Return the paragraph a piece of evidence stands in."""
        blocks = self._by_document[evidence.document]
        return blocks[bisect_right(blocks, evidence.start, key=lambda each: each.start) - 1].block.text


def rename_desk(r: Connection, roster: int, desk: Desk) -> Desk:
    """Return a desk with the names of a roster as they are now, without reading the text again."""
    return desk.renamed([KnownName(*row) for row in points.all_names(r, roster)], points.all_met(r, roster))


def open_desk(r: Connection, work: WorkId, roster: int) -> Desk:
    """Read a work's text and names; seconds for a work of millions of characters."""
    placed = list(blocks_of_work(r, work))
    return Desk(
        placed,
        [KnownName(*row) for row in points.all_names(r, roster)],
        points.all_met(r, roster),
        points.analysed_end(r, work, roster) or 0,
    )


@dataclass(frozen=True, slots=True)
class Prepared:
    """A statement ready to be written."""

    statement: NewStatement
    found: tuple[FoundEvidence, ...]
    unlock_pos: Pos


def prepare_statement(r: Connection, work: WorkId, statement: NewStatement, desk: Desk) -> Prepared:
    """Find a statement's evidence and compute its unlock, which takes longer than a transaction should.

    Raises:
        PlaceUnknownError: its own mark is no place of this work.
    """
    found = tuple(evidence for quote in statement.quotes if (evidence := desk.find(quote)) is not None)
    judged = desk.judge(statement, found)
    own = statement.not_before
    own_pos = 0 if own is None else points.pos_in_work(r, work, own.document, own.end)
    return Prepared(judged, found, desk.unlock(judged, found, own_pos=own_pos))


def _points_of(statement: NewStatement) -> tuple[PointId, ...]:
    return statement.links if statement.point is None else (statement.point, *statement.links)


def _evidence(each: PlacedBlock, start: int, end: int, how: QuoteHow) -> FoundEvidence:
    block = each.block
    words = block.text[start:end]
    return FoundEvidence(
        each.document, each.start + start, each.start + end, block.pos + start, block.pos_end, words, how
    )


def _find_exact(text: str, wanted: str) -> tuple[int, int] | None:
    at = text.find(wanted)
    return None if at < 0 else (at, at + len(wanted))


def _find_folded(text: str, wanted: str) -> tuple[int, int] | None:
    folded, words = fold(text), fold(wanted).text.split()
    if not words:
        return None
    # Whoever quotes was shown one blank where the text has cells of a table, or lines of a verse.
    found = re.search(r"\s+".join(map(re.escape, words)), folded.text)
    return None if found is None else (folded.source_start(found.start()), folded.source_end(found.end()))


def _find_fuzzy(text: str, wanted: str) -> tuple[int, int] | None:
    if sum(char.isalnum() for char in wanted) < _FUZZY_LETTERS or len(text) < len(wanted) * _FUZZY_RATIO / 100:
        return None
    from rapidfuzz import fuzz  # a native library that reading never needs

    found = fuzz.partial_ratio_alignment(wanted, text, processor=None, score_cutoff=_FUZZY_RATIO)
    return None if found is None or found.dest_end <= found.dest_start else (found.dest_start, found.dest_end)


def _is_near_copy(text: str, source: str) -> bool:
    """Say whether a statement is in nearly the words of its evidence."""
    words = fold(nfc(text)).text.strip(" .。!！?？\"'「」『』")
    if sum(char.isalnum() for char in words) < _COPY_LETTERS:
        return False
    from rapidfuzz import fuzz  # a native library that reading never needs

    folded = fold(source).text
    if len(folded) < len(words) * 0.9:
        return False
    found = fuzz.partial_ratio_alignment(words, folded, processor=None, score_cutoff=_COPY_RATIO)
    if found is None:
        return False
    # One "not", or another number, makes nearly the same words say the opposite.
    copied = folded[max(0, found.dest_start - _EDGE) : found.dest_end + _EDGE]
    return numbers(words) <= numbers(copied) and is_negated(words) == is_negated(copied)


def _names_shown(text: str, names: Sequence[KnownName]) -> list[list[KnownName]]:
    """Return the names that stand in a text with all their bearers; a name inside a longer one does not count.

    Args:
        text: Of a statement.
        names: The longest first.
    """
    taken: list[tuple[int, int]] = []
    found: list[list[KnownName]] = []
    for form, bearers in groupby(_by_form(text, names), key=lambda name: name.form):
        spans = [span for span in name_spans(text, form) if not any(a < span[1] and span[0] < b for a, b in taken)]
        if spans:
            taken += spans
            found.append(list(bearers))
    return found


def _by_form(text: str, names: Sequence[KnownName]) -> list[KnownName]:
    return sorted((name for name in names if name.form in text), key=lambda name: (-len(name.form), name.form))
