"""Of which stretch a recap tells: of what was read, never of more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.domain.conversations import RecapKind, RecapSpan, Scene
from engine.domain.locator import Locator, Pos, offset_in_volume_of, pos_of, volume_ord_of
from engine.domain.search import PosRange
from engine.errors import PlaceUnknownError
from engine.store import places, reading, sittings
from engine.translate import _

if TYPE_CHECKING:
    from engine.library.asking import Asking

PAUSE = timedelta(hours=28)
"""After so long without reading a recap is offered: longer than from one evening to the next."""


def stretch_of(library: Asking, scene: Scene, span: RecapSpan) -> PosRange | None:
    """Return the stretch a recap tells of, None when nothing of it was read.

    Raises:
        WorkNotFoundError: there is no such work.
    """
    outline = library.outline(scene.work)
    frontier = library.bound(scene.work).frontier
    lengths = {volume.ord: volume.length for volume in outline.volumes}
    start = _start(library, scene, span, frontier)
    if span.kind is RecapKind.VOLUME:
        volume = volume_ord_of(start)
        end = min(frontier, pos_of(volume, lengths.get(volume, 0)))
    else:
        end = frontier
    return PosRange(start, end) if start < end else None


def _start(library: Asking, scene: Scene, span: RecapSpan, frontier: Pos) -> Pos:
    if span.kind is RecapKind.SINCE and span.since is not None:
        return _pos(library, span.since, frontier)
    if span.kind is RecapKind.LAST_TIME:
        with library._store.read() as r:
            characters = sittings.last_characters(r, scene.work)
        return pos_of(volume_ord_of(frontier), max(0, offset_in_volume_of(frontier) - characters))
    here = _pos(library, scene.place, frontier) if scene.place is not None else frontier
    return pos_of(volume_ord_of(min(here, frontier)), 0)


def _pos(library: Asking, at: Locator, otherwise: Pos) -> Pos:
    try:
        with library._store.read() as r:
            return reading.document_row(r, at.document).pos(at.start)
    except PlaceUnknownError:
        return otherwise


def words_of(span: RecapSpan) -> str:
    """Return what is asked for, as the reader would."""
    return {
        RecapKind.VOLUME: _("The story so far in this volume"),
        RecapKind.LAST_TIME: _("What happened last time"),
        RecapKind.SINCE: _("What happened since then"),
    }[span.kind]


def is_due(library: Asking, work: WorkId, now: datetime | None = None) -> bool:
    """Say whether a recap is worth offering: something was read, and the last time is long ago."""
    with library._store.read() as r:
        saved_at = places.saved_at(r, work)
        has_read = places.frontier(r, work) > 0
    if not has_read or not saved_at:
        return False
    last = datetime.fromisoformat(saved_at.replace("Z", "+00:00"))
    return (now or datetime.now(UTC)) - last >= PAUSE
