"""The half of the library that has a companion for its works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config import read_settings
from engine.domain.book import WorkId
from engine.domain.models import ModelRole
from engine.library.note_search import NoteSearch
from engine.library.ordering import Ordering
from engine.library.searching import Searching
from engine.library.wiki_pages import WikiPages

# Imported where they are used: most sessions ask nothing, and only a helper process may talk to a model.

if TYPE_CHECKING:
    from engine.agent.companion import Companion
    from engine.agent.telling import Teller
    from engine.domain.models import ModelSettings
    from engine.library.book_view import BookView
    from engine.providers.protocols import Model


class Asking(Searching, WikiPages, NoteSearch, Ordering):
    """Who answers questions about the works of a library."""

    def companion(self, book: BookView, work: WorkId, name: str = "") -> Companion:
        """Return who answers. Imports `llm`: not for the reading process.

        Args:
            book: What it may see.
            work: For the usage page.
            name: Of the model; empty for the one the reader has named as companion.

        Raises:
            ModelMissingError: the reader has named nobody.
            ModelUnknownError: there is no model of that name any more.
        """
        from engine.agent.companion import Companion

        model, settings = self._model_named(name)
        return Companion(model, book, secret=self._fence_secret(), work=work, most_calls=settings.chat_calls)

    def teller(self, book: BookView, work: WorkId, name: str = "") -> Teller:
        """Return who explains and tells again; as `companion`."""
        from engine.agent.telling import Teller

        language = read_settings(self.paths.config_file)[0].language
        model, _settings = self._model_named(name)
        return Teller(model, book, secret=self._fence_secret(), work=work, language=language)

    def _model_named(self, name: str) -> tuple[Model, ModelSettings]:
        from engine.models.desk import open_registry

        registry = open_registry(self.paths, self._store)
        return registry.named(name) if name else registry.for_role(ModelRole.COMPANION), registry.settings

    def _fence_secret(self) -> bytes:
        from engine.analysis.asking import fence_secret

        return fence_secret(self._store)
