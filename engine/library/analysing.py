"""The half of the library that has works read by models, and tells how that stands and what came of it."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.models import ModelRole
from engine.errors.models import ModelCancelledError, ModelMissingError
from engine.library.modelling import Modelling
from engine.library.revealing import Revealing
from engine.spoilers.policy import FRONTIER, Upto
from engine.store import works
from engine.store.connection import Connection

# Imported where they are used: most sessions read no work by models.

if TYPE_CHECKING:
    from engine.domain.analysis import AnalysisProgress, AnalysisRequest, AuditSample, Estimate, StageUsage
    from engine.domain.wiki import StatementId

_SAMPLES = 20


class Analysing(Revealing, Modelling):
    """Works read by models."""

    def _wake_helper(self) -> None:
        raise NotImplementedError

    def estimate(self, work: WorkId, request: AnalysisRequest, stops: threading.Event | None = None) -> Estimate:
        """Return what reading a work will cost; what is read already is not counted. Takes seconds for long works.

        It is reckoned in a process of its own, so that nothing else waits meanwhile.

        Args:
            work: What is to be read.
            request: How.
            stops: Set from another thread to give it up.

        Raises:
            WorkNotFoundError: there is no such work.
            HelperUnavailableError: the process cannot be started, or failed.
            ModelCancelledError: it was given up.
        """
        from engine.helper import ask_estimate
        from engine.store.estimates import estimate_from_json, request_json

        with self._store.read() as r:
            works.require(r, work)
        told = ask_estimate(self.paths, request_json(work, request), stops or threading.Event())
        if not told:
            raise ModelCancelledError
        return estimate_from_json(told)

    def start_analysis(self, work: WorkId, request: AnalysisRequest, *, is_alone: bool = False) -> int:
        """Have a work read by models in the background, or go on where that stopped; returns the job.

        Args:
            work: What is to be read.
            request: How.
            is_alone: Whether it goes on when this process has ended.

        Raises:
            WorkNotFoundError: there is no such work.
            ModelMissingError: no model is named as reader.
            HelperUnavailableError: the job is queued, but nobody can be started to do it.
        """
        with self._store.write() as w:
            job = self.queue_analysis(w, work, request)
        if is_alone:
            self.go_on_alone()
        else:
            self.go_on_with_jobs()
        return job

    def queue_analysis(self, w: Connection, work: WorkId, request: AnalysisRequest) -> int:
        """Keep that a work is to be read, inside a transaction; `go_on_with_jobs` behind it begins.

        Raises:
            WorkNotFoundError: there is no such work.
            ModelMissingError: no model is named as reader.
        """
        from engine.store import analyses, jobs

        if not self.has_model(ModelRole.READER):
            raise ModelMissingError(ModelRole.READER)
        outline = works.outline(w, work)
        analyses.begin_analysis(w, work, request, len(outline.volumes))
        return jobs.add_job(w, jobs.ANALYSIS, str(work), outline.title)

    def go_on_with_jobs(self) -> None:
        """Wake who does the background work.

        Raises:
            HelperUnavailableError: nobody can be started to do it.
        """
        self._wake_helper()

    def go_on_alone(self) -> None:
        """Let background work go on when this process ends, until all that waits is done.

        Raises:
            HelperUnavailableError: nobody can be started to do it.
        """
        from engine.helper import start_alone

        start_alone(self.paths)

    def pause_analysis(self, work: WorkId) -> bool:
        """Stop reading a work; what was answered is kept, and `start_analysis` goes on. False when nothing is read."""
        from engine.domain.analysis import AnalysisState
        from engine.store import analyses, jobs

        with self._store.write() as w:
            job = jobs.analysis_job(w, work)
            progress = analyses.latest(w, work)
            if job is None or progress is None:
                return False
            jobs.cancel_job(w, job)
            analyses.set_state(w, progress.id, AnalysisState.PAUSED)
        return True

    def analysis(self, work: WorkId) -> AnalysisProgress | None:
        """Return how the last reading of a work by models stands, None when there was none."""
        from engine.store import analyses

        with self._store.read() as r:
            return analyses.latest(r, work)

    def usage(self, work: WorkId | None = None) -> tuple[StageUsage, ...]:
        """Return what reading a work, or all, by models has cost, by stage and model."""
        from engine.store import model_calls

        with self._store.read() as r:
            return tuple(model_calls.usage_of(r, work))

    def audit_samples(
        self, work: WorkId, seed: int, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> tuple[AuditSample, ...]:
        """Return up to twenty sentences of a model, by chance, each with the passages it rests on.

        Args:
            work: Whose.
            seed: The same one chooses the same sentences.
            upto: How far the request may see.
            spoilers: The mode; None for the reader's setting.
        """
        from engine.domain.analysis import AuditSample
        from engine.spoilers import masks
        from engine.store import dropped, wiki
        from engine.wiki.passages import Passages

        with self._known(work, upto, spoilers) as known:
            if known is None:
                return ()
            with self._store.read() as r:
                bound = masks.statement_upto(known.bound)
                all_ = dropped.readable(r, work, bound)
                chosen = sorted(random.Random(seed).sample(all_, min(_SAMPLES, len(all_))))  # noqa: S311  (no secret)
                words = dropped.words_of(r, chosen, bound)
                evidence = wiki.evidence_of(r, chosen)
                text = Passages(r, bound)
                whole = {
                    each.locator: block.text
                    for some in evidence.values()
                    for each in some
                    if (block := text.block_at(each.locator.document, each.locator.start)) is not None
                }
                names = {id_: known.name(point) for id_ in chosen if (point := wiki.point_of(r, work, id_))}
            return tuple(
                AuditSample(
                    id_,
                    names.get(id_, ""),
                    words[id_][0],
                    words[id_][1],
                    tuple((each.quote, whole.get(each.locator, each.quote)) for each in evidence.get(id_, ())),
                )
                for id_ in chosen
                if id_ in words
            )

    def audit(self, statement: StatementId, *, is_supported: bool) -> bool:
        """Keep what a person found who held a sentence against its evidence; False when there is no such sentence."""
        from engine.store import dropped

        with self._store.write() as w:
            return dropped.set_audit(w, statement, is_supported=is_supported)

    def audit_score(self, work: WorkId) -> tuple[int, int]:
        """Return (supported, looked at)."""
        from engine.store import dropped

        with self._store.read() as r:
            return dropped.audit_score(r, work)

    def dropped(
        self, work: WorkId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> tuple[tuple[str, str], ...] | None:
        """Return (words, reason) of what was written and did not stand; None while it might tell what lies ahead."""
        from engine.spoilers import masks
        from engine.store import dropped

        with self._known(work, upto, spoilers) as known:
            if known is None or masks.statement_upto(known.bound) < known.where.end:
                return None
            with self._store.read() as r:
                return tuple((text, reason) for _unit, text, reason in dropped.dropped_of(r, work))
