"""Passages by their meaning: a vector each, in tables of sqlite-vec, one table for each embedder and length.

A row's rowid is its passage's id; `pos` is the end of the passage, so that one the reader has
not wholly read is nobody's neighbour. It is the only stored pos of a text that can move, since a
search must be bounded inside the KNN; whoever moves volumes calls `renumber` in the same transaction.
The tables need sqlite-vec in the connection that touches them, which costs nothing to whoever has no vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.book import BookId, WorkId
from engine.domain.locator import Pos
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.domain.vectors import EmbedderChoice, Vector, check_unit, dims_of
from engine.errors.vectors import VectorInvalidError
from engine.store import jobs
from engine.store.connection import Connection, load_vectors

_CHUNK_ROWS = 256
"""Rows a work's storage grows by: 128 of them are empty on average. See docs/decisions/0021-vectors.md."""
_DELETED_AT_ONCE = 500
"""Vectors a transaction deletes: 15 ms."""
_LAST_IN_DOCUMENT = (1 << PASSAGE_SHIFT) - 1
_INDEX = "SELECT id, embedder, dims, source, key_name FROM vector_index"


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """The vectors of one embedder and one length."""

    id: int
    embedder: str
    """Its identity, see engine/providers/embedders.py."""
    dims: int
    source: str = ""
    """What the settings called it when it was made."""
    key_name: str = ""
    """Name of the key it was made with."""

    @property
    def table(self) -> str:
        """Name of its table; a number and fixed letters, so that it may stand in SQL."""
        return f"vectors_{self.id}"


@dataclass(frozen=True, slots=True)
class ToEmbed:
    """A passage without a vector."""

    id: PassageId
    work: WorkId
    pos_end: Pos
    text_hash: bytes


def make_ready(connection: Connection) -> None:
    """Load sqlite-vec into a connection that does not have it yet."""
    if not connection.execute("SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'vec0')").get:
        load_vectors(connection)


def indexes(r: Connection) -> list[VectorIndex]:
    """Return all there are, oldest first."""
    return [VectorIndex(*row) for row in r.execute(f"{_INDEX} ORDER BY id")]


def index_of(r: Connection, embedder: str) -> VectorIndex | None:
    """Return the newest index of an embedder, None when it has none."""
    row = r.execute(f"{_INDEX} WHERE embedder = ? ORDER BY id DESC LIMIT 1", (embedder,)).fetchone()
    return None if row is None else VectorIndex(*row)


def make_index(w: Connection, embedder: str, dims: int, choice: EmbedderChoice) -> VectorIndex:
    """Return the index of an embedder and a length, made when it is missing.

    Raises:
        LibraryUnavailableError: sqlite-vec does not load.
    """
    make_ready(w)
    w.execute(
        "INSERT INTO vector_index (embedder, dims, source, key_name) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (embedder, dims) DO UPDATE SET source = excluded.source, key_name = excluded.key_name",
        (embedder, dims, choice.name, choice.key_name),
    )
    found = list(w.execute(f"{_INDEX} WHERE embedder = ? AND dims = ?", (embedder, dims)))
    index = VectorIndex(*found[0])
    # L2 and not cosine: the same order for vectors of unit length, and a fifth less time.
    w.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {index.table} USING vec0 (passage_id INTEGER PRIMARY KEY,"
        f" work_id INTEGER PARTITION KEY, pos INTEGER, embedding float[{dims}] distance_metric=L2,"
        f" chunk_size={_CHUNK_ROWS})"
    )
    return index


# Writing


def queue_vectors(w: Connection, book: BookId) -> None:
    """Have the passages of a book embedded."""
    name = w.execute("SELECT file_name FROM book WHERE id = ?", (book,)).get
    if name is not None:
        jobs.add_job(w, jobs.EMBED, str(book), str(name))


def add_vectors(w: Connection, index: VectorIndex, rows: Iterable[tuple[ToEmbed, Vector]]) -> None:
    """Write vectors; one a passage had before is replaced. All of them, or none when the caller's block fails.

    Raises:
        VectorInvalidError: one has not as many components as the index, or is not of unit length.
        LibraryUnavailableError: sqlite-vec does not load.
    """
    make_ready(w)
    for passage, vector in rows:
        if dims_of(vector) != index.dims:
            raise VectorInvalidError(f"{dims_of(vector)} instead of {index.dims}")
        check_unit(vector)  # sqlite-vec takes NaN and zeros, and ranks them first
        # vec0 has no REPLACE.
        w.execute(f"DELETE FROM {index.table} WHERE passage_id = ?", (passage.id,))  # noqa: S608  (our own name)
        w.execute(
            f"INSERT INTO {index.table} (passage_id, work_id, pos, embedding) VALUES (?, ?, ?, ?)",  # noqa: S608
            (passage.id, passage.work, passage.pos_end, vector),
        )
        w.execute(
            "INSERT OR REPLACE INTO embedded (index_id, passage_id, text_hash) VALUES (?, ?, ?)",
            (index.id, passage.id, passage.text_hash),
        )


_MISSING = """
SELECT p.id, v.work_id, (v.ord << 40) + d.base + p."end", p.text_hash FROM volume v
JOIN book b ON b.id = v.book_id AND b.state = 'ready' JOIN document d ON d.volume_id = v.id
JOIN passage p ON p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575
LEFT JOIN embedded e ON e.index_id = ?1 AND e.passage_id = p.id
WHERE {whose} AND e.text_hash IS NOT p.text_hash ORDER BY v.ord, d.base, p.id
"""


def missing(r: Connection, index: VectorIndex | None, book: BookId) -> list[ToEmbed]:
    """Return the passages of a book that have no vector of their present text, in story order."""
    sql = _MISSING.format(whose="v.book_id = ?2")
    return [ToEmbed(*row) for row in r.execute(sql, (index.id if index else 0, book))]


def still_there(r: Connection, passage: ToEmbed) -> ToEmbed | None:
    """Return a passage with where it stands now; None when it is gone or its text is another."""
    row = r.execute(
        'SELECT v.work_id, (v.ord << 40) + d.base + p."end" FROM passage p JOIN document d ON d.id = p.id >> 20'
        " JOIN volume v ON v.id = d.volume_id WHERE p.id = ? AND p.text_hash = ?",
        (passage.id, passage.text_hash),
    ).fetchone()
    return None if row is None else ToEmbed(passage.id, row[0], row[1], passage.text_hash)


def by_text(r: Connection, index: VectorIndex) -> dict[bytes, PassageId]:
    """Return a passage with a vector for each text of an index, by the text's hash: what need not be made again."""
    return {
        text_hash: PassageId(id_)
        for text_hash, id_ in r.execute("SELECT text_hash, passage_id FROM embedded WHERE index_id = ?", (index.id,))
    }


def vector_of(r: Connection, index: VectorIndex, passage: PassageId) -> Vector | None:
    """Return the vector of a passage, None when it has none."""
    make_ready(r)
    found = r.execute(f"SELECT embedding FROM {index.table} WHERE passage_id = ?", (passage,)).get  # noqa: S608
    return None if found is None else Vector(found)


def renumber(w: Connection, work: WorkId) -> None:
    """Write anew where the passages of a work stand: its volumes were moved, or have come from another work.

    Row by row, since vec0 takes no other way: 70 ms for 10 000.
    """
    where = (
        'SELECT p.id, (v.ord << 40) + d.base + p."end" FROM volume v JOIN document d ON d.volume_id = v.id'
        " JOIN passage p ON p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575"
        " JOIN embedded e ON e.index_id = ? AND e.passage_id = p.id WHERE v.work_id = ?"
    )
    for index in indexes(w):
        make_ready(w)
        rows = list(w.execute(where, (index.id, work)))
        for id_, pos in rows:
            old = w.execute(f"SELECT work_id, pos FROM {index.table} WHERE passage_id = ?", (id_,)).fetchone()  # noqa: S608
            if old is None or old == (work, pos):
                continue
            if old[0] == work:
                w.execute(f"UPDATE {index.table} SET pos = ? WHERE passage_id = ?", (pos, id_))  # noqa: S608
                continue
            vector = w.execute(f"SELECT embedding FROM {index.table} WHERE passage_id = ?", (id_,)).get  # noqa: S608
            w.execute(f"DELETE FROM {index.table} WHERE passage_id = ?", (id_,))  # noqa: S608
            w.execute(
                f"INSERT INTO {index.table} (passage_id, work_id, pos, embedding) VALUES (?, ?, ?, ?)",  # noqa: S608
                (id_, work, pos, vector),
            )


# Which books are whole


def set_whole(w: Connection, index: VectorIndex, book: BookId) -> None:
    """Write that each passage of a book has its vector."""
    w.execute("INSERT OR IGNORE INTO book_vectors (book_id, index_id) VALUES (?, ?)", (book, index.id))


def is_whole(r: Connection, index: VectorIndex, book: BookId) -> bool:
    """Say whether each passage of a book has its vector."""
    sql = "SELECT EXISTS (SELECT 1 FROM book_vectors WHERE book_id = ? AND index_id = ?)"
    return bool(r.execute(sql, (book, index.id)).get)


def counts(r: Connection, index: VectorIndex | None, work: WorkId) -> tuple[int, int]:
    """Return (passages of a work, those with a vector of their present text in an index)."""
    row = r.execute(
        "SELECT count(*), count(e.passage_id) FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " JOIN document d ON d.volume_id = v.id"
        " JOIN passage p ON p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575"
        " LEFT JOIN embedded e ON e.index_id = ?1 AND e.passage_id = p.id AND e.text_hash = p.text_hash"
        " WHERE v.work_id = ?2",
        (index.id if index else 0, work),
    ).fetchone()
    return (0, 0) if row is None else (int(row[0]), int(row[1]))


def characters_missing(r: Connection, index: VectorIndex | None, work: WorkId) -> tuple[int, int]:
    """Return (passages, characters) of a work that have no vector in an index."""
    sql = _MISSING.format(whose="v.work_id = ?2").replace(
        'SELECT p.id, v.work_id, (v.ord << 40) + d.base + p."end", p.text_hash',
        'SELECT count(*), coalesce(sum(p."end" - p.start), 0)',
    )
    ((passages, characters),) = r.execute(sql, (index.id if index else 0, work))
    return int(passages), int(characters)


def books_of(r: Connection, work: WorkId) -> list[tuple[BookId, str]]:
    """Return (book, file name) of a work's books, in reading order."""
    rows = r.execute(
        "SELECT b.id, b.file_name FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " WHERE v.work_id = ? GROUP BY b.id ORDER BY min(v.ord)",
        (work,),
    )
    return [(BookId(id_), name) for id_, name in rows]


def superseded(r: Connection, index: VectorIndex, book: BookId) -> list[VectorIndex]:
    """Return the other indexes whose vectors of a book are of no use any more.

    They are kept until every book of every work the book has a part in is whole in `index`.
    """
    unfinished = r.execute(
        "SELECT EXISTS (SELECT 1 FROM volume v JOIN volume o ON o.work_id = v.work_id WHERE v.book_id = ?1"
        " AND o.book_id NOT IN (SELECT book_id FROM book_vectors WHERE index_id = ?2))",
        (book, index.id),
    ).get
    return [] if unfinished else [other for other in indexes(r) if other.id != index.id]


# Taking away


def delete_some(w: Connection, book: BookId, indexes_: Sequence[VectorIndex]) -> bool:
    """Delete a part of a book's vectors in some indexes, small enough for one short transaction.

    Returns:
        True when none is left there.
    """
    if not indexes_:
        return True
    make_ready(w)
    ((first, last),) = w.execute("SELECT min(id), max(id) FROM document WHERE book_id = ?", (book,))
    for index in indexes_:
        w.execute("DELETE FROM book_vectors WHERE book_id = ? AND index_id = ?", (book, index.id))
        if first is None:
            continue
        found = list(
            w.execute(
                "SELECT e.passage_id FROM embedded e JOIN document d ON d.id = e.passage_id >> 20 AND d.book_id = ?1"
                " WHERE e.index_id = ?2 AND e.passage_id BETWEEN ?3 AND ?4 LIMIT ?5",
                (book, index.id, first << PASSAGE_SHIFT, last << PASSAGE_SHIFT | _LAST_IN_DOCUMENT, _DELETED_AT_ONCE),
            )
        )
        _delete(w, index, [id_ for (id_,) in found])
        if len(found) == _DELETED_AT_ONCE:
            return False
    return True


def has_orphans(r: Connection) -> bool:
    """Say whether there are vectors whose passages are gone."""
    found = r.execute(
        "SELECT EXISTS (SELECT 1 FROM embedded e WHERE NOT EXISTS (SELECT 1 FROM passage p WHERE p.id = e.passage_id))"
    ).get
    return bool(found)


def sweep(w: Connection) -> bool:
    """Delete a part of the vectors whose passages are gone, small enough for one short transaction.

    They stay until nothing else is to be done, so that the same text in a new edition need not be embedded again.

    Returns:
        True when none is left.
    """
    found: list[tuple[int, int]] = list(
        w.execute(
            "SELECT index_id, passage_id FROM embedded e"
            " WHERE NOT EXISTS (SELECT 1 FROM passage p WHERE p.id = e.passage_id) LIMIT ?",
            (_DELETED_AT_ONCE,),
        )
    )
    if found:
        make_ready(w)
    for index in indexes(w) if found else ():
        _delete(w, index, [passage for index_id, passage in found if index_id == index.id])
    w.execute("DELETE FROM book_vectors WHERE book_id NOT IN (SELECT id FROM book)")
    if len(found) == _DELETED_AT_ONCE:
        return False
    drop_empty(w)
    return True


def _delete(w: Connection, index: VectorIndex, passages: Iterable[int]) -> None:
    for id_ in passages:
        w.execute(f"DELETE FROM {index.table} WHERE passage_id = ?", (id_,))  # noqa: S608  (our own name)
        w.execute("DELETE FROM embedded WHERE index_id = ? AND passage_id = ?", (index.id, id_))


def drop_empty(w: Connection) -> None:
    """Drop the tables of embedders nothing is searched by any more."""
    for index in indexes(w):
        is_used = w.execute("SELECT EXISTS (SELECT 1 FROM embedded WHERE index_id = ?)", (index.id,)).get
        if not is_used:
            make_ready(w)
            w.execute(f"DROP TABLE IF EXISTS {index.table}")
            w.execute("DELETE FROM book_vectors WHERE index_id = ?", (index.id,))
            w.execute("DELETE FROM vector_index WHERE id = ?", (index.id,))


def companions(r: Connection, book: BookId) -> list[BookId]:
    """Return the books of the works a book has a part in, itself included."""
    rows = r.execute(
        "SELECT DISTINCT o.book_id FROM volume v JOIN volume o ON o.work_id = v.work_id WHERE v.book_id = ?", (book,)
    )
    return [BookId(id_) for (id_,) in rows]
