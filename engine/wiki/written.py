"""What was written about a point or a work, as parts of its page: veiled where it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from engine.domain.statements import Role, ShownStatement
from engine.domain.wiki import Heading, Paragraph, Part, Plain, Run, Veil
from engine.translate import _
from engine.wiki.sources import Numbering

_MOST_VEILS = 3
"""In a list or a section."""


def runs_of(statement: ShownStatement, numbering: Numbering) -> tuple[Run, ...]:
    """Return a statement's words, or its veil, with references to what it rests on."""
    cites = (numbering.cite(each.locator, each.pos, each.quote) for each in statement.evidence)
    return (statement.run, *cites)


def paragraph(statements: Iterable[ShownStatement], numbering: Numbering) -> Paragraph | None:
    """Return statements as one paragraph; None for none."""
    runs: list[Run] = []
    for statement in statements:
        if runs:
            runs.append(Plain(" "))
        runs += runs_of(statement, numbering)
    return Paragraph(tuple(runs)) if runs else None


def cell_rows(statements: Iterable[ShownStatement], numbering: Numbering) -> list[tuple[str, tuple[Run, ...]]]:
    """Return the cells of an infobox: label and value a row; a veiled one has no label."""
    rows: list[tuple[str, tuple[Run, ...]]] = []
    for statement in of_role(statements, Role.CELL):
        runs = runs_of(statement, numbering)
        if isinstance(statement.run, Plain):
            label, _tab, value = statement.run.text.partition("\t")
            rows.append((label, (Plain(value), *runs[1:])) if value else ("", runs))
        else:
            rows.append(("", runs))
    return rows


def sections(statements: Sequence[ShownStatement], numbering: Numbering) -> list[Part]:
    """Return the sections of an entry, then its relations; its notes where no sentence of a section may be read."""
    parts: list[Part] = []
    told = [each for each in statements if each.role in (Role.HEADING, Role.SENTENCE)]
    by_section: Callable[[ShownStatement], int] = lambda each: each.section  # noqa: E731  (a key)
    is_more_told = False
    for _section, group in groupby(sorted(told, key=by_section), key=by_section):
        members = list(group)
        if all(isinstance(each.run, Veil) for each in members):
            if is_more_told:
                continue  # one section of veils tells that there is more; their number would tell how much
            is_more_told = True
        parts += [Heading(each.run, 1) for each in members if each.role is Role.HEADING]
        body = paragraph(few_veils(each for each in members if each.role is Role.SENTENCE), numbering)
        parts += [body] if body is not None else []
    parts += _listed(_("Relations"), of_role(statements, Role.RELATION), numbering)
    if not any(each.role is Role.SENTENCE and isinstance(each.run, Plain) for each in told):
        said = {each.run for each in of_role(statements, Role.SUMMARY) if isinstance(each.run, Plain)}
        notes = [each for each in of_role(statements, Role.NOTE) if each.run not in said]
        parts += _listed(_("Notes"), notes, numbering)
    return parts


def _listed(title: str, statements: Sequence[ShownStatement], numbering: Numbering) -> list[Part]:
    if not statements:
        return []
    return [Heading(Plain(title), 1), *(Paragraph(runs_of(each, numbering)) for each in few_veils(statements))]


def few_veils(statements: Iterable[ShownStatement]) -> list[ShownStatement]:
    """Return statements with no more veiled ones than tell that there is more: a page of veils tells nothing else."""
    kept: list[ShownStatement] = []
    veils = 0
    for each in statements:
        veils += isinstance(each.run, Veil)
        if not isinstance(each.run, Veil) or veils <= _MOST_VEILS:
            kept.append(each)
    return kept


def of_role(statements: Iterable[ShownStatement], role: Role) -> list[ShownStatement]:
    """Return the statements of one role, in their order."""
    return [each for each in statements if each.role is role]
