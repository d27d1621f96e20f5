"""The reader's own rows, taken out of a library that cannot be used and put into a new one.

Texts come back from the kept EPUBs; what only the reader has made (places, frontiers, how
volumes are grouped, titles, what she set right) must be carried over, and what she has paid
for. It is read row by row from the old file from both ends of each table, and what cannot be
read there from the copy that every clean end of a session leaves. A table may have had other
columns: what it lacks gets the default of the new one, what is not known is left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from engine.store.connection import Connection

_Row: TypeAlias = tuple[Any, ...]  # Any: SQLite's values, checked by the STRICT tables they go into

_COPIED = {
    "place": ("book_sha256", "spine_index", "start", "exact", "prefix", "suffix", "counter", "saved_at"),
    "frontier": ("book_sha256", "spine_index", "start"),
    "earlier_place": ("book_sha256", "spine_index", "start", "exact", "prefix", "suffix", "saved_at"),
    "mark": (
        *("kind", "name", "ord"),
        *("book_sha256", "spine_index", "start", "exact", "prefix", "suffix"),
        *("label", "made_at"),
    ),
    "reader_note": (
        *("uid", "kind", "tone", "book_sha256", "spine_index", "start", '"end"', "exact", "prefix", "suffix"),
        *("comment", "title", "chapter", "is_lost", "made_at", "changed_at", "rev", "is_brought"),
    ),
    "sitting": ("id", "book_sha256", "language", "seconds", "characters", "began_at"),
    "remembered": ("key", "value"),
    "work": ("id", "title", "authors", "language", "series_key", "is_right_to_left", "is_named_by_reader"),
    "placement": ("book_sha256", "part", "work_id", "ord", "title"),
    "consent": ("place", "agreed_at"),
    "conversation": ("id", "work_id", "book_sha256", "kind", "title", "created_at", "changed_at", "version"),
    "chat_turn": (
        *("id", "conversation_id", "parent", "ord", "question", "request", "anchors", "model", "state", "held", "sent"),
        *("asked_at", "pid", "process_start", "boot"),
    ),
    "chat_event": ("turn_id", "number", "record"),
    "chat_act": ("turn_id", "call_id", "kind", "payload", "state"),
    "correction": ("id", "work_id", "kind", "payload", "made_at", "undone"),
}
_PAID = {
    "analysis": (
        *("id", "work_id", "mode", "language", "volumes", "cap_tokens", "state", "error", "started_at", "ended_at"),
    ),
    "analysis_stage": ("analysis_id", "stage", "volume", "done", "total", "counters"),
    "model_call": (
        *("id", "cache_key", "work_id", "analysis_id", "stage", "unit", "model", "prompt_rev", "state", "reply"),
        *("error", "tokens_in", "tokens_cached", "tokens_out", "is_estimate", "ms", "made_at"),
    ),
    "seed": ("work_id", "volume", "volumes_key", "points"),
    "model_usage": (
        *("day", "job", "work_id", "stage", "model", "calls", "failed", "prompt", "cached", "completion"),
        *("reasoning", "is_estimate", "money"),
    ),
    "trial": ("model", "place", "tried_at", "text", "tools", "schemas", "streaming", "notes"),
}
"""What models answered, and what the answers need to be understood again. Too much for the copy beside the library."""
_READ_ONLY_FOR_PLACEMENT = {
    "volume": ("work_id", "ord", "book_id", "part", "title"),
    "book": ("id", "sha256", "file_name"),
}
_KEY_COLUMNS = {"earlier_place": 3, "mark": 6, "placement": 2, "chat_event": 2, "chat_act": 2}
"""How many first columns tell two rows of a table apart, where that is not one."""


@dataclass(slots=True)
class UserRows:
    """What a reader has made and paid for, by table, in the columns of `_COPIED` and `_PAID`.

    None stands where a column was missing.
    """

    tables: dict[str, list[_Row]] = field(default_factory=dict)
    file_names: dict[str, str] = field(default_factory=dict)
    """Names of the imported files by content hash."""

    def completed_by(self, other: UserRows) -> UserRows:
        """Return these rows and those of `other` whose keys are missing here."""
        tables = {}
        for table in _COPIED:
            width = _KEY_COLUMNS.get(table, 1)
            rows = {row[:width]: row for row in other.tables.get(table, ())}
            rows.update({row[:width]: row for row in self.tables.get(table, ())})
            tables[table] = list(rows.values())
        tables.update({table: self.tables.get(table) or other.tables.get(table, []) for table in _PAID})
        return UserRows(tables, {**other.file_names, **self.file_names})


def read_user_rows(r: Connection, *, with_paid: bool = False) -> UserRows:
    """Read what can be read, from a sound file, a damaged one or one with other tables.

    Args:
        r: A connection to it.
        with_paid: Also what models have answered.
    """
    wanted = {**_COPIED, **_PAID} if with_paid else _COPIED
    tables = {table: _readable(r, table, columns) for table, columns in wanted.items()}
    books = {row[0]: row for row in _readable(r, "book", _READ_ONLY_FOR_PLACEMENT["book"])}
    tables["placement"] += [
        (books[book][1], part, work, ord_, title)
        for work, ord_, book, part, title in _readable(r, "volume", _READ_ONLY_FOR_PLACEMENT["volume"])
        if book in books
    ]
    return UserRows(tables, {sha256: name for _id, sha256, name in books.values()})


def _readable(r: Connection, table: str, columns: Sequence[str]) -> list[_Row]:
    """Read a table from its beginning up to the first damaged page, and from its end back to the last."""
    try:
        has = {f'"{name}"' for (name,) in r.execute("SELECT name FROM pragma_table_info(?)", (table,))}
    except (apsw.Error, UnicodeDecodeError):
        has = {_quoted(column) for column in columns}
    read = ", ".join(column if _quoted(column) in has else "NULL" for column in columns)
    rows: dict[_Row, _Row] = {}
    try:
        for key, row in _in_order(r, table, read, "ASC"):
            rows[key] = row
        return list(rows.values())
    except (apsw.Error, UnicodeDecodeError):
        tail: dict[_Row, _Row] = {}
    try:
        for key, row in _in_order(r, table, read, "DESC"):
            tail[key] = row
    except (apsw.Error, UnicodeDecodeError):
        pass
    return [*rows.values(), *(row for key, row in reversed(tail.items()) if key not in rows)]


def _in_order(r: Connection, table: str, read: str, order: str) -> Iterator[tuple[_Row, _Row]]:
    keys = "rowid"
    if not r.execute("SELECT EXISTS (SELECT 1 FROM pragma_table_list(?) WHERE wr = 0)", (table,)).get:
        named = r.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (table,))
        keys = ", ".join(_quoted(name) for (name,) in named)
    width = keys.count(",") + 1
    by = ", ".join(f"{key} {order}" for key in keys.split(", "))
    for row in r.execute(f"SELECT {keys}, {read} FROM {table} NOT INDEXED ORDER BY {by}"):  # noqa: S608  (our names)
        yield row[:width], row[width:]


def _quoted(column: str) -> str:
    return column if column.startswith('"') else f'"{column}"'


def put_user_rows(w: Connection, found: UserRows) -> int:
    """Write rows into a new library; a row its tables refuse is left out.

    Returns:
        How many places were brought over.
    """
    w.execute("PRAGMA defer_foreign_keys = ON")
    wanted = {"work": _COPIED["work"], **_COPIED, **_PAID}
    for table, columns in wanted.items():
        marks = ", ".join("?" * len(columns))
        missing = _defaults(w, table, columns)
        for given in found.tables.get(table, ()):
            row = tuple(missing[at] if value is None else value for at, value in enumerate(given))
            if table == "reader_note" and not row[0]:  # one note may not pass for another
                row = (os.urandom(16).hex(), *row[1:])
            try:
                w.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)  # noqa: S608  (our names)
            except (apsw.ConstraintError, apsw.MismatchError, apsw.BindingsError, TypeError):
                continue
    # Only works that some volume will come back to, and placements whose work is there.
    w.execute("DELETE FROM placement WHERE work_id NOT IN (SELECT id FROM work)")
    w.execute("DELETE FROM work WHERE id NOT IN (SELECT work_id FROM placement)")
    w.execute("DELETE FROM chat_turn WHERE conversation_id NOT IN (SELECT id FROM conversation)")
    w.execute("DELETE FROM chat_event WHERE turn_id NOT IN (SELECT id FROM chat_turn)")
    w.execute("DELETE FROM chat_act WHERE turn_id NOT IN (SELECT id FROM chat_turn)")
    w.execute("DELETE FROM correction WHERE work_id NOT IN (SELECT id FROM work)")
    w.execute("DELETE FROM analysis_stage WHERE analysis_id NOT IN (SELECT id FROM analysis)")
    w.execute("UPDATE analysis SET state = 'paused' WHERE state = 'running'")  # its job is gone
    return int(w.execute("SELECT count(*) FROM place").get)


def _defaults(w: Connection, table: str, columns: Sequence[str]) -> list[Any]:
    """Return for each column what stands where nothing is known of it."""
    told = {
        f'"{name}"': None if not is_needed else ("" if kind == "TEXT" else 0) if default is None else default.strip("'")
        for name, kind, is_needed, default in w.execute(
            'SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)', (table,)
        )
    }
    return [told.get(_quoted(column)) for column in columns]


def save_copy(r: Connection, path: Path) -> None:
    """Write the reader's rows beside the library, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    rows = read_user_rows(r)
    told = {"columns": _COPIED, "tables": rows.tables, "file_names": rows.file_names}
    text = json.dumps(told, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def read_copy(path: Path) -> UserRows:
    """Read what `save_copy` wrote; nothing when there is none or it is damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        columns = found.get("columns", _COPIED)
        tables = {
            table: [_arranged(row, columns[table], _COPIED[table]) for row in rows]
            for table, rows in found["tables"].items()
            if table in _COPIED and table in columns
        }
        return UserRows(tables, dict(found["file_names"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return UserRows()


def _arranged(row: Sequence[Any], had: Sequence[str], wanted: Sequence[str]) -> _Row:
    """Put the values of a row that another release wrote into today's columns."""
    values = dict(zip(had, row, strict=False))
    return tuple(values.get(column) for column in wanted)
