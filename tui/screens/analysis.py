"""The Analysis screen: what it will cost to have a work read by a model, the start, the meter, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message

from engine.domain.analysis import AnalysisMode, AnalysisRequest, AnalysisState
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _
from tui.messages import ModelsWanted
from tui.render.analysis_words import cost_words, dropped_words, use_words
from tui.screens.agreeing import ask_to_send
from tui.screens.analysis_asking import ask_cap, hosts_to_agree_to
from tui.screens.analysis_state import KnowsAnalysis
from tui.widgets.analysis_sheet import AnalysisSheet
from tui.widgets.notice_line import NoticeLine

_POLL_S = 0.4
_CALM_POLLS = 5
"""A page on which nothing is under way looks that much more rarely."""
ANALYSIS_KEYS: tuple[tuple[str, str], ...] = (
    ("enter", N_("start, go on, or try again")),
    ("m", N_("quality or fast")),
    ("c", N_("stop at so many tokens")),
    ("p", N_("pause; what was answered is kept, Enter goes on")),
    ("x", N_("cancel: back to the choice; what was answered is kept")),
    ("b", N_("go on when the program is left")),
    ("u", N_("what was used, by stage and model, and how well it went")),
    ("d", N_("what was written and did not stand")),
    ("n", N_("the Models page")),
    ("j k", N_("scroll")),
    ("escape", N_("back; a reading under way goes on")),
)
"""Keys of the page with what they do."""


class AnalysisScreen(KnowsAnalysis):
    """Have one work read by a model."""

    DEFAULT_CSS = """
    AnalysisScreen { background: $background; color: $foreground; layers: base notice; }
    AnalysisScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True
    _ticks = 0

    @dataclass
    class ConsentWanted(Message):
        """Text would go to a machine she has not agreed to."""

        host: str

    @dataclass
    class TextReady(Message):
        """Words to be shown over the page are there."""

        words: str

    def compose(self) -> ComposeResult:
        """Lay the line for notices over the last row."""
        yield AnalysisSheet(self._view.title)
        yield NoticeLine()

    def on_mount(self) -> None:
        """Read how it stands, and go on reading that."""
        self._sheet.focus()
        self._read()
        self.set_interval(_POLL_S, self._tick)

    def on_screen_resume(self) -> None:
        """Read what may have been set on a page that lay over this one."""
        if self._is_known:
            self._read()

    def _tick(self) -> None:
        self._ticks += 1
        if self.is_active and (self._view.is_running or self._ticks % _CALM_POLLS == 0):
            self._read()

    # keys

    @on(AnalysisSheet.Pressed)
    def _act(self, event: AnalysisSheet.Pressed) -> None:
        event.stop()
        acts: dict[str, Callable[[], object]] = {
            "enter": self._enter,
            "m": self._change_mode,
            "c": lambda: ask_cap(self, self._view.cap_tokens, self._set_cap),
            "p": self._pause_or_go_on,
            "x": self._cancel,
            "b": self._change_alone,
            "u": self._read_usage,
            "d": self._read_dropped,
            "n": lambda: self.app.post_message(ModelsWanted()),
            "?": self._show_keys,
            "f1": self._show_keys,
            "escape": lambda: self.dismiss(None),
            "q": lambda: self.dismiss(None),
            "ctrl+q": self.app.exit,
        }
        act = acts.get(event.key)
        if act is not None:
            self.say("")
            act()

    def _enter(self) -> None:
        if self._view.is_running:
            return
        if not self._view.model:
            self.app.post_message(ModelsWanted())
        elif self._view.estimate is None:
            self.say(_("What it will cost is not known yet; in a moment."))
        elif self._view.estimate.characters or self._is_unfinished:
            self._begin()
        else:
            self.say(_("Everything has been read in this mode."))

    @property
    def _is_unfinished(self) -> bool:
        progress = self._view.progress
        return progress is not None and progress.state in (AnalysisState.PAUSED, AnalysisState.FAILED)

    def _change_mode(self) -> None:
        if self._view.is_running:
            self.say(_("The mode can be changed once it is paused."))
            return
        other = AnalysisMode.FAST if self._view.mode is AnalysisMode.QUALITY else AnalysisMode.QUALITY
        self._view = replace(self._view, mode=other)
        self._reckon()
        self._sheet.show(self._view)

    def _set_cap(self, tokens: int) -> None:
        self._view = replace(self._view, cap_tokens=tokens)
        self._sheet.show(self._view)
        if self._view.is_running:
            self.say(_("The new limit holds once it was paused and goes on."))

    def _pause_or_go_on(self) -> None:
        if self._view.is_running:
            self._pause(_("Paused. Enter goes on."))
        else:
            self._enter()

    def _cancel(self) -> None:
        if self._view.is_running:
            self._pause(_("Cancelled. What was answered is kept."))

    @work(thread=True, exclusive=True, group="begin", exit_on_error=False)
    def _pause(self, words: str) -> None:
        def pause() -> None:
            self._library.pause_analysis(self._work)
            self.app.call_from_thread(self.say, words)
            self._read()

        self._try(pause)

    @work(thread=True, exclusive=True, group="begin", exit_on_error=False)
    def _begin(self) -> None:
        request = AnalysisRequest(self._view.mode, self._view.cap_tokens)
        is_alone = self._view.is_alone

        def begin() -> None:
            hosts = hosts_to_agree_to(self._library)
            if hosts:
                self.post_message(self.ConsentWanted(hosts[0]))
                return
            self._library.start_analysis(self._work, request, is_alone=is_alone)
            self._read()

        self._try(begin)

    @on(ConsentWanted)
    def _ask_consent(self, event: ConsentWanted) -> None:
        said = _("the text goes to {host}: {what}").format(host=sanitize_line(event.host), what=cost_words(self._view))
        ask_to_send(self, event.host, said, lambda: self._agree(event.host))

    @work(thread=True, exclusive=True, group="agree", exit_on_error=False)
    def _agree(self, host: str) -> None:
        def agree() -> None:
            self._library.allow_place(host)
            self.app.call_from_thread(self._begin)

        self._try(agree)

    def _change_alone(self) -> None:
        self._view = replace(self._view, is_alone=not self._view.is_alone)
        self._sheet.show(self._view)
        if self._view.is_alone and self._view.is_running:
            self._go_on_alone()

    @work(thread=True, exclusive=True, group="alone", exit_on_error=False)
    def _go_on_alone(self) -> None:
        self._try(self._library.go_on_alone)

    # what came of it

    @work(thread=True, exclusive=True, group="texts", exit_on_error=False)
    def _read_usage(self) -> None:
        def read() -> None:
            progress, score = self._library.analysis(self._work), self._library.audit_score(self._work)
            rows = self._library.usage(self._work)
            self.post_message(self.TextReady(use_words(rows, progress, score, self._library.model_settings())))

        self._try(read)

    @work(thread=True, exclusive=True, group="texts", exit_on_error=False)
    def _read_dropped(self) -> None:
        self._try(lambda: self.post_message(self.TextReady(dropped_words(self._library.dropped(self._work)))))

    @on(TextReady)
    def _show_text(self, event: TextReady) -> None:
        from tui.modals.note_card import NoteCard  # not before it is asked for

        self.app.push_screen(NoteCard(event.words))

    def _show_keys(self) -> None:
        self.post_message(self.TextReady("\n".join(f"{keys:12}{_(words)}" for keys, words in ANALYSIS_KEYS)))
