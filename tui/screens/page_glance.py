"""The glance of the chapter on the page: what is known before it is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from engine.config import Settings
from engine.domain.locator import Pos
from tui.render.tabs import Tab
from tui.screens.page_wiki import PageWiki
from tui.session import ReadingSession

if TYPE_CHECKING:
    from engine.domain.wiki import Page
    from tui.screens.wiki_loading import WikiArrived, WikiFailed, WikiLoader

_NEXT_S, _CALM_S, _NAMES_S = 0.15, 1.0, 2.0
"""Waited before a glance is made: for another chapter, for more that was read, while names are being gathered."""


class PageGlance(PageWiki):
    """The part that shows the glance."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._glances: WikiLoader | None = None
        self._glance: Page | None = None
        """As far as the outline tells it."""
        self._glance_of: ReadingSession | None = None
        self._glance_frontier: Pos = -1
        self._glance_due: Timer | None = None

    def forget_wiki(self) -> None:
        """Ask for the glance anew too."""
        super().forget_wiki()
        self._glance_of = None

    def show_panels(self) -> None:
        """Bring the panels that are seen up to the page."""
        super().show_panels()
        if not self.shows_tab(Tab.GLANCE):
            return
        from tui.render.glance import first_glance

        first = first_glance(self.session.index, self.pos, self.session.titles_upto(self.settings))
        if self._glance_of is not self.session or self._glance is None or self._glance.key != first.key:
            self._glance_of, self._glance, self._glance_frontier = self.session, first, self.session.frontier
            self.sidebar.glance.show(first)
            self._look_ahead(_NEXT_S)
        elif self._glance_frontier != self.session.frontier:
            self._look_ahead(_CALM_S)

    def _look_ahead(self, seconds: float) -> None:
        if self._glance_due is not None:
            self._glance_due.stop()
        self._glance_due = self.set_timer(seconds, self._ask_for_glance)

    def _ask_for_glance(self) -> None:
        from tui.screens.wiki_loading import WikiLoader

        if self._glance is None or not self.shows_tab(Tab.GLANCE):
            return
        if self._glances is None:
            self._glances = WikiLoader(self, self.sidebar.glance, lambda: self.session, "glance")
        self._glance_frontier = self.session.frontier
        self._glances.ask(self._glance.key)

    # Textual gives an event to the handler of each class that has one: those of the wiki are PageWiki's.

    def on_wiki_arrived(self, event: WikiArrived) -> None:
        """Show a glance that was asked for."""
        if self._glances is None or event.loader is not self._glances or self._glance is None:
            return
        if event.page.is_waiting:
            event.page = replace(self._glance, parts=event.page.parts)
            self._look_ahead(_NAMES_S)
        self._glances.take(event)

    def on_wiki_failed(self, event: WikiFailed) -> None:
        """Leave the glance as it is; whoever asks for more is told."""
        if self._glances is not None:
            self._glances.give_up(event)
