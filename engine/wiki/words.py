"""What the wiki calls its kinds, and how it counts, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from engine.domain.knowledge import PointKind
from engine.translate import N_, _, grouped, ngettext

_ONE: Mapping[PointKind, str] = {
    PointKind.PERSON: N_("person"),
    PointKind.PLACE: N_("place"),
    PointKind.ORGANISATION: N_("organisation"),
    PointKind.ITEM: N_("item"),
    PointKind.EVENT: N_("event"),
    PointKind.CONCEPT: N_("concept"),
}
_MANY: Mapping[PointKind, str] = {
    PointKind.PERSON: N_("People"),
    PointKind.PLACE: N_("Places"),
    PointKind.ORGANISATION: N_("Organisations"),
    PointKind.ITEM: N_("Items"),
    PointKind.EVENT: N_("Events"),
    PointKind.CONCEPT: N_("Concepts"),
}


def kind_word(kind: PointKind) -> str:
    """Return "person"."""
    return _(_ONE[kind])


def category_title(kind: PointKind) -> str:
    """Return "People"."""
    return _(_MANY[kind])


def so_far(count: int) -> str:
    """Return "12 so far"."""
    return ngettext("{n} so far", "{n} so far", count).format(n=grouped(count))
