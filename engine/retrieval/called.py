"""What a point is called, and under which names it is shown."""

from __future__ import annotations

from collections.abc import Container, Sequence

from engine.domain.knowledge import AliasKind
from engine.domain.wiki import KnownAlias
from engine.store.points import AliasRow, PointRow


def best_name(rows: Sequence[PointRow], aliases: Sequence[AliasRow], counts: dict[int, int]) -> str:
    """Return the reader's own name for a point, else the proper name where it is known, else the one used most.

    Args:
        rows: The members of an identity, the one that stands for all first.
        aliases: Known names, in the order they became known.
        counts: Occurrences of each by its id.
    """
    forms = {alias.form for alias in aliases}
    named_by_reader = next((row.label for row in rows if row.label), "")
    roles = {alias.form for alias in aliases if alias.kind is AliasKind.ROLE}
    proper = _proper_name([row.name for row in rows if row.name in forms], roles)
    if named_by_reader or proper:
        return named_by_reader or proper
    named = [alias for alias in aliases if alias.kind is not AliasKind.READING]
    if not named:
        return rows[0].met_as
    return max(named, key=lambda alias: counts.get(alias.id, 0)).form


def _proper_name(names: Sequence[str], roles: Container[str]) -> str:
    """Return the first of some names; where that is only an office, a name behind it: Judith Vale, not Captain."""
    first = names[0] if names else ""
    if first not in roles:
        return first
    others = [name for name in names if name not in roles]
    return next((name for name in others if " " in name), others[0] if others else first)


def shown_aliases(aliases: Sequence[AliasRow], counts: dict[int, int]) -> tuple[KnownAlias, ...]:
    """Return names as they are shown; a form two members share stands once."""
    by_form: dict[str, KnownAlias] = {}
    for alias in aliases:
        before = by_form.get(alias.form)
        if before is None:
            by_form[alias.form] = KnownAlias(
                alias.form, alias.kind, alias.first_pos, alias.reveal_pos, counts.get(alias.id, 0)
            )
        else:
            by_form[alias.form] = KnownAlias(
                before.form, before.kind, before.first_pos, before.reveal_pos, before.count + counts.get(alias.id, 0)
            )
    return tuple(by_form.values())
