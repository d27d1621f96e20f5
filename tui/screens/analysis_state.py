"""What the Analysis screen knows: what is set, how the reading stands, what it will cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on, work
from textual.message import Message

from engine.domain.analysis import AnalysisMode, AnalysisProgress, AnalysisRequest, AnalysisState, Estimate
from engine.domain.book import WorkId
from engine.domain.models import ModelRole, ModelSettings, RoleView
from engine.errors import UnderstoryError
from engine.errors.models import ModelCancelledError
from engine.library import Library
from engine.translate import _
from tui.messages import WorkFailed
from tui.render.analysis_rows import AnalysisView, StageKey
from tui.render.analysis_words import spent_money
from tui.screens.noticing import Noticing
from tui.widgets.analysis_sheet import AnalysisSheet


class KnowsAnalysis(Noticing[None]):
    """The half of the Analysis screen that finds out and shows."""

    @dataclass
    class StateRead(Message):
        """What is set and how the reading stands was read."""

        settings: ModelSettings
        roles: tuple[RoleView, ...]
        progress: AnalysisProgress | None
        money: float | None
        is_here: bool
        """Whether the reader's model is on this machine."""

    @dataclass
    class Estimated(Message):
        """What it will cost was reckoned."""

        mode: AnalysisMode
        estimate: Estimate

    def __init__(self, library: Library, work_id: WorkId, title: str, *, is_ascii: bool = False) -> None:
        """Take the library and the work."""
        super().__init__()
        self._library, self._work = library, work_id
        self._view = AnalysisView(title, is_ascii=is_ascii)
        self._settings = ModelSettings()
        self._is_known = False
        self._stops = threading.Event()
        """Set to give up the estimate under way."""
        self._estimated: tuple[AnalysisMode, str] | None = None
        """For which mode and model the estimate is or will be."""
        self._pace: dict[StageKey, tuple[float, int]] = {}
        """When a stage was first seen, and how far it was."""

    def on_unmount(self) -> None:
        """Give up the estimate; a reading goes on."""
        self._stops.set()

    @property
    def _sheet(self) -> AnalysisSheet:
        return self.query_one(AnalysisSheet)

    # how it stands

    @work(thread=True, exclusive=True, group="state", exit_on_error=False)
    def _read(self) -> None:
        def read() -> None:
            settings = self._library.model_settings()
            progress = self._library.analysis(self._work)
            if progress is not None and progress.state is AnalysisState.RUNNING:
                self._library.jobs()  # a background process that ended before its work is started again
            money = spent_money(self._library.usage(self._work), settings)
            roles = self._library.model_roles()
            is_here = self._library.is_here(_reader_of(roles).host)
            self.post_message(self.StateRead(settings, roles, progress, money, is_here))

        self._try(read)

    def _try(self, call: Callable[[], object]) -> None:
        """Call the engine in a worker thread; tell the reader when it fails."""
        try:
            call()
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(StateRead)
    def _show(self, event: StateRead) -> None:
        reader = _reader_of(event.roles)
        is_first, self._is_known, self._settings = not self._is_known, True, event.settings
        mode = event.progress.mode if is_first and event.progress is not None else self._view.mode
        cap = event.progress.cap_tokens if is_first and event.progress is not None else self._view.cap_tokens
        was_running = self._view.is_running
        host = _("this machine") if event.is_here else reader.host
        self._view = replace(
            self._view, mode=mode, cap_tokens=cap, currency=event.settings.currency, model=reader.model,
            host=host, progress=event.progress, spent_money=event.money,
            seconds_left=self._seconds_left(event.progress),
        )  # fmt: skip
        is_done = event.progress is not None and event.progress.state is AnalysisState.DONE
        if was_running and is_done:
            self._estimated = None
        self._reckon()
        self._sheet.show(self._view)

    def _seconds_left(self, progress: AnalysisProgress | None) -> dict[StageKey, float]:
        """Return how long each stage under way will still take at the pace seen since the page was opened."""
        left: dict[StageKey, float] = {}
        now = time.monotonic()
        for each in progress.stages if progress is not None and progress.state is AnalysisState.RUNNING else ():
            key = (each.stage, each.volume)
            since, done = self._pace.setdefault(key, (now, each.done))
            if each.done < done:
                self._pace[key] = (now, each.done)
            elif each.done > done:
                left[key] = (now - since) / (each.done - done) * (each.total - each.done)
        return left

    # what it will cost

    def _reckon(self) -> None:
        """Have the estimate made anew where another mode or model is chosen."""
        wanted = (self._view.mode, self._view.model)
        if not self._view.model or wanted == self._estimated:
            return
        self._estimated = wanted
        self._stops.set()
        self._stops = threading.Event()
        self._view = replace(self._view, estimate=None)
        self._estimate(AnalysisRequest(self._view.mode), self._stops)

    @work(thread=True, group="estimate", exit_on_error=False)
    def _estimate(self, request: AnalysisRequest, stops: threading.Event) -> None:
        try:
            found = self._library.estimate(self._work, request, stops)
            self.post_message(self.Estimated(request.mode, found))
        except ModelCancelledError:  # another mode was chosen, or the page was left
            return
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(Estimated)
    def _show_estimate(self, event: Estimated) -> None:
        if event.mode is self._view.mode:
            self._view = replace(self._view, estimate=event.estimate)
            self._sheet.show(self._view)


def _reader_of(roles: tuple[RoleView, ...]) -> RoleView:
    return next(role for role in roles if role.role is ModelRole.READER)
