"""What an entry or a topic is written from: the notes about it, as many as there is room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.analysis.ledger import Ledger, Note, Point
from engine.text.tokens import estimate_tokens
from engine.wiki.blueprint import Blueprint, Shared, Tier

_DOSSIER_TOKENS = {Tier.CORE: 5_000, Tier.SUPPORTING: 2_500, Tier.LOCAL: 700, Tier.TOPIC: 2_000}
_BRIEF_SHARE = 0.6
"""Of that, where a reading is to be cheap."""
_NUMBER_TOKENS = 4


@dataclass(slots=True)
class Dossier:
    """What an entry is written from."""

    key: str
    """Of its point, or "t1" for the first topic."""
    title: str
    tier: Tier
    notes: dict[int, Note] = field(default_factory=dict)
    """By number, in the order of the story; what is searched for joins them."""
    point: Point | None = None
    """None for a topic."""
    labels: tuple[str, ...] = ()
    """Of its fact box."""


def dossiers(
    ledger: Ledger, planned: Blueprint, first_volume: int, upto_volume: int, *, is_brief: bool = False
) -> list[Dossier]:
    """Return what there is to write of each entry from the volumes of one reading; the most of it if it is brief."""
    by_point = ledger.notes_by_point(with_mentions=True)
    found = []
    for entry in planned.entries:
        point = ledger.resolve(entry.number)
        notes = _between(by_point.get(entry.number, ()), first_volume, upto_volume)
        if point is None or not notes:
            continue
        own_first = sorted(notes, key=lambda note: (note.point != point.number, note.pos_end, note.number))
        names = " / ".join(form.form for form in point.forms)
        dossier = Dossier(point.key, f"{names} ({point.kind})", entry.tier, point=point)
        dossier.labels = planned.boxes.get(point.kind, ())
        dossier.notes = _kept(own_first, entry.tier, is_brief=is_brief)
        found.append(dossier)
    return found


def topic_dossiers(
    ledger: Ledger, topics: Sequence[Shared], first_volume: int, upto_volume: int, *, is_brief: bool = False
) -> list[Dossier]:
    """Return what there is to write of each topic: the notes that concern most of its members first."""
    by_point = ledger.notes_by_point(with_mentions=True)
    found = []
    for number, topic in enumerate(topics, 1):
        members = [point.number for n in topic.members if (point := ledger.resolve(n)) is not None]
        shared = Counter(note.number for n in members for note in by_point.get(n, ()))
        notes = _between((ledger.notes[n - 1] for n in shared), first_volume, upto_volume)
        notes.sort(key=lambda note: (-shared[note.number], note.pos_end, note.number))
        if notes:
            found.append(Dossier(f"t{number}", topic.title, Tier.TOPIC, _kept(notes, Tier.TOPIC, is_brief=is_brief)))
    return found


def note_row(ledger: Ledger, note: Note) -> str:
    """Return a note as a writer sees it."""
    about = ledger.resolve(note.point)
    return f"n{note.number} ({about.key if about is not None else '-'}) {note.text}"


def _between(notes: Iterable[Note], first_volume: int, upto_volume: int) -> list[Note]:
    return [note for note in notes if first_volume <= note.volume < upto_volume]


def _kept(best_first: Sequence[Note], tier: Tier, *, is_brief: bool) -> dict[int, Note]:
    most = _DOSSIER_TOKENS[tier] * (_BRIEF_SHARE if is_brief else 1)
    kept: list[Note] = []
    spent = 0
    for note in best_first:
        spent += estimate_tokens(note.text) + _NUMBER_TOKENS
        if kept and spent > most:
            break
        kept.append(note)
    return {note.number: note for note in sorted(kept, key=lambda note: (note.pos_end, note.number))}
