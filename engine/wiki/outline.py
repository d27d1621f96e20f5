"""Pages of a work's wiki made from the store, as far as a boundary allows; nothing here needs a model or a network."""

from __future__ import annotations

from collections.abc import Callable

from engine.domain.knowledge import PointKind
from engine.domain.reading import WorkOutline
from engine.domain.wiki import Page, PageKey, PageKind, Paragraph, Plain, StatementId
from engine.errors import EntryUnknownError
from engine.retrieval.known import KnownWork
from engine.spoilers import masks
from engine.spoilers.policy import END
from engine.store.connection import Connection
from engine.translate import _
from engine.wiki.entry import make_entry
from engine.wiki.glance import make_glance
from engine.wiki.home import is_begun, make_home
from engine.wiki.inspector import make_inspected, make_inspector
from engine.wiki.lists import make_category, make_index, make_locked, make_volume
from engine.wiki.passages import Passages


def make_page(
    known: KnownWork, r: Connection, key: PageKey, revealed: frozenset[StatementId] = frozenset(), pace: float = 1.0
) -> Page:
    """Return a page as one reader may see it.

    Args:
        known: The work at a boundary.
        r: The connection `known` reads with.
        key: Which page.
        revealed: Statements the reader has asked to see before their time.
        pace: How many times faster than the average she reads.

    Raises:
        EntryUnknownError: nobody of that id has been met, or there is no such volume yet.
    """
    passages = Passages(r, masks.statement_upto(known.bound))
    makers: dict[PageKind, Callable[[], Page]] = {
        PageKind.HOME: lambda: make_home(known, passages, revealed),
        PageKind.ENTRY: lambda: _entry(known, passages, key, revealed),
        PageKind.INSPECTOR: lambda: _inspector(known, passages, key),
        PageKind.CATEGORY: lambda: make_category(known, key.category or PointKind.PERSON),
        PageKind.VOLUME: lambda: _volume(known, key, revealed),
        PageKind.INDEX: lambda: make_index(known),
        PageKind.GLANCE: lambda: make_glance(known, Passages(r, END), key.pos or 0, pace),
    }
    return makers[key.kind]()


def _volume(known: KnownWork, key: PageKey, revealed: frozenset[StatementId]) -> Page:
    volume = next((each for each in known.where.outline.volumes if each.ord == key.volume_ord), None)
    if volume is None or not is_begun(volume, known):
        raise EntryUnknownError(str(key.volume_ord))
    return make_volume(known, volume, revealed)


def _inspector(known: KnownWork, passages: Passages, key: PageKey) -> Page:
    if key.point is None:
        return make_inspected(known)
    point = known.point(key.point)
    if point is None:
        raise EntryUnknownError(str(key.point))
    return make_inspector(known, passages, point)


def _entry(known: KnownWork, passages: Passages, key: PageKey, revealed: frozenset[StatementId]) -> Page:
    point = known.point(key.point) if key.point is not None else None
    if point is not None:
        return make_entry(known, passages, point, revealed)
    locked = next((entry for entry in known.locked() if entry.point == key.point), None)
    if locked is None:
        raise EntryUnknownError(str(key.point))
    return make_locked(locked)


def make_waiting_page(outline: WorkOutline) -> Page:
    """Return what stands in a wiki while the names of its work are being gathered."""
    words = _("The names of this work are being gathered. Until then a search finds every place a name stands.")
    return Page(PageKey(PageKind.HOME), outline.title, _("wiki"), (), (Paragraph((Plain(words),)),), is_waiting=True)
