"""The half of the library that shows what is written about a work before its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.errors import PlaceUnknownError
from engine.library.knowing import Knowing
from engine.spoilers.policy import FRONTIER, Upto

# Imported where they are used: most sessions only read.

if TYPE_CHECKING:
    from engine.domain.wiki import Revealed, StatementId


class Revealing(Knowing):
    """What is written about the works of a library, asked for before it was read."""

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
