"""Entries and topics a reader asked for, joined to what was planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.analysis.content import content_words
from engine.analysis.ledger import Ledger
from engine.domain.orders import Order, OrderKind
from engine.wiki.blueprint import Blueprint, Entry, Shared, Tier

_MOST_MEMBERS = 8


def only_wanted(planned: Blueprint, ledger: Ledger, orders: Sequence[Order]) -> Blueprint:
    """Return what was asked for and is not planned anyway.

    Args:
        planned: By a model.
        ledger: What was gathered, its points under their ids.
        orders: What was asked for; a point nothing was gathered of is passed over.
    """
    numbers = {point.point: point.number for point in ledger.standing() if point.point is not None}
    known = {entry.number for entry in planned.entries}
    entries = [
        Entry(numbers[each.point], Tier.SUPPORTING)
        for each in orders
        if each.kind is OrderKind.ENTRY and each.point in numbers and numbers[each.point] not in known
    ]
    titles = {topic.title for topic in planned.topics}
    topics = [
        Shared(each.title, members)
        for each in orders
        if each.kind is OrderKind.TOPIC and each.title not in titles and (members := members_of(each.title, ledger))
    ]
    return replace(planned, entries=tuple(entries), topics=tuple(topics))


def members_of(title: str, ledger: Ledger) -> tuple[int, ...]:
    """Return the points a topic is about: those it names, then those of whom most notes speak in its words."""
    words = content_words(title)
    counts: Counter[int] = Counter()
    for point in ledger.standing():
        if any(form.form in title for form in point.forms):
            counts[point.number] += 1_000
    for note in ledger.notes:
        about = ledger.resolve(note.point)
        if about is not None and not note.is_discarded and words & content_words(note.text):
            counts[about.number] += 1
    best = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_MEMBERS]
    return tuple(number for number, _count in best)
