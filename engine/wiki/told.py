"""What a model read beside the entries: what happened, who knows what, what is left open, what a volume tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from engine.domain.locator import volume_ord_of
from engine.domain.statements import VOLUME_ORDS, Role, ShownStatement, WrittenBy
from engine.domain.wiki import Facts, Heading, Paragraph, Part, Plain, Run
from engine.retrieval.known import KnownWork
from engine.translate import N_, _
from engine.wiki.sources import Numbering
from engine.wiki.written import few_veils, of_role, paragraph, runs_of

_HOW = {
    "witnessed": N_("saw it"),
    "told": N_("was told"),
    "read": N_("read it"),
    "inferred": N_("worked it out"),
    "already": N_("knew already"),
    "unknown": N_("knows"),
}
_SURE = {"suspect": N_("suspects"), "guess": N_("guesses")}
_BETWEEN = " · "


def of_point(statements: Sequence[ShownStatement], numbering: Numbering) -> list[Part]:
    """Return what happened to a point, and what it knows."""
    parts: list[Part] = []
    if events := event_rows(statements, numbering):
        parts += [Heading(Plain(_("What happens")), 1), Facts(tuple(events))]
    known = [_knowledge(each, numbering) for each in few_veils(of_role(statements, Role.KNOWLEDGE))]
    if known:
        parts += [Heading(Plain(_("Knows")), 1), Facts(tuple(known))]
    return parts


def of_work(statements: Sequence[ShownStatement], numbering: Numbering) -> list[Part]:
    """Return the questions the story has left open, as far as they may be shown, with their answers."""
    asked = [each for each in statements if each.role in (Role.QUESTION, Role.ANSWER)]
    by_section: Callable[[ShownStatement], int] = lambda each: each.section  # noqa: E731  (a key)
    parts: list[Part] = []
    for _section, group in groupby(sorted(asked, key=by_section), key=by_section):
        # A veiled answer would tell that the question has one.
        members = [each for each in group if each.role is Role.QUESTION or not _is_veiled(each)]
        told = paragraph(members, numbering) if members and not _is_veiled(members[0]) else None
        parts += [told] if told is not None else []
    return [Heading(Plain(_("Questions")), 1), *parts] if parts else []


def of_volume(statements: Sequence[ShownStatement], volume_ord: int, numbering: Numbering) -> Paragraph | None:
    """Return what is told of a volume: sentences that may be read, the others veiled."""
    told = [each for each in of_role(statements, Role.VOLUME) if each.ord // VOLUME_ORDS == volume_ord]
    return paragraph(few_veils(told), numbering)


def timeline(known: KnownWork, volume_ord: int, numbering: Numbering) -> list[Part]:
    """Return what happens in a volume, in the order in which it is told, as far as it may be read."""
    events = [each for each in known.told(Role.EVENT) if _volume_of(each) == volume_ord]
    events.sort(key=lambda each: (each.evidence[-1].pos, each.ord))
    return [Heading(Plain(_("What happens")), 1), Facts(tuple(event_rows(events, numbering)))] if events else []


def _volume_of(statement: ShownStatement) -> int:
    return volume_ord_of(statement.evidence[-1].pos) if statement.evidence else -1


def event_rows(statements: Sequence[ShownStatement], numbering: Numbering) -> list[tuple[str, tuple[Run, ...]]]:
    """Return events a row: when and where at the left, what at the right."""
    rows: list[tuple[str, tuple[Run, ...]]] = []
    for each in few_veils(of_role(statements, Role.EVENT)):
        runs = runs_of(each, numbering)
        if isinstance(each.run, Plain):
            when, where, what = [*each.run.text.split("\t"), "", ""][:3]
            rows.append((_BETWEEN.join(filter(None, (when, where))), (Plain(what), *runs[1:])))
        else:
            rows.append(("", runs))
    return rows


def _knowledge(statement: ShownStatement, numbering: Numbering) -> tuple[str, tuple[Run, ...]]:
    runs = runs_of(statement, numbering)
    if not isinstance(statement.run, Plain):
        return "", runs
    how, sure, fact = [*statement.run.text.split("\t"), "", ""][:3]
    return _(_SURE.get(sure) or _HOW.get(how, _HOW["unknown"])), (Plain(fact), *runs[1:])


def _is_veiled(statement: ShownStatement) -> bool:
    return not isinstance(statement.run, Plain)


def signature(writers: Sequence[WrittenBy]) -> list[Part]:
    """Return who wrote what is shown, and how much of it was held against the text."""
    rows = []
    for each in writers:
        said = _("{checked} of {n} sentences checked against the text")
        who = _BETWEEN.join((each.model, each.made_at, said.format(checked=each.checked, n=each.sentences)))
        rows.append((_("Written by"), (Plain(who),)))
    return [Facts(tuple(rows))] if rows else []
