"""Carry the places of conversations over to another text of a book; what is not found leads nowhere, its words stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from engine.domain.chat import TurnId
from engine.domain.locator import QuoteSelector
from engine.domain.notes import Anchor
from engine.store.connection import Connection
from engine.text.reanchoring import Found

Moved: TypeAlias = "tuple[TurnId, Mapping[str, Sequence[Any]]]"
"""A turn, and where its places stand now, in the form of `engine.store.conversations.anchors_of`."""


def rechatted(
    r: Connection, source: str, sha256: str, find: Callable[[Anchor], tuple[int, Found] | None]
) -> tuple[Moved, ...]:
    """Work out where the places of conversations stand in a new text.

    Args:
        r: Any connection.
        source: Content hash of the book they were kept for.
        sha256: Of the one whose text is new; the same when one file is read anew.
        find: Finds a passage in the new text by its words: (spine index, where), None where that is not certain.
    """
    rows = r.execute("SELECT id, anchors FROM chat_turn WHERE instr(anchors, ?) ORDER BY rowid", (source,)).fetchall()
    moved = []
    for turn, written in rows:
        anchors: dict[str, list[Any]] = json.loads(str(written))
        changed = {name: _moved(each, sha256, find) for name, each in anchors.items() if each[0] == source}
        moved.append((TurnId(str(turn)), changed))
    return tuple(moved)


def _moved(
    anchor: Sequence[Any], sha256: str, find: Callable[[Anchor], tuple[int, Found] | None]
) -> Sequence[Any]:  # Any: as JSON has it
    book, spine_index, start, end, exact, prefix, suffix = anchor
    found = find(Anchor(book, spine_index, start, start + len(exact), QuoteSelector(exact, prefix, suffix)))
    if found is None:
        return anchor
    index, at = found
    return [sha256, index, at.start, at.start + end - start, exact, prefix, suffix]


def put_rechatted(w: Connection, moved: Sequence[Moved], source: str, sha256: str) -> None:
    """Write what `rechatted` worked out; the conversations of a book go along with the one that took its place."""
    w.executemany(
        "UPDATE chat_turn SET anchors = json_patch(anchors, ?) WHERE id = ?",
        [(json.dumps(anchors), turn) for turn, anchors in moved],
    )
    w.execute("UPDATE conversation SET book_sha256 = ? WHERE book_sha256 = ?", (sha256, source))
