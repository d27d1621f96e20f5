"""What stands below an entry nobody has planned groups for: its closest kin by name and chapter, and its lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.analysis.rules.chinese_names import family_name
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos, volume_ord_of
from engine.domain.wiki import Facts, Heading, KnownPoint, PageKey, PageKind, PageLink, Part, Plain, PointId, Run
from engine.retrieval.known import KnownWork
from engine.store.points import AliasRow
from engine.translate import _
from engine.wiki.words import category_title

_MOST = 8
_MOST_ASKED = 24
"""Companions whose names are looked at for the same family's."""
_FEWEST_SCENES = 5
_BETWEEN = " · "


def closest_kin(known: KnownWork, point: KnownPoint, companions: Sequence[tuple[PointId, int]]) -> list[Part]:
    """Return a table of group and entries, each as far as it may be known where the reader is.

    Args:
        known: The work at a boundary.
        point: Whose entry it stands under.
        companions: Who and what appears in the same scenes, most scenes first.
    """
    own = set(known.members(point.id))
    rows: list[tuple[str, tuple[Run, ...]]] = []
    for family, kin in _of_the_family(known, point, companions[:_MOST_ASKED]):
        rows.append((family, _links(kin)))
        own |= {link.target.point for link in kin if link.target.point is not None}
    where, there = _named_beside(known, point, own)
    if there:
        rows.append((where, _links(there)))
    rows.append((_("More"), _links(_lists(known, point))))
    return [Heading(Plain(_("See also")), 1), Facts(tuple(rows))]


def _of_the_family(
    known: KnownWork, point: KnownPoint, companions: Iterable[tuple[PointId, int]]
) -> list[tuple[str, list[PageLink]]]:
    """Return the family name with those who bear it too; nothing for who is no person or alone."""
    if point.kind is not PointKind.PERSON:
        return []
    borne, titled = _families(known.aliases(point.id))
    kin: list[PageLink] = []
    shared: Counter[str] = Counter()
    for other, scenes in companions:
        theirs, under_title = _families(known.aliases(other))
        same = (borne & (theirs | under_title)) | (titled & theirs)
        # Of one character a family name is borne by strangers too.
        same = frozenset(family for family in same if len(family) > 1 or scenes >= _FEWEST_SCENES)
        head = known.head(other) if same and len(kin) < _MOST else None
        if head is not None and head[0] is PointKind.PERSON:
            shared.update(same)
            kin.append(_link(other, head[1]))
    return [(shared.most_common(1)[0][0], kin)] if kin else []


def _families(aliases: Iterable[AliasRow]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the family names in somebody's names: alone or in a full one, and the words behind titles."""
    borne, titled = set[str](), set[str]()
    for alias in aliases:
        words = alias.form.split()
        if alias.kind is AliasKind.FAMILY:
            borne.add(alias.form)
        elif alias.kind is AliasKind.FULL:
            borne.add(words[-1] if len(words) > 1 else family_name(alias.form))
        elif alias.kind is AliasKind.TITLED and len(words) > 1:
            titled.add(words[-1])
    return frozenset(borne - {""}), frozenset(titled)


def _named_beside(known: KnownWork, point: KnownPoint, own: set[PointId]) -> tuple[str, list[PageLink]]:
    """Return the chapter in which a point is met, in brief, with who is named most there, as far as it is read."""
    index = known.where.index_at(point.first_pos)
    if index < 0:
        return "", []
    chapter = known.where.chapters[index]
    read: Pos = min(chapter.pos_end, known.bound.boundary)
    named = known.names_in(chapter.document, chapter.offset, chapter.offset + max(0, read - chapter.pos))
    counts = Counter(name.point for name in named if name.point not in own)
    links: list[PageLink] = []
    for other, _count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        head = known.head(other) if len(links) < _MOST else None
        if head is not None:
            links.append(_link(other, head[1]))
    return known.where.short(point.first_pos), links


def _lists(known: KnownWork, point: KnownPoint) -> list[PageLink]:
    """Return the lists a point stands in: its kind, the volume it is met in, all names."""
    links = [PageLink(category_title(point.kind), PageKey(PageKind.CATEGORY, category=point.kind))]
    volumes = known.where.outline.volumes
    ord_ = volume_ord_of(point.first_pos)
    if len(volumes) > 1:
        links += [
            PageLink(volume.title, PageKey(PageKind.VOLUME, volume_ord=ord_))
            for volume in volumes
            if volume.ord == ord_
        ]
    return [*links, PageLink(_("All names"), PageKey(PageKind.INDEX))]


def _link(point: PointId, name: str) -> PageLink:
    return PageLink(name, PageKey(PageKind.ENTRY, point=point))


def _links(links: Iterable[PageLink]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for link in links:
        runs += [Plain(_BETWEEN), link] if runs else [link]
    return tuple(runs)
