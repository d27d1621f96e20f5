"""One question and its events: who may add to it, what is held while it waits, what it was answered with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.domain.book import WorkId
from engine.domain.chat import (
    AnswerReady,
    ChatEvent,
    Lead,
    Numbered,
    SpoilerAsked,
    TurnFailed,
    TurnId,
    TurnStarted,
    TurnState,
    TurnStopped,
)
from engine.domain.chat_records import record_of
from engine.domain.conversations import ConversationId
from engine.store import conversations
from engine.store.connection import Connection, utc_now
from engine.store.jobs import Owner

WAITING = "waiting"
OPEN = ("pending", "streaming", WAITING)
"""States of a turn that has not ended."""
NOBODY = Owner(0, "", "")


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn as whoever answers it needs it."""

    id: TurnId
    conversation: ConversationId
    work: WorkId
    parent: TurnId | None
    question: str
    request: Mapping[str, Any]
    """The scene, and what kind of answer is wanted."""
    model: str
    state: str
    held: str
    owner: Owner


def put(
    w: Connection,
    turn: TurnId,
    conversation: ConversationId,
    parent: TurnId | None,
    question: str,
    request: Mapping[str, Any],
    model: str,
    owner: Owner,
) -> bool:
    """Keep a question; False when it is kept already."""
    ord_ = w.execute("SELECT coalesce(max(ord), 0) + 1 FROM chat_turn WHERE conversation_id = ?", (conversation,)).get
    w.execute(
        "INSERT OR IGNORE INTO chat_turn (id, conversation_id, parent, ord, question, request, model, state, asked_at,"
        " pid, process_start, boot) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)",
        (turn, conversation, parent, ord_, question, json.dumps(request), model, utc_now(),
         owner.pid, owner.process_start, owner.boot),
    )  # fmt: skip
    return w.changes() > 0


def row_of(r: Connection, turn: TurnId) -> TurnRow | None:
    """Return a turn, None when there is none of that id."""
    row = r.execute(
        "SELECT t.conversation_id, t.parent, t.question, t.request, t.model, t.state, t.held,"
        " t.pid, t.process_start, t.boot FROM chat_turn t WHERE t.id = ?",
        (turn,),
    ).fetchone()
    if row is None:
        return None
    conversation, parent, question, request, model, state, held, *owner = row
    found = conversations.by_id(r, conversation)
    assert found is not None, "a turn belongs to a conversation"
    return TurnRow(
        turn, ConversationId(conversation), found.work, TurnId(parent) if parent is not None else None,
        question, json.loads(request), model, state, held, Owner(*owner),
    )  # fmt: skip


def under_way(r: Connection, conversation: ConversationId) -> TurnId | None:
    """Return the turn of a conversation that is being answered."""
    found = r.execute(
        "SELECT id FROM chat_turn WHERE conversation_id = ? AND state IN ('pending', 'streaming') LIMIT 1",
        (conversation,),
    ).get
    return None if found is None else TurnId(found)


def last_of(r: Connection, conversation: ConversationId) -> TurnId | None:
    """Return the turn of a conversation that was asked last."""
    found = r.execute(
        "SELECT id FROM chat_turn WHERE conversation_id = ? ORDER BY ord DESC LIMIT 1", (conversation,)
    ).get
    return None if found is None else TurnId(found)


def recent(r: Connection, kind: str, seconds: float) -> tuple[TurnId, ...]:
    """Return the turns of conversations of a kind that were asked within the last seconds, newest first."""
    rows = r.execute(
        "SELECT t.id FROM conversation c JOIN chat_turn t ON t.conversation_id = c.id WHERE c.kind = ?"
        " AND t.asked_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?) ORDER BY c.id DESC, t.ord DESC",
        (kind, f"-{seconds:.0f} seconds"),
    )
    return tuple(TurnId(turn) for (turn,) in rows)


def open_turns(r: Connection) -> tuple[tuple[TurnId, Owner], ...]:
    """Return all turns that are being answered, or were when their owner died; served by `chat_turn_open`."""
    rows = r.execute("SELECT id, pid, process_start, boot FROM chat_turn WHERE state IN ('pending', 'streaming')")
    return tuple((TurnId(turn), Owner(*owner)) for turn, *owner in rows)


def take(w: Connection, turn: TurnId, owner: Owner, *, from_: Owner | None) -> bool:
    """Become the owner of a turn.

    Args:
        w: The writer.
        turn: Which.
        owner: Who wants to answer it.
        from_: Who has it; None for a turn that waits, which nobody has.

    Returns:
        False when somebody else has it by now, or it has ended.
    """
    states = "state = 'waiting'" if from_ is None else "state IN ('pending', 'streaming')"
    held_by = from_ or NOBODY
    w.execute(
        f"UPDATE chat_turn SET pid = ?, process_start = ?, boot = ?, state = 'streaming'"  # noqa: S608  (our own names)
        f" WHERE id = ? AND {states} AND pid = ? AND process_start = ? AND boot = ?",
        (owner.pid, owner.process_start, owner.boot, turn, held_by.pid, held_by.process_start, held_by.boot),
    )
    return w.changes() > 0


def wait_again(w: Connection, turn: TurnId) -> bool:
    """Let a turn wait once more whose new owner died before it had said anything; False when it had."""
    last = w.execute(
        "SELECT json_extract(record, '$.event') FROM chat_event WHERE turn_id = ? ORDER BY number DESC LIMIT 1", (turn,)
    ).get
    if last != "spoiler_asked":
        return False
    w.execute("UPDATE chat_turn SET state = 'waiting', pid = 0, process_start = '', boot = '' WHERE id = ?", (turn,))
    return True


def add_event(w: Connection, turn: TurnId, event: ChatEvent, owner: Owner | None) -> Numbered | None:
    """Add an event to a turn that has not ended, and write what state that makes of it.

    Args:
        w: The writer.
        turn: Which.
        event: What happened.
        owner: Who says so; None for the reader, who may end what anybody answers.

    Returns:
        The event with its number; None when the turn has ended or is somebody else's.
    """
    row = w.execute("SELECT state, pid, process_start, boot FROM chat_turn WHERE id = ?", (turn,)).fetchone()
    if row is None or row[0] not in OPEN or (owner is not None and Owner(*row[1:]) != owner):
        return None
    number = w.execute("SELECT coalesce(max(number), 0) + 1 FROM chat_event WHERE turn_id = ?", (turn,)).get
    numbered = Numbered(turn, int(number), event)
    w.execute(
        "INSERT INTO chat_event (turn_id, number, record) VALUES (?, ?, ?)",
        (turn, number, json.dumps(record_of(numbered), ensure_ascii=False)),
    )
    _set_state(w, turn, event)
    return numbered


def _set_state(w: Connection, turn: TurnId, event: ChatEvent) -> None:
    if isinstance(event, SpoilerAsked):
        w.execute(
            "UPDATE chat_turn SET state = 'waiting', pid = 0, process_start = '', boot = '' WHERE id = ?", (turn,)
        )
    elif isinstance(event, AnswerReady | TurnFailed | TurnStopped):
        kinds = {AnswerReady: TurnState.COMPLETED, TurnFailed: TurnState.FAILED, TurnStopped: TurnState.STOPPED}
        w.execute("UPDATE chat_turn SET state = ?, held = '' WHERE id = ?", (kinds[type(event)], turn))
    elif not isinstance(event, TurnStarted | Lead):
        w.execute("UPDATE chat_turn SET state = 'streaming' WHERE id = ? AND state = 'pending'", (turn,))


def hold(w: Connection, turn: TurnId, held: str) -> None:
    """Keep all that is needed to go on with a turn once the reader has answered."""
    w.execute("UPDATE chat_turn SET held = ? WHERE id = ?", (held, turn))


def set_sent(w: Connection, turn: TurnId, sent: str) -> None:
    """Keep the record of what was sent."""
    w.execute("UPDATE chat_turn SET sent = ? WHERE id = ?", (sent, turn))


# What was offered and agreed to


def offer(w: Connection, turn: TurnId, call: str, kind: str, payload: Mapping[str, Any]) -> None:
    """Keep what a call offers; the same call twice is one offer."""
    w.execute(
        "INSERT OR IGNORE INTO chat_act (turn_id, call_id, kind, payload, state) VALUES (?, ?, ?, ?, 'offered')",
        (turn, call, kind, json.dumps(payload)),
    )


def act_of(r: Connection, turn: TurnId, call: str) -> tuple[str, Mapping[str, Any], str] | None:
    """Return (kind, payload, state) of what a call has offered."""
    row = r.execute(
        "SELECT kind, payload, state FROM chat_act WHERE turn_id = ? AND call_id = ?", (turn, call)
    ).fetchone()
    return None if row is None else (row[0], json.loads(row[1]), row[2])


def set_act(w: Connection, turn: TurnId, call: str, state: str, payload: Mapping[str, Any] | None = None) -> None:
    """Write what has become of an offer."""
    w.execute(
        "UPDATE chat_act SET state = ?, payload = coalesce(?, payload) WHERE turn_id = ? AND call_id = ?",
        (state, json.dumps(payload) if payload is not None else None, turn, call),
    )
