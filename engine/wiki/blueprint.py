"""The blueprint of a wiki: its entries, what their fact boxes tell, how they are grouped, and its topics."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.analysis.ledger import Ledger
from engine.domain.knowledge import PointKind
from engine.text.sanitize import sanitize

MOST_ENTRIES = 160
MOST_CORE = 20
_MOST_GROUPS, _MOST_TOPICS = 24, 12
_MOST_MEMBERS = 16
_MOST_LABELS = 8
_LONGEST_TITLE = 60
_LONGEST_LABEL = 30
_KEYS = r"k\d{1,5}(?:\s*[,，、 ]\s*k\d{1,5})*"
_ENTRY = re.compile(r"(?m)^\W*(k\d{1,5})\W+(core|supporting|local)\b", re.IGNORECASE)
_BOX = re.compile(rf"(?m)^\s*[:：]\s*({'|'.join(PointKind)})\s*[|｜]\s*(.+)$", re.IGNORECASE)
_SHARED = re.compile(rf"(?m)^\s*([%+])\s*([^|｜\n]+?)\s*[|｜]\s*({_KEYS})\s*$")


class Tier(StrEnum):
    """How much is told of something."""

    CORE = "core"
    SUPPORTING = "supporting"
    LOCAL = "local"
    TOPIC = "topic"
    """Not of an entry: of a matter that several share."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry there shall be."""

    number: int
    """Of the point in the ledger."""
    tier: Tier


@dataclass(frozen=True, slots=True)
class Shared:
    """Entries under one title: a group, or a topic they share."""

    title: str
    members: tuple[int, ...]
    """Numbers of points in the ledger."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What a wiki shall hold."""

    entries: tuple[Entry, ...] = ()
    """The most important first."""
    boxes: Mapping[PointKind, tuple[str, ...]] = field(default_factory=dict)
    """Labels of the fact box of each kind."""
    groups: tuple[Shared, ...] = ()
    topics: tuple[Shared, ...] = ()


def take_plan(text: str, ledger: Ledger, allowed: Collection[int], before: Blueprint) -> Blueprint:
    """Return a blueprint with what a model's lines add to it; what is not understood is left out. Never raises.

    Args:
        text: The reply.
        ledger: What was gathered.
        allowed: Numbers of the points that may become entries.
        before: What was planned so far; its entries stay as they are.
    """
    words = sanitize(text)
    entries = {entry.number: entry for entry in before.entries}
    for key, tier in _ENTRY.findall(words):
        point = ledger.by_key(key.lower())
        if point is not None and point.number in allowed and point.number not in entries:
            wanted = Tier(tier.lower())
            cores = sum(entry.tier is Tier.CORE for entry in entries.values())
            fits = Tier.SUPPORTING if wanted is Tier.CORE and cores >= MOST_CORE else wanted
            if len(entries) < MOST_ENTRIES:
                entries[point.number] = Entry(point.number, fits)
    boxes = dict(before.boxes)
    for kind, labels in _BOX.findall(words):
        named = [each.strip()[:_LONGEST_LABEL] for each in re.split("[,，、;；]", labels) if each.strip()]
        boxes.setdefault(PointKind(kind.lower()), tuple(dict.fromkeys(named))[:_MOST_LABELS])
    shared: dict[str, dict[str, tuple[int, ...]]] = {
        "%": {each.title: each.members for each in before.groups},
        "+": {each.title: each.members for each in before.topics},
    }
    for sign, title, keys in _SHARED.findall(words):
        points = (ledger.by_key(key) for key in re.findall(r"k\d{1,5}", keys))
        members = (point.number for point in points if point is not None and point.number in entries)
        known = shared[sign].get(title[:_LONGEST_TITLE], ())
        shared[sign][title[:_LONGEST_TITLE]] = tuple(dict.fromkeys((*known, *members)))[:_MOST_MEMBERS]
    return replace(
        before,
        entries=tuple(entries.values()),
        boxes=boxes,
        groups=_kept(shared["%"])[:_MOST_GROUPS],
        topics=_kept(shared["+"])[:_MOST_TOPICS],
    )


def _kept(titled: Mapping[str, tuple[int, ...]]) -> tuple[Shared, ...]:
    """Return what holds two entries at least: one alone belongs with nothing."""
    return tuple(Shared(title, members) for title, members in titled.items() if len(members) > 1)
