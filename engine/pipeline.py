"""What becomes of a file the reader names: EPUB → text → slices → library, in many short transactions.

Nothing of a book can be read before the last transaction, and what an import that was killed
leaves is invisible; so it can be ended at any moment and simply begun again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate, chain
from pathlib import Path
from typing import BinaryIO

from engine.domain.book import (
    TEXT_REV,
    BookId,
    DocumentId,
    DocumentText,
    ImportWarning,
    ParsedChapter,
    VolumePart,
    WarningKind,
    WorkId,
)
from engine.epub.reader import EpubFile, open_epub
from engine.errors import FileMissingError, LibraryUnavailableError
from engine.errors.machine import unwritable
from engine.paths import open_file
from engine.store import (
    books,
    corrections,
    editions,
    grouping,
    jobs,
    points,
    renoting,
    reports,
    rosters,
    vectors,
    wiki,
    works,
)
from engine.store.connection import Connection
from engine.store.editions import Carried
from engine.store.grouping import NewVolume, NewWork
from engine.store.leaving import delete_book, delete_rosters, kept_file
from engine.store.renoting import Renoted
from engine.store.store import Store
from engine.text.series import series_key
from engine.text.slices import Piece, cut_pieces
from engine.translate import _, ngettext

_SLICES_AT_ONCE = 16
"""Slices a transaction writes: about 0.8 MB, 10 ms under the write lock."""
_COPY_BYTES = 1 << 20


class ImportCancelled(Exception):  # noqa: N818  (nothing is wrong: the reader said stop, or the process must end)
    """The import was given up between two documents."""


class StageInterrupted(Exception):  # noqa: N818  (nothing is wrong: other work comes first)
    """The stage stepped aside and is to be begun again."""


@dataclass(frozen=True, slots=True)
class ImportRun:
    """One job under way: in which library, for which job, and whether it shall go on."""

    store: Store
    books_dir: Path
    job: int
    must_stop: Callable[[], bool]
    """Whether the process has to end; asked between documents."""


@dataclass(slots=True)
class _Written:
    """What is in the library of a growing book so far."""

    book: BookId
    ids: dict[int, DocumentId] = field(default_factory=dict)
    """By spine index."""
    documents: list[DocumentText] = field(default_factory=list)
    """By spine index; 5 M characters weigh 60 MB."""


def import_book(run: ImportRun, path: Path, subject: str) -> None:
    """Import one EPUB and finish its job with a report.

    A file that is here already, under whatever name, is only reported again.

    Args:
        run: Where to.
        path: The file.
        subject: Its name for the reader.

    Raises:
        ImportCancelled: the job was cancelled, or the process must end; nothing of it is visible.
        VolumeUnreadableError: it is no EPUB, or has nothing to read.
        VolumeProtectedError: it is encrypted.
        FileMissingError: it cannot be read.
        LibraryUnavailableError: the disk is full, or the library cannot be written.
    """
    with open_epub(path) as epub:
        _import(run, epub, path, subject)


def _import(run: ImportRun, epub: EpubFile, path: Path, subject: str) -> None:
    with run.store.read() as r:
        known = books.ready_book(r, epub.sha256)
    if known is not None and known.text_rev == TEXT_REV:
        _keep_file(path, run.books_dir, epub.sha256)
        with run.store.write() as w:
            report = reports.report_of_book(w, known.id, str(path))
            jobs.finish_job(w, run.job, result=reports.report_json(report))
        return
    with run.store.write(bulk=True) as w:
        book = books.begin_book(
            w,
            sha256=epub.sha256,
            file_name=subject,
            size=path.stat().st_size,
            text_rev=TEXT_REV,
            metadata=epub.metadata,
        )
    try:
        written = _write_documents(run, epub, book)
        _publish(run, epub, path, written)
    except BaseException:
        with suppress(LibraryUnavailableError):  # what cannot be deleted now goes at the next start
            delete_book(run.store, run.books_dir, book, run.must_stop)
        raise


def _write_documents(run: ImportRun, epub: EpubFile, book: BookId) -> _Written:
    written = _Written(book)
    total = len(epub.spine)
    for index in range(total):
        if run.must_stop():
            raise ImportCancelled
        document = epub.document(index)
        pieces = cut_pieces(document)
        text_hash = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        with run.store.write(bulk=True) as w:
            _go_on(w, run, index, total)
            document_id = books.add_document(w, book, document, len(pieces), text_hash)
        _write_slices(run, document_id, pieces)
        written.ids[index] = document_id
        written.documents.append(document)
    return written


def _write_slices(run: ImportRun, document: DocumentId, pieces: Sequence[Piece]) -> None:
    for first in range(0, len(pieces), _SLICES_AT_ONCE):
        rows = books.slice_rows(document, first, pieces[first : first + _SLICES_AT_ONCE])
        with run.store.write(bulk=True) as w:
            books.add_slices(w, rows)


def _go_on(w: Connection, run: ImportRun, done: int, total: int) -> None:
    """Write how far we are and stop if the reader has cancelled."""
    if not jobs.set_progress(w, run.job, done, total):
        raise ImportCancelled


def _publish(run: ImportRun, epub: EpubFile, path: Path, written: _Written) -> None:
    chapters, _source = epub.contents(written.documents.__getitem__)
    pages = epub.pages(written.documents.__getitem__)
    parts = epub.parts(chapters)
    by_part = [[c for c in chapters if p.first_spine <= c.spine_index <= p.last_spine] for p in parts]
    bases = [_bases(part, written) for part in parts]
    volumes = [
        NewVolume(n, part.title, _length(part, written), len(by_part[n]), part.first_spine, part.last_spine)
        for n, part in enumerate(parts)
    ]
    _keep_file(path, run.books_dir, epub.sha256)
    with run.store.write(bulk=True) as w:
        for entries in by_part:
            books.add_contents(w, enumerate(_in_order(entries, written)), (), written.ids)
        books.add_contents(w, (), pages, written.ids)
        books.set_bases(w, chain.from_iterable(bases))
    with run.store.read() as r:
        documents = books.documents_of_book(r, written.book)
        old = books.ready_book(r, epub.sha256) or editions.edition_of(r, epub.metadata, documents)
        moved = editions.carried(r, old, epub.sha256, written.book)
        notes = renoting.renoted(r, old, epub.sha256, documents)
    with run.store.write() as w:
        _go_on(w, run, len(epub.spine), len(epub.spine))
        replaces = old.id if old is not None and books.is_ready(w, old.id) else None
        warnings = (*epub.warnings, *_lost_place(moved), *_lost_notes(notes))
        grouping.publish(w, written.book, _about(epub), volumes, warnings, replaces=replaces)
        editions.put_carried(w, moved, epub.sha256)
        renoting.put_renoted(w, notes)
        report = reports.report_of_book(w, written.book, str(path))
        jobs.finish_job(w, run.job, result=reports.report_json(report))


def _lost_place(moved: Carried) -> list[ImportWarning]:
    if not moved.is_lost or moved.source is None:
        return []
    words = moved.source.quote.exact
    message = _("your place could not be found again in the new text; it was at: {words}").format(words=words)
    return [ImportWarning(WarningKind.PLACE_LOST, message)]


def _lost_notes(notes: Renoted) -> list[ImportWarning]:
    if not notes.lost:
        return []
    message = ngettext(
        "{n} note could not be found again in the new text; `understory notes list --lost` shows it",
        "{n} notes could not be found again in the new text; `understory notes list --lost` shows them",
        notes.lost,
    )
    return [ImportWarning(WarningKind.NOTES_LOST, message.format(n=notes.lost))]


def _about(epub: EpubFile) -> NewWork:
    metadata = epub.metadata
    return NewWork(metadata.series or metadata.title, metadata, series_key(metadata.series), metadata.series_index)


def _documents_of(part: VolumePart, written: _Written) -> list[DocumentText]:
    """Return a volume's documents; those outside the reading order come last."""
    inside = written.documents[part.first_spine : part.last_spine + 1]
    return sorted(inside, key=lambda document: not document.is_linear)


def _length(part: VolumePart, written: _Written) -> int:
    return sum(len(document.text) for document in _documents_of(part, written) if document.is_linear)


def _bases(part: VolumePart, written: _Written) -> list[tuple[DocumentId, int]]:
    documents = _documents_of(part, written)
    starts = accumulate((len(document.text) for document in documents), initial=0)
    return [(written.ids[document.spine_index], start) for document, start in zip(documents, starts, strict=False)]


def _in_order(chapters: Sequence[ParsedChapter], written: _Written) -> list[ParsedChapter]:
    """Return the entries in the order of the text; those outside the reading order come last."""
    is_linear = {d.spine_index: d.is_linear for d in written.documents}
    return sorted(chapters, key=lambda c: (not is_linear[c.spine_index], c.spine_index, c.offset))


def _keep_file(path: Path, books_dir: Path, sha256: str) -> None:
    """Copy the EPUB beside the library under its hash, whole or not at all.

    A copy and never a link: the reader may change or truncate her own file.

    Raises:
        FileMissingError: it cannot be read, or has changed since it was opened.
        LibraryUnavailableError: the disk is full, or the folder cannot be written.
    """
    kept = kept_file(books_dir, sha256)
    if kept.exists():
        return
    unfinished = kept.with_name(f"{kept.name}.part")
    try:
        source = open_file(path)
    except OSError as error:
        raise FileMissingError(path, error.strerror or str(error)) from error
    with source:
        try:
            books_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            digest = _copy(source, unfinished)
            if digest == sha256:
                unfinished.replace(kept)
                _sync_folder(books_dir)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink()
            raise unwritable(kept, error) from error
    if digest != sha256:
        unfinished.unlink(missing_ok=True)
        raise FileMissingError(path, _("it was changed while it was imported"))


def _copy(source: BinaryIO, target_path: Path) -> str:
    """Copy to the disk itself and return the hash of what was copied."""
    digest = hashlib.sha256()
    with target_path.open("wb") as target:
        while chunk := source.read(_COPY_BYTES):
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    return digest.hexdigest()


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_passages(run: ImportRun, book: BookId, config_file: Path) -> None:
    """Make the passages by which a book's text is searched, and finish the job; those there are already are kept.

    Vectors are queued where the settings name somebody who makes them.

    Raises:
        ImportCancelled: the job was cancelled, or the process must end.
        StageInterrupted: a book to import waits, which comes first.
        LibraryUnavailableError: the disk is full, or the library cannot be written.
    """
    # Patterns of all scripts; an import needs none of them.
    from engine.providers.embedders import chosen_embedder
    from engine.retrieval.indexing import index_book

    index_book(run.store, book, lambda done, total: _step(run, done, total))
    with run.store.write() as w:
        jobs.finish_job(w, run.job)
        if not chosen_embedder(config_file).is_none:
            vectors.queue_vectors(w, book)


def make_vectors(run: ImportRun, book: BookId, config_file: Path) -> None:
    """Give a book's passages their vectors, and finish the job; raises as `find_names` and `embed_as_wanted`."""
    from engine.retrieval.embedding import embed_as_wanted  # brings what nothing else here needs

    embed_as_wanted(run.store, book, config_file, lambda done, total: _step(run, done, total, counts=done > 0))
    with run.store.write() as w:
        jobs.finish_job(w, run.job)


def find_names(run: ImportRun, work: WorkId) -> None:
    """Find who and what a work is about, and finish the job; what is known already is not looked for again.

    Nobody sees anything of it before it is whole. The reader's corrections are played over it, and
    what is written about the work is set upon it. Should the work's volumes change meanwhile, it begins again.

    Raises:
        ImportCancelled: the job was cancelled, or the process must end.
        StageInterrupted: something else waits, such as a book to import, which comes first.
        LibraryUnavailableError: the disk is full, or the library cannot be written.
    """
    # The analyst's word lists; an import needs none of them.
    from engine.analysis.naming import write_names

    hints: tuple[str, ...] = ()
    while True:
        with run.store.read() as r:
            language = works.language_of(r, work)
            is_known = rosters.is_current(r, work)
            volumes = rosters.volumes_key(r, work)
            roster = points.visible_roster(r, work)
        if language is not None and (roster is None or not is_known):
            roster, found = write_names(run.store, work, language, volumes, lambda n, of: _step(run, n, of))
            hints = found.hints
        if language is not None and roster is not None:
            _publish_names(run, work, roster)
        with run.store.write() as w:
            if language is None or rosters.is_current(w, work):
                jobs.finish_job(w, run.job, result=json.dumps({"hints": hints}))
                break
    delete_rosters(run.store, run.must_stop)


def _publish_names(run: ImportRun, work: WorkId, roster: int) -> None:
    """Make a roster the one that is read, with the reader's corrections, and set on it what is written."""
    from engine.analysis import relocking
    from engine.analysis.adding import write_added, write_learned
    from engine.analysis.evidence import open_desk

    write_learned(run.store, work, roster)
    write_added(run.store, work, roster)
    with run.store.read() as r:
        has_any = wiki.has_statements(r, work)
        planned, gone = relocking.plan(r, work, open_desk(r, work, roster)) if has_any else ([], [])
    relocking.delay(run.store, planned, gone)
    with run.store.write() as w:
        if not jobs.is_under_way(w, run.job):
            raise ImportCancelled
        if not rosters.publish_roster(w, work, roster):
            return
        corrections.replay(w, work, roster)
    write_added(run.store, work, roster)  # what the reader added in the meantime
    relocking.settle(run.store, planned)


def _step(run: ImportRun, done: int, total: int, *, counts: bool = False) -> None:
    if run.must_stop():
        raise ImportCancelled
    with run.store.write(bulk=True) as w:
        _go_on(w, run, done, total)
        if counts:
            jobs.count_step(w, run.job)
        if jobs.is_other_waiting(w, run.job):
            raise StageInterrupted
