"""The wiki beside the text: its pages, jumps to its passages, and the marks of an entry on the progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from engine.config import Settings
from engine.domain.locator import Locator, Pos
from tui.render.tabs import Tab
from tui.screens.page_panels import PagePanels
from tui.session import ReadingSession

# What shows and fetches pages is imported when the wiki is first opened.

if TYPE_CHECKING:
    from engine.domain.wiki import Page, PageKey
    from tui.screens.correcting import Corrected, Correcting, CorrectionReady
    from tui.screens.wiki_loading import WikiArrived, WikiFailed, WikiLoader
    from tui.widgets.wiki_view import WikiView

_CALM_S = 1.0
"""The page has to stand that long before the wiki beside it is brought up to it: making a page costs 10 ms."""
_NAMES_S = 2.0
"""While the names are being gathered the wiki is asked for again at this pace."""


class PageWiki(PagePanels):
    """The part that opens the wiki."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._loader: WikiLoader | None = None
        self._wiki_of: ReadingSession | None = None
        """Whose page stands in the sidebar."""
        self._wiki_frontier: Pos = -1
        """How far was read when it was made."""
        self._calm: Timer | None = None
        self._is_renewing = False
        """The page that stood is asked for anew, and whom it is about may not be known any more."""
        self._made_correcting: Correcting | None = None
        self.appearances: tuple[Pos, ...] = ()
        """Where whom the open entry is about appears, chapter by chapter; none while no entry is open."""

    @property
    def _wiki(self) -> WikiView:
        return self.sidebar.wiki

    def show_panels(self) -> None:
        """Bring the panels that are seen up to the page, the wiki once the page stands."""
        super().show_panels()
        if self._wiki_of is self.session and self.session.frontier < self._wiki_frontier:
            self._forget_ahead()
        if not self.shows_tab(Tab.WIKI):
            return
        if self._wiki_of is not self.session:
            self._begin()
        elif self._wiki_frontier != self.session.frontier:
            self._wait(_CALM_S)

    def _wait(self, seconds: float) -> None:
        """Make the page anew in a moment."""
        if self._calm is not None:
            self._calm.stop()
        self._calm = self.set_timer(seconds, self._renew)

    def _begin(self) -> None:
        """Show the first page of this work's wiki."""
        from engine.domain.wiki import PageKey, PageKind

        self._wiki_of = self.session
        self._wiki.needs_yes = self.settings.spoilers.asks_before_a_reveal
        self._wiki.forget()
        self._mark_appearances(())
        self._ask(PageKey(PageKind.HOME))

    def _forget_ahead(self) -> None:
        """Take away what was known before the frontier was set back; the page comes anew if it still may."""
        page = self._wiki.page
        self._wiki.forget_ahead()
        self._mark_appearances(())
        if page is None or not self.shows_tab(Tab.WIKI):
            self._wiki_of = None
        else:
            self._ask(page.key)
            self._is_renewing = True

    def _renew(self) -> None:
        page = self._wiki.page
        if page is not None and self.shows_tab(Tab.WIKI):
            self._ask(page.key)

    def forget_wiki(self) -> None:
        """Ask for the pages anew, the first one first."""
        self._wiki_of = None

    def show_entry(self, key: PageKey, *, has_keys: bool = True) -> None:
        """Show a page of the wiki beside the text."""
        self.open_tab(Tab.WIKI, has_keys=has_keys)
        self._ask(key)

    def _ask(self, key: PageKey, reveal: int | None = None) -> None:
        from engine.domain.wiki import StatementId
        from tui.screens.wiki_loading import WikiLoader

        if self._loader is None:
            self._loader = WikiLoader(self, self._wiki, lambda: self.session)
        self._wiki_frontier, self._is_renewing = self.session.frontier, False
        self._loader.ask(key, None if reveal is None else StatementId(reveal))

    def on_wiki_arrived(self, event: WikiArrived) -> None:
        """Show a page that was asked for."""
        if self._loader is not None and self._loader.take(event):
            from tui.render.wiki_bits import appearances_on

            self._mark_appearances(appearances_on(event.page))
            if event.page.is_waiting:
                self._wait(_NAMES_S)

    def on_wiki_failed(self, event: WikiFailed) -> None:
        """Say why a page does not come."""
        if self._loader is not None and self._loader.give_up(event):
            if not self._is_renewing:
                self.notice(event.error.message)
            if self._is_renewing:  # whom it is about is not known any more
                self._begin()

    def _mark_appearances(self, positions: tuple[Pos, ...]) -> None:
        if positions != self.appearances:
            self.appearances = positions
            self.appearances_changed()

    def appearances_changed(self) -> None:
        """Be told that others are to be marked on the progress bar."""

    # what the wiki asks for

    def on_wiki_view_entry_wanted(self, event: WikiView.EntryWanted) -> None:
        """Bring another page; into the wiki, wherever it was asked for."""
        if event.view is self._wiki:
            self._ask(event.key)
        else:
            event.view.stop_waiting()
            self.show_entry(event.key)

    def on_wiki_view_reveal_wanted(self, event: WikiView.RevealWanted) -> None:
        """Show a statement before its time."""
        page = self._wiki.page
        if page is not None:
            self._ask(page.key, event.statement)

    # corrections

    @property
    def _correcting(self) -> Correcting:
        if self._made_correcting is None:
            from tui.screens.correcting import Correcting

            self._made_correcting = Correcting(
                self, self._wiki, lambda: self.session, self._page_end, self._show_corrected
            )
        return self._made_correcting

    def _page_end(self) -> Locator | None:
        span = self.text.span
        return None if span is None else Locator(span.last_document, span.last_offset, span.last_offset)

    def on_wiki_view_correction_wanted(self, event: WikiView.CorrectionWanted) -> None:
        """Ask what is to be set right."""
        self._correcting.ask(event.page)

    def on_correction_ready(self, event: CorrectionReady) -> None:
        """Lay the dialog over the page."""
        event.correcting.open(event)

    def on_corrected(self, event: Corrected) -> None:
        """Show what came of it."""
        event.correcting.finish(event)

    def _show_corrected(self, key: PageKey, words: str, is_done: bool) -> None:
        self.notice(words)
        if is_done:
            self.names_changed()
            self._ask(key)
            self._is_renewing = True

    def names_changed(self) -> None:
        """Be told that other names are known than before."""

    def on_wiki_view_passage_wanted(self, event: WikiView.PassageWanted) -> None:
        """Go to a passage."""
        self.panel_done()
        self._go_to_passage(event.locator)

    def _go_to_passage(self, locator: Locator) -> None:
        self.remember_here()
        self.has_landed = True
        self.show_words(locator.document, locator.start, locator.end)

    def open_wiki(self) -> None:
        """Show the wiki over the whole screen, with the page that stands in the sidebar."""
        from tui.screens.wiki import WikiScreen

        is_open = self.shows_tab(Tab.WIKI) and self._wiki_of is self.session
        page = self._wiki.page if is_open else None
        start = page.key if page is not None else None
        screen = WikiScreen(self.session, self.settings, start, here=self._page_end(), ask=self.ask_about)
        self.app.push_screen(screen, self._back_from_wiki)

    def ask_about(self, page: Page) -> None:
        """Let the reader ask about an entry."""

    def _back_from_wiki(self, passage: Locator | None) -> None:
        self.names_changed()
        if passage is not None:
            self._go_to_passage(passage)
