"""Names the rules did not find, added by the reader or found by a model: where they stand in the text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Pos
from engine.domain.wiki import Correction
from engine.store import corrections, learned, rosters
from engine.store.blocks import blocks_with
from engine.store.connection import Connection
from engine.store.store import Store
from engine.text.names import name_spans

_MENTIONS_AT_ONCE = 3000


def occurrences(r: Connection, work: WorkId, form: str) -> Iterator[tuple[Pos, DocumentId, int, int]]:
    """Yield (pos, document, start, end) of each occurrence of a form in a work, in order."""
    for each in blocks_with(r, work, form):
        for start, end in name_spans(each.block.text, form):
            yield each.block.pos + start, each.document, each.start + start, each.start + end


def write_added(store: Store, work: WorkId, roster: int) -> None:
    """Look for the names the reader has added that a roster does not hold yet, and write their occurrences.

    A roster that is read already shows them as they come. Those of a name that came and went meanwhile are not kept.
    """
    with store.read() as r:
        missing = [
            act
            for act in corrections.standing(r, work)
            if act.kind is Correction.ADD and not corrections.is_searched(r, roster, act.id)
        ]
        found = {act.id: list(occurrences(r, work, act.payload.form)) for act in missing}
    for act in missing:
        mentions = iter(found[act.id])
        with store.write() as w:
            alias = corrections.put_added(w, work, roster, act, found[act.id][0][0] if found[act.id] else 0)
        if alias is not None:
            while some := list(islice(mentions, _MENTIONS_AT_ONCE)):
                with store.write(bulk=True) as w:
                    rosters.add_mentions(w, [(alias, mention) for mention in some])


def write_learned(store: Store, work: WorkId, roster: int) -> int:
    """Look for the names models have found that a roster does not hold yet, and write them with their occurrences.

    An occurrence inside a name that is known already stays that name's. Returns how many names were written.
    """
    with store.read() as r:
        waiting = learned.missing(r, work, roster)
        taken: dict[DocumentId, list[tuple[int, int]]] = {}
        found = {}
        for alias in waiting:
            free = []
            for pos, document, start, end in occurrences(r, work, alias.form):
                spans = taken.setdefault(document, learned.taken_spans(r, roster, document))
                if not any(a < end and start < b for a, b in spans):
                    free.append((pos, document, start, end))
                    spans.append((start, end))
            found[alias.id] = free
    for alias in waiting:
        with store.write(bulk=True) as w:
            id_ = learned.play_alias(w, roster, alias, found[alias.id])
        mentions = iter(found[alias.id])
        while some := list(islice(mentions, _MENTIONS_AT_ONCE)):
            with store.write(bulk=True) as w:
                rosters.add_mentions(w, [(id_, mention) for mention in some])
    return len(waiting)
