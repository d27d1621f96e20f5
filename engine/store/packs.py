"""What a knowledge pack is made of, as the library holds it, and what only a pack writes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from engine.domain.book import DocumentId, WorkId
from engine.domain.statements import Origin
from engine.domain.wiki import PointId, StatementId
from engine.store.books import books_of_work
from engine.store.connection import Connection


@dataclass(frozen=True, slots=True)
class BookText:
    """A book of a work, by what tells it from others."""

    id: int
    sha256: str
    text_hash: str
    title: str


@dataclass(frozen=True, slots=True)
class StatementFields:
    """A statement as it lies in the library."""

    id: StatementId
    unit: str
    point: PointId | None
    role: str
    section: str
    ord: int
    text: str
    verdict: str
    is_marked: bool
    own_document: DocumentId | None
    own_start: int
    writer: int | None


@dataclass(frozen=True, slots=True)
class IdentityFields:
    """Two points a model joined."""

    a: PointId
    b: PointId
    document: DocumentId | None
    start: int
    basis: str


def book_texts(r: Connection, work: WorkId) -> list[BookText]:
    """Return the books of a work in reading order."""
    found = []
    for book in books_of_work(r, work):
        told = "".join(
            f"{spine}:{hash_}\n"
            for spine, hash_ in r.execute(
                "SELECT spine_index, text_hash FROM document WHERE book_id = ? ORDER BY spine_index", (book.id,)
            )
        )
        text_hash = hashlib.sha256(told.encode()).hexdigest()
        found.append(BookText(int(book.id), book.sha256, text_hash, book.metadata.title))
    return found


def works_with_books(r: Connection) -> list[WorkId]:
    """Return the works that have volumes, oldest first."""
    return [WorkId(work) for (work,) in r.execute("SELECT DISTINCT work_id FROM volume ORDER BY work_id")]


def documents_of(r: Connection, book: int) -> dict[DocumentId, int]:
    """Return the documents of a book with their numbers in the spine."""
    rows = r.execute("SELECT id, spine_index FROM document WHERE book_id = ?", (book,))
    return {DocumentId(id_): spine for id_, spine in rows}


def written_by_units(r: Connection, work: WorkId) -> list[StatementFields]:
    """Return what was written about a work in units, in an order that is the same in every library."""
    rows = r.execute(
        "SELECT id, unit, point_id, role, section, ord, text, verdict, is_marked, own_document, own_start, writer_id"
        " FROM statement WHERE work_id = ? AND unit <> '' ORDER BY unit, ord, section, role, text, id",
        (work,),
    )
    return [
        StatementFields(
            StatementId(id_), unit, None if point is None else PointId(point), role, section, ord_, text, verdict,
            bool(is_marked), None if own is None else DocumentId(own), own_start, writer,
        )
        for id_, unit, point, role, section, ord_, text, verdict, is_marked, own, own_start, writer in rows
    ]  # fmt: skip


def learned_names(r: Connection, work: WorkId) -> list[tuple[PointId, str, DocumentId, int]]:
    """Return (point, name, document, offset where the reader learns it) of what models have found."""
    rows = r.execute(
        "SELECT point_id, form, document_id, start FROM learned_alias WHERE work_id = ? ORDER BY form, point_id",
        (work,),
    )
    return [(PointId(point), form, DocumentId(document), start) for point, form, document, start in rows]


def identities_of_models(r: Connection, work: WorkId) -> list[IdentityFields]:
    """Return what models, or packs, have joined."""
    rows = r.execute(
        "SELECT a, b, document_id, start, basis FROM identity_link WHERE work_id = ? AND origin = ?"
        " ORDER BY reveal_pos, id",
        (work, Origin.MODEL),
    )
    return [
        IdentityFields(PointId(a), PointId(b), None if document is None else DocumentId(document), start, basis)
        for a, b, document, start, basis in rows
    ]


def writers(r: Connection) -> dict[int, tuple[str, str, str]]:
    """Return (model, prompt, day) of everybody who ever wrote a statement."""
    rows = r.execute("SELECT id, model, prompt_rev, made_at FROM writer")
    return {id_: (model, prompt, made) for id_, model, prompt, made in rows}


def writer_of_day(w: Connection, model: str, prompt_rev: str, made_at: str) -> int:
    """Return the row of a model with a prompt on a day, made where there is none."""
    known = (model, prompt_rev, made_at)
    found = w.execute("SELECT id FROM writer WHERE model = ? AND prompt_rev = ? AND made_at = ?", known).get
    if found is None:
        w.execute("INSERT INTO writer (model, prompt_rev, made_at) VALUES (?, ?, ?)", known)
        found = w.last_insert_rowid()
    return int(found)


def has_been_read(r: Connection, work: WorkId) -> bool:
    """Say whether a model or a pack has written about a work."""
    return bool(r.execute("SELECT EXISTS (SELECT 1 FROM written_unit WHERE work_id = ?)", (work,)).get)
