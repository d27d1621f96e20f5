"""The tables of format 1 by which passages are found; never edited once released.

Those that hold vectors are made when the first one comes.
"""

SCHEMA_1_SEARCH = """
-- What searches by relevance and by meaning find; see engine/retrieval/passages.py. id is document
-- id << 20 | ord, so passages of a document follow each other. pos is never stored: it is the document's
-- base, which moves with its volume, plus start.
CREATE TABLE passage (
    id INTEGER PRIMARY KEY,
    slice INTEGER NOT NULL,                 -- ord of the slice that holds it whole
    start INTEGER NOT NULL,                 -- document offset
    "end" INTEGER NOT NULL,
    kind TEXT NOT NULL,                     -- of its chapter
    text_hash BLOB NOT NULL                 -- of its text, 12 bytes: the same text, the same hash
) STRICT;
-- Which grams (engine/text/grams.py) stand in which passage; how often is read from the text.
CREATE VIRTUAL TABLE gram USING fts5 (
    grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE TABLE gram_run (                     -- which passages its rows are: so many that follow each other
    passage_id INTEGER PRIMARY KEY,         -- the first, all of one document
    first_row INTEGER NOT NULL UNIQUE,
    count INTEGER NOT NULL
) STRICT;

-- The vectors of an embedder lie in a table of sqlite-vec of their own, vectors_<id>, made when the first
-- one comes: rowid is the passage's id, pos the end of the passage. Never of two embedders or lengths in one.
CREATE TABLE vector_index (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    embedder TEXT NOT NULL,                 -- what its vectors can be compared with
    dims INTEGER NOT NULL,
    source TEXT NOT NULL,                   -- as the settings called it
    key_name TEXT NOT NULL,
    UNIQUE (embedder, dims)
) STRICT;
CREATE TABLE embedded (                     -- which passages have a vector, and of which text
    index_id INTEGER NOT NULL,
    passage_id INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    PRIMARY KEY (index_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE book_vectors (                 -- books each passage of which has one: only these are searched by meaning
    book_id INTEGER NOT NULL,
    index_id INTEGER NOT NULL,
    PRIMARY KEY (book_id, index_id)
) STRICT, WITHOUT ROWID;
"""
