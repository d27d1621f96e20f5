"""The half of the library that makes pages of the wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.library.knowing import Knowing
from engine.library.timing import pace_of
from engine.spoilers.policy import FRONTIER, Upto
from engine.store import works

# engine.wiki is imported where it is used: the first page of a book does without.

if TYPE_CHECKING:
    from engine.domain.wiki import Page, PageKey, StatementId


class WikiPages(Knowing):
    """Pages of the works of a library, masked like everything that is known of them."""

    def page(
        self,
        work: WorkId,
        key: PageKey,
        revealed: frozenset[StatementId] = frozenset(),
        upto: Upto = FRONTIER,
        spoilers: SpoilerMode | None = None,
    ) -> Page:
        """Return a page of a work's wiki.

        Args:
            work: Whose.
            key: Which page.
            revealed: Statements the reader has asked for by `reveal`.
            upto: How far the request may see.
            spoilers: The mode; None for the reader's setting.

        Raises:
            EntryUnknownError: nobody of that id has been met, or there is no such volume yet.
            WorkNotFoundError: there is no such work.
        """
        from engine.wiki.outline import make_page, make_waiting_page

        with self._store.read() as r, self._known(work, upto, spoilers) as known:
            if known is None:
                return make_waiting_page(works.outline(r, work))
            return make_page(known, r, key, revealed, pace_of(r, known.where.outline.language))
