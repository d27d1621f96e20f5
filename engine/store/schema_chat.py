"""The tables of format 1 for conversations with the companion; never edited once released."""

SCHEMA_1_CHAT = """
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,               -- counts where no imported book has book_sha256
    book_sha256 TEXT NOT NULL,              -- of the volume it was begun in: it follows that book
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'explain', 'recap')),
    title TEXT NOT NULL,                    -- the reader's name for it; '' for the first question
    created_at TEXT NOT NULL,               -- ISO 8601, UTC
    changed_at TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX conversation_work ON conversation (work_id);
CREATE INDEX conversation_book ON conversation (book_sha256);

-- A question. It is committed before anybody is asked; only its owner, a living process, adds events to it.
CREATE TABLE chat_turn (
    id TEXT PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversation,
    parent TEXT,                            -- the turn it follows
    ord INTEGER NOT NULL,                   -- from 1 in its conversation, as they were asked
    question TEXT NOT NULL,
    request TEXT NOT NULL,                  -- JSON: the scene, and what kind of answer is wanted
    anchors TEXT NOT NULL DEFAULT '{}',     -- JSON: locator to [sha256, spine, start, end, exact, prefix, suffix]
    model TEXT NOT NULL,                    -- '' when the book was only quoted
    state TEXT NOT NULL CHECK (state IN ('pending', 'streaming', 'waiting', 'completed', 'failed', 'stopped')),
    held TEXT NOT NULL DEFAULT '',          -- JSON of a waiting turn: all that is needed to go on
    sent TEXT NOT NULL DEFAULT '',          -- JSON: what was sent, layer by layer
    asked_at TEXT NOT NULL,
    pid INTEGER NOT NULL DEFAULT 0,         -- owner, as in lease; 0 for none
    process_start TEXT NOT NULL DEFAULT '',
    boot TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX chat_turn_conversation ON chat_turn (conversation_id, ord);
CREATE INDEX chat_turn_open ON chat_turn (state) WHERE state IN ('pending', 'streaming');

CREATE TABLE chat_event (
    turn_id TEXT NOT NULL REFERENCES chat_turn,
    number INTEGER NOT NULL,                -- from 1, without gaps
    record TEXT NOT NULL,                   -- JSON, as `understory ask --json` prints it
    PRIMARY KEY (turn_id, number)
) STRICT;

-- What the companion offered and the reader has agreed to, once for each call.
CREATE TABLE chat_act (
    turn_id TEXT NOT NULL REFERENCES chat_turn,
    call_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,                  -- JSON
    state TEXT NOT NULL CHECK (state IN ('offered', 'done', 'undone')),
    PRIMARY KEY (turn_id, call_id)
) STRICT;
"""
