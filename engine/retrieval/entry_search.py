"""Entries of a wiki by what is typed, letter by letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from engine.domain.book import WorkId
from engine.domain.finds import MOST_ENTRIES, EntryFind
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Locator
from engine.domain.wiki import NameMatch, PointId
from engine.retrieval.known import KnownWork
from engine.store import points
from engine.store.connection import Connection
from engine.text.fold import fold_words


def entries_named(r: Connection, known: KnownWork, work: WorkId, title: str, words: str) -> tuple[list[EntryFind], int]:
    """Return who and what is known by a name that holds the words, named most like them first, and how many there are.

    Args:
        r: The library, in the snapshot of `known`.
        known: What may be known.
        work: Whose wiki.
        title: Of the work.
        words: As typed, in any spelling.
    """
    wanted = fold_words(words)
    if not any(char.isalnum() for char in wanted):
        return [], 0
    roster = points.visible_roster(r, work)
    norms = points.norms_holding(r, roster, wanted, known.names_upto) if roster is not None else []
    bearers = known.points_named(norms)
    first: dict[PointId, str] = {}
    for norm in sorted(bearers, key=lambda norm: (norm != wanted, not norm.startswith(wanted), len(norm), norm)):
        for bearer in bearers[norm]:
            first.setdefault(known.members(bearer)[0], norm)
    shown = islice(first.items(), MOST_ENTRIES)
    listed = [entry for point, norm in shown for entry in _entry(known, work, title, point, norm)]
    return listed, len(first)


def entries_meant(known: KnownWork, work: WorkId, title: str, matches: Iterable[NameMatch]) -> Iterator[EntryFind]:
    """Yield what a look-up offers as entries."""
    for match in matches:
        first = _first_of(known, match.point)
        yield EntryFind(work, title, match.point, match.kind, match.name, match.matched, first)


def _entry(known: KnownWork, work: WorkId, title: str, point: PointId, norm: str) -> Iterator[EntryFind]:
    head = known.head(point)
    if head is not None:
        names = [alias for alias in known.aliases(point) if alias.norm == norm and alias.kind is not AliasKind.READING]
        matched = next((alias.form for alias in names), head[1])
        yield EntryFind(work, title, point, head[0], head[1], matched, _first_of(known, point))


def _first_of(known: KnownWork, point: PointId) -> Locator | None:
    return next((Locator(m.document, m.start, m.end) for m in known.mentions(point, limit=1)), None)
