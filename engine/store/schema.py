"""The tables of format 1, as the first migration makes them; never edited once released."""

SCHEMA_1 = """
CREATE TABLE work (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    authors TEXT NOT NULL,                  -- JSON list
    language TEXT NOT NULL,
    series_key TEXT NOT NULL,               -- folded series name; '' for a single book
    is_right_to_left INTEGER NOT NULL,
    is_named_by_reader INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX work_series ON work (series_key) WHERE series_key <> '';

-- One EPUB file. Only 'ready' books are ever read: 'importing' grows in many transactions,
-- 'leaving' shrinks in many; the helper removes both kinds when it finds them without an owner.
CREATE TABLE book (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL,
    file_name TEXT NOT NULL,
    size INTEGER NOT NULL,                  -- bytes
    text_rev INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('importing', 'ready', 'leaving')),
    metadata TEXT NOT NULL,                 -- JSON object
    warnings TEXT NOT NULL,                 -- JSON list of [kind, message]
    imported_at TEXT NOT NULL,              -- ISO 8601, UTC
    index_rev INTEGER NOT NULL DEFAULT 0    -- of its passages once all are there; 0 before
) STRICT;
CREATE UNIQUE INDEX book_ready ON book (sha256) WHERE state = 'ready';
CREATE INDEX book_sha ON book (sha256);

CREATE TABLE volume (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL REFERENCES work,
    ord INTEGER NOT NULL,                   -- from 0 in its work; the high part of pos
    book_id INTEGER NOT NULL REFERENCES book,
    part INTEGER NOT NULL,                  -- from 0 in its book; above 0 only in an omnibus
    title TEXT NOT NULL,
    length INTEGER NOT NULL,                -- characters in reading order
    chapters INTEGER NOT NULL,              -- entries of its contents
    series_key TEXT NOT NULL,
    series_index REAL,
    wanted_ord INTEGER,                     -- ord before the library was rebuilt, else NULL
    UNIQUE (work_id, ord),
    UNIQUE (book_id, part)
) STRICT;
CREATE INDEX volume_series ON volume (series_key) WHERE series_key <> '';

CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    book_id INTEGER NOT NULL REFERENCES book,
    volume_id INTEGER REFERENCES volume,    -- NULL until the book is ready
    spine_index INTEGER NOT NULL,
    base INTEGER NOT NULL,                  -- offset in its volume
    length INTEGER NOT NULL,                -- characters
    slices INTEGER NOT NULL,                -- 0 when there is nothing to show
    is_linear INTEGER NOT NULL,
    text_hash TEXT NOT NULL,                -- of the canonical text, 32 hex digits
    href TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    UNIQUE (book_id, spine_index)
) STRICT;
CREATE INDEX document_order ON document (volume_id, is_linear, spine_index);

-- id is document id << 20 | ord, so that a slice is found without an index.
CREATE TABLE slice (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,                 -- document offset
    "end" INTEGER NOT NULL,
    text TEXT NOT NULL,
    marks TEXT NOT NULL                     -- JSON: blocks, spans, readings, note references, pictures
) STRICT;

-- What searches look in; ids are those of slice. Kept apart so that turning a page does not load it.
CREATE TABLE folded (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,                 -- document offset
    "end" INTEGER NOT NULL,
    text BLOB,                              -- packed; see engine/text/fold.py. NULL where `swaps` is enough
    swaps TEXT NOT NULL,                    -- characters of the slice's text and what they are folded to, in pairs
    shifts TEXT NOT NULL,                   -- JSON [[index, shift]]: the way back to offsets; '' for none
    readings BLOB NOT NULL                  -- packed JSON: what stands beside the text, and beside what; '' for none
) STRICT;

CREATE TABLE chapter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES document,
    ord INTEGER NOT NULL,                   -- from 0 in its volume
    level INTEGER NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL                  -- document offset
) STRICT;
CREATE INDEX chapter_document ON chapter (document_id);

CREATE TABLE page_label (
    document_id INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,
    label TEXT NOT NULL
) STRICT;
CREATE INDEX page_label_document ON page_label (document_id);

-- The ids of a document's elements as one JSON object {id: offset}: a book may have 100 000,
-- and a link asks for one at a time.
CREATE TABLE anchors (
    document_id INTEGER PRIMARY KEY REFERENCES document,
    offsets TEXT NOT NULL
) STRICT;

CREATE TABLE footnote (
    document_id INTEGER NOT NULL REFERENCES document,   -- where its body stands
    note TEXT NOT NULL,                                 -- "<spine index>#<id>"
    text TEXT NOT NULL
) STRICT;
CREATE INDEX footnote_note ON footnote (note, document_id);
CREATE INDEX footnote_document ON footnote (document_id);

-- The reader's own rows know a book by its content hash, so they outlive its text.
CREATE TABLE place (
    book_sha256 TEXT PRIMARY KEY,
    spine_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    exact TEXT NOT NULL,
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    counter INTEGER NOT NULL,
    saved_at TEXT NOT NULL
) STRICT;
CREATE INDEX place_counter ON place (counter);
CREATE TABLE earlier_place (                -- what another running UnderStory would have overwritten
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    book_sha256 TEXT NOT NULL,
    spine_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    exact TEXT NOT NULL,
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT;
CREATE INDEX earlier_place_book ON earlier_place (book_sha256);
CREATE TABLE frontier (
    book_sha256 TEXT PRIMARY KEY,
    spine_index INTEGER NOT NULL,
    start INTEGER NOT NULL
) STRICT;
-- What the reader, or a jump of hers, has marked; one record for marks, bookmarks and the way back.
CREATE TABLE mark (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('letter', 'bookmark', 'back', 'ahead')),
    name TEXT NOT NULL,                     -- the letter; '' for the other kinds
    ord INTEGER NOT NULL,                   -- place in the way back or ahead, oldest first; else 0
    book_sha256 TEXT NOT NULL,
    spine_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    exact TEXT NOT NULL,
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    label TEXT NOT NULL,                    -- the words of its line
    made_at TEXT NOT NULL
) STRICT;
CREATE INDEX mark_book ON mark (book_sha256, kind);
-- What she keeps of a work: highlights, annotations, excerpts, jottings.
CREATE TABLE reader_note (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,               -- the same in every library it is brought to
    kind TEXT NOT NULL CHECK (kind IN ('highlight', 'annotation', 'excerpt', 'jotting')),
    tone TEXT NOT NULL,
    book_sha256 TEXT NOT NULL,              -- '' for a jotting tied to no work
    spine_index INTEGER NOT NULL,           -- -1 for a jotting
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    exact TEXT NOT NULL,                    -- the whole passage
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    comment TEXT NOT NULL,
    title TEXT NOT NULL,                    -- of the work, when it was made
    chapter TEXT NOT NULL,
    is_lost INTEGER NOT NULL DEFAULT 0,     -- its words are not in the text that is here now
    made_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    rev INTEGER NOT NULL DEFAULT 0,         -- tells a window that another has changed it meanwhile
    is_brought INTEGER NOT NULL DEFAULT 0   -- from a file: it may tell of what she has not read
) STRICT;
CREATE INDEX reader_note_book ON reader_note (book_sha256, spine_index, start);
-- How long and how fast she has read, a row a time of reading.
CREATE TABLE sitting (
    id TEXT PRIMARY KEY,
    book_sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    seconds REAL NOT NULL,                  -- spent with pages that were read on from
    characters INTEGER NOT NULL,
    began_at TEXT NOT NULL
) STRICT;
CREATE INDEX sitting_language ON sitting (language);
CREATE INDEX sitting_book ON sitting (book_sha256);
-- Where the reader had put the volumes of a book that is not here at the moment.
CREATE TABLE placement (
    book_sha256 TEXT NOT NULL,
    part INTEGER NOT NULL,
    work_id INTEGER NOT NULL REFERENCES work,
    ord INTEGER NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY (book_sha256, part)
) STRICT;

CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    unit TEXT NOT NULL,                     -- what it works on, such as a path
    subject TEXT NOT NULL,                  -- the same for the reader's eyes
    state TEXT NOT NULL CHECK (state IN ('todo', 'leased', 'done', 'failed', 'cancelled')),
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    result TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX job_open ON job (kind, unit) WHERE state IN ('todo', 'leased');
CREATE INDEX job_state ON job (state) WHERE state IN ('todo', 'leased');

CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    process_start TEXT NOT NULL,            -- tells a reused pid from the owner's
    boot TEXT NOT NULL,
    heartbeat REAL NOT NULL                 -- seconds of the monotonic clock of that boot
) STRICT;

CREATE TABLE remembered (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- What is known of a work: its names, found once for each state of its text. Read is the last
-- 'ready' one, and only while its volumes are the first of the work's; a 'growing' one is not whole
-- yet, a 'leaving' one goes piece by piece, of one that has 'gone' only this row is kept.
CREATE TABLE roster (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    volumes TEXT NOT NULL,                  -- "<volume id>:<book id>," for each, in reading order
    rules_rev INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('growing', 'ready', 'leaving', 'gone'))
) STRICT;
CREATE INDEX roster_work ON roster (work_id, state, id);
CREATE INDEX roster_unfinished ON roster (state) WHERE state IN ('growing', 'leaving');

-- Who or what something is, whatever each analysis finds out about it.
CREATE TABLE point (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL
) STRICT;
CREATE INDEX point_work ON point (work_id);
CREATE TABLE roster_point (
    roster_id INTEGER NOT NULL REFERENCES roster,
    point_id INTEGER NOT NULL REFERENCES point,
    kind TEXT NOT NULL,
    found_kind TEXT NOT NULL,               -- before the reader's corrections
    name TEXT NOT NULL,                     -- the proper name, known where its alias is
    met_as TEXT NOT NULL,                   -- the form under which the reader meets it
    known_pos INTEGER NOT NULL,             -- where that form has been read
    count INTEGER NOT NULL,                 -- mentions in the whole work
    origin TEXT NOT NULL,
    is_listed INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL DEFAULT 0,
    label TEXT NOT NULL DEFAULT '',         -- the name the reader has given it
    correction_id INTEGER,                  -- what made it, for one the rules did not find
    PRIMARY KEY (roster_id, point_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX roster_point_known ON roster_point (roster_id, known_pos);
CREATE TABLE alias (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    roster_id INTEGER NOT NULL REFERENCES roster,
    point_id INTEGER NOT NULL REFERENCES point,
    found_point_id INTEGER NOT NULL,        -- before the reader's corrections
    form TEXT NOT NULL,
    norm TEXT NOT NULL,                     -- the form folded, see engine/text/fold.py
    kind TEXT NOT NULL,
    first_pos INTEGER NOT NULL,
    reveal_pos INTEGER NOT NULL,
    known_pos INTEGER NOT NULL,             -- reveal_pos, and the form itself has been read
    is_shared INTEGER NOT NULL,
    origin TEXT NOT NULL,
    correction_id INTEGER
) STRICT;
CREATE INDEX alias_known ON alias (roster_id, known_pos);
CREATE INDEX alias_point ON alias (roster_id, point_id);
CREATE INDEX alias_form ON alias (roster_id, form);
CREATE INDEX alias_norm ON alias (roster_id, norm);
CREATE INDEX alias_moved ON alias (roster_id) WHERE point_id <> found_point_id;
CREATE INDEX alias_made ON alias (roster_id) WHERE correction_id IS NOT NULL;
CREATE TABLE mention (
    alias_id INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    start INTEGER NOT NULL,                 -- document offset
    "end" INTEGER NOT NULL,
    PRIMARY KEY (alias_id, pos)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_document ON mention (document_id, start);
CREATE TABLE scene (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    roster_id INTEGER NOT NULL REFERENCES roster,
    pos INTEGER NOT NULL,
    pos_end INTEGER NOT NULL
) STRICT;
CREATE INDEX scene_pos ON scene (roster_id, pos);
CREATE TABLE appearance (                   -- who is named in which scene
    alias_id INTEGER NOT NULL,
    scene_id INTEGER NOT NULL,
    pos INTEGER NOT NULL,                   -- of the first mention there
    PRIMARY KEY (alias_id, scene_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX appearance_scene ON appearance (scene_id, pos);

-- Two points that turn out to be one. Made by the reader, a model or a pack, never by a rule.
CREATE TABLE identity_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    a INTEGER NOT NULL REFERENCES point,
    b INTEGER NOT NULL REFERENCES point,
    document_id INTEGER,                    -- where it is revealed; NULL for always
    start INTEGER NOT NULL,                 -- document offset from which on the two are one
    reveal_pos INTEGER NOT NULL,
    basis TEXT NOT NULL,                    -- the words it rests on; '' for the reader's own
    origin TEXT NOT NULL,
    correction_id INTEGER
) STRICT;
CREATE INDEX identity_link_work ON identity_link (work_id, reveal_pos);
CREATE TABLE correction (                   -- the reader's own; replayed on every new roster
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,                  -- JSON; names its points by their forms too
    made_at TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX correction_work ON correction (work_id);

-- What is written about a work. unlock_pos is computed, from what the other columns and tables hold.
CREATE TABLE statement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id INTEGER NOT NULL,
    point_id INTEGER REFERENCES point,
    role TEXT NOT NULL,
    section TEXT NOT NULL,
    ord INTEGER NOT NULL,
    text TEXT NOT NULL,
    unlock_pos INTEGER NOT NULL,
    roster_id INTEGER NOT NULL REFERENCES roster,   -- names the text that was analysed when it was written
    own_document INTEGER,                   -- the writer's own mark: not before this place
    own_start INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    origin TEXT NOT NULL,
    is_marked INTEGER NOT NULL,
    unit TEXT NOT NULL DEFAULT '',          -- what it was written with and is replaced with; '' for one by itself
    writer_id INTEGER                       -- the model and prompt that wrote it
) STRICT;
CREATE INDEX statement_unit ON statement (work_id, unit) WHERE unit <> '';
CREATE INDEX statement_point ON statement (work_id, point_id, ord);
CREATE INDEX statement_title ON statement (work_id) WHERE role = 'title';
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    statement_id INTEGER NOT NULL REFERENCES statement,
    document_id INTEGER NOT NULL,
    start INTEGER NOT NULL,                 -- document offset of the quote
    "end" INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    pos_end INTEGER NOT NULL,               -- end of the block it stands in
    quote TEXT NOT NULL,                    -- as the text has it
    how TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_statement ON evidence (statement_id);
CREATE INDEX evidence_document ON evidence (document_id);
CREATE TABLE statement_link (               -- points a statement names
    statement_id INTEGER NOT NULL REFERENCES statement,
    point_id INTEGER NOT NULL REFERENCES point,
    PRIMARY KEY (statement_id, point_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE reveal (                       -- what the reader asked to see before its time
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    statement_id INTEGER NOT NULL REFERENCES statement,
    made_at TEXT NOT NULL
) STRICT;
CREATE INDEX reveal_statement ON reveal (statement_id);
"""
