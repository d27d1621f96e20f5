"""Written statements, their evidence and the reader's reveals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.statements import NewStatement, QuoteHow, Role, ShownEvidence, Verdict, WrittenBy
from engine.domain.wiki import PointId, StatementId
from engine.store.connection import Connection, json_of, utc_now


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """A quotation found in the text."""

    document: DocumentId
    start: int
    end: int
    pos: Pos
    pos_end: Pos
    """End of the block it stands in: the reader must have passed it."""
    quote: str
    """As the text has it."""
    how: QuoteHow


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement as it may be read: without its words where they are veiled."""

    id: StatementId
    point: PointId | None
    role: Role
    section: int
    ord: int
    words: str | None
    is_asked: bool
    """The words are here because the reader asked for them before their time."""
    length: int
    unlock_pos: Pos
    verdict: Verdict


# The words of a veiled statement are not read from the file at all.
_STATEMENT = """
SELECT s.id, s.point_id, s.role, s.section, s.ord,
    CASE WHEN s.unlock_pos <= ?2 AND NOT (?3 AND s.is_marked) THEN s.text
         WHEN EXISTS (SELECT 1 FROM reveal v WHERE v.statement_id = s.id) AND s.id IN (SELECT value FROM json_each(?4))
         THEN s.text END,
    s.unlock_pos > ?2 OR (?3 AND s.is_marked), length(s.text), s.unlock_pos, s.verdict
FROM statement s WHERE s.work_id = ?1
"""


_AMONG = "IN (SELECT value FROM json_each(?5))"
_BY_POINT = "ORDER BY (SELECT key FROM json_each(?5) WHERE value = s.point_id), s.ord, s.id"


def statements(
    r: Connection,
    work: WorkId,
    points: Sequence[PointId] | None,
    upto: Pos,
    *,
    veils_marked: bool = False,
    revealed: Iterable[StatementId] = (),
) -> list[StatementRow]:
    """Return statements in their order, point by point, those beyond a pos without their words.

    Args:
        r: Any connection.
        work: Whose.
        points: About which points, in this order; None for those about the work as a whole.
        upto: Up to where a statement must have unlocked for its words to be read.
        veils_marked: Leave out also the words of statements marked as spoilers.
        revealed: Whose words the reader has asked for; only those kept by `add_reveal` count.
    """
    asked = json_of(revealed)
    if points is None:
        rows = r.execute(f"{_STATEMENT} AND s.point_id IS NULL ORDER BY s.ord, s.id", (work, upto, veils_marked, asked))
    else:
        rows = r.execute(
            f"{_STATEMENT} AND s.point_id {_AMONG} {_BY_POINT}",
            (work, upto, veils_marked, asked, json_of(points)),
        )
    sections: dict[tuple[int | None, str], int] = {}
    return [
        StatementRow(
            StatementId(id_),
            None if point is None else PointId(point),
            Role(role),
            sections.setdefault((point, section), len(sections)),
            ord_,
            words,
            bool(is_beyond) and words is not None,
            length,
            unlock_pos,
            Verdict(verdict),
        )
        for id_, point, role, section, ord_, words, is_beyond, length, unlock_pos, verdict in rows
    ]


@dataclass(frozen=True, slots=True)
class TitleRow:
    """What an entry is called, and from where on that may be told."""

    words: str | None
    """None where it may not be told yet."""
    unlock_pos: Pos


def titles(r: Connection, work: WorkId, upto: Pos) -> dict[PointId, TitleRow]:
    """Return the written titles of entries, those beyond a pos without their words. Served by `statement_title`."""
    rows = r.execute(
        "SELECT point_id, CASE WHEN unlock_pos <= ?2 THEN text END, unlock_pos FROM statement"
        " WHERE work_id = ?1 AND role = 'title' AND point_id IS NOT NULL ORDER BY id",
        (work, upto),
    )
    return {PointId(point): TitleRow(words, unlock_pos) for point, words, unlock_pos in rows}


def glance_candidates(
    r: Connection, work: WorkId, start: Pos, end: Pos, *, veils_marked: bool
) -> list[tuple[StatementId, Role, Pos]]:
    """Return (id, role, unlock) of what a chapter's glance may be made of, without a word of it.

    Recaps of the work, and those teasers a judge has confirmed whose evidence stands in the chapter;
    with `veils_marked` none that its writer holds for a spoiler.
    """
    rows = r.execute(
        "SELECT id, role, unlock_pos FROM statement s WHERE work_id = ?1 AND point_id IS NULL"
        " AND NOT (?4 AND is_marked) AND (role = 'recap' OR (role = 'teaser' AND verdict = 'support' AND EXISTS"
        " (SELECT 1 FROM evidence e WHERE e.statement_id = s.id AND e.pos >= ?2 AND e.pos < ?3))) ORDER BY ord, id",
        (work, start, end, veils_marked),
    )
    return [(StatementId(id_), Role(role), unlock_pos) for id_, role, unlock_pos in rows]


def words_of(r: Connection, statements: Sequence[StatementId]) -> list[tuple[StatementId, Role, str]]:
    """Return (id, role, words) of statements that may be shown, in their order."""
    rows = r.execute(
        "SELECT id, role, text FROM statement WHERE id IN (SELECT value FROM json_each(?)) ORDER BY ord, id",
        (json_of(statements),),
    )
    return [(StatementId(id_), Role(role), words) for id_, role, words in rows]


def point_of(r: Connection, work: WorkId, statement: StatementId) -> PointId | None:
    """Return whom a statement is about, 0 for the work as a whole; None when the work has no such statement."""
    found = r.execute("SELECT coalesce(point_id, 0) FROM statement WHERE work_id = ? AND id = ?", (work, statement)).get
    return None if found is None else PointId(found)


def evidence_of(r: Connection, statements: Sequence[StatementId]) -> dict[StatementId, list[ShownEvidence]]:
    """Return the evidence of statements whose words may be read, in story order."""
    found: dict[StatementId, list[ShownEvidence]] = {}
    rows = r.execute(
        'SELECT statement_id, document_id, start, "end", pos, quote, how FROM evidence'
        " WHERE statement_id IN (SELECT value FROM json_each(?)) ORDER BY pos, id",
        (json_of(statements),),
    )
    for statement, document, start, end, pos, quote, how in rows:
        locator = Locator(DocumentId(document), start, end)
        found.setdefault(StatementId(statement), []).append(ShownEvidence(locator, pos, quote, QuoteHow(how)))
    return found


def add_statement(
    w: Connection,
    work: WorkId,
    statement: NewStatement,
    evidence: Sequence[FoundEvidence],
    *,
    roster: int,
    unlock_pos: Pos,
    unit: str = "",
    writer: int | None = None,
) -> StatementId:
    """Write a statement with its evidence; what may be written, and its unlock, is `engine.analysis.evidence`'s.

    Args:
        w: The writer.
        work: Whose.
        statement: Judged.
        evidence: What was found of its quotations.
        roster: Names the text that was analysed.
        unlock_pos: From where on it may be shown.
        unit: What it is written with, and replaced with; empty for one by itself.
        writer: Row of the model and prompt that wrote it.
    """
    own = statement.not_before
    w.execute(
        "INSERT INTO statement (work_id, point_id, role, section, ord, text, unlock_pos, roster_id,"
        " own_document, own_start, verdict, origin, is_marked, unit, writer_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            work,
            statement.point,
            statement.role,
            statement.section,
            statement.ord,
            statement.text,
            unlock_pos,
            roster,
            None if own is None else own.document,
            0 if own is None else own.end,
            statement.verdict,
            statement.origin,
            statement.is_marked,
            unit,
            writer,
        ),
    )
    id_ = StatementId(w.last_insert_rowid())
    _add_evidence(w, id_, evidence)
    w.executemany(
        "INSERT OR IGNORE INTO statement_link (statement_id, point_id) VALUES (?, ?)",
        [(id_, point) for point in statement.links],
    )
    return id_


def _add_evidence(w: Connection, statement: StatementId, evidence: Iterable[FoundEvidence]) -> None:
    w.executemany(
        'INSERT INTO evidence (statement_id, document_id, start, "end", pos, pos_end, quote, how)'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(statement, e.document, e.start, e.end, e.pos, e.pos_end, e.quote, e.how) for e in evidence],
    )


@dataclass(frozen=True, slots=True)
class WrittenStatement:
    """A statement as it was written, whoever may read it; for the one who computes its unlock."""

    id: StatementId
    statement: NewStatement
    """Without its quotations, of which `evidence` is what was found."""
    roster: int
    """Names the text that was analysed when it was written."""
    own_document: DocumentId | None
    own_start: int
    evidence: tuple[FoundEvidence, ...]


def written_statements(r: Connection, work: WorkId) -> list[WrittenStatement]:
    """Return every statement of a work, oldest first."""
    links: dict[int, list[PointId]] = {}
    for statement, point in r.execute(
        "SELECT l.statement_id, l.point_id FROM statement s JOIN statement_link l ON l.statement_id = s.id"
        " WHERE s.work_id = ?",
        (work,),
    ):
        links.setdefault(statement, []).append(PointId(point))
    evidence: dict[int, list[FoundEvidence]] = {}
    for statement, document, start, end, pos, pos_end, quote, how in r.execute(
        'SELECT e.statement_id, e.document_id, e.start, e."end", e.pos, e.pos_end, e.quote, e.how'
        " FROM statement s JOIN evidence e ON e.statement_id = s.id WHERE s.work_id = ? ORDER BY e.id",
        (work,),
    ):
        found = FoundEvidence(DocumentId(document), start, end, pos, pos_end, quote, QuoteHow(how))
        evidence.setdefault(statement, []).append(found)
    rows = r.execute(
        "SELECT id, text, role, point_id, verdict, roster_id, own_document, own_start FROM statement"
        " WHERE work_id = ? ORDER BY id",
        (work,),
    )
    return [
        WrittenStatement(
            StatementId(id_),
            NewStatement(
                text,
                Role(role),
                None if point is None else PointId(point),
                links=tuple(links.get(id_, ())),
                verdict=Verdict(verdict),
            ),
            roster,
            None if own_document is None else DocumentId(own_document),
            own_start,
            tuple(evidence.get(id_, ())),
        )
        for id_, text, role, point, verdict, roster, own_document, own_start in rows
    ]


def has_statements(r: Connection, work: WorkId) -> bool:
    """Say whether anything is written about a work."""
    return bool(r.execute("SELECT EXISTS (SELECT 1 FROM statement WHERE work_id = ?)", (work,)).get)


def put_off(w: Connection, unlocks: Iterable[tuple[Pos, StatementId]]) -> None:
    """Let statements unlock no earlier than here."""
    w.executemany("UPDATE statement SET unlock_pos = max(unlock_pos, ?) WHERE id = ?", unlocks)


def set_unlocks(w: Connection, unlocks: Iterable[tuple[Pos, StatementId]]) -> None:
    """Let statements unlock exactly here."""
    w.executemany("UPDATE statement SET unlock_pos = ? WHERE id = ?", unlocks)


def move_evidence(w: Connection, moved: Iterable[tuple[StatementId, Sequence[FoundEvidence]]]) -> None:
    """Put other evidence in the place of what statements had."""
    for statement, evidence in moved:
        w.execute("DELETE FROM evidence WHERE statement_id = ?", (statement,))
        _add_evidence(w, statement, evidence)


def delete_statements(w: Connection, statements: Sequence[StatementId]) -> None:
    """Delete statements with all that hangs on them."""
    ids = json_of(statements)
    for table in ("evidence", "statement_link", "reveal", "audit"):
        w.execute(
            f"DELETE FROM {table} WHERE statement_id IN (SELECT value FROM json_each(?))",  # noqa: S608  (our own names)
            (ids,),
        )
    w.execute("DELETE FROM statement WHERE id IN (SELECT value FROM json_each(?))", (ids,))


def writers_of(r: Connection, statements: Sequence[StatementId]) -> list[WrittenBy]:
    """Return which models wrote statements that may be read, and how many of these were held against the text."""
    rows = r.execute(
        "SELECT w.model, max(w.made_at), count(*), sum(s.verdict IN ('support', 'near-copy')) FROM statement s"
        " JOIN writer w ON w.id = s.writer_id WHERE s.id IN (SELECT value FROM json_each(?)) AND s.role <> 'heading'"
        " GROUP BY w.model ORDER BY w.model",
        (json_of(statements),),
    )
    return [WrittenBy(model, made_at, sentences, checked) for model, made_at, sentences, checked in rows]


def statements_of_unit(r: Connection, work: WorkId, unit: str) -> list[StatementId]:
    """Return the statements that were written together. Served by `statement_unit`."""
    rows = r.execute("SELECT id FROM statement WHERE work_id = ? AND unit = ?", (work, unit))
    return [StatementId(id_) for (id_,) in rows]


def orphans(r: Connection, limit: int) -> list[StatementId]:
    """Return statements whose work is not in the library any more, `limit` of them at most."""
    rows = r.execute("SELECT id FROM statement WHERE work_id NOT IN (SELECT work_id FROM volume) LIMIT ?", (limit,))
    return [StatementId(id_) for (id_,) in rows]


def carry_over(w: Connection, old_book: int, new_book: int) -> None:
    """Let what is written about a book rest on its new text, document by document; where exactly is found later."""
    for table, column in (
        ("evidence", "document_id"),
        ("statement", "own_document"),
        ("identity_link", "document_id"),
        ("learned_alias", "document_id"),
    ):
        w.execute(
            f"UPDATE {table} SET {column} = n.id FROM document o JOIN document n ON n.spine_index = o.spine_index"  # noqa: S608
            f" AND n.book_id = ?2 WHERE o.book_id = ?1 AND {table}.{column} = o.id",
            (old_book, new_book),
        )


def add_reveal(w: Connection, work: WorkId, statement: StatementId) -> str | None:
    """Write down that the reader asked for a statement, and return its words; None when the work has no such one."""
    found = w.execute("SELECT text FROM statement WHERE work_id = ? AND id = ?", (work, statement)).get
    if found is None:
        return None
    w.execute("INSERT INTO reveal (statement_id, made_at) VALUES (?, ?)", (statement, utc_now()))
    return str(found)
