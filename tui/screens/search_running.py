"""Run the search of the page in a worker thread and tell what it finds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from textual.message import Message
from textual.worker import get_current_worker

from engine.config import SpoilerMode
from engine.domain.search import HitRun, PosRange, TextQuery
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.translate import _
from tui.render.far_jump import read_words
from tui.render.found import Found
from tui.screens.page import PageScreen
from tui.session import ReadingSession

GROUP = "search"
"""Of the worker that searches."""
_TELL_S = 0.15
"""What a slow search has found so far is shown this often."""


@dataclass(frozen=True, slots=True)
class SearchJob:
    """One search under way in a worker thread."""

    query: TextQuery
    source: ReadingSource
    spoilers: SpoilerMode
    within: Sequence[PosRange]
    """In the order they are searched; empty for the whole work."""
    shown: PosRange


@dataclass
class HitsFound(Message):
    """A search got further."""

    job: SearchJob
    found: Found
    is_whole: bool = False
    has_more: bool = False
    """There is more behind what may be seen."""
    error: str = ""


def start_search(screen: PageScreen, query: TextQuery, within: Sequence[PosRange]) -> None:
    """Search in a worker thread, in place of the search that runs there; `HitsFound` is posted to the screen.

    Args:
        screen: Whose work is searched.
        query: Words or a pattern.
        within: Ranges in the order they are searched; empty for the whole work.
    """
    job = SearchJob(query, screen.session.source, screen.settings.spoilers, within, screen.shown)
    screen.run_worker(lambda: _run(screen, job), thread=True, exclusive=True, group=GROUP, exit_on_error=False)


def _run(screen: PageScreen, job: SearchJob) -> None:
    """Search; what is found is told when it is whole, and now and then before."""
    worker, runs, told, error = get_current_worker(), list[HitRun](), time.monotonic(), ""
    screen.session.settle()
    try:
        with closing(job.source.search(job.query, job.spoilers, within=job.within, shown=job.shown)) as steps:
            for run in steps:
                if worker.is_cancelled:
                    return
                runs += [run] if run is not None else []
                if runs and time.monotonic() - told > _TELL_S:
                    screen.post_message(HitsFound(job, Found(runs)))
                    told = time.monotonic()
    except UnderstoryError as failure:
        error = failure.message
    found = Found(runs)
    screen.post_message(HitsFound(job, found, is_whole=True, error=error))
    if not error and not worker.is_cancelled and job.source.is_found_beyond(job.query, job.spoilers):
        screen.post_message(HitsFound(job, found, is_whole=True, has_more=True))


def more_words(session: ReadingSession, *, has_more: bool) -> list[str]:
    """Say that there is more than was searched, if so."""
    if session.index.outline.is_preview:
        return [_("only what is loaded was searched, the import goes on")]
    if not has_more:
        return []
    where = read_words(session.index, session.frontier)
    return [_("there is more beyond {chapter}").format(chapter=where) if where else _("there is more further on")]
