"""Lists of entries: a category, a volume, the index of all names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import pos_of, volume_ord_of
from engine.domain.reading import VolumeOutline
from engine.domain.wiki import (
    Heading,
    KnownPoint,
    LinkRow,
    Listing,
    LockedEntry,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    PointId,
    StatementId,
)
from engine.retrieval.known import KnownWork
from engine.translate import _
from engine.wiki.collation import IndexKey, index_key
from engine.wiki.entry import shown_names
from engine.wiki.sources import Numbering
from engine.wiki.told import of_volume, timeline
from engine.wiki.words import category_title, kind_word

_MOST_OTHER_NAMES = 4
_BETWEEN = " · "
_OF_THEIR_OWN = frozenset({AliasKind.FULL, AliasKind.NICKNAME, AliasKind.COURTESY, AliasKind.ROLE, AliasKind.GIVEN})
"""Kinds of names under which somebody is looked for in an index."""


def make_category(known: KnownWork, kind: PointKind) -> Page:
    """Return the entries of a kind, most mentions first."""
    points = [point for point in known.points() if point.kind is kind]
    locked = [entry for entry in known.locked() if entry.kind is kind]
    listing = Listing((*map(_row, points), *map(locked_row, locked)), known.has_more())
    return Page(PageKey(PageKind.CATEGORY, category=kind), category_title(kind), _("category"), (), (listing,))


def _row(point: KnownPoint) -> LinkRow:
    others = [form for form in shown_names(point) if form != point.name][:_MOST_OTHER_NAMES]
    return LinkRow(entry_link(point), _BETWEEN.join(others), point.count)


def locked_row(entry: LockedEntry) -> LinkRow:
    """Return the row of an entry that is not to be named yet."""
    return LinkRow(PageLink(locked_words(entry), PageKey(PageKind.ENTRY, point=entry.point)))


def locked_words(entry: LockedEntry) -> str:
    """Return "locked until chapter 11"."""
    if not entry.unlocks_chapter:
        return _("locked")
    return _("locked until {chapter}").format(chapter=entry.unlocks_chapter)


def make_locked(entry: LockedEntry) -> Page:
    """Return what stands for an entry that is not to be named yet."""
    words = _("What this entry is called would tell too much. It opens by itself once you have read that far.")
    key = PageKey(PageKind.ENTRY, point=entry.point)
    return Page(key, locked_words(entry), kind_word(entry.kind), (), (Paragraph((Plain(words),)),), is_locked=True)


def entry_link(point: KnownPoint, words: str = "") -> PageLink:
    """Return a link to a point's entry under its name, or under other words."""
    return PageLink(words or point.name, PageKey(PageKind.ENTRY, point=point.id))


def make_volume(known: KnownWork, volume: VolumeOutline, revealed: frozenset[StatementId] = frozenset()) -> Page:
    """Return what is told of a volume, who is first met in it, and who else is there, as far as it has been read."""
    numbering = Numbering(known.where)
    summary = of_volume(known.statements(None, revealed), volume.ord, numbering)
    points = known.points()
    new = [point for point in points if volume_ord_of(point.first_pos) == volume.ord]
    present = known.counts_between(pos_of(volume.ord, 0), pos_of(volume.ord + 1, 0))
    old = [point for point in points if point.id in present and volume_ord_of(point.first_pos) < volume.ord]
    old.sort(key=lambda point: -present[point.id])
    parts: list[Part] = [
        *_counted(_("Met here for the first time"), new, present),
        *_counted(_("Known from before"), old, present),
    ]
    if not parts:
        parts.append(Paragraph((Plain(_("Nobody has been met here yet.")),)))
    is_whole = pos_of(volume.ord, volume.length) <= known.bound.boundary
    last = parts[-1]
    if isinstance(last, Listing) and not is_whole:
        parts[-1] = Listing(last.rows, known.has_more())
    parts = [*([summary] if summary is not None else []), *timeline(known, volume.ord, numbering), *parts]
    if numbering.positions:
        parts.append(numbering.sources())
    return Page(PageKey(PageKind.VOLUME, volume_ord=volume.ord), volume.title, _("volume"), (), tuple(parts))


def _counted(title: str, points: Sequence[KnownPoint], counts: dict[PointId, int]) -> list[Part]:
    if not points:
        return []
    rows = tuple(LinkRow(entry_link(point), kind_word(point.kind), counts.get(point.id, 0)) for point in points)
    return [Heading(Plain(title), 1), Listing(rows)]


def make_index(known: KnownWork) -> Page:
    """Return every name with where it leads, by letter, initial of the pinyin, or row of kana."""
    language = known.where.outline.language
    entries = sorted(_index_entries(known.points(), language), key=lambda entry: entry[0])
    parts: list[Part] = []
    by_letter: Callable[[tuple[IndexKey, LinkRow]], tuple[int, str]] = lambda entry: (entry[0].group, entry[0].letter)  # noqa: E731
    for (_group, letter), members in groupby(entries, key=by_letter):
        parts += [Heading(Plain(letter), 1), Listing(tuple(row for _key, row in members))]
    last = parts[-1] if parts else None
    if isinstance(last, Listing):
        parts[-1] = Listing(last.rows, known.has_more())
    return Page(PageKey(PageKind.INDEX), _("All names"), _("index"), (), tuple(parts))


def _index_entries(points: Iterable[KnownPoint], language: str) -> Iterable[tuple[IndexKey, LinkRow]]:
    for point in points:
        reading = next((alias.form for alias in point.aliases if alias.kind is AliasKind.READING), "")
        yield index_key(point.name, language, reading), LinkRow(entry_link(point), kind_word(point.kind), point.count)
        for alias in point.aliases:
            if alias.kind in _OF_THEIR_OWN and alias.form != point.name:
                note = _("see {name}").format(name=point.name)
                yield index_key(alias.form, language), LinkRow(entry_link(point, alias.form), note)
