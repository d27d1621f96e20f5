"""Pages of the wiki fetched behind the screen, for whatever view shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.message import Message
from textual.screen import Screen

from engine.domain.wiki import Page, PageKey, StatementId
from engine.errors import UnderstoryError
from tui.session import ReadingSession
from tui.widgets.wiki_view import WikiView


@dataclass
class WikiArrived(Message):
    """A page was made."""

    loader: WikiLoader
    request: int
    page: Page


@dataclass
class WikiFailed(Message):
    """A page could not be made."""

    loader: WikiLoader
    request: int
    error: UnderstoryError


class WikiLoader:
    """Asks a work for its pages, one at a time; the answer to an earlier question is dropped."""

    def __init__(
        self,
        screen: Screen[Any],  # Any: what it answers is of no account here
        view: WikiView,
        session: Callable[[], ReadingSession],
        group: str = "wiki",
    ) -> None:
        """Take what there is.

        Args:
            screen: Gets `WikiArrived` or `WikiFailed`.
            view: Shows the pages, and keeps the keys that are typed until one is there.
            session: Returns the work as it is when a page is asked for.
            group: Of the workers; each view has its own.
        """
        self._screen = screen
        self._view = view
        self._session = session
        self._group = group
        self._request = 0
        self._revealed: frozenset[StatementId] = frozenset()
        self._revealed_of: ReadingSession | None = None

    def ask(self, key: PageKey, reveal: StatementId | None = None) -> None:
        """Ask for a page.

        Args:
            key: Which.
            reveal: A statement the reader wants to see on it before its time; it stays open for the session.
        """
        session = self._session()
        if session is not self._revealed_of:
            self._revealed, self._revealed_of = frozenset(), session
        if reveal is not None:
            self._revealed |= {reveal}
        self._request += 1
        self._view.wait()
        load = partial(self._load, session, key, reveal, self._revealed, self._request)
        self._screen.run_worker(load, thread=True, exclusive=True, group=self._group, exit_on_error=False)

    def _load(
        self,
        session: ReadingSession,
        key: PageKey,
        reveal: StatementId | None,
        revealed: frozenset[StatementId],
        request: int,
    ) -> None:
        session.settle()
        try:
            if reveal is not None:
                session.source.reveal(reveal)
            self._screen.post_message(WikiArrived(self, request, session.source.page(key, revealed)))
        except UnderstoryError as error:
            self._screen.post_message(WikiFailed(self, request, error))

    def take(self, event: WikiArrived) -> bool:
        """Show a page that came; False for one nobody waits for any more."""
        is_awaited = event.loader is self and event.request == self._request
        if is_awaited:
            self._view.show(event.page)
        return is_awaited

    def give_up(self, event: WikiFailed) -> bool:
        """Stop waiting for a page that does not come; False when another is waited for."""
        is_awaited = event.loader is self and event.request == self._request
        if is_awaited:
            self._view.stop_waiting()
        return is_awaited
