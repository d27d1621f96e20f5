"""The tables of format 1 for what a model reads and writes; never edited once released."""

SCHEMA_1_MODEL = """
-- One reading of a work by models; a paused one is taken up again under the same id.
CREATE TABLE analysis (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    mode TEXT NOT NULL,
    language TEXT NOT NULL,                 -- in which is written; '' for the work's own
    volumes INTEGER NOT NULL,               -- how many there were
    cap_tokens INTEGER NOT NULL,            -- 0 for none
    state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'done', 'failed')),
    error TEXT NOT NULL DEFAULT '',
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX analysis_work ON analysis (work_id, id);
CREATE TABLE analysis_stage (
    analysis_id INTEGER NOT NULL REFERENCES analysis,
    stage TEXT NOT NULL,
    volume INTEGER NOT NULL,                -- ord of the volume; -1 for the work
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    counters TEXT NOT NULL,                 -- JSON object: name to number
    PRIMARY KEY (analysis_id, stage, volume)
) STRICT, WITHOUT ROWID;

-- Every call, the raw reply kept before anybody looks at it. Of one key at most one is 'done'.
CREATE TABLE model_call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    cache_key TEXT NOT NULL,
    work_id INTEGER NOT NULL,
    analysis_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    unit TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_rev TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sent', 'done', 'failed', 'lost')),
    reply TEXT NOT NULL DEFAULT '',         -- JSON [text, [[id, name, arguments, fault]], finish]
    error TEXT NOT NULL DEFAULT '',
    tokens_in INTEGER NOT NULL DEFAULT 0,
    tokens_cached INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0,
    is_estimate INTEGER NOT NULL DEFAULT 0,
    ms INTEGER NOT NULL DEFAULT 0,
    made_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX model_call_key ON model_call (cache_key) WHERE state = 'done';
CREATE INDEX model_call_sent ON model_call (state) WHERE state = 'sent';
CREATE INDEX model_call_work ON model_call (work_id, analysis_id);

-- From which input a unit of what is written was made; the same again is not written again.
CREATE TABLE written_unit (
    work_id INTEGER NOT NULL,
    unit TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    PRIMARY KEY (work_id, unit)
) STRICT, WITHOUT ROWID;
-- The names of the rules as they were when a volume was first read by a model: what is asked about it stays the same
-- whatever the rules find when further volumes come.
CREATE TABLE seed (
    work_id INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    volumes_key TEXT NOT NULL,              -- of the volumes up to this one
    points TEXT NOT NULL,                   -- JSON [[kind, name, [[form, known_pos], ...]], ...]
    PRIMARY KEY (work_id, volume)
) STRICT, WITHOUT ROWID;
-- Who wrote a statement.
CREATE TABLE writer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    prompt_rev TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;
-- Points and names a model found that the rules did not; played over every roster before the reader's corrections.
CREATE TABLE learned_point (
    point_id INTEGER PRIMARY KEY REFERENCES point,
    work_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL
) STRICT;
CREATE INDEX learned_point_work ON learned_point (work_id);
CREATE TABLE learned_alias (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    point_id INTEGER NOT NULL REFERENCES point,
    form TEXT NOT NULL,
    document_id INTEGER NOT NULL,           -- where the reader learns it: the end of a block
    start INTEGER NOT NULL,
    UNIQUE (point_id, form)
) STRICT;
CREATE INDEX learned_alias_work ON learned_alias (work_id);
-- What points of the rules really are, as a model read it; played over every roster before the reader's corrections.
CREATE TABLE learned_kind (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    point_id INTEGER NOT NULL REFERENCES point,
    kind TEXT NOT NULL,                     -- '' for no point at all
    UNIQUE (work_id, point_id)
) STRICT;
-- Entries the architect has planned, in the order in which they are suggested.
CREATE TABLE planned_entry (
    work_id INTEGER NOT NULL,
    point_id INTEGER NOT NULL REFERENCES point,
    ord INTEGER NOT NULL,
    tier TEXT NOT NULL,
    PRIMARY KEY (work_id, point_id)
) STRICT, WITHOUT ROWID;
-- What was written and did not stand; it may tell everything, so it is read at the end of the work only.
CREATE TABLE dropped (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    unit TEXT NOT NULL,
    point_id INTEGER,
    text TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX dropped_work ON dropped (work_id, unit);
-- What a person found when she held a sentence against its evidence.
CREATE TABLE audit (
    statement_id INTEGER PRIMARY KEY REFERENCES statement,
    is_supported INTEGER NOT NULL,
    made_at TEXT NOT NULL
) STRICT;
"""
