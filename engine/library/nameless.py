"""What is known of a file that is not imported yet: nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from engine.config import SpoilerMode
from engine.domain.book import DocumentId
from engine.domain.locator import Locator
from engine.domain.reading import WorkOutline
from engine.errors import CorrectionRefusedError, PlaceUnknownError
from engine.translate import _

if TYPE_CHECKING:
    from engine.domain.corrections import Act, MadeCorrection
    from engine.domain.wiki import KnowledgeState, NameInText, NameMatch, Page, PageKey, Revealed, StatementId


class Nameless(ABC):
    """The half of a `ReadingSource` that speaks of names, before there are any."""

    @abstractmethod
    def outline(self) -> WorkOutline:
        """Return the contents and the documents."""

    def page(self, key: PageKey, revealed: frozenset[StatementId] = frozenset()) -> Page:
        """Return a page that asks for patience."""
        from engine.wiki.outline import make_waiting_page

        return make_waiting_page(self.outline())

    def reveal(self, statement: StatementId) -> Revealed:
        """Refuse: nothing was written.

        Raises:
            PlaceUnknownError: always.
        """
        raise PlaceUnknownError(str(statement))

    def correct(self, act: Act, read_to: Locator | None = None) -> MadeCorrection:
        """Refuse: nobody is known.

        Raises:
            CorrectionRefusedError: always.
        """
        raise CorrectionRefusedError(_("nobody of that id is known yet"))

    def undo_correction(self) -> MadeCorrection | None:
        """Say that there is none."""
        return None

    def knowledge_state(self) -> KnowledgeState:
        """Say that names are being looked for, or will be: the import goes on."""
        from engine.domain.wiki import KnowledgeState

        return KnowledgeState.WORKING

    def names_in(
        self, document: DocumentId, start: int, end: int, spoilers: SpoilerMode, read_to: Locator | None = None
    ) -> tuple[NameInText, ...]:
        """Return no names."""
        return ()

    def is_named_beyond(self, text: str, spoilers: SpoilerMode, read_to: Locator | None = None) -> bool:
        """Say no."""
        return False

    def resolve(
        self, text: str, spoilers: SpoilerMode, at: Locator | None = None, read_to: Locator | None = None
    ) -> tuple[NameMatch, ...]:
        """Return nobody."""
        return ()
