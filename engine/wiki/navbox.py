"""What stands below an entry: the groups it belongs to, with the other entries in them."""

from __future__ import annotations

from engine.domain.statements import Role, ShownStatement
from engine.domain.wiki import Facts, Heading, KnownPoint, PageKey, PageKind, PageLink, Part, Plain, PointId, Run
from engine.retrieval.known import KnownWork
from engine.translate import _

_BETWEEN = " · "


def navbox(known: KnownWork, point: KnownPoint) -> list[Part]:
    """Return a row for each group a point stands in: its title, and whoever else is known to stand there.

    That somebody stands in a group is a statement of its own, shown once it has unlocked.
    """
    by_group: dict[int, list[ShownStatement]] = {}
    for place in known.told(Role.GROUP):
        by_group.setdefault(place.section, []).append(place)
    rows: list[tuple[str, tuple[Run, ...]]] = []
    for places in by_group.values():
        members = _members(known, places)
        title = places[0].run
        if point.id in members and len(members) > 1 and isinstance(title, Plain):
            rows.append((title.text, _links(members)))
    return [Heading(Plain(_("See also")), 1), Facts(tuple(rows))] if rows else []


def _members(known: KnownWork, places: list[ShownStatement]) -> dict[PointId, str]:
    """Return the names of a group's points by id, two that are known to be one under one name."""
    found: dict[PointId, str] = {}
    for place in places:
        if place.point is not None and (head := known.head(place.point)) is not None:
            found[known.members(place.point)[0]] = head[1]
    return found


def _links(members: dict[PointId, str]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for point, name in members.items():
        runs += [Plain(_BETWEEN)] if runs else []
        runs.append(PageLink(name, PageKey(PageKind.ENTRY, point=point)))
    return tuple(runs)
