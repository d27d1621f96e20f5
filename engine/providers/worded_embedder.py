"""An embedder that is asked somewhere else: its model wants words of its own before a text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from engine.domain.vectors import Vector, unit_vector
from engine.providers.embedder_names import prefixes_of


class WordedEmbedder(ABC):
    """What embedders that are asked somewhere else have in common; the rest of an `Embedder` is theirs."""

    batch = 16
    """16 passages are at most 8 000 tokens, which every server takes."""

    def __init__(self, name: str, identity: str, model: str, dims: int = 0) -> None:
        """Take what it is called.

        Args:
            name: In the settings.
            identity: What its vectors may be compared with.
            model: Whose words are put before a text.
            dims: How long its vectors must be; 0 for as long as the first one is.
        """
        self.name = name
        self.identity = identity
        self._words = prefixes_of(model)
        self._dims = dims

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each passage.

        Raises:
            ModelError: there is no answer, or none of an embedder.
            VectorInvalidError: what came are no vectors.
        """
        return self._embed([self._words.passage + text for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what a reader looks for; raises like `embed_passages`."""
        return self._embed([self._words.query + text])[0]

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        rows = self._rows_of(texts)
        vectors = [unit_vector(row, self._dims) for row in rows]
        self._dims = self._dims or len(rows[0])
        return vectors

    @abstractmethod
    def _rows_of(self, texts: Sequence[str]) -> list[list[float]]:
        """Ask for the numbers of each text, in the order of the texts.

        Raises:
            ModelError: there is no answer, or none of an embedder.
        """
