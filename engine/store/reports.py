"""Import reports: as a job keeps them, and made again from what is stored."""

from __future__ import annotations

import json
from dataclasses import asdict

from engine.domain.book import BookId, ImportReport, ImportStatus, ImportWarning, WarningKind, WorkId
from engine.store.books import book_by_id, books_of_work
from engine.store.connection import Connection


def report_json(report: ImportReport) -> str:
    """Write a report as one JSON object with the fields of `ImportReport`."""
    return json.dumps(asdict(report))  # ASCII: a path may hold lone surrogates, which no database takes


def report_from_json(text: str) -> ImportReport:
    """Read a report written by `report_json`."""
    fields = json.loads(text)
    fields["status"] = ImportStatus(fields["status"])
    fields["warnings"] = tuple(ImportWarning(WarningKind(w["kind"]), w["message"]) for w in fields["warnings"])
    return ImportReport(**fields)


def report_of_book(r: Connection, book_id: BookId, path: str) -> ImportReport:
    """Make the report of a readable book, as its import would have told it.

    Raises:
        PlaceUnknownError: there is no such book.
    """
    book = book_by_id(r, book_id)
    [(work, volumes, chapters, characters)] = r.execute(
        "SELECT min(work_id), count(*), sum(chapters), sum(length) FROM volume WHERE book_id = ?", (book.id,)
    )
    return ImportReport(
        path,
        ImportStatus.REPAIRED if book.warnings else ImportStatus.OPENED,
        None if work is None else WorkId(work),
        book.metadata.title,
        book.metadata.language,
        volumes,
        chapters or 0,
        characters or 0,
        book.warnings,
    )


def reports_of_work(r: Connection, work: WorkId) -> tuple[ImportReport, ...]:
    """Return a report for each file a work is made of; `path` is the file's name at its import."""
    return tuple(report_of_book(r, book.id, book.file_name) for book in books_of_work(r, work))
