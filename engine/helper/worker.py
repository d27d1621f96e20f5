"""The helper's life: hold the lease, take jobs, do them, end when told."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from engine.config import read_settings
from engine.domain.book import BookId, ImportReport, ImportStatus, WorkId
from engine.errors import LibraryUnavailableError, UnderstoryError
from engine.errors.machine import LibraryDamagedError, told_failure
from engine.helper.log import keep_output, log_failure
from engine.helper.manners import be_nice, step_back
from engine.helper.owner import is_alive, this_process
from engine.paths import Paths, path_from_text
from engine.store import books, jobs, rosters, vectors
from engine.store.connection import DAMAGE_ERRORS
from engine.store.jobs import Job
from engine.store.leaving import delete_leftovers, delete_orphans
from engine.store.reports import report_json
from engine.store.store import Store
from engine.translate import _, use_language

_LEASE = "helper"
_HEARTBEAT_S = 5.0
_POLL_S = 0.2
_IDLE_S = 20.0
"""Seconds without work after which the helper ends by itself; the next job starts another."""
_GRACE_S = 0.6
"""Seconds to put work down in once the pipe is closed."""
_FULL_DISK_S = 3.0
"""How long a failure that cannot even be written down is tried to be."""
_MOST_TRIES = 2
"""A job that took its process down this often is given up."""


class _Worker:
    """The helper's life: hold the lease, take jobs, end when told."""

    def __init__(self, paths: Paths, *, is_alone: bool = False) -> None:
        self._paths = paths
        self._is_alone = is_alone
        self._store = Store(paths.library_db, paths.backups_dir)
        self._me = this_process()
        self._must_end = threading.Event()
        self._has_news = threading.Event()
        self._owns_lease = False
        self._job: int | None = None

    def watch_pipe(self) -> None:
        """Wait for bytes ("there may be work") and for the end of standard input ("leave")."""
        while True:
            try:
                news = os.read(0, 4096)
            except OSError:
                news = b""
            if not news:
                break
            self._has_news.set()
        self._must_end.set()
        self._has_news.set()
        # By this thread: the other may be in the middle of a document of 10 MB, and being killed
        # there must not count against the book.
        self._give_back()
        time.sleep(_GRACE_S)
        # Committed is committed: SQLite takes this like any other end.
        os._exit(0)

    def _give_back(self) -> None:
        """Put the job under way back as if it had not been begun."""
        job = self._job
        if job is not None and self._owns_lease:
            with contextlib.suppress(UnderstoryError), self._store.write(bulk=True) as w:
                jobs.give_back(w, job)

    def keep_lease(self) -> None:
        """Renew the lease while it is ours; a lease lost means to stop at once."""
        while not self._must_end.wait(_HEARTBEAT_S):
            with contextlib.suppress(UnderstoryError):  # a full disk ends this helper elsewhere
                if self._owns_lease and not self._try_lease():
                    self._must_end.set()

    def _try_lease(self) -> bool:
        with self._store.read() as r:
            holder = jobs.lease_owner(r, _LEASE)
        lives = holder is not None and holder != self._me and is_alive(holder)
        with self._store.write(bulk=True) as w:
            return jobs.take_lease(w, _LEASE, self._me, time.monotonic(), is_alive=lives)

    def run(self) -> None:
        """Work until the pipe closes, the lease is lost, or there was nothing to do for a while."""
        idle_since = time.monotonic()
        is_swept = False
        try:
            while not self._must_end.is_set() and time.monotonic() - idle_since < _IDLE_S:
                if self._work_once():
                    idle_since = time.monotonic()
                    is_swept = False
                    continue
                if self._is_alone and self._is_work_left():  # by the one who holds the lease, who may leave
                    idle_since = time.monotonic()
                is_swept = is_swept or self._sweep()
                self._has_news.wait(_POLL_S)
                self._has_news.clear()
        finally:
            if self._owns_lease:
                with contextlib.suppress(UnderstoryError), self._store.write(bulk=True) as w:
                    jobs.drop_lease(w, _LEASE, self._me)
            self._store.close()

    def _is_work_left(self) -> bool:
        with self._store.read() as r:
            return jobs.has_open_jobs(r)

    def _work_once(self) -> bool:
        """Do one job; False when there is none for us."""
        with self._store.read() as r:
            is_needed = jobs.has_open_jobs(r) or bool(books.leftover_books(r) or rosters.leftover_rosters(r))
        if not is_needed:
            return False
        if not self._owns_lease:
            if not self._try_lease():
                return False
            self._owns_lease = True
        delete_leftovers(self._store, self._paths.books_dir, self._must_end.is_set)
        with self._store.write(bulk=True) as w:
            job = jobs.take_job(w)
        if job is None:
            return False
        self._job = job.id
        try:
            self._do(job)
        finally:
            self._job = None
        return True

    def _sweep(self) -> bool:
        """Delete the vectors of passages that are gone, now that nothing else is to be done; False when cut short."""
        with self._store.read() as r:
            is_needed = vectors.has_orphans(r)
        if not is_needed or not (self._owns_lease or self._try_lease()):
            return True
        self._owns_lease = True
        return delete_orphans(self._store, self._must_end.is_set)

    def _do(self, job: Job) -> None:
        """Do a job of a kind we know; one that took its process down before is given up."""
        # A reading by models goes on where it was, however often its process was ended.
        if job.tries > _MOST_TRIES and job.kind != jobs.ANALYSIS:
            self._fail(job, _("{name} ended the background process twice; it is left out").format(name=job.subject))
        elif job.kind == "ping":
            with self._store.write(bulk=True) as w:
                jobs.finish_job(w, job.id)
        elif job.kind in ("import", jobs.INDEX, jobs.NAMES, jobs.EMBED):
            self._run(job)
        elif job.kind == jobs.ANALYSIS:
            self._read_whole_work(job)
        elif job.kind == jobs.PACK:
            self._take_pack_in(job)
        else:
            self._fail(job, _("{kind}: this release does not know how").format(kind=job.kind))

    def _run(self, job: Job) -> None:
        # lxml and the EPUB reader: 60 ms and 15 MB that a process which only draws must not pay for.
        from engine import pipeline

        run = pipeline.ImportRun(self._store, self._paths.books_dir, job.id, self._must_end.is_set)
        try:
            if job.kind == jobs.NAMES:
                pipeline.find_names(run, WorkId(int(job.unit)))
            elif job.kind == jobs.INDEX:
                pipeline.make_passages(run, BookId(int(job.unit)), self._paths.config_file)
            elif job.kind == jobs.EMBED:
                pipeline.make_vectors(run, BookId(int(job.unit)), self._paths.config_file)
            else:
                pipeline.import_book(run, path_from_text(job.unit), job.subject)
        except pipeline.StageInterrupted:
            self._give_back()
        except pipeline.ImportCancelled:
            if self._must_end.is_set():
                self._give_back()
        except UnderstoryError as error:
            self._fail(job, error.message)
        except Exception as error:  # the outermost line of a job: one bad book must not end the others
            self._fail_unforeseen(job, error)

    def _take_pack_in(self, job: Job) -> None:
        # The analysis of evidence, which imports do not need.
        from engine.packs.job import PackStoppedError, take_pack_in

        try:
            take_pack_in(self._store, self._paths, job.id, job.unit, self._must_end.is_set)
        except PackStoppedError:
            self._give_back()
        except UnderstoryError as error:
            self._fail(job, error.message)
        except Exception as error:  # the outermost line of a job, as above
            self._fail_unforeseen(job, error)

    def _read_whole_work(self, job: Job) -> None:
        # `llm` and all it brings, which no other job needs.
        from engine.wiki.analysing import AnalysisJob, read_whole_work

        work = WorkId(int(job.unit))
        step_back()
        try:
            if not read_whole_work(AnalysisJob(self._paths, self._store, job.id, work, self._must_end.is_set)):
                self._give_back()
        except UnderstoryError as error:
            self._fail(job, error.message)
        except Exception as error:  # the outermost line of a job, as above
            self._fail_unforeseen(job, error)

    def _fail_unforeseen(self, job: Job, error: Exception) -> None:
        log_failure(error)
        self._fail(job, told_failure(error, job.subject, self._paths.log_file))

    def _fail(self, job: Job, error: str) -> None:
        report = ImportReport(str(path_from_text(job.unit)), ImportStatus.REFUSED, title=job.subject, error=error)
        deadline = time.monotonic() + _FULL_DISK_S
        while True:
            try:
                if self._try_lease():
                    with self._store.write() as w:
                        jobs.finish_job(w, job.id, result=report_json(report), error=error)
                return
            except LibraryUnavailableError:
                # No room for a single row: our exit status tells the one who waits.
                if self._must_end.wait(0.5) or time.monotonic() > deadline:
                    raise


def main(arguments: Sequence[str]) -> int:
    """Run the helper.

    Args:
        arguments: The three folders. Then nothing: it works until its standard input closes; or "--alone":
            until all is done; or "--estimate" and a request: it prints what a reading will cost, and ends.

    Returns:
        The exit status. Where it is not 0, what was printed is the sentence the reader is told.
    """
    be_nice()
    answers = keep_output()
    config_dir, data_dir, state_dir = map(Path, arguments[:3])
    paths = Paths(config_dir, data_dir, state_dir)
    try:
        use_language(read_settings(paths.config_file)[0].language)  # what an import met is told in words
        if arguments[3:4] == ["--estimate"]:
            answers.write(_estimate(paths, arguments[4]))
        else:
            _work(paths, is_alone=arguments[3:4] == ["--alone"])
        answers.flush()
    except Exception as error:  # the outermost line of the process: whoever waits for it is told why it ended
        damaged = isinstance(error, DAMAGE_ERRORS)
        told = LibraryDamagedError(paths.library_db) if damaged else error
        log_failure(error)
        with contextlib.suppress(OSError):  # nobody may be left to hear it
            answers.write(told_failure(told, paths.library_db.name, paths.log_file))
            answers.flush()
        return told.exit_code if isinstance(told, UnderstoryError) else 1
    return 0


def _work(paths: Paths, *, is_alone: bool) -> None:
    worker = _Worker(paths, is_alone=is_alone)
    if not is_alone:
        threading.Thread(target=worker.watch_pipe, daemon=True).start()
    threading.Thread(target=worker.keep_lease, daemon=True).start()
    worker.run()


def _estimate(paths: Paths, request: str) -> str:
    from engine.wiki.estimating import estimate_requested  # no other job needs it

    store = Store(paths.library_db, paths.backups_dir)
    try:
        return estimate_requested(store, paths, request)
    finally:
        store.close()
