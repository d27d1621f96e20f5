"""The tables of format 1 for the use of models; never edited once released."""

SCHEMA_1_USE = """
-- What models have used, summed up by day; 0 stands for no job and for no work.
CREATE TABLE model_usage (
    day TEXT NOT NULL,                      -- ISO, the reader's own
    job INTEGER NOT NULL,
    work_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    prompt INTEGER NOT NULL,                -- tokens sent, cached or not
    cached INTEGER NOT NULL,
    completion INTEGER NOT NULL,            -- tokens received, reasoning included
    reasoning INTEGER NOT NULL,
    is_estimate INTEGER NOT NULL,
    money REAL NOT NULL,                    -- at the prices of the moment of each call
    PRIMARY KEY (day, job, work_id, stage, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_usage_job ON model_usage (job);
CREATE TABLE consent (                      -- where the reader has agreed to send text of her books
    place TEXT PRIMARY KEY,                 -- host, or name of a plugin
    agreed_at TEXT NOT NULL
) STRICT;
CREATE TABLE trial (                        -- what a round trip showed of a model
    model TEXT PRIMARY KEY,
    place TEXT NOT NULL,
    tried_at TEXT NOT NULL,
    text INTEGER NOT NULL,
    tools INTEGER NOT NULL,
    schemas INTEGER NOT NULL,
    streaming INTEGER NOT NULL,
    notes TEXT NOT NULL                     -- JSON list of sentences
) STRICT;
"""
