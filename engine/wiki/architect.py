"""Stage 3: the blueprint of the wiki, planned by a model and completed by the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.analysis.asking import Answer, Caller, Request, fenced, load_prompt, said, user
from engine.analysis.ledger import Ledger, Note, Point
from engine.domain.models import ModelRole
from engine.providers.protocols import Message
from engine.text.tokens import estimate_tokens
from engine.wiki.blueprint import MOST_CORE, MOST_ENTRIES, Blueprint, Entry, Tier, take_plan

_MOST_ROUNDS = 3
_LEAST_NOTES = 2
_POINTS_TOKENS = 12_000
_ENTRY_TOKENS = 9
_PLAN_TOKENS = 300
"""Of the fact boxes, groups and topics."""


def plan_wiki(caller: Caller, ledger: Ledger, upto_volume: int, before: Blueprint, language: str) -> Blueprint:
    """Return the blueprint of a wiki: what there was before stays, and grows.

    The model is told what is missing until its plan is complete, three times at most; the program then completes it.

    Args:
        caller: Who asks the model.
        ledger: What was gathered.
        upto_volume: Only notes of volumes before this one count.
        before: The blueprint of the last reading.
        language: Of the wiki.

    Raises:
        AnalysisStopped, ModelError: as `Caller.ask`.
    """
    notes = _notes_upto(ledger, upto_volume)
    known = {entry.number for entry in before.entries}
    candidates = [p for p in _by_weight(ledger, notes) if p.number not in known]
    if not candidates:
        return before
    messages: list[Message] = [user(_text(ledger, candidates, notes, before, upto_volume, language))]
    allowed = {point.number for point in candidates}
    planned = before
    for round_ in range(1, _MOST_ROUNDS + 1):
        request = Request(
            "plan", f"{upto_volume} round {round_}", ModelRole.WRITER, load_prompt("plan"), tuple(messages),
            output_tokens=min(len(candidates), MOST_ENTRIES) * _ENTRY_TOKENS + _PLAN_TOKENS,
        )  # fmt: skip
        [answer] = caller.ask_all([request])
        if not isinstance(answer, Answer):
            break
        planned = take_plan(answer.text, ledger, allowed, planned)
        wanting = _wanting(ledger, candidates, notes, planned)
        if not wanting:
            break
        messages += [said(answer), user(f"{wanting} Answer with the lines that are missing only.")]
    return replace(planned, entries=(*planned.entries, *_completed(candidates, notes, planned)))


def _notes_upto(ledger: Ledger, upto_volume: int) -> dict[int, list[Note]]:
    found = ledger.notes_by_point()
    kept = {number: [note for note in notes if note.volume < upto_volume] for number, notes in found.items()}
    return {number: notes for number, notes in kept.items() if len(notes) >= _LEAST_NOTES}


def _by_weight(ledger: Ledger, notes: dict[int, list[Note]]) -> list[Point]:
    points = (point for point in ledger.standing() if point.number in notes)
    return sorted(points, key=lambda point: (-point.importance, -len(notes[point.number]), point.number))


def _text(
    ledger: Ledger,
    candidates: Sequence[Point],
    notes: dict[int, list[Note]],
    before: Blueprint,
    upto_volume: int,
    language: str,
) -> str:
    rows: list[str] = []
    spent = 0
    for point in candidates:
        names = " / ".join(form.form for form in point.forms)
        row = f"{point.key} {point.kind} {point.importance or '-'} {len(notes[point.number])} {names}"
        spent += estimate_tokens(row)
        if spent > _POINTS_TOKENS:
            break
        rows.append(row)
    course = [
        f"volume {volume + 1}: {' '.join(line.text for line in lines)}"
        for volume, lines in sorted(ledger.summaries.items())
        if volume < upto_volume
    ]
    head = [
        f"Language of the wiki: {language}.",
        "Points (key, kind, importance, notes, names):",
        fenced("\n".join(rows)),
    ]
    head += ["What happens:", fenced("\n".join(course))] if course else []
    if before.entries:
        head += [f"{len(before.entries)} entries are planned already; these points are new.", *_groups_text(before)]
    return "\n".join(head)


def _groups_text(before: Blueprint) -> list[str]:
    """Return the groups and topics there are, which may be given further entries under the same title."""
    rows = [f"% {each.title}" for each in before.groups] + [f"+ {each.title}" for each in before.topics]
    return ["Groups and topics there are; add to them under the same title:", fenced("\n".join(rows))] if rows else []


def _must_be(point: Point, notes: dict[int, list[Note]]) -> bool:
    return point.importance >= 4 or len(notes[point.number]) >= 8


def _wanting(ledger: Ledger, candidates: Sequence[Point], notes: dict[int, list[Note]], planned: Blueprint) -> str:
    """Return what a plan still lacks, in a sentence or two; empty for a complete one."""
    known = {entry.number for entry in planned.entries}
    room = max(0, MOST_ENTRIES - len(known))
    missing = [p.key for p in candidates if p.number not in known and _must_be(p, notes)][:room]
    kinds = {point.kind for e in planned.entries if (point := ledger.resolve(e.number)) is not None}
    told = [f"These are missing, give each a tier too: {' '.join(missing)}."] if missing else []
    if len(known) >= 3 and not planned.groups:
        told.append("There are no groups (%).")
    if len(known) >= 8 and not planned.topics:
        told.append("There are no topics (+).")
    if unboxed := sorted(kind for kind in kinds if kind not in planned.boxes):
        told.append(f"There is no fact box (:) for {', '.join(unboxed)}.")
    return " ".join(told)


def _completed(candidates: Sequence[Point], notes: dict[int, list[Note]], planned: Blueprint) -> list[Entry]:
    """Return what the plan leaves out though the story turns on it; all of it where there is no plan."""
    known = {entry.number for entry in planned.entries}
    is_planned = any(point.number in known for point in candidates)
    cores = sum(entry.tier is Tier.CORE for entry in planned.entries)
    added: list[Entry] = []
    for point in candidates:
        if point.number not in known and (_must_be(point, notes) or not is_planned):
            is_core = point.importance >= 4 and cores < MOST_CORE
            cores += is_core
            has_part = point.importance >= 3 or len(notes[point.number]) >= 5
            tier = Tier.CORE if is_core else Tier.SUPPORTING if has_part else Tier.LOCAL
            added.append(Entry(point.number, tier))
    return added[: max(0, MOST_ENTRIES - len(known))]
