"""Which entries stand in a group together: of each a statement of its own, so that none is told before its time."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.drafts import Signed
from engine.analysis.ledger import Ledger
from engine.analysis.publishing import Draft, Unit, form_known_at, quotes_of
from engine.domain.statements import NewStatement, Role
from engine.wiki.blueprint import Shared

_NOTES = 3
"""The first of somebody: what a reader knows soon after the first meeting."""


def group_unit(ledger: Ledger, groups: Sequence[Shared], by: Signed) -> Unit:
    """Return the places of entries in groups, each resting on the first notes of the entry, for the judge.

    Args:
        ledger: What was gathered.
        groups: As they were planned.
        by: Who planned them.
    """
    unit = Unit("groups")
    by_point = ledger.notes_by_point()
    for number, group in enumerate(groups):
        for ord_, member in enumerate(group.members):
            point = ledger.resolve(member)
            first = sorted(by_point.get(member, ()), key=lambda note: note.pos_end)[:_NOTES]
            if point is None or point.point is None or not first:
                continue
            place = NewStatement(
                group.title, Role.GROUP, point.point, f"group {number}", number * 100 + ord_,
                quotes_of(*(note.found for note in first)),
            )  # fmt: skip
            unit.drafts.append(Draft(place, by.model, by.prompt_rev, form_known_at(point, first[-1].pos_end)))
    return unit
