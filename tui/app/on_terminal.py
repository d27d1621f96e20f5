"""The program and its terminal: the first frame, how wide characters are, and leaving."""

from __future__ import annotations

import contextlib
import gc
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from textual import events, on, work
from textual._context import active_message_pump
from textual.await_complete import AwaitComplete
from textual.driver import Driver
from textual.screen import Screen
from textual.widget import Widget

from engine.config import AmbiguousWidth, Settings
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.app.works import WorksApp
from tui.render.ambiguous import draw_ambiguous_wide
from tui.session import ReadingSession
from tui.terminal.ability import Colours, TerminalKind
from tui.terminal.leaving import Leaving
from tui.terminal.told import LineDown, PasteCut, WidthTold
from tui.widgets.notice_line import NoticeLine
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST_HELD_S = 0.5
_HUNG_UP = 129
"""As if by SIGHUP."""
_NO_LINES = "* { border: none; }"
"""Textual takes the lines of its borders for one cell wide, whatever anybody tells it."""


class TerminalApp(WorksApp):
    """Draws the first page whole, listens to what the terminal tells, and leaves in good order."""

    def __init__(
        self,
        library: Library,
        settings: Settings,
        *,
        session: ReadingSession | None,
        jobs: tuple[int, ...],
        terminal: TerminalKind,
    ) -> None:
        has_no_colours = terminal.colours is Colours.NONE
        super().__init__(
            library, settings, session=session, jobs=jobs, driver=terminal.driver, has_no_colours=has_no_colours
        )
        self.leaving: Leaving | None = None
        """Ends the program by force when it does not end by itself; None in tests."""
        self.last_page: tuple[tuple[int, int], str] | None = None
        """Size and bytes of the reading screen when it was left; None when there was none, or after a failure."""
        self.failure: Exception | None = None
        """What ended the program against its will."""
        self.has_few_colours = terminal.colours in (Colours.NONE, Colours.FEW)
        """The terminal can show only its own colours, or none."""
        self._held_back = ExitStack()
        self._is_undrawn = True
        self._count_cells()

    # the first page

    def begin_drawing(self) -> None:
        """Draw nothing until the text stands: over the early page, a half-made one would flicker."""
        self.call_after_refresh(_collect_garbage)
        if self.session is not None:
            self._held_back.enter_context(self.batch_update())
            self.set_timer(_MOST_HELD_S, self._draw_first)

    @on(TextView.PageMoved)
    def _draw_first(self) -> None:
        """Draw the first page, now that it is whole."""
        self._held_back.close()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        # Textual takes what was drawn while we held back for drawn; so the first frame must hold everything.
        if self._is_undrawn and renderable is not None and not self._batch_count:
            self._is_undrawn = False
            renderable = screen._compositor.render_full_update()
        super()._display(screen, renderable)

    # what the terminal tells

    def _count_cells(self) -> None:
        """Take the setting for the width of ambiguous characters, or what this terminal told the last time."""
        wanted = self.settings.ambiguous_width
        if wanted is AmbiguousWidth.AUTO:
            wanted = AmbiguousWidth(self.library.remembered(_width_key()) or AmbiguousWidth.NARROW)
        draw_ambiguous_wide(wanted is AmbiguousWidth.WIDE)
        if wanted is AmbiguousWidth.WIDE:
            self.stylesheet.add_source(_NO_LINES, read_from=("ambiguous", ""))

    @on(WidthTold)
    def _take_width(self, event: WidthTold) -> None:
        if self.settings.ambiguous_width is not AmbiguousWidth.AUTO or not draw_ambiguous_wide(event.is_wide):
            return
        self._remember_width(AmbiguousWidth.WIDE if event.is_wide else AmbiguousWidth.NARROW)
        self.stylesheet.source.pop(("ambiguous", ""), None)
        if event.is_wide:
            self.stylesheet.add_source(_NO_LINES, read_from=("ambiguous", ""))
        self.refresh_css(animate=False)
        for screen in self.screen_stack:
            for widget in screen.walk_children(Widget):
                widget.post_message(events.Resize(widget.size, widget.virtual_size))  # each measures its rows anew
            for text in screen.query(TextView):
                text.measure_anew()

    @work(thread=True, exclusive=True, group="width", exit_on_error=False)
    def _remember_width(self, width: AmbiguousWidth) -> None:
        with contextlib.suppress(UnderstoryError):  # where the library cannot be written it is asked again
            self.library.remember(_width_key(), width)

    @on(PasteCut)
    def _tell_cut(self, event: PasteCut) -> None:
        self.say(_("Only the first {count} characters of what was pasted were taken.").format(count=event.kept_chars))

    @on(Driver.SignalResume)
    def draw_anew(self) -> None:
        """Draw everything, whatever the terminal shows."""
        if self._driver is not None and hasattr(self._driver, "drawn_by_hand"):
            self._driver.drawn_by_hand()
        self.screen.refresh(layout=True)

    def pop_screen(self) -> AwaitComplete:
        """Close the screen on top; not when a screen closed already asks, by a key typed ahead of its end."""
        asking = active_message_pump.get(None)
        if isinstance(asking, Screen) and asking not in self.screen_stack:
            return AwaitComplete()
        return super().pop_screen()

    # leaving

    def leave(self, code: int) -> None:
        """Leave with an exit code. May be called by a signal's handler, at any moment of the main thread."""
        driver = self._driver
        if driver is not None and hasattr(driver, "hurry"):  # ours; not the one of tests, nor of Windows
            driver.hurry()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.call_later, self.exit, None, code)
        else:
            self._exit = True  # before the first page: `run` sees it

    @on(LineDown)
    def _hang_up(self) -> None:
        self.exit(return_code=_HUNG_UP)

    def exit(self, result: None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Leave, keeping the page for the next start."""
        if self.leaving is not None:
            self.leaving.begin(return_code)
        self.last_page = self._drawn_page()
        super().exit(result, return_code, message)

    def _drawn_page(self) -> tuple[tuple[int, int], str] | None:
        screen = self.reading_screen()
        if screen is None or screen.size != self.size or not screen.is_mounted:
            return None
        with self.batch_update():  # without the word the program had for the reader just then
            for notice in screen.query(NoticeLine):
                notice.display = False
            screen._refresh_layout()
        drawn = screen._compositor.render_full_update()
        return (self.size.width, self.size.height), drawn.render_segments(self.console)

    def _handle_exception(self, error: Exception) -> None:
        self.failure = self.failure or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()  # Textual would print the values of variables: text of the book


def _width_key() -> str:
    return f"ambiguous width of {os.environ.get('TERM', '')} {os.environ.get('TERM_PROGRAM', '')}"


def _collect_garbage() -> None:
    """Start what `tui.__main__` put off; what was made until now stays, and need not be looked at again."""
    gc.freeze()
    gc.enable()
