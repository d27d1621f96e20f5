"""The job of taking a pack in, as the background process does it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

from engine.domain.packs import PackReport
from engine.errors import UnderstoryError
from engine.errors.packs import PackInTheWayError, PackUnreadableError
from engine.packs.files import read_lines
from engine.packs.reading import pack_from_lines
from engine.packs.request import PackRequest, request_from
from engine.packs.taking_in import take_in
from engine.paths import Paths
from engine.samples import sample_pack
from engine.store import jobs
from engine.store.store import Store


class PackStoppedError(Exception):
    """The process has to end between two transactions."""


def take_pack_in(store: Store, paths: Paths, job: int, told: str, must_end: Callable[[], bool]) -> None:
    """Take a pack in and finish the job.

    Raises:
        PackStoppedError: the process has to end; the job is to be taken up again later.
        LibraryUnavailableError: the library cannot be written.
    """
    request = request_from(told)

    def go_on(done: int, total: int) -> None:
        if must_end():
            raise PackStoppedError
        with store.write(bulk=True) as w:
            jobs.set_progress(w, job, done, total)

    result, error = "", ""
    try:
        result = _told(_taken_in(store, paths, request, go_on))
    except PackInTheWayError as in_the_way:
        error = "" if request.series else in_the_way.message  # the sample's is offered, not pressed on anybody
    except UnderstoryError as failure:
        error = failure.message
    with store.write() as w:
        jobs.finish_job(w, job, result=result, error=error)
    with contextlib.suppress(OSError):
        request.file(paths).unlink()


def _taken_in(store: Store, paths: Paths, request: PackRequest, go_on: Callable[[int, int], None]) -> PackReport:
    path = sample_pack(request.series) if request.series else request.file(paths)
    if path is None:
        raise PackUnreadableError(request.series)
    pack = pack_from_lines(read_lines(path))
    key = request.sha256 or request.series
    return take_in(store, pack, is_trusted=request.is_trusted, replaces=request.replaces, key=key, go_on=go_on)


def _told(report: PackReport) -> str:
    return json.dumps([report.work, report.points, report.statements, report.left_out, report.waiting])
