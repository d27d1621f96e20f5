"""The reader's own rows, taken out of a damaged library and put into a new one.

Texts come back from the kept EPUBs; what only the reader has made (places, frontiers, how
volumes are grouped, titles, what she set right) must be carried over. It is read row by row
from the damaged file from both ends of each table, and what cannot be read there from the copy
that every clean end of a session leaves.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
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
_READ_ONLY_FOR_PLACEMENT = {
    "volume": ("work_id", "ord", "book_id", "part", "title"),
    "book": ("id", "sha256", "file_name"),
}
_KEY_COLUMNS = {"earlier_place": 3, "mark": 6, "placement": 2, "chat_event": 2, "chat_act": 2}
"""How many first columns tell two rows of a table apart, where that is not one."""


@dataclass(slots=True)
class UserRows:
    """What a reader has made, by table, in the columns of `_COPIED`."""

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
        return UserRows(tables, {**other.file_names, **self.file_names})


def read_user_rows(r: Connection) -> UserRows:
    """Read what can be read, from a sound file or from a damaged one."""
    tables = {table: _readable(r, table, columns) for table, columns in _COPIED.items()}
    books = {row[0]: row for row in _readable(r, "book", _READ_ONLY_FOR_PLACEMENT["book"])}
    tables["placement"] += [
        (books[book][1], part, work, ord_, title)
        for work, ord_, book, part, title in _readable(r, "volume", _READ_ONLY_FOR_PLACEMENT["volume"])
        if book in books
    ]
    return UserRows(tables, {sha256: name for _id, sha256, name in books.values()})


def _readable(r: Connection, table: str, columns: Sequence[str]) -> list[_Row]:
    """Read a table from its beginning up to the first damaged page, and from its end back to the last."""
    rows: dict[int, _Row] = {}
    for order in ("ASC", "DESC"):
        sql = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY rowid {order}"  # noqa: S608  (our names)
        try:
            for rowid, *row in r.execute(sql):
                rows[rowid] = tuple(row)
        except (apsw.Error, UnicodeDecodeError):
            continue
        break
    return [rows[rowid] for rowid in sorted(rows)]


def put_user_rows(w: Connection, found: UserRows) -> int:
    """Write rows into a new library; a row its tables refuse is left out.

    Returns:
        How many places were brought over.
    """
    w.execute("PRAGMA defer_foreign_keys = ON")
    for table in ("work", *(name for name in _COPIED if name != "work")):
        columns = _COPIED[table]
        marks = ", ".join("?" * len(columns))
        for row in found.tables.get(table, ()):
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
    return int(w.execute("SELECT count(*) FROM place").get)


def save_copy(r: Connection, path: Path) -> None:
    """Write the reader's rows beside the library, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    rows = read_user_rows(r)
    text = json.dumps({"tables": rows.tables, "file_names": rows.file_names}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def read_copy(path: Path) -> UserRows:
    """Read what `save_copy` wrote; nothing when there is none or it is damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        tables = {table: [tuple(row) for row in rows] for table, rows in found["tables"].items()}
        return UserRows(tables, dict(found["file_names"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return UserRows()
