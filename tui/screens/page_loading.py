"""Bring the text a page needs; late answers are dropped by their request number."""

from __future__ import annotations

from textual import on, work

from engine.config import Settings
from engine.domain.book import DocumentId
from engine.domain.reading import SliceKey
from engine.errors import UnderstoryError
from tui.messages import PlaceReached, SlicesArrived, WorkFailed
from tui.screens.page import PageScreen
from tui.session import ReadingSession
from tui.widgets.text_view import TextView


class PageLoading(PageScreen):
    """The part that loads slices in worker threads."""

    def __init__(self, session: ReadingSession, settings: Settings) -> None:
        super().__init__(session, settings)
        self._request = 0
        self._asked: set[SliceKey] = set()

    def forget_requests(self) -> None:
        """Drop whatever is on its way, as for another work."""
        self._request += 1
        self._asked.clear()

    @on(TextView.SlicesWanted)
    def _bring_slices(self, event: TextView.SlicesWanted) -> None:
        wanted = tuple((key, step) for key, step in event.wanted if key not in self._asked)
        if wanted:
            self._asked.update(key for key, _step in wanted)
            self._load_runs(self._request, wanted)

    @on(TextView.PlaceWanted)
    def _bring_place(self, event: TextView.PlaceWanted) -> None:
        self._request += 1
        self._load_place(self._request, event.document, event.offset)

    @work(thread=True, group="runs", exit_on_error=False)
    def _load_runs(self, request: int, wanted: tuple[tuple[SliceKey, int], ...]) -> None:
        try:
            pieces = self.session.runs(wanted)
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            return
        self.post_message(SlicesArrived(request, tuple(key for key, _step in wanted), pieces))

    @work(thread=True, exclusive=True, group="place", exit_on_error=False)
    def _load_place(self, request: int, document: DocumentId, offset: int) -> None:
        try:
            pieces = self.session.window(document, offset)
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            return
        self.post_message(PlaceReached(request, document, offset, pieces))

    @on(SlicesArrived)
    def _take_slices(self, event: SlicesArrived) -> None:
        self._asked.difference_update(event.keys)
        if event.request == self._request:
            self.text.take(event.slices)

    @on(PlaceReached)
    def _show_reached(self, event: PlaceReached) -> None:
        if event.request == self._request:
            self.text.replace(event.slices, event.document, event.offset)
            self.arrived()

    @on(WorkFailed)
    def _tell_failure(self, event: WorkFailed) -> None:
        self.text.stay()
        self.arrived()
        self.notice(event.error.message)
