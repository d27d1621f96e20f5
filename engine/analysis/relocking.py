"""What is written about a work, set upon its text anew: when volumes came, went or moved, or names are known better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from engine.analysis.evidence import Desk
from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.statements import Quote
from engine.domain.wiki import StatementId
from engine.store import points, wiki
from engine.store.connection import Connection
from engine.store.store import Store
from engine.store.wiki import FoundEvidence, WrittenStatement

_T = TypeVar("_T")
_AT_ONCE = 300
"""Statements a transaction writes: under 10 ms."""


@dataclass(frozen=True, slots=True)
class Relock:
    """What becomes of a statement."""

    id: StatementId
    unlock_pos: Pos
    evidence: tuple[FoundEvidence, ...]
    is_moved: bool
    """Its evidence stands elsewhere than the library says."""


def plan(r: Connection, work: WorkId, desk: Desk) -> tuple[list[Relock], list[StatementId]]:
    """Work out the evidence and unlock of every statement of a work.

    Returns:
        What is to be written, and which statements rest on a text that is not of the work any more.
    """
    kept, gone = [], []
    ends: dict[int, Pos | None] = {}
    for written in wiki.written_statements(r, work):
        if written.roster not in ends:
            ends[written.roster] = points.analysed_end(r, work, written.roster, must_be_whole=True)
        planned = _relock(r, work, desk, written, ends[written.roster])
        if planned is None:
            gone.append(written.id)
        else:
            kept.append(planned)
    return kept, gone


def _relock(
    r: Connection, work: WorkId, desk: Desk, written: WrittenStatement, analysed_end: Pos | None
) -> Relock | None:
    if any(not desk.has(each.document) for each in written.evidence):
        return None
    found = tuple(moved for each in written.evidence if (moved := _refind(desk, each)) is not None)
    if not found and analysed_end is None:
        return None
    end = desk.analysed_end if analysed_end is None else analysed_end
    own_pos = 0
    if written.own_document is not None:
        own_pos = points.pos_if_in_work(r, work, written.own_document, written.own_start) or end
    unlock = desk.unlock(written.statement, found, own_pos=own_pos, analysed_end=end)
    return Relock(written.id, unlock, found, found != written.evidence)


def _refind(desk: Desk, evidence: FoundEvidence) -> FoundEvidence | None:
    here = desk.at(evidence)
    return here if here is not None else desk.find(Quote(evidence.document, evidence.start, evidence.quote))


def delay(store: Store, planned: Sequence[Relock], gone: Sequence[StatementId]) -> None:
    """Set evidence right, and put off what unlocks later than it did; before a new roster is published."""
    for some in _portions(planned):
        with store.write(bulk=True) as w:
            wiki.put_off(w, [(each.unlock_pos, each.id) for each in some])
            wiki.move_evidence(w, [(each.id, each.evidence) for each in some if each.is_moved])
    for ids in _portions(gone):
        with store.write(bulk=True) as w:
            wiki.delete_statements(w, ids)


def settle(store: Store, planned: Sequence[Relock]) -> None:
    """Give every statement its unlock; after the roster was published by which it was computed."""
    for some in _portions(planned):
        with store.write(bulk=True) as w:
            wiki.set_unlocks(w, [(each.unlock_pos, each.id) for each in some])


def _portions(values: Sequence[_T]) -> Iterator[list[_T]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
