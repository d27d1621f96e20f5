"""The job of reading a work by models, as the background process does it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.analysis.asking import AnalysisStopped, Caller, Limits
from engine.domain.analysis import AnalysisState
from engine.domain.book import WorkId
from engine.domain.models import ModelRole
from engine.errors import UnderstoryError
from engine.errors.models import ModelMissingError, SpendingStoppedError
from engine.models.desk import open_registry
from engine.paths import Paths
from engine.providers.protocols import Model
from engine.store import analyses, jobs, model_calls
from engine.store.store import Store
from engine.wiki.whole_work import WholeWork

_ASKED_EVERY_S = 0.1
"""Looking into the library whether the job was cancelled costs 50 µs; eight calls at once ask twenty times a second."""


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """A reading under way."""

    paths: Paths
    store: Store
    job: int
    work: WorkId
    must_end: Callable[[], bool]
    """Whether the process has to end."""


class _Stop:
    """Whether a reading is to be given up: its process ends, the reader said so, or other work comes first."""

    def __init__(self, job: AnalysisJob) -> None:
        self._job = job
        self._asked_at = 0.0
        self._said = False
        self.has_other_work = False

    def __call__(self) -> bool:
        now = time.monotonic()
        if not self._said and now - self._asked_at >= _ASKED_EVERY_S:
            self._asked_at = now
            with self._job.store.read() as r:
                self.has_other_work = jobs.is_other_waiting(r, self._job.job)
                self._said = self.has_other_work or not jobs.is_under_way(r, self._job.job)
        return self._said or self._job.must_end()


def read_whole_work(job: AnalysisJob) -> bool:
    """Read a work, or go on with it, and finish the job.

    Returns:
        Whether it has come to an end, of whatever kind; False when it is to be taken up again later.

    Raises:
        LibraryUnavailableError: the library cannot be written.
    """
    with job.store.write() as w:
        model_calls.lose_calls(w)
        progress = analyses.latest(w, job.work)
        asked = None if progress is None else analyses.request_of(w, progress.id)
    if progress is None or asked is None:
        return _finish(job, None, AnalysisState.FAILED, "nothing was asked for")
    stop = _Stop(job)
    try:
        model_of = _models(job)
        context_tokens = model_of(ModelRole.READER).capabilities.context_tokens
        caller = Caller(
            job.store, job.work, progress.id, model_of, must_stop=stop, limits=Limits(progress.cap_tokens), job=job.job
        )
        reading = WholeWork(
            job.store, job.work, progress.id, asked[1], caller, context_tokens=context_tokens, tell=_teller(job)
        )
        reading.run()
    except AnalysisStopped:
        if job.must_end() or stop.has_other_work:
            return False
        return _finish(job, progress.id, AnalysisState.PAUSED, "")
    except SpendingStoppedError as error:
        return _finish(job, progress.id, AnalysisState.PAUSED, error.message)
    except UnderstoryError as error:
        return _finish(job, progress.id, AnalysisState.FAILED, error.message)
    return _finish(job, progress.id, AnalysisState.DONE, "")


def _models(job: AnalysisJob) -> Callable[[ModelRole], Model]:
    registry = open_registry(job.paths, job.store)

    def model_of(role: ModelRole) -> Model:
        """Return the model of a role; the reader's own does what no other is named for."""
        try:
            return registry.for_role(role)
        except ModelMissingError:
            return registry.for_role(ModelRole.READER)

    return model_of


def _teller(job: AnalysisJob) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        with job.store.write(bulk=True) as w:
            jobs.set_progress(w, job.job, done, total)

    return tell


def _finish(job: AnalysisJob, analysis: int | None, state: AnalysisState, error: str) -> bool:
    with job.store.write() as w:
        if analysis is not None:
            analyses.set_state(w, analysis, state, error)
        jobs.finish_job(w, job.job, error=error)
    return True
