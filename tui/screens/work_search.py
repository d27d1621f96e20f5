"""Run the searches of a panel in worker threads and bring what they find. Imported when it is first asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from engine.config import SpoilerMode
from engine.domain.book import VolumeId
from engine.domain.finds import Finds, SearchReach, Sought
from engine.domain.locator import pos_of
from engine.domain.search import HitRun, PosRange, TextQuery, query_from_text
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.translate import _
from tui.render.far_jump import read_words
from tui.render.found import Found
from tui.render.search_list import Listed
from tui.render.snippets import Marks
from tui.screens.page import PageScreen
from tui.widgets.search_panel import SearchPanel
from tui.widgets.search_results import SearchResults
from tui.widgets.search_typing import Wanted

_TELL_S = 0.15
"""What is found by looking through the text is shown this often."""
_LATE_S, _MOST_LATE = 0.3, 60
"""A search whose vector was late is made again after so long, and how often: an embedder takes seconds to start."""
_BEFORE_CHARS, _BEHIND_CHARS = 120, 240
_GROUP, _SNIPPETS = "search-panel", "snippets"


@dataclass
class SearchAnswered(Message):
    """A search has found something, all of it or so far."""

    search: WorkSearch
    request: int
    listed: Listed
    source: ReadingSource


@dataclass
class SnippetsArrived(Message):
    """The words around some places were read."""

    search: WorkSearch
    listed: Listed
    snippets: dict[int, tuple[str, Marks]]


@dataclass(frozen=True, slots=True)
class _Job:
    """One search."""

    request: int
    wanted: Wanted
    source: ReadingSource
    spoilers: SpoilerMode
    volume: VolumeId | None
    shown: PosRange
    """What stands on the page, which may be looked through wherever it is."""

    @property
    def query(self) -> TextQuery:
        return query_from_text(self.wanted.words)

    @property
    def sought(self) -> Sought:
        wanted = self.wanted
        return Sought(wanted.words, wanted.mode, wanted.reach, self.volume, wanted.lists_all)


class WorkSearch:
    """What a panel of searches asks for."""

    def __init__(self, screen: Screen[Any], panel: SearchPanel, page: PageScreen) -> None:  # Any: it answers nobody
        """Take a panel.

        Args:
            screen: The panel's, which is told what is found.
            panel: Where it is listed.
            page: The page of the work.
        """
        self._screen = screen
        self._panel = panel
        self._page = page
        self._request = 0
        self._late = 0
        self._wanted: Wanted | None = None

    # asking

    def ask(self, wanted: Wanted) -> None:
        """Search; an answer to what was asked before is dropped."""
        self._late = 0
        self._start(wanted)

    def _start(self, wanted: Wanted) -> None:
        self._request += 1
        self._wanted = wanted
        if not query_from_text(wanted.words).words.strip():
            self.forget()
            return
        page = self._page
        volume = page.session.index.volume_at(page.pos)
        job = _Job(
            self._request,
            wanted,
            page.session.source,
            page.settings.spoilers,
            volume.id if volume is not None and wanted.reach is SearchReach.VOLUME else None,
            page.shown,
        )
        self._run(lambda: self._search(job), _GROUP)

    def _run(self, work: Callable[[], None], group: str) -> Worker[None]:
        return self._screen.run_worker(work, thread=True, exclusive=group == _GROUP, group=group, exit_on_error=False)

    @property
    def is_of_library(self) -> bool:
        """Whether what is listed may be of other works than the one being read."""
        listed = self._panel.listed
        return self._panel.typing.reach is SearchReach.LIBRARY and listed is not None and bool(listed.hits)

    def forget(self) -> None:
        """List nothing."""
        self._request += 1
        self._screen.workers.cancel_group(self._screen, _GROUP)
        self._panel.notice = self._panel.tail = ""
        self._panel.clear()

    # in the worker

    def _search(self, job: _Job) -> None:
        worker, words = get_current_worker(), job.wanted.words
        self._page.session.settle()
        finds, notice = Finds(None), ""
        try:
            if not job.query.is_pattern:
                finds = job.source.find(job.sought, job.spoilers)
        except UnderstoryError as error:
            notice = error.message
        if worker.is_cancelled:
            return
        if finds.text is not None:
            told = Listed(words, finds, has_more=finds.text.has_more, notice=finds.text.notice)
            self._tell(job, told)
        else:
            self._look_through(job, Listed(words, finds, is_whole=False, notice=notice), worker)

    def _look_through(self, job: _Job, listed: Listed, worker: Worker[None]) -> None:
        """Search the text itself, where there is no index of it; what is found is told now and then."""
        runs, told = list[HitRun](), time.monotonic()
        try:
            with closing(
                job.source.search(job.query, job.spoilers, within=self._within(job), shown=job.shown)
            ) as steps:
                for run in steps:
                    if worker.is_cancelled:
                        return
                    runs += [run] if run is not None else []
                    if runs and time.monotonic() - told > _TELL_S:
                        self._tell(job, replace(listed, found=Found(runs)))
                        told = time.monotonic()
            if not listed.notice:
                listed = replace(listed, notice=self._as_it_stands(job))
        except UnderstoryError as error:
            listed = replace(listed, notice=error.message)
        listed = replace(listed, found=Found(runs), is_whole=True)
        has_more = not worker.is_cancelled and self._has_more(job)
        self._tell(job, replace(listed, has_more=has_more))

    def _as_it_stands(self, job: _Job) -> str:
        """Say what looking through the text leaves out."""
        if job.wanted.reach is SearchReach.LIBRARY:
            return _("This work alone: other works are not looked through.")
        is_sign = not any(char.isalnum() for char in job.wanted.words)
        return "" if job.query.is_pattern or is_sign else _("Not indexed yet: looked through word for word.")

    def _within(self, job: _Job) -> tuple[PosRange, ...]:
        if job.volume is None:
            return ()
        volumes = self._page.session.index.outline.volumes
        return tuple(PosRange(pos_of(v.ord, 0), pos_of(v.ord + 1, 0)) for v in volumes if v.id == job.volume)

    def _has_more(self, job: _Job) -> bool:
        try:
            return job.source.is_found_beyond(job.query, job.spoilers)
        except UnderstoryError:
            return False

    def _tell(self, job: _Job, listed: Listed) -> None:
        self._screen.post_message(SearchAnswered(self, job.request, listed, job.source))

    # on the loop

    def take(self, event: SearchAnswered) -> None:
        """List what was found; a late answer, or one for another work, is dropped."""
        page, panel, listed = self._page, self._panel, event.listed
        if event.request != self._request or event.source is not page.session.source:
            return
        before = panel.listed
        is_shown = before is not None and before.words == listed.words and len(before.found) > 0
        if not listed.is_whole and is_shown:
            return  # a list that stands is not changed before the search is whole
        panel.notice, panel.tail = listed.notice, self._tail(listed)
        panel.show_listed(listed, page.session.index, page.session.index.outline.id)
        text = listed.finds.text
        if text is not None and text.is_late and self._late < _MOST_LATE:
            self._late += 1
            self._screen.set_timer(_LATE_S, lambda: self._try_again(event.request))

    def _try_again(self, request: int) -> None:
        if request == self._request and self._wanted is not None:
            self._start(self._wanted)

    def _tail(self, listed: Listed) -> str:
        session = self._page.session
        nothing = _("not found") if listed.is_whole and listed.is_empty else ""
        if session.index.outline.is_preview:
            more = _("only what is loaded was searched, the import goes on")
        elif not listed.has_more:
            more = ""
        else:
            where = read_words(session.index, session.frontier)
            more = _("there is more beyond {chapter}").format(chapter=where) if where else _("there is more further on")
        return " · ".join(words for words in (nothing, more) if words)

    # words around places

    def bring_snippets(self, event: SearchResults.SnippetsWanted) -> None:
        """Read the words around some places of a text that was looked through."""
        source, listed, numbers = self._page.session.source, event.listed, event.numbers
        self._run(lambda: self._read_snippets(source, listed, numbers), _SNIPPETS)

    def _read_snippets(self, source: ReadingSource, listed: Listed, numbers: tuple[int, ...]) -> None:
        snippets: dict[int, tuple[str, Marks]] = {}
        try:
            for number in numbers:
                hit = listed.found.hit(number)
                first = max(0, hit.start - _BEFORE_CHARS)
                text = source.text_of(hit.document, first, min(hit.end + _BEHIND_CHARS, hit.limit))
                snippets[number] = text, ((hit.start - first, hit.end - first),)
        except UnderstoryError:
            pass  # they stay away; the page says what is wrong with the library
        self._screen.post_message(SnippetsArrived(self, listed, snippets))

    def show_snippets(self, event: SnippetsArrived) -> None:
        """Hand words to the panel."""
        self._panel.take_snippets(event.listed, event.snippets)
