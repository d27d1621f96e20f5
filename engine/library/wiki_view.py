"""The wiki of one work as the companion may look at it: entries, sentences, points, relations, summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from engine.agent.access import FoundEntry, FoundLine, PointLine
from engine.agent.citations import Place
from engine.agent.names import NamesOfWork
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.statements import Role, ShownStatement
from engine.domain.wiki import (
    Cite,
    Facts,
    KnownPoint,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Plain,
    PointId,
    Quotation,
    Revealed,
    Run,
)
from engine.retrieval.query import asks_only
from engine.spoilers.policy import Upto
from engine.text.fold import fold_words
from engine.text.grams import grams_of

if TYPE_CHECKING:
    from engine.library.asking import Asking

_MOST_TOLD = 400
"""Points whose sentences are looked through, those named most first."""
_MOST_INTRODUCED = 2
_TOLD = frozenset({Role.NOTE, Role.SENTENCE, Role.SUMMARY, Role.RELATION, Role.EVENT, Role.FACT, Role.KNOWLEDGE,
                   Role.CELL, Role.VOLUME, Role.RECAP})  # fmt: skip
MakePlace = Callable[[Locator, Pos, str, str], Place]
"""Makes a place of (locator, pos, where, text)."""


class WikiView:
    """What is known of one work, up to one boundary; what the library returns is masked already."""

    def __init__(
        self,
        library: Asking,
        work: WorkId,
        upto: Upto,
        mode: SpoilerMode,
        place: MakePlace,
        where: Callable[[Pos], str],
    ) -> None:
        self._library = library
        self._work = work
        self._upto = upto
        self._mode = mode
        self._place = place
        self._where = where

    @cached_property
    def known(self) -> Sequence[KnownPoint]:
        """Everybody and everything met, most mentions first."""
        return self._library.entities(self._work, self._upto, self._mode)

    # entries

    def entries(self, name: str, limit: int) -> tuple[FoundEntry, ...]:
        """Return the entries a name, or a question with names in it, may mean."""
        return tuple(self._entry(*each) for each in self._named(name)[:limit])

    def _named(self, words: str) -> list[tuple[PointId, str, str]]:
        """Return the points whose names stand in words, the longest name first; else those the words may mean."""
        forms = sorted(self._names.forms_in(words), key=len, reverse=True)
        named = {point.id: point for form in forms for point in self._bearers[form]}
        if named:
            return [(point.id, point.name, "named") for point in named.values()]
        matches = self._library.resolve(self._work, words, upto=self._upto, spoilers=self._mode)
        return [(match.point, match.name, str(match.how)) for match in matches]

    @cached_property
    def _names(self) -> NamesOfWork:
        return NamesOfWork((form, 0) for form in self._bearers)

    @cached_property
    def _bearers(self) -> dict[str, list[KnownPoint]]:
        bearers: dict[str, list[KnownPoint]] = {}
        for point in self.known:
            for alias in point.aliases:
                bearers.setdefault(alias.form, []).append(point)
        return bearers

    def introductions(self, question: str) -> tuple[FoundLine, ...]:
        """Return the first paragraph, or quotation, of each whose name is all that a question holds."""
        forms = self._names.forms_in(question)
        if not forms or not asks_only(_without(question, forms)):
            return ()
        told = []
        for point, name, _how in self._named(question)[:_MOST_INTRODUCED]:
            parts = self.page(point).parts
            first = next((part for part in parts if isinstance(part, Paragraph | Quotation)), None)
            if isinstance(first, Quotation):
                place = self._place(first.locator, first.pos, first.where, first.text)
                told.append(FoundLine(name, first.text, (place,)))
            elif first is not None:
                places: list[Place] = []
                words = [run for run in first.runs if not isinstance(run, Cite)]
                self._words(first.runs, places)
                told.append(FoundLine(name, self._words(words, []).strip(), tuple(dict.fromkeys(places))))
        return tuple(line for line in told if line.text)

    def page(self, point: PointId) -> Page:
        """Return the page of an entry."""
        key = PageKey(PageKind.ENTRY, point=point)
        return self._library.page(self._work, key, frozenset(), self._upto, self._mode)

    def _entry(self, point: PointId, name: str, how: str) -> FoundEntry:
        page = self.page(point)
        lines, places = self.read(page)
        return FoundEntry(point, name, page.kind_words, page.also, lines, places, how)

    def read(self, page: Page) -> tuple[tuple[str, ...], tuple[Place, ...]]:
        """Return a page's text line by line, veiled runs left out, and its places."""
        lines: list[str] = []
        places: list[Place] = []
        for part in page.parts:
            if isinstance(part, Paragraph):
                lines.append(self._words(part.runs, places))
            elif isinstance(part, Facts):
                lines += [f"{label}: {self._words(runs, places)}" for label, runs in part.rows if label]
            elif isinstance(part, Quotation):
                lines.append(f"{part.locator} {part.text}")
                places.append(self._place(part.locator, part.pos, part.where, part.text))
        return tuple(line for line in lines if line), tuple(dict.fromkeys(places))

    def _words(self, runs: Iterable[Run], places: list[Place]) -> str:
        words = []
        for run in runs:
            if isinstance(run, Plain | PageLink | Revealed):
                words.append(run.text)
            elif isinstance(run, Cite):
                words.append(f" {run.locator}")
                text = self._library.text_of(run.locator.document, run.locator.start, run.locator.end)
                places.append(self._place(run.locator, run.pos, self._where(run.pos), text))
        return "".join(words)

    # sentences

    @cached_property
    def _told(self) -> list[tuple[str, ShownStatement, str]]:
        """Every sentence that may be read: (about, statement, folded words)."""
        of_points: Iterator[tuple[PointId | None, str]] = ((point.id, point.name) for point in self.known[:_MOST_TOLD])
        return [
            (name, each, fold_words(each.run.text.replace("\t", " ")))
            for point, name in (*of_points, (None, ""))
            for each in self._library.statements(self._work, point, frozenset(), self._upto, self._mode)
            if isinstance(each.run, Plain) and each.role in _TOLD
        ]

    def lines(self, query: str, limit: int) -> tuple[FoundLine, ...]:
        """Return the sentences that hold most of some words, best first."""
        wanted = frozenset(grams_of(fold_words(query)))
        if not wanted:
            return ()
        scored = [
            (len(wanted & frozenset(grams_of(f"{fold_words(name)} {words}"))), number)
            for number, (name, _each, words) in enumerate(self._told)
        ]
        best = sorted((score, -number) for score, number in scored if score * 3 >= len(wanted))
        found = (self._line(*self._told[-number][:2]) for _score, number in reversed(best))
        return _each_once(found, limit)

    def _line(self, name: str, statement: ShownStatement) -> FoundLine:
        text = statement.run.text.replace("\t", " · ") if isinstance(statement.run, Plain) else ""
        places = tuple(
            self._place(each.locator, each.pos, self._where(each.pos), each.quote) for each in statement.evidence
        )
        return FoundLine(name, text, places)

    def recaps(self, start: Pos, end: Pos) -> tuple[FoundLine, ...]:
        """Return the sentences that tell what happened between two places."""
        told = self._library.statements(self._work, None, frozenset(), self._upto, self._mode)
        return tuple(
            self._line("", each)
            for each in told
            if each.role is Role.RECAP and isinstance(each.run, Plain) and each.evidence
            and start <= each.evidence[0].pos < end
        )  # fmt: skip

    # points

    def points(self, kind: str, words: str, limit: int) -> tuple[PointLine, ...]:
        """Return points of a kind whose names hold some words."""
        wanted = fold_words(words)
        found = [
            point
            for point in self.known
            if (not kind or point.kind == kind)
            and (not wanted or any(wanted in fold_words(alias.form) for alias in point.aliases))
        ]
        return tuple(
            PointLine(
                point.id,
                point.name,
                str(point.kind),
                tuple(alias.form for alias in point.aliases if alias.form != point.name),
                point.count,
                self._where(point.first_pos),
            )
            for point in found[:limit]
        )

    def track(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return (where, how often) for each chapter in which somebody appears."""
        for point, _name, _how in self._named(name)[:1]:
            found = self._library.track(self._work, point, self._upto, self._mode)
            return tuple((node.where, str(node.count)) for node in found.nodes)
        return ()

    def relations(self, name: str, other: str, limit: int) -> tuple[FoundLine, ...]:
        """Return what is known between somebody and others, or one other."""
        found: list[FoundLine] = []
        for point, called, _how in self._named(name)[:1]:
            forms = [alias.form for known in self.known if known.id == point for alias in known.aliases]
            others = self._others(other, point)
            for about, each, _folded in self._told:
                text = each.run.text if isinstance(each.run, Plain) else ""
                is_of_both = (each.point == point and _is_named(text, others)) or (
                    _is_named(text, forms) and _is_named(f"{about} {text}", others)
                )
                if (each.role is Role.RELATION and each.point == point and not other) or is_of_both:
                    found.append(self._line(about, each))
            found += self._appears_with(called, point, others if other else ())
        return _each_once(found, limit)

    def _others(self, other: str, but: PointId) -> list[str]:
        if other:
            named = {point for point, _name, _how in self._named(other)[:1]}
            forms = [alias.form for point in self.known if point.id in named for alias in point.aliases]
            return forms or [other]
        return [alias.form for point in self.known if point.id != but for alias in point.aliases]

    def _appears_with(self, called: str, point: PointId, others: Sequence[str]) -> list[FoundLine]:
        """Return the rows of an entry that link to others."""
        rows = [row for part in self.page(point).parts if isinstance(part, Facts) for row in part.rows]
        found = []
        for label, runs in rows:
            links = [run.text for run in runs if isinstance(run, PageLink)]
            if links and (not others or any(link in others for link in links)):
                words = "".join(run.text for run in runs if isinstance(run, Plain | PageLink))
                found.append(FoundLine(called, f"{label}: {words}", ()))
        return found


def _without(question: str, forms: Iterable[str]) -> str:
    for form in sorted(forms, key=len, reverse=True):
        question = question.replace(form, " ")
    return question


def _each_once(lines: Iterable[FoundLine], limit: int) -> tuple[FoundLine, ...]:
    """Return the first lines, each sentence once: it stands in the entries of all whom it is about."""
    found: dict[str, FoundLine] = {}
    for line in lines:
        found.setdefault(line.text, line)
        if len(found) == limit:
            break
    return tuple(found.values())


def _is_named(words: str, forms: Iterable[str]) -> bool:
    """Say whether one of some names stands in words."""
    return NamesOfWork((form, 0) for form in forms).is_about(words)
