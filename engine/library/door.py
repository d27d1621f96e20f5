"""The library as one object."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import SpoilerMode, Value
from engine.domain.book import ImportReport, ImportStatus, VolumeId, WorkId
from engine.domain.reading import Check, JobProgress, JobState
from engine.domain.source import ReadingSource
from engine.errors import CommandInvalidError, FileMissingError, HelperUnavailableError, UnderstoryError, shown_path
from engine.library.conversing import Conversing
from engine.library.correcting import Correcting
from engine.library.finding import Finding
from engine.library.marking import Marking
from engine.library.source import StoredWork
from engine.library.timing import Timing
from engine.paths import Paths, open_file, text_from_path
from engine.store import own_settings, remembered, works
from engine.store.opening import has_unfinished, open_store
from engine.translate import N_, _

# Imported where they are used: what a session that only reads does not need costs it 20 ms at each start.
#   engine.helper, engine.store.jobs, .reports   background work
#   engine.store.grouping, .leaving, .books      changing the shelf
#   engine.epub, engine.library.preview          lxml, for files not imported yet and for pictures

if TYPE_CHECKING:
    from engine.helper import HelperClient
    from engine.library.preview import Preview

_WAIT_S = 0.03
_MOST_TITLE = 300
_PING_S = 10.0
_HASH_BYTES = 1 << 20


class Library(Finding, Marking, Timing, Correcting, Conversing):
    """One reader's works, places and background work. Thread-safe; every call is short unless it says so.

    All methods may raise `LibraryUnavailableError` (disk full, no right to write, locked,
    damaged); reading goes on where the file itself can still be read.
    """

    def __init__(self, paths: Paths, spoilers: SpoilerMode = SpoilerMode.AUTO) -> None:
        """Open the library, making it when there is none, and go on with work left unfinished.

        Args:
            paths: Where it is.
            spoilers: The reader's setting, which holds where a request names no mode.

        Raises:
            LibraryNewerError: it was written by a later release; nothing was changed.
            LibraryUnavailableError: it cannot be opened.
        """
        store, notices = open_store(paths)
        super().__init__(paths, store, spoilers)
        self._helper: HelperClient | None = None
        self._helper_lock = threading.Lock()
        self._previews: weakref.WeakSet[Preview] = weakref.WeakSet()
        self.notices: tuple[str, ...] = (*paths.notices, *notices)
        with self._store.read() as r:
            is_unfinished = has_unfinished(r)
        if is_unfinished and not self._store.is_read_only:
            with contextlib.suppress(HelperUnavailableError):  # whoever waits for a job is told then
                self._wake_helper()

    def close(self) -> None:
        """Stop the helper, copy the reader's own rows, and close the file; within half a second."""
        with self._helper_lock:
            if self._helper is not None:
                self._helper.stop()
        self._stop_turns()
        self._stop_models()
        self._stop_asking()
        for preview in list(self._previews):
            preview.close()
        self._copy_user_rows()
        self._store.close()

    def _wake_helper(self) -> None:
        from engine.helper import HelperClient

        with self._helper_lock:
            if self._helper is None:
                self._helper = HelperClient(self.paths)
        self._helper.ensure()

    def _copy_user_rows(self) -> None:
        """Leave a copy of what cannot be made again from the books, in case the file is damaged one day."""
        if not self._store.has_written:
            return
        # Only the end of a session needs this half of the room.
        from engine.store import salvage

        with contextlib.suppress(UnderstoryError, OSError), self._store.read() as r:
            salvage.save_copy(r, self.paths.user_copy)

    # Opening

    def reading(self, work: WorkId) -> ReadingSource:
        """Return a work ready to be read.

        Raises:
            WorkNotFoundError: there is no such work.
        """
        with self._store.read() as r:
            works.require(r, work)
        return StoredWork(self, work)

    def preview(self, path: Path) -> ReadingSource:
        """Return a file ready to be read at once, before or without its import.

        Raises:
            FileMissingError: it cannot be read.
            VolumeUnreadableError: it is no EPUB, or has nothing to read.
            VolumeProtectedError: it is encrypted.
        """
        from engine.library.preview import Preview

        preview = Preview(self, path)
        self._previews.add(preview)
        return preview

    def book_sha256(self, path: Path) -> str:
        """Return the content hash by which a file is known, whatever its name.

        Raises:
            FileMissingError: it cannot be read.
        """
        import hashlib  # 5 ms, for OpenSSL

        digest = hashlib.sha256()
        try:
            with open_file(path) as file:
                while chunk := file.read(_HASH_BYTES):
                    digest.update(chunk)
        except OSError as error:
            raise FileMissingError(path, error.strerror or str(error)) from error
        return digest.hexdigest()

    def work_of_book(self, sha256: str) -> WorkId | None:
        """Return the work of an imported file by its content hash, None until its import is whole."""
        with self._store.read() as r:
            return works.work_of_book(r, sha256)

    # Background work

    def samples(self, series: str = "ashfall") -> tuple[Path, ...]:
        """Return the EPUBs of a series that comes with the program, in reading order.

        Raises:
            SamplesMissingError: they were not built into this installation.
        """
        from engine.samples import sample_paths

        return sample_paths(series)

    def start_import(self, paths: Sequence[Path]) -> tuple[int, ...]:
        """Queue files for import and return their jobs at once; the helper works on.

        Raises:
            HelperUnavailableError: the jobs are queued, but nobody can be started to do them.
        """
        from engine.store import jobs

        with self._store.write() as w:
            ids = tuple(jobs.add_job(w, "import", text_from_path(path), shown_path(path.name)) for path in paths)
        self._wake_helper()
        return ids

    def import_now(self, path: Path, progress: Callable[[int, int], None] | None = None) -> ImportReport:
        """Import a file and wait for it. A refusal is a report, not an exception.

        Args:
            path: The EPUB.
            progress: Told (documents done, documents in all) as they grow; 0 in all while unknown.

        Raises:
            HelperUnavailableError: the helper cannot be started, or keeps ending.
        """
        from engine.store.reports import report_from_json

        (job,) = self.start_import([path])
        told = (-1, -1)
        while True:
            (state,) = self.jobs([job])
            if progress is not None and (state.done, state.total) != told:
                told = (state.done, state.total)
                progress(*told)
            if state.state.is_over:
                break
            time.sleep(_WAIT_S)
        if state.result:
            return report_from_json(state.result)
        reason = state.error or state.state.value
        return ImportReport(str(path), ImportStatus.REFUSED, title=shown_path(path.name), error=reason)

    def jobs(self, ids: Sequence[int] = ()) -> tuple[JobProgress, ...]:
        """Return jobs by id, or without ids all that are not finished, oldest first.

        A helper that ended before its work did is started again.

        Raises:
            HelperUnavailableError: it keeps ending.
        """
        from engine.store import jobs

        with self._store.read() as r:
            found = jobs.progress(r, ids)
        is_idle = self._helper is None or not self._helper.is_running
        if is_idle and any(not job.state.is_over for job in found):
            self._wake_helper()
        return found

    def import_report(self, job: JobProgress) -> ImportReport | None:
        """Return what an import met, None while it has not ended."""
        from engine.store.reports import report_from_json

        return report_from_json(job.result) if job.result else None

    def cancel(self, job: int) -> None:
        """Cancel a job; nothing of an import given up is left. A finished one stays as it is."""
        from engine.store.jobs import cancel_job

        with self._store.write() as w:
            cancel_job(w, job)

    # Changing the library

    def remove(self, work: WorkId) -> None:
        """Take a work off the shelf with its text and kept files; its places and frontier stay.

        Raises:
            WorkNotFoundError: there is no such work.
        """
        from engine.store.grouping import remove_work
        from engine.store.leaving import delete_book

        with self._store.write() as w:
            gone = remove_work(w, work)
        for book in gone:
            delete_book(self._store, self.paths.books_dir, book)
        with contextlib.suppress(HelperUnavailableError):  # what was known of it goes in the background, now or later
            self._wake_helper()

    def rename_work(self, work: WorkId, title: str) -> None:
        """Give a work another title; later imports do not change it.

        Raises:
            WorkNotFoundError: there is no such work.
            CommandInvalidError: nothing that can be shown is left of the title.
        """
        from engine.store.grouping import rename
        from engine.text.sanitize import sanitize_line

        shown = sanitize_line(title)[:_MOST_TITLE]
        if not shown:
            raise CommandInvalidError(_("a title cannot be empty"), command="rename")
        with self._store.write() as w:
            rename(w, work, shown)

    def reorder(self, work: WorkId, volumes: Sequence[VolumeId]) -> None:
        """Put a work's volumes into this order.

        Raises:
            PlaceUnknownError: `volumes` are not exactly the work's.
        """
        from engine.store.grouping import reorder

        with self._store.write() as w:
            reorder(w, work, volumes)

    def regroup(self, volumes: Sequence[VolumeId], into: WorkId | None) -> WorkId:
        """Move volumes into a work, None for a new one of their own; works left empty vanish.

        Raises:
            PlaceUnknownError: there is no such volume.
            WorkNotFoundError: there is no such work.
        """
        from engine.store.grouping import regroup

        with self._store.write() as w:
            return regroup(w, volumes, into)

    def report(self, work: WorkId) -> tuple[ImportReport, ...]:
        """Return what the imports of a work's files found, a report a file."""
        from engine.store.reports import reports_of_work

        with self._store.read() as r:
            return reports_of_work(r, work)

    # Small things

    def doctor(self) -> tuple[Check, ...]:
        """Try for real what the library needs: writing, its pages, words, vectors, the helper. Takes seconds."""
        from engine.store.checks import check_library

        return (*check_library(self._store, self.paths.books_dir), self._check_helper())

    def _check_helper(self) -> Check:
        """Give the helper a job that is nothing but an answer."""
        from engine.store import jobs

        name, began = N_("helper"), time.monotonic()
        try:
            with self._store.write() as w:
                job = jobs.add_job(w, "ping", "", name)
            while True:
                (state,) = self.jobs([job])
                if state.state is JobState.DONE:
                    return Check(name, True, _("answered in {s:.1f} s").format(s=time.monotonic() - began))
                if state.state.is_over or time.monotonic() - began > _PING_S:
                    self.cancel(job)
                    busy = [other.subject for other in self.jobs() if other.state is JobState.LEASED]
                    if busy:  # looking for the names of a long work takes its time, and is not interrupted
                        return Check(name, True, _("at work on {name}").format(name=busy[0]))
                    return Check(name, False, state.error or _("no answer in {s:.0f} s").format(s=_PING_S))
                time.sleep(_WAIT_S)
        except UnderstoryError as error:
            return Check(name, False, error.message)

    def own_settings(self, books: Sequence[str]) -> dict[str, Value]:
        """Return what a work, named by the content hashes of its books in their order, has for itself."""
        with self._store.read() as r:
            return own_settings.own_settings(r, books)

    def keep_own_settings(self, books: Sequence[str], values: Mapping[str, Value]) -> None:
        """Keep what a work has for itself of the settings, in place of what it had."""
        with self._store.write() as w:
            own_settings.keep_own_settings(w, books, values)

    def remembered(self, key: str) -> str | None:
        """Return what was kept under a key."""
        with self._store.read() as r:
            return remembered.remembered(r, key)

    def remember(self, key: str, value: str) -> None:
        """Keep a value under a key from one session to the next."""
        with self._store.write() as w:
            remembered.remember(w, key, value)
