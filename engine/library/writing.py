"""The half of the library by which anything written about a work enters, and is revealed before its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.errors import NamesUnknownError, PlaceUnknownError
from engine.library.knowing import Knowing
from engine.paths import Paths
from engine.spoilers.policy import FRONTIER, Upto
from engine.store.store import Store

# Imported where they are used: most sessions only read.

if TYPE_CHECKING:
    from engine.analysis.evidence import Desk
    from engine.domain.statements import NewStatement
    from engine.domain.wiki import Revealed, StatementId


class Writing(Knowing):
    """What is written about the works of a library."""

    def __init__(self, paths: Paths, store: Store, spoilers: SpoilerMode) -> None:
        super().__init__(paths, store, spoilers)
        self._desk: tuple[tuple[WorkId, int, str], Desk] | None = None

    def write_statement(self, work: WorkId, statement: NewStatement) -> StatementId:
        """Write a statement: its quotations are looked for in the text, and its unlock is computed.

        The one way in for whatever is written, by a model, a pack or a test. The first call for a
        work reads its text, which takes seconds for millions of characters; for the helper process
        and for tools, not for a screen.

        Raises:
            NamesUnknownError: the work's names have not been found yet.
            PlaceUnknownError: the statement's own mark is no place of this work.
        """
        from engine.analysis.evidence import open_desk, write_statement
        from engine.store import corrections, points

        with self._store.read() as r:
            roster = points.visible_roster(r, work)
            if roster is None:
                raise NamesUnknownError(work)
            key = (work, roster, corrections.revision(r, work))
            kept = self._desk
            desk = kept[1] if kept is not None and kept[0] == key else open_desk(r, work, roster)
        self._desk = (key, desk)
        with self._store.write() as w:
            if points.visible_roster(w, work) != roster:
                raise NamesUnknownError(work)
            return write_statement(w, work, roster, statement, desk)

    def reveal(
        self, work: WorkId, statement: StatementId, upto: Upto = FRONTIER, spoilers: SpoilerMode | None = None
    ) -> Revealed:
        """Show a statement before its time because the reader asked for it; that she did is written down.

        Only one she can see veiled: about the work, or about somebody she has met.

        Raises:
            PlaceUnknownError: there is no such statement for her.
        """
        from engine.domain.wiki import Revealed
        from engine.store import wiki

        with self._known(work, upto, spoilers) as known:
            if known is None or not known.has_statement(statement):
                raise PlaceUnknownError(str(statement))
        with self._store.write() as w:
            words = wiki.add_reveal(w, work, statement)
        if words is None:
            raise PlaceUnknownError(str(statement))
        return Revealed(statement, words)
