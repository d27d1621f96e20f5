"""What turns texts into vectors: the protocol, the embedder the reader has chosen, and what it costs.

Nothing heavy is imported before an embedder is opened, and only in a helper process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from engine.config import read_settings
from engine.domain.vectors import EmbedderChoice, EmbeddingCost, Vector
from engine.errors.vectors import EmbedderUnchosenError
from engine.providers.embedder_names import LLM_SIGN, address_of

_LOCAL_CHARS_A_MINUTE: Mapping[bool, int] = {True: 36_000, False: 110_000}
"""Of Han and kana, and of other text: one thread of 2026, see docs/benchmarks.md."""
_TOKENS_A_CHAR: Mapping[bool, float] = {True: 0.75, False: 0.25}
"""Measured with the tokenizer of multilingual-e5, which Qwen3's and OpenAI's are close to."""


def chosen_embedder(config_file: Path) -> EmbedderChoice:
    """Return whom the settings name at this moment; read anew, for the reader may change it while we run."""
    settings, _notices = read_settings(config_file)
    return EmbedderChoice(settings.embedder, settings.embedder_key)


class Embedder(Protocol):
    """Makes vectors. For one thread."""

    @property
    def name(self) -> str:
        """The name it has in the settings."""
        ...

    @property
    def identity(self) -> str:
        """What its vectors may be compared with: only those of the same identity and length."""
        ...

    @property
    def batch(self) -> int:
        """How many passages it takes at once."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each passage: float32[dims], unit length, in the order of `texts`.

        Args:
            texts: At most `batch`.

        Raises:
            ModelError: there is no answer; `is_temporary` says whether it is worth asking again.
            VectorInvalidError: what came are no vectors.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what a reader looks for; raises like `embed_passages`."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


def open_embedder(choice: EmbedderChoice) -> Embedder:
    """Open the embedder the reader wants. Only in a helper process: it may take 200 MB and a second.

    Raises:
        EmbedderUnknownError: there is no such embedder.
        EmbedderUnchosenError: none is wanted.
        EmbedderMissingError: it is not installed, or `llm` knows no such model.
        KeyMissingError: it needs a key nobody has.
    """
    if choice.is_none:
        raise EmbedderUnchosenError
    if choice.is_local:
        from engine.providers.local_embedder import LocalEmbedder

        return LocalEmbedder()
    if choice.name.startswith(LLM_SIGN):
        from engine.providers.llm_embedder import open_llm_embedder

        return open_llm_embedder(choice.name, choice.name.removeprefix(LLM_SIGN))
    from engine.providers.http_embedder import open_http_embedder

    return open_http_embedder(choice)


def cost_of(choice: EmbedderChoice, passages: int, characters: int, *, is_dense: bool) -> EmbeddingCost:
    """Estimate what vectors for so much text take.

    Args:
        choice: Who makes them.
        passages: How many.
        characters: Of all of them.
        is_dense: The text is written without spaces between its words.

    Raises:
        EmbedderUnknownError: there is no such embedder.
    """
    tokens = round(characters * _TOKENS_A_CHAR[is_dense])
    if choice.is_local:
        return EmbeddingCost(passages, characters, tokens, characters / _LOCAL_CHARS_A_MINUTE[is_dense], "")
    if choice.name.startswith(LLM_SIGN):
        return EmbeddingCost(passages, characters, tokens, 0.0, choice.name)
    from engine.providers.line import host_of, is_this_machine

    host = host_of(address_of(choice.name)[0])
    return EmbeddingCost(passages, characters, tokens, 0.0, "" if is_this_machine(host) else host)
