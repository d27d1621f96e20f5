"""Ask who is named on a page and around it, and underline them. Imported when the first page has stood a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from engine.config import SpoilerMode
from engine.domain.locator import Locator, Pos
from engine.domain.source import ReadingSource
from engine.domain.wiki import KnowledgeState, NameInText
from engine.errors import UnderstoryError
from tui.render.known_names import KnownNames, Stretch
from tui.render.layers import Layer

if TYPE_CHECKING:
    from tui.screens.page_names import PageNames

_EVERYTHING: Pos = 1 << 62


@dataclass
class NamesArrived(Message):
    """The names in parts of the text were read."""

    request: int
    frontier: Pos
    found: tuple[tuple[Stretch, tuple[NameInText, ...]], ...]
    is_ready: bool
    """The names of the work are known; else none may be there because nobody has looked for them yet."""
    is_coming: bool
    """They are being looked for."""


class NameFinding:
    """The names of one reading screen."""

    def __init__(self, screen: PageNames) -> None:
        """Take the screen."""
        self._screen = screen
        self._known = KnownNames()
        self._request = 0
        self._then: Callable[[], None] | None = None
        self.is_asking = False
        """An answer is on its way."""
        self.is_ready = True
        """Names of the work were known when they were asked for last."""

    def forget(self) -> None:
        """Forget the names, as for another work."""
        self._request += 1
        self.is_asking = False
        self._then = None
        self._known.clear()
        self._screen.page.lay_over(Layer.NAMES, None)

    def ask(self) -> bool:
        """Ask for what is not known of the page and around it; say whether anything was asked for."""
        frontier = self._frontier()
        if frontier < self._known.frontier:
            self.forget()  # set back, it hides names
        page = self._screen.page
        wanted = self._known.missing(page.pieces_around(), page.paragraphs_shown(), frontier)
        if wanted:
            self.is_asking = True
            self._request += 1
            session, spoilers = self._screen.session, self._screen.settings.spoilers
            load = partial(self._load, self._request, session.source, wanted, frontier, spoilers, session.read_to)
            # Textual's workers take 2 ms of a page's 8 to be told apart, cancelled and followed; this is one of 1 ms.
            asyncio.get_running_loop().run_in_executor(None, load)
        return bool(wanted)

    def ask_now(self, then: Callable[[], None]) -> None:
        """Do something as soon as the names on the page are known."""
        if self.is_asking or self.ask():
            self._then = then
        else:
            then()

    def _frontier(self) -> Pos:
        screen = self._screen
        return _EVERYTHING if screen.settings.spoilers is SpoilerMode.OFF else screen.session.frontier

    def _load(
        self,
        request: int,
        source: ReadingSource,
        wanted: tuple[Stretch, ...],
        frontier: Pos,
        spoilers: SpoilerMode,
        read_to: Locator | None,
    ) -> None:
        found: tuple[tuple[Stretch, tuple[NameInText, ...]], ...] = ()
        is_ready = is_coming = False
        try:
            found = tuple((each, source.names_in(*each, spoilers, read_to)) for each in wanted)
            is_any = any(names for _stretch, names in found)
            state = KnowledgeState.READY if is_any else source.knowledge_state()
            is_ready, is_coming = state is KnowledgeState.READY, state is KnowledgeState.WORKING
        except UnderstoryError:
            pass  # a page without underlines is a page all the same; what is wrong is told by whoever is asked
        finally:
            self._screen.post_message(NamesArrived(request, frontier, found, is_ready, is_coming))

    def take(self, event: NamesArrived) -> None:
        """Underline what was found, and do what waited for it; the answer to an earlier question is dropped."""
        if event.request != self._request:
            return
        self.is_asking, self.is_ready = False, event.is_ready
        if event.is_ready and event.frontier <= self._frontier():
            news = [self._known.take(stretch, names, event.frontier) for stretch, names in event.found]
            if any(news):
                self._show()
        then, self._then = self._then, None
        if then is not None:
            then()

    def _show(self) -> None:
        page = self._screen.page
        page.names = self._known.spans
        if self._screen.settings.names:
            page.lay_over(Layer.NAMES, self._known.overlays)
