"""Answers of earlier days as they may be shown now: one given further on in the book waits until she is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.domain.chat import SpoilerChoice
from engine.domain.conversations import Turn
from engine.domain.locator import Locator, Pos
from engine.errors import PlaceUnknownError, WorkNotFoundError
from engine.library.turn_starting import request_from
from engine.spoilers import masks
from engine.spoilers.policy import FRONTIER
from engine.store import reading, turns
from engine.translate import _

if TYPE_CHECKING:
    from engine.library.asking import Asking


def seen_turns(library: Asking, kept: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return turns, without the answers that rest on what lies beyond where she has read by now.

    That happens where the frontier was set back. What she has asked to be told in full stays, and what she
    asked up to a place of her own.
    """
    bounds: dict[WorkId, Pos] = {}
    return tuple(_veiled(turn) if _is_ahead(library, turn, bounds) else turn for turn in kept)


def _is_ahead(library: Asking, turn: Turn, bounds: dict[WorkId, Pos]) -> bool:
    view = turn.view
    if not view.has_ended or view.choice is SpoilerChoice.FULL:
        return False
    places = [citation.locator for citation in view.citations]
    places += [turn.scene.place] if turn.scene.place is not None else []
    return any(_lies_ahead(library, place, bounds) for place in places) and _goes_by_the_frontier(library, turn)


def _goes_by_the_frontier(library: Asking, turn: Turn) -> bool:
    with library._store.read() as r:
        row = turns.row_of(r, turn.id)
    return row is None or request_from(row.request).upto == FRONTIER


def _lies_ahead(library: Asking, place: Locator, bounds: dict[WorkId, Pos]) -> bool:
    try:
        with library._store.read() as r:
            row = reading.document_row(r, place.document)
        if row.work not in bounds:
            bounds[row.work] = masks.hit_upto(library.bound(row.work))
    except (PlaceUnknownError, WorkNotFoundError):
        return False  # its book is not here now
    return row.pos(place.end) > bounds[row.work]


def _veiled(turn: Turn) -> Turn:
    words = _("This was answered when you had read further.")
    return replace(turn, view=replace(turn.view, text=words, citations=(), cards=(), tools=()))
