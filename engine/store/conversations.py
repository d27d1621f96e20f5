"""Conversations: their turns in the order they were asked, and where in the books they were asked from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.domain.book import WorkId
from engine.domain.chat import Numbered, TurnId, view_of
from engine.domain.chat_records import event_from
from engine.domain.conversation_records import scene_from
from engine.domain.conversations import Conversation, ConversationId, ConversationKind, Turn
from engine.domain.locator import Locator, locator_from_text
from engine.errors import PlaceUnknownError
from engine.store import reading
from engine.store.connection import Connection, utc_now

_TITLE_CHARS = 60
_CONTEXT_CHARS = 32
_MOST_EXACT = 200
_WAITING = "waiting"
# A conversation follows the book it was begun in to whatever work holds it now.
_WORK = (
    "coalesce((SELECT v.work_id FROM book b JOIN volume v ON v.book_id = b.id"
    " WHERE b.sha256 = c.book_sha256 AND b.state = 'ready' ORDER BY v.ord LIMIT 1), c.work_id)"
)
_SHOWN = (
    f"SELECT c.id, c.kind, {_WORK} AS work, c.title, c.created_at, c.changed_at, c.version,"  # noqa: S608  (our own names)
    " (SELECT question FROM chat_turn t WHERE t.conversation_id = c.id ORDER BY t.ord LIMIT 1),"
    " (SELECT model FROM chat_turn t WHERE t.conversation_id = c.id ORDER BY t.ord DESC LIMIT 1),"
    " (SELECT count(*) FROM chat_turn t WHERE t.conversation_id = c.id),"
    f" EXISTS (SELECT 1 FROM chat_turn t WHERE t.conversation_id = c.id AND t.state = '{_WAITING}')"
    " FROM conversation c"
)
_TURN = (
    f"SELECT t.id, t.conversation_id, t.parent, t.request, t.anchors, t.asked_at, {_WORK}"  # noqa: S608  (our own names)
    " FROM chat_turn t JOIN conversation c ON c.id = t.conversation_id"
)


def begin(w: Connection, kind: ConversationKind, work: WorkId, book_sha256: str) -> ConversationId:
    """Make a conversation without turns."""
    now = utc_now()
    w.execute(
        "INSERT INTO conversation (work_id, book_sha256, kind, title, created_at, changed_at)"
        " VALUES (?, ?, ?, '', ?, ?)",
        (work, book_sha256, kind, now, now),
    )
    return ConversationId(w.last_insert_rowid())


def shown(
    r: Connection, work: WorkId | None, words: str, kinds: Iterable[ConversationKind]
) -> tuple[Conversation, ...]:
    """Return conversations, the one changed last first.

    Args:
        r: A connection.
        work: Whose; None for all.
        words: What a title, a question or an answer holds, whatever its case; empty for all.
        kinds: What they were begun for.
    """
    pattern = f"%{words.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%" if words else ""
    rows = r.execute(
        f"{_SHOWN} WHERE (?1 IS NULL OR work = ?1)"  # noqa: S608  (our own names)
        " AND c.kind IN (SELECT value FROM json_each(?2)) AND (?3 = '' OR c.title LIKE ?3 ESCAPE '!'"
        " OR EXISTS (SELECT 1 FROM chat_turn t WHERE t.conversation_id = c.id AND (t.question LIKE ?3 ESCAPE '!'"
        " OR EXISTS (SELECT 1 FROM chat_event e WHERE e.turn_id = t.id"
        " AND json_extract(e.record, '$.event') IN ('answer_ready', 'text_delta')"
        " AND json_extract(e.record, '$.text') LIKE ?3 ESCAPE '!'))))"
        " ORDER BY c.changed_at DESC, c.id DESC",
        (work, json.dumps([str(kind) for kind in kinds]), pattern),
    )
    return tuple(_conversation(row) for row in rows)


def by_id(r: Connection, id_: ConversationId) -> Conversation | None:
    """Return a conversation, None when there is none of that id."""
    row = r.execute(f"{_SHOWN} WHERE c.id = ?", (id_,)).fetchone()
    return None if row is None else _conversation(row)


def _conversation(row: Sequence[Any]) -> Conversation:  # Any: SQLite's columns are typed by the schema alone
    id_, kind, work, title, created, changed, version, question, model, turns, is_waiting = row
    return Conversation(
        ConversationId(id_),
        ConversationKind(kind),
        WorkId(work),
        title or _begins(question or ""),
        model or "",
        created,
        changed,
        version,
        turns,
        bool(is_waiting),
    )


def _begins(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= _TITLE_CHARS else f"{line[: _TITLE_CHARS - 1].rstrip()}…"


def rename(w: Connection, id_: ConversationId, title: str, version: int) -> bool:
    """Give a conversation another title; False when it is gone, or not the version the reader saw."""
    w.execute(
        "UPDATE conversation SET title = ?, version = version + 1 WHERE id = ? AND version = ?", (title, id_, version)
    )
    return w.changes() > 0


def delete(w: Connection, id_: ConversationId) -> None:
    """Take a conversation away with all its turns; one that is not there is no error."""
    turns = "(SELECT id FROM chat_turn WHERE conversation_id = ?)"
    w.execute(f"DELETE FROM chat_event WHERE turn_id IN {turns}", (id_,))  # noqa: S608  (our own names)
    w.execute(f"DELETE FROM chat_act WHERE turn_id IN {turns}", (id_,))  # noqa: S608
    w.execute("DELETE FROM chat_turn WHERE conversation_id = ?", (id_,))
    w.execute("DELETE FROM conversation WHERE id = ?", (id_,))


def touch(w: Connection, id_: ConversationId) -> None:
    """Write that a conversation has changed."""
    w.execute("UPDATE conversation SET changed_at = ?, version = version + 1 WHERE id = ?", (utc_now(), id_))


def turns_of(r: Connection, id_: ConversationId) -> tuple[Turn, ...]:
    """Return the turns of a conversation in the order they were asked, places as they stand now."""
    rows = r.execute(f"{_TURN} WHERE t.conversation_id = ? ORDER BY t.ord", (id_,)).fetchall()
    return tuple(_turn(r, row) for row in rows)


def _turn(r: Connection, row: Sequence[Any]) -> Turn:  # Any: SQLite's columns are typed by the schema alone
    turn, conversation, parent, request, anchors, asked_at, work = row
    moved = moved_places(r, json.loads(anchors))
    return Turn(
        view_of(TurnId(turn), events_of(r, TurnId(turn), moved=moved)),
        ConversationId(conversation),
        TurnId(parent) if parent is not None else None,
        replace(scene_from(json.loads(request)["scene"], moved), work=WorkId(work)),
        asked_at,
    )


def turn_by_id(r: Connection, turn: TurnId) -> Turn | None:
    """Return a turn, None when there is none of that id."""
    row = r.execute(f"{_TURN} WHERE t.id = ?", (turn,)).fetchone()
    return None if row is None else _turn(r, row)


def events_of(
    r: Connection, turn: TurnId, after: int = 0, moved: Mapping[Locator, Locator] | None = None
) -> tuple[Numbered, ...]:
    """Return the events of a turn behind a number, in their order; those of a later release are left out.

    Args:
        r: A connection.
        turn: Whose.
        after: The last one that is known already.
        moved: Where its places stand now; None to look that up.
    """
    rows = r.execute(
        "SELECT record FROM chat_event WHERE turn_id = ? AND number > ? ORDER BY number", (turn, after)
    ).fetchall()
    if moved is None:
        anchors = r.execute("SELECT anchors FROM chat_turn WHERE id = ?", (turn,)).get
        moved = moved_places(r, json.loads(str(anchors or "{}")))
    events = (event_from(json.loads(str(record)), moved) for (record,) in rows)
    return tuple(event for event in events if event is not None)


# Where places stand now


def anchors_of(r: Connection, locators: Iterable[Locator]) -> dict[str, list[object]]:
    """Return what tells places apart from this library: the book's content and the words; unknown ones are left out."""
    found: dict[str, list[object]] = {}
    for locator in locators:
        try:
            row = reading.document_row(r, locator.document)
        except PlaceUnknownError:
            continue
        end = min(locator.end, locator.start + _MOST_EXACT)
        first = max(0, locator.start - _CONTEXT_CHARS)
        text = reading.text_of(r, row.id, first, end + _CONTEXT_CHARS)
        a, b = locator.start - first, end - first
        found[str(locator)] = [
            row.sha256, row.spine_index, locator.start, locator.end, text[a:b], text[:a], text[b:]
        ]  # fmt: skip
    return found


def add_anchors(w: Connection, turn: TurnId, anchors: Mapping[str, Sequence[object]]) -> None:
    """Keep what tells the places of a turn apart from this library, beside what was kept before."""
    if anchors:
        w.execute("UPDATE chat_turn SET anchors = json_patch(anchors, ?) WHERE id = ?", (json.dumps(anchors), turn))


def moved_places(r: Connection, anchors: Mapping[str, Sequence[object]]) -> dict[Locator, Locator]:
    """Return where places stand whose documents have gone, such as after the book was imported anew."""
    moved: dict[Locator, Locator] = {}
    for written, (sha256, spine_index, start, end, *_words) in anchors.items():
        locator = locator_from_text(written)
        if locator is None:
            continue
        row = reading.document_of(r, str(sha256), int(str(spine_index)))
        if row is not None and row.id != locator.document:
            moved[locator] = Locator(row.id, int(str(start)), int(str(end)))
    return moved


def sent_of(r: Connection, turn: TurnId) -> str:
    """Return the record of what was sent in a turn; empty when nothing was."""
    return str(r.execute("SELECT sent FROM chat_turn WHERE id = ?", (turn,)).get or "")
