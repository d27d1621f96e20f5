"""Whether the tables of a library are those of its format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import apsw

from engine.store.connection import Connection

_Shape: TypeAlias = frozenset[tuple[str | int | None, ...]]
_MADE = re.compile(r"^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX) (\w+)", re.MULTILINE)


def has_tables_of(r: Connection, schema: str, steps: Sequence[Callable[[Connection], None]]) -> bool:
    """Say whether everything that a format makes is there as it makes it; what else is there does not matter.

    SQLite keeps the words by which a table was made, so 0.3 ms suffice where they are those of today. Where they
    are not, they may differ by a comment: then the format is made anew in memory, and columns are compared, 40 ms.

    Args:
        r: Of the library.
        schema: All that the format makes, as SQL.
        steps: What makes it, in order.
    """
    made = {str(name): str(sql) for name, sql in r.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if all(made.get(name, "\0") in schema for name in _MADE.findall(schema)):
        return True
    model = apsw.Connection(":memory:")
    try:
        for step in steps:
            step(model)
        return _shape(model) <= _shape(r)
    finally:
        model.close()


def _shape(r: Connection) -> _Shape:
    columns = r.execute(
        'SELECT m.name, p.name, p.type, p."notnull", p.pk, (SELECT count(*) FROM pragma_table_xinfo(m.name))'
        " FROM sqlite_schema m, pragma_table_xinfo(m.name) p WHERE m.type = 'table'"
        " AND m.name NOT GLOB 'sqlite_*' AND m.name NOT GLOB 'gram_*'"
    )
    indexes = r.execute("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    return frozenset((*columns, *indexes))
